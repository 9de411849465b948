import Envelopes
import Foundation
import Secrets
import Testing

/// A home that version 0.1 wrote: `data/stores` in the folder of `TRESOR_SHARED`, else in `../shared`.
private let formerHome: String? = {
    let shared =
        ProcessInfo.processInfo.environment["TRESOR_SHARED"]
        ?? LiveDevice.root.deletingLastPathComponent().appendingPathComponent("shared").path
    let file = shared + "/data/stores/home-0.1.tar.gz"
    return FileManager.default.fileExists(atPath: file) ? file : nil
}()

/// Notes of version 0.1 open unchanged.
@Suite(.serialized, .enabled(if: formerHome != nil, "set TRESOR_SHARED to a folder with data/stores"))
struct FormerNotesStory {
    @Test func `notes, versions and locked notes read as they did, and go on`() throws {
        let parts = NSTemporaryDirectory() + "tresor-former-" + Identifier.makeRandom().description.prefix(12)
        try FileManager.default.createDirectory(atPath: parts, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: parts) }
        let tar = try Process.run(
            URL(fileURLWithPath: "/usr/bin/env"), arguments: ["tar", "xzf", try #require(formerHome), "-C", parts])
        tar.waitUntilExit()
        let old = parts + "/home-0.1"
        let device = try LiveDevice(folder: old + "/home")
        #expect(try device.run("unlock", input: Data("seven slow boats 3\n".utf8)).code == 0)
        #expect(try device.notes("unlock", input: "quince 2\n").code == 0)
        let expected = try String(contentsOfFile: old + "/expected", encoding: .utf8)
        for name in ["n1", "l1", "l2", "l3", "l4"] {
            let id = try String(contentsOfFile: old + "/" + name, encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let shown = try device.notes("show", id)
            #expect(shown.code == 0 && expected.contains("\(name): \(hash(shown.output))"), "\(name) \(shown.errors)")
            guard name == "n1" || name == "l1" else { continue }
            for version in 1...(name == "n1" ? 3 : 2) {
                let former = try device.notes("show", id, "--at", "\(version)")
                let isSame = name != "n1" || expected.contains("n1 at \(version): \(hash(former.output))")
                #expect(former.code == 0 && isSame)
            }
            // From here on it is what is typed; what it was is a version, as it was.
            let typed = shown.output + Data("\r\n[wifi]: secret\r\n\r\n7. seven".utf8)
            #expect(try device.run(["notes", "edit", id], input: typed).code == 0)
            try device.stopNotes()
            #expect(try device.notes("unlock", input: "quince 2\n").code == 0)
            #expect(try device.notes("show", id).output == typed)
            #expect(try device.notes("show", id, "--at", name == "n1" ? "3" : "2").output == shown.output)
        }
        #expect(try device.notes("status").code == 0, "nothing is damaged")
    }

    private func hash(_ data: Data) -> String { Hexadecimal.encode(Digest.sha256(Array(data))) }
}
