import CTestSupport
import Foundation
import Glibc
import Linux
import NotesClient
import Protection
import ResidentClient
import Secrets
import Testing
import Tresor
import Wire

/// What is asked, or under way, at the moment of a lock.
@Suite(.serialized) struct LockEdgeStories {
    private static let clocked = LiveDevice.programs + "/clock"
    private static let hasClock = FileManager.default.fileExists(atPath: clocked + "/tresord")

    /// A locked note on the screen of an editor that says nothing when it is asked for its last words.
    private func silentEditor(_ device: LiveDevice) throws -> (id: String, editor: NotesConnection) {
        try device.notes("passphrase", "set", input: "pass\npass\n")
        let id = try device.newNote("cellar words\n")
        try device.notes("lock", id)
        let editor = try device.notesConnection()
        try editor.subscribe()
        try editor.ask(.show(id: id))
        return (id: id, editor: editor)
    }

    /// Waits until an editor is asked for its last words.
    private func awaitHandIn(_ editor: NotesConnection) throws {
        for _ in 0..<500 {
            while let event = try editor.nextEvent() { if event == .handInDrafts { return } }
            usleep(1000)
        }
        Issue.record("nobody has asked for the last words")
    }

    @Test func `while a session ends only what is handed in is taken, and all else is answered afterwards`() throws {
        let device = try LiveDevice()
        let (id, editor) = try silentEditor(device)
        let open = try device.newNote("open words\n")
        let reader = try device.notesConnection()
        try reader.ask(.show(id: id))
        let ender = try device.begin("notes", "lock-now")
        try awaitHandIn(editor)
        #expect(refusal { try reader.ask(.show(id: id)) } == .noteLocked)
        #expect(String(decoding: try reader.ask(.show(id: open)).body, as: UTF8.self) == "open words\n")
        ender.waitUntilExit()
        #expect(try device.notes("show", id).code == 5)
    }

    private func refusal<Result>(_ body: () throws -> Result) -> NotesError.Code? {
        do { _ = try body() } catch { return (error as? NotesError)?.code }
        return nil
    }

    @Test func `a reset of the passphrase that comes while the device locks neither resets nor unlocks`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let (_, editor) = try silentEditor(device)
        let owner = try device.notesConnection()
        try owner.ask(.status)
        let locking = try device.begin("lock")
        try awaitHandIn(editor)
        let secrets = MessageSecrets(try SecretBytes(text: "1234"), try SecretBytes(text: "new"))
        #expect(throws: (any Error).self) { try owner.ask(.resetPassphrase(hint: nil), secrets: secrets) }
        locking.waitUntilExit()
        #expect(locking.terminationStatus == 0)
        #expect(try device.status().enclave.lock == .locked)
        try device.unlock()
        #expect(try device.notes("unlock", input: "pass\n").code == 0)
    }

    @Test func `who checks a passcode opens nothing with it`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let link = try DaemonLink(device.home)
        try link.verifyPasscode(SecretBytes(text: "1234"))
        #expect(throws: TresorError.self) { try link.verifyPasscode(SecretBytes(text: "4321")) }
        #expect(try device.run("lock").code == 0)
        #expect(throws: TresorError.self) { try link.verifyPasscode(SecretBytes(text: "1234")) }
        #expect(try device.status().enclave.lock == .locked)
    }

    @Test(.enabled(if: hasClock, "needs the build with a clock for tests: make test"))
    func `after a sleep of which nobody told, nothing is given before the device is locked`() throws {
        let device = try LiveDevice(programs: Self.clocked)
        try device.setPasscode()
        #expect(try device.run("keychain", "add", "--service", "s", input: Data("secret".utf8)).code == 0)
        let path = device.folder + "/test-sleep"
        // Clocks that are read one after the other differ.
        try FileSystem.replace(path, with: Array("1500".utf8))
        #expect(try device.run("keychain", "get", "--service", "s").text == "secret")
        try FileSystem.replace(path, with: Array("4000".utf8))
        #expect(try device.run("keychain", "get", "--service", "s").code == 5)
        try device.unlock()
        #expect(try device.run("keychain", "get", "--service", "s").text == "secret")
    }

    @Test(.enabled(if: MemoryClaims.areTested, MemoryClaims.reason))
    func `replies that nobody has taken are wiped at a lock, and end their connection`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let marker = "ndl" + Identifier.makeRandom().description.prefix(12)
        let client = try device.connect()
        for number in 0..<16 {
            var attributes = Attributes()
            attributes[.service] = .string("s")
            attributes[.account] = .string("\(number)")
            let secret = try SecretBytes(text: String(repeating: marker, count: 60_000 / marker.utf8.count))
            try client.exchange(
                .add(ItemAddition(kind: ItemKind.password.code, attributes: attributes, secret: secret))
            ) { _ in }
        }
        var query = KeychainQuery(kind: .password)
        query.attributes[.service] = .string("s")
        query.returns = .data
        query.limit = nil
        // More than the kernel holds for who does not read.
        let slow = try UnixSocket.connect(device.home.socket)
        var requests = try SecretBuffer(capacity: 4096)
        for id: UInt32 in 1...3 { try KeychainRequest.find(query).encode(id: id, into: &requests) }
        #expect(try slow.writeAll(requests.bytes))
        usleep(200_000)
        #expect(try device.run("lock").code == 0)
        // Where secrets lie in memory that even root does not see, nothing is found before a lock either.
        var unreadable = 0
        let needle = Array(marker.utf8)
        #expect(ct_count(device.daemon, needle, needle.count, &unreadable) == 0)
        var taken: [UInt8] = []
        var hasEnded = false
        try slow.setNonblocking(true)
        for _ in 0..<200 where !hasEnded {
            let before = taken.count
            hasEnded = try slow.read(into: &taken, room: 1 << 20) == .closed
            if taken.count == before { usleep(5000) }
        }
        #expect(hasEnded && taken.count < 900_000, "it ends before the first page does: \(taken.count)")
        #expect(try device.status().enclave.lock == .locked)
    }
}
