import CTestSupport
import Conformance
import Foundation
import Linux
import NotesClient
import Secrets
import Testing

/// Whatever shuts the class keys shuts the notes: nothing of them outlives it in tresor-notes.
@Suite(.serialized, .enabled(if: MemoryClaims.areTested, MemoryClaims.reason))
struct NotesEvictionStory {
    private let word = "heron" + Identifier.makeRandom().description.prefix(16)

    /// Whether any process of tresor-notes has the word: at a lock another one takes the place of the one that had it.
    private func isInMemory(_ device: LiveDevice) -> Bool {
        device.processes("tresor-notes").contains { process in
            var unreadable = 0
            let bytes = Array(word.utf8)
            return ct_count(process, bytes, bytes.count, &unreadable) > 0
        }
    }

    /// A device with a passcode and one open note, which tresor-notes has read; the class makes no difference here.
    private func live(_ device: LiveDevice) throws -> (id: String, process: Int32) {
        try device.setPasscode()
        let id = try device.newNote("# \(word)\n")
        try device.notes("settings", "--class", "afterFirstUnlock")
        let process = try device.notesProcess()
        #expect(isInMemory(device), "the control: an open note is in memory")
        return (id: id, process: process)
    }

    private func waitUntil(_ isSo: () -> Bool) -> Bool {
        for _ in 0..<600 {
            if isSo() { return true }
            usleep(10_000)
        }
        return false
    }

    @Test func `an enclave that is killed takes the notes along until the next unlock`() throws {
        let device = try LiveDevice()
        let (id, _) = try live(device)
        kill(Int32(try device.status().enclaveProcess), SIGKILL)
        // While the daemon starts another one, it has no state to tell.
        #expect(waitUntil { (try? device.status())?.enclave.lock == .beforeFirstUnlock })
        #expect(waitUntil { !isInMemory(device) })
        #expect(try device.notes("show", id).code == 5)
        try device.unlock()
        #expect(try device.notes("show", id).text == "# \(word)\n")
    }

    @Test func `class keys that are destroyed take the notes along for good, and say so`() throws {
        let device = try LiveDevice()
        let (id, _) = try live(device)
        #expect(try device.run("passcode", "reset", "--yes").code == 0)
        #expect(waitUntil { !isInMemory(device) })
        let shown = try device.notes("show", id)
        #expect(shown.code == 8 && shown.errors.contains("the key of these notes is gone"), "\(shown.errors)")
    }

    @Test func `a daemon that ends, in order or not, ends tresor-notes`() throws {
        for isInOrder in [true, false] {
            let device = try LiveDevice()
            let (id, process) = try live(device)
            if isInOrder { try device.stop() } else { device.kill() }
            #expect(waitUntil { !ChildProcess.isRunning(process) })
            try device.start()
            #expect(try device.notes("show", id).code == 5)
            try device.unlock()
            #expect(try device.notes("show", id).text == "# \(word)\n")
        }
    }

    @Test func `a program that does not answer a lock is killed after two seconds, and nothing is lost`() throws {
        let device = try LiveDevice()
        let (id, process) = try live(device)
        kill(process, SIGSTOP)
        let begin = SystemClock.monotonicNanoseconds()
        #expect(try device.run("lock").code == 0)
        let seconds = Double(SystemClock.monotonicNanoseconds() - begin) / 1e9
        #expect(seconds > 1.5 && seconds < 5, "\(seconds) s")
        // A lock is told when its memory is gone; its number may be there a moment longer.
        let maps = (try? String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)) ?? ""
        #expect(maps.isEmpty && waitUntil { !ChildProcess.isRunning(process) })
        try device.unlock()
        #expect(try device.notes("show", id).text == "# \(word)\n")
    }

    @Test func `a store that was there and is not is missed, and none is made in its place`() throws {
        let device = try LiveDevice()
        let (id, _) = try live(device)
        try device.stopNotes()
        let away = device.home.notesDatabase + ".away"
        try FileSystem.rename(device.home.notesDatabase, to: away)
        let listed = try device.notes("list")
        #expect(listed.code == 8 && listed.errors.contains("the store of notes is missing"), "\(listed.errors)")
        #expect(try device.notes("new", input: "another\n").code == 8)
        #expect(!FileManager.default.fileExists(atPath: device.home.notesDatabase))
        try FileSystem.rename(away, to: device.home.notesDatabase)
        #expect(try device.notes("show", id).text == "# \(word)\n")
    }
}
