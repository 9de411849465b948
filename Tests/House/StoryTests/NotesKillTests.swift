import Conformance
import Foundation
import Glibc
import Linux
import NotesClient
import ResidentClient
import Secrets
import Testing
import Thoroughness
import Wire

/// The power fails while notes are locked, while a passphrase is changed or reset, and while notes come in.
///
/// After each: every note opens with exactly one passphrase, nothing is lost, and of a locked note no record is left
/// that opens without its passphrase. `TRESOR_KILLS` asks for more rounds, `TRESOR_SEED` for those of another run.
@Suite(.serialized) struct NotesKillStory {
    private static let rounds = Thoroughness.count(18, soak: 90, orBy: "TRESOR_KILLS")
    /// What is cut short, in turn; of few rounds most are changes, which take long before the moment that matters.
    private static let kinds =
        rounds < 90
        ? ["lock", "change", "change", "import", "change", "change"] : ["lock", "change", "import"]
    private static let seed = UInt64(ProcessInfo.processInfo.environment["TRESOR_SEED"] ?? "") ?? 20_261_122

    private let device: LiveDevice
    private var random: Seeded
    /// What each note says, by its id.
    private var texts: [String: String] = [:]
    /// Which were locked, by an acknowledged request.
    private var locked: Set<String> = []
    private var passphrase = "p0"
    private var imported = 0

    init() throws {
        device = try LiveDevice()
        random = Seeded(Self.seed)
    }

    /// The bytes by which a picture is known.
    private static let picture =
        [0x89] + Array("PNG\r\n".utf8) + [0x1a, 0x0a, 0, 0, 0, 0x0d] + Array("IHDR".utf8)

    private func secret(_ text: String) throws -> SecretBytes { try SecretBytes(text: text) }

    /// Does one thing to the notes while a timer kills tresor-notes.
    private func interrupt(after microseconds: UInt32, _ body: (NotesConnection) throws -> Void) throws -> Bool {
        let connection = try device.notesConnection()
        guard case .status(let status) = try connection.ask(.status).reply else { return false }
        _ = try connection.ask(.unlock(), secrets: MessageSecrets(try secret(passphrase)))
        let process = status.process
        let killed = DispatchSemaphore(value: 0)
        let killer = Thread {
            usleep(microseconds)
            Glibc.kill(process, SIGKILL)
            killed.signal()
        }
        killer.start()
        defer {
            // A busy machine may be late with it.
            killed.wait()
            for _ in 0..<1000 where ChildProcess.isRunning(process) { usleep(1000) }
        }
        do {
            try body(connection)
            return true
        } catch let error as NotesError where error.code == .unavailable { return false }
    }

