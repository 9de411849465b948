import Foundation
import Secrets
import Testing

/// A home that version 0.1 wrote, unpacked (Tests/Stores); it is removed with it.
final class FormerHome {
    let parts: String
    private let name: String
    var old: String { parts + "/" + name }

    init(_ name: String = "home-0.1") throws {
        self.name = name
        parts = NSTemporaryDirectory() + "tresor-former-" + Identifier.makeRandom().description.prefix(12)
        try FileManager.default.createDirectory(atPath: parts, withIntermediateDirectories: true)
        let archive = LiveDevice.root.appendingPathComponent("Tests/Stores/\(name).tar.gz").path
        let tar = try Process.run(
            URL(fileURLWithPath: "/usr/bin/env"), arguments: ["tar", "xzf", archive, "-C", parts])
        tar.waitUntilExit()
    }

    deinit { try? FileManager.default.removeItem(atPath: parts) }

    func text(_ name: String) throws -> String {
        try String(contentsOfFile: old + "/" + name, encoding: .utf8).trimmingCharacters(
            in: .whitespacesAndNewlines)
    }
}
