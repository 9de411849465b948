import Foundation
import Secrets
import Testing

/// The home that version 0.1 wrote, unpacked (Tests/Stores); it is removed with it.
final class FormerHome {
    let parts: String
    var old: String { parts + "/home-0.1" }

    init() throws {
        parts = NSTemporaryDirectory() + "tresor-former-" + Identifier.makeRandom().description.prefix(12)
        try FileManager.default.createDirectory(atPath: parts, withIntermediateDirectories: true)
        let tar = try Process.run(
            URL(fileURLWithPath: "/usr/bin/env"), arguments: ["tar", "xzf", Thief.formerHome, "-C", parts])
        tar.waitUntilExit()
    }

    deinit { try? FileManager.default.removeItem(atPath: parts) }

    func text(_ name: String) throws -> String {
        try String(contentsOfFile: old + "/" + name, encoding: .utf8).trimmingCharacters(
            in: .whitespacesAndNewlines)
    }
}