    /// After a fresh start, everything is as it was before or after what was cut short.
    private mutating func check(orPassphrase other: String?, _ round: Int) throws {
        let connection = try device.notesConnection()
        if let other {
            let isOld = opens(connection, passphrase)
            try connection.ask(.lockNow)
            let isNew = opens(connection, other)
            #expect(isOld != isNew, "round \(round): exactly one passphrase opens")
            if isNew { passphrase = other }
            if !isNew { #expect(opens(connection, passphrase)) }
        } else {
            #expect(opens(connection, passphrase), "round \(round)")
        }
        for (id, text) in texts {
            let (reply, body) = try connection.ask(.show(id: id))
            guard case .note(let note) = reply else { continue }
            #expect(String(decoding: body, as: UTF8.self) == text, "round \(round): nothing is lost")
            if locked.contains(id) { #expect(note.isLocked, "round \(round): what was acknowledged is locked") }
            if note.isLocked { locked.insert(id) }
        }
        try connection.ask(.lockNow)
        for id in texts.keys {
            let isOpen = (try? connection.ask(.show(id: id))) != nil
            #expect(isOpen != locked.contains(id), "round \(round)")
        }
        guard case .status(let status) = try connection.ask(.status).reply else { return }
        #expect(status.damaged.isEmpty, "round \(round)")
    }

    private func opens(_ connection: NotesConnection, _ passphrase: String) -> Bool {
        guard let secret = try? secret(passphrase) else { return false }
        return (try? connection.ask(.unlock(), secrets: MessageSecrets(secret))) != nil
    }

    @Test mutating func `every note opens with exactly one passphrase after every kill`() throws {
        let connection = try device.notesConnection()
        try connection.ask(.setPassphrase(hint: nil), secrets: MessageSecrets(try secret(passphrase)))
        var counts: [String: (cut: Int, done: Int)] = [:]
        func isEachCut() -> Bool { Self.kinds.allSatisfy { (counts[$0]?.cut ?? 0) > 0 } }
        // More of them where one of the kinds was faster than its kill each time.
        for round in 0..<max(90, Self.rounds) where round < Self.rounds || !isEachCut() {
            let kind = Self.kinds[round % Self.kinds.count]
            let isDone: Bool
            switch kind {
            case "lock": isDone = try lockOne(round)
            case "change": isDone = try changePassphrase(round)
            default: isDone = try importSome(round)
            }
            counts[kind, default: (cut: 0, done: 0)].cut += isDone ? 0 : 1
            counts[kind, default: (cut: 0, done: 0)].done += isDone ? 1 : 0
        }
        print("kills of tresor-notes by what they cut short: \(counts.sorted { $0.key < $1.key }), seed \(Self.seed)")
        #expect(counts.values.allSatisfy { $0.cut > 0 })
        try checkStore()
    }

    private mutating func lockOne(_ round: Int) throws -> Bool {
        let text = "# Note \(round)\n\n" + (0..<20).map { "line \($0) of \(round)" }.joined(separator: "\n\n") + "\n"
        let connection = try device.notesConnection()
        guard case .note(let note) = try connection.ask(.create(NewNote()), body: Array(text.utf8)).reply else {
            return false
        }
        try connection.ask(
            .attach(id: note.id, NewAttachment(name: "a.png", kind: .image, mediaType: "image/png")),
            body: Self.picture + Array("\(round)".utf8))
        let whole = try connection.ask(.show(id: note.id)).body
        texts[note.id] = String(decoding: whole, as: UTF8.self)
        let isDone = try interrupt(after: UInt32(random.next() % 12_000)) { try $0.ask(.lock(id: note.id)) }
        if isDone { locked.insert(note.id) }
        try check(orPassphrase: nil, round)
        return isDone
    }

    private mutating func changePassphrase(_ round: Int) throws -> Bool {
        let (old, new) = (passphrase, "p\(round)")
        // Most of the time goes into two derivations; the change itself is at the end.
        let isDone = try interrupt(after: UInt32(random.next() % 900_000)) { connection in
            let secrets = MessageSecrets(try SecretBytes(text: old), try SecretBytes(text: new))
            try connection.ask(.changePassphrase(hint: nil), secrets: secrets)
        }
        if isDone { passphrase = new }
        try check(orPassphrase: isDone ? nil : new, round)
        return isDone
    }

    @Test mutating func `a reset that is cut short leaves every note under the one passphrase that it has`() throws {
        let secretOfOld = "old"
        try device.setPasscode()
        let connection = try device.notesConnection()
        try connection.ask(.setPassphrase(hint: nil), secrets: MessageSecrets(try secret(secretOfOld)))
        passphrase = secretOfOld
        let made = try connection.ask(.create(NewNote(isLocked: true)), body: Array("kept\n".utf8)).reply
        guard case .note(let note) = made else { return }
        var counts = (cut: 0, done: 0)
        for round in 0..<max(6, Self.rounds / 10) {
            let (old, new) = (passphrase, "r\(round)")
            let isDone = try interrupt(after: UInt32(random.next() % 900_000)) { connection in
                let secrets = MessageSecrets(try SecretBytes(text: "1234"), try SecretBytes(text: new))
                try connection.ask(.resetPassphrase(hint: nil), secrets: secrets)
            }
            counts = isDone ? (counts.cut, counts.done + 1) : (counts.cut + 1, counts.done)
            let after = try device.notesConnection()
            // The first note is under the first passphrase for good; the one in force is the old or the new one.
            try after.ask(.unlock(id: note.id), secrets: MessageSecrets(try secret(secretOfOld)))
            #expect(try after.ask(.show(id: note.id)).body == Array("kept\n".utf8), "round \(round)")
            try after.ask(.lockNow)
            let isNew = opens(after, new)
            if isNew { passphrase = new } else { #expect(opens(after, old), "round \(round)") }
            #expect(!isDone || isNew, "round \(round): what was acknowledged is there")
            try after.ask(.lockNow)
            #expect(throws: NotesError.self) {
                try after.ask(.unlock(id: note.id), secrets: MessageSecrets(try SecretBytes(text: new)))
            }
        }
        print("kills of tresor-notes during a reset: \(counts), seed \(Self.seed)")
        #expect(counts.cut > 0)
    }

    private mutating func importSome(_ round: Int) throws -> Bool {
        let first = imported
        let isDone = try interrupt(after: UInt32(random.next() % 30_000)) {
            try Self.send(first..<first + 10, over: $0)
        }
        // The second import of the same notes completes the first, and changes nothing of it.
        let connection = try device.notesConnection()
        #expect(opens(connection, passphrase))
        try Self.send(first..<first + 10, over: connection)
        imported += 10
        guard case .list(let list) = try connection.ask(.list(NoteFilter(folder: "In", limit: 1))).reply else {
            return isDone
        }
        #expect(list.total == imported, "round \(round): each came in once")
        try check(orPassphrase: nil, round)
        return isDone
    }

    private static func send(_ numbers: Range<Int>, over connection: NotesConnection) throws {
        for number in numbers {
            let source = "kill:\(number)"
            let new = NewAttachment(name: "f", kind: .image, mediaType: "")
            try connection.ask(.importAttachment(source: source, new), body: Self.picture + Array("\(number)".utf8))
            var head = ImportedNoteHead(source: source)
            head.folder = "In"
            head.isLocked = number % 2 == 0
            head.attachmentCount = 1
            try connection.ask(.importNote(head), body: Array("text \(number)\n\n![f](attachment:0)\n".utf8))
        }
    }

    /// No body of a locked note is stored without its lock, and no file without its note.
    private func checkStore() throws {
        let connection = try device.notesConnection()
        guard case .list(let list) = try connection.ask(.list(NoteFilter(limit: 200))).reply else { return }
        try device.stopNotes()
        // A start puts aside what the last kill left.
        _ = try device.notesConnection().ask(.list(NoteFilter(limit: 1)))
        usleep(300_000)
        let files = try FileSystem.names(in: device.home.notesFolder + "/assets").filter { $0 != "unnamed" }
        #expect(files.count == texts.count + imported && list.total == texts.count + imported)
        try device.stopNotes()
        let locks = try device.storedNotes("SELECT count(*) FROM record WHERE type = 3 AND tombstone = 0")
        #expect(locks == [["\(locked.count + (imported + 1) / 2)"]])
        let keys = try device.storedNotes("SELECT count(*) FROM record WHERE type = 4 AND tombstone = 0")
        #expect(keys == [["1"]], "no key of a passphrase is left but the one in force")
    }
}
