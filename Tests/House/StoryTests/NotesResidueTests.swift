import CTestSupport
import Conformance
import Foundation
import Glibc
import Linux
import NotesClient
import Secrets
import Testing
import Wire

/// A note that was typed, searched, given attachments and versions, and then locked: nothing of it is left anywhere.
@Suite(.serialized, .enabled(if: MemoryClaims.areTested, MemoryClaims.reason))
struct NotesResidueStory {
    /// Forty words that stand nowhere else.
    private let markers = (0..<40).map { _ in "mrk" + Identifier.makeRandom().description.prefix(20) }

    private func inMemory(_ needle: String, _ process: Int32) throws -> Int {
        var unreadable = 0
        let bytes = Array(needle.utf8)
        let found = ct_count(process, bytes, bytes.count, &unreadable)
        guard found >= 0 else { throw LinuxError(call: "/proc/PID/mem", code: Int32(-found)) }
        return found
    }

    /// How many of the markers stand in the memory of these processes.
    private func found(in processes: [Int32], of wanted: [String]? = nil) throws -> [String] {
        try (wanted ?? markers).filter { marker in try processes.contains { try inMemory(marker, $0) > 0 } }
    }

    private func found(in state: Data) -> [String] {
        markers.filter { marker in
            let utf16 = Data(marker.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), 0] })
            return state.range(of: Data(marker.utf8)) != nil || state.range(of: utf16) != nil
        }
    }

    private func live(_ device: LiveDevice) throws -> String {
        try device.notes("passphrase", "set", "--hint", "a hint", input: "pass \(markers[1])\npass \(markers[1])\n")
        let id = try device.newNote(
            "# Title \(markers[2])\n\n\(markers[0])\n\n" + markers[3..<15].joined(separator: "\n\n"), "--tag",
            markers[15])
        #expect(try device.notes("search", markers[5]).text.contains(markers[5]))
        for number in 16..<26 {
            let text = try device.notes("show", id).text + "\n\n- [ ] version \(markers[number])\n"
            #expect(try device.notes("edit", id, input: text).code == 0)
        }
        for number in 26..<32 {
            let path = device.folder + "-\(markers[number]).gif"
            let gif = "GIF89a"
            try Data((gif + markers[number] + String(repeating: " \(markers[number + 6])", count: 40_000)).utf8)
                .write(to: URL(fileURLWithPath: path))
            defer { try? FileManager.default.removeItem(atPath: path) }
            #expect(try device.notes("attach", id, path, "--as", "image").code == 0)
        }
        let editor = try device.notesConnection()
        guard case .note(let note) = try editor.ask(.show(id: id)).reply else { return id }
        let draft = "# Title \(markers[2])\n\nabandoned \(markers[38]) \(markers[39])"
        try editor.ask(.keepDraft(id: id, base: note.revision), body: Array(draft.utf8))
        try editor.ask(.discardDraft(id: id))
        return id
    }

    @Test func `of forty words none is left on the disk or in memory after Lock Now and the device's lock`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let id = try live(device)
        let processes = try [device.daemon, Int32(device.status().enclaveProcess), device.notesProcess()]
        #expect(try !found(in: [processes[2]]).isEmpty, "the control: an open note is in memory")
        #expect(try device.notes("settings", "--locked-titles", "no").code == 0)
        #expect(try device.notes("lock", id).code == 0)
        #expect(try device.notes("lock-now").code == 0)
        #expect(found(in: try device.state()) == [])
        // A fresh index takes the place of the one that had the words, a few notes at a time.
        var left = try found(in: processes)
        for _ in 0..<20 where !left.isEmpty {
            usleep(100_000)
            left = try found(in: processes, of: left)
        }
        #expect(left.map { markers.firstIndex(of: $0) ?? -1 } == [])
        #expect(try device.run("lock").code == 0)
        // Another process goes on in the place of the one that held them; its keeper holds nothing.
        let after = device.keeperAndWard("tresor-notes")
        #expect(after.count == 2 && !after.contains(processes[2]))
        #expect(try found(in: Array(processes.prefix(2)) + after) == [])
        #expect(found(in: try device.state()) == [])
        try device.stop()
        #expect(found(in: try device.state()) == [])
        // And it is all there for whoever has the passphrase.
        try device.start()
        try device.unlock()
        try device.notes("unlock", input: "pass \(markers[1])\n")
        let text = try device.notes("show", id).text
        #expect((2..<15).allSatisfy { text.contains(markers[$0]) } && text.contains(markers[25]))
        #expect(
            try device.notes("extract", id, "\(device.folder.split(separator: "/").last ?? "")-\(markers[26]).gif")
                .text
                .hasPrefix("GIF89a" + markers[26]))
    }

    @Test func `of the text of an unlocked note nothing stands on the disk, nor in memory once the device is locked`()
        throws
    {
        let device = try LiveDevice()
        try device.setPasscode()
        _ = try live(device)
        #expect(found(in: try device.state()) == [])
        let process = try device.notesProcess()
        #expect(try !found(in: [process]).isEmpty)
        #expect(try device.run("lock").code == 0)
        let after = device.keeperAndWard("tresor-notes")
        #expect(after.count == 2 && !after.contains(process))
        #expect(try found(in: after + [device.daemon]) == [])
    }
}
