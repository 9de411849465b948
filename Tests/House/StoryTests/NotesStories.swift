import Conformance
import Foundation
import Linux
import NotesClient
import ResidentClient
import Secrets
import Testing
import Wire

/// What the stories about notes do with the real programs.
extension LiveDevice {
    /// Runs `tresor notes`.
    @discardableResult
    func notes(_ arguments: String..., input: String = "") throws -> Outcome {
        try run(["notes"] + arguments, input: Data(input.utf8))
    }

    /// A note of this text; its id.
    func newNote(_ markdown: String, _ arguments: String...) throws -> String {
        let made = try run(["notes", "new"] + arguments, input: Data(markdown.utf8))
        #expect(made.code == 0, "\(made.errors)")
        return made.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A connection of the test's own; the command starts the program, as it alone has this device's environment.
    func notesConnection() throws -> NotesConnection {
        try notes("status")
        return try NotesConnection(home: home)
    }

    /// Begins a command, and does not wait for its end.
    ///
    /// - Parameter errors: where its standard error goes; to the test's where it is not said.
    func begin(_ arguments: String..., errors: FileHandle? = nil) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: programs + "/tresor")
        process.arguments = arguments
        process.environment = ["TRESOR_HOME": folder, "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"]
        process.standardOutput = FileHandle.nullDevice
        if let errors { process.standardError = errors }
        try process.run()
        return process
    }

    /// The process of tresor-notes.
    func notesProcess() throws -> Int32 {
        guard case .status(let status) = try notesConnection().ask(.status).reply else {
            throw NotesConnectionProblem()
        }
        return status.process
    }

    struct NotesConnectionProblem: Error {}

    /// Rows of a query on the store of notes, read while nobody has it open.
    func storedNotes(_ sql: String) throws -> [[String]] {
        try StoppedDatabase(path: home.notesDatabase).rows(sql)
    }

    /// Ends tresor-notes, and waits until it is gone.
    func stopNotes() throws {
        let process = try notesProcess()
        try notesConnection().ask(.stop)
        for _ in 0..<1000 where ChildProcess.isRunning(process) { usleep(5000) }
    }
}

/// The life of a passphrase, from the first to the last.
@Suite(.serialized) struct NotesPassphraseStory {
    @Test func `three wrong passphrases bring the hint, one right opens all notes under it, and Lock Now shuts them`()
        throws
    {
        let device = try LiveDevice()
        let set = try device.notes("passphrase", "set", "--hint", "the old cat", input: "Felix\nFelix\n")
        #expect(set.code == 0, "\(set.errors)")
        let ids = try (1...3).map { try device.newNote("# Note \($0)\n\ntext \($0)\n") }
        for id in ids { #expect(try device.notes("lock", id).code == 0) }
        #expect(try device.notes("lock-now").code == 0)
        #expect(try device.notes("show", ids[0]).code == 5)
        for attempt in 1...3 {
            let wrong = try device.notes("unlock", input: "Tom\n")
            #expect(wrong.code == 6 && wrong.errors.contains("the old cat") == (attempt == 3), "\(wrong.errors)")
            #expect(wrong.errors.contains("'tresor notes passphrase reset'"), "the way out: \(wrong.errors)")
        }
        #expect(try device.notes("hint").text == "the old cat\n")
        #expect(try device.notes("unlock", input: "Felix\n").code == 0)
        for (number, id) in ids.enumerated() {
            #expect(try device.notes("show", id).text == "# Note \(number + 1)\n\ntext \(number + 1)\n")
        }
        let another = try device.newNote("another\n")
        #expect(try device.notes("lock", another).code == 0, "no passphrase is asked for in a session")
        try device.notes("lock-now")
        for id in ids + [another] { #expect(try device.notes("show", id).code == 5) }
        // Right after wrong ones: the count begins anew.
        #expect(try device.notes("hint").code == 7)
    }

    @Test func `a reset leaves old notes under the old passphrase, and a change takes along those of its own alone`()
        throws
    {
        let device = try LiveDevice()
        try device.notes("passphrase", "set", input: "first\nfirst\n")
        let old = try device.newNote("an old note\n")
        try device.notes("lock", old)
        // The device passcode is the account's password; while none is set, nothing can be reset.
        #expect(try device.notes("passphrase", "reset", input: "1234\nsecond\nsecond\n").code == 7)
        try device.setPasscode()
        #expect(try device.notes("passphrase", "reset", input: "9999\nsecond\nsecond\n").code == 6)
        let reset = try device.notes("passphrase", "reset", input: "1234\nsecond\nsecond\n")
        #expect(reset.code == 0 && reset.text.contains("1 note stays under the older one"), "\(reset)")
        let young = try device.newNote("a young note\n")
        try device.notes("lock", young)
        try device.notes("lock-now")
        try device.notes("unlock", input: "second\n")
        #expect(try device.notes("show", young).code == 0 && device.notes("show", old).code == 5)
        let shut = try device.notes("show", old)
        #expect(shut.errors.contains("under an older passphrase") && !shut.errors.contains("open a session"))
        #expect(shut.errors.contains("'tresor notes unlock \(old.prefix(8))'"), "\(shut.errors)")
        let wrong = try device.notes("unlock", old, input: "second\n")
        #expect(wrong.code == 6 && wrong.errors.contains("under an older one") && !wrong.errors.contains("reset'"))
        #expect(try device.notes("unlock", old, input: "first\n").code == 0 && device.notes("show", old).code == 0)

        let types = "SELECT hex(name), hex(sealed) FROM record WHERE type = %d AND tombstone = 0 ORDER BY name"
        try device.stopNotes()
        let bodies = try device.storedNotes(String(format: types, 2))
        let locks = try device.storedNotes(String(format: types, 3))
        let changed = try device.notes("passphrase", "change", input: "second\nthird\nthird\n")
        #expect(changed.code == 0, "\(changed.errors)")
        try device.notes("lock-now")
        #expect(try device.notes("unlock", young, input: "second\n").code == 6)
        #expect(try device.notes("unlock", young, input: "third\n").code == 0)
        #expect(try device.notes("unlock", old, input: "third\n").code == 6)
        #expect(try device.notes("unlock", old, input: "first\n").code == 0)
        // Not even one key of a note that no passcode of the device opens.
        #expect(try device.notes("unlock", old, input: "1234\n").code == 6)
        #expect(try device.notes("unlock", young, input: "1234\n").code == 6)
        try device.stopNotes()
        #expect(try device.storedNotes(String(format: types, 2)) == bodies, "no content was sealed anew")
        let after = try device.storedNotes(String(format: types, 3))
        #expect(zip(locks, after).filter { $0 != $1 }.count == 1, "one of two locks was wrapped anew")
    }
}

/// What a review of the locks found, each shown once before it was mended.
@Suite(.serialized) struct NotesFindings {
    @Test func `a suite that is chosen between a lock and a change of the passphrase costs no note`() throws {
        let device = try LiveDevice()
        try device.notes("passphrase", "set", input: "first\nfirst\n")
        let id = try device.newNote("kept\n")
        try device.notes("lock", id)
        #expect(try device.notes("settings", "--suite", "documented-128").code == 0)
        #expect(try device.notes("passphrase", "change", input: "first\nsecond\nsecond\n").code == 0)
        try device.notes("lock-now")
        try device.notes("unlock", input: "second\n")
        #expect(try device.notes("show", id).text == "kept\n")
    }

    @Test func `an export leaves nothing out, however many notes there are`() throws {
        let device = try LiveDevice()
        let connection = try device.notesConnection()
        for number in 0..<405 {
            try connection.ask(.create(NewNote()), body: Array("# Note \(number)\n".utf8))
        }
        let folder = device.folder + "-export"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try device.notes("export", folder).code == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }.count == 405)
        #expect(try device.notes("list").text.split(separator: "\n").count == 405)
    }

    @Test func `an edit made right after a save is sealed when the device locks`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        try device.notes("passphrase", "set", input: "pass\npass\n")
        let id = try device.newNote("one\n")
        try device.notes("lock", id)
        let editor = try device.notesConnection()
        try editor.subscribe()
        guard case .note(let shown) = try editor.ask(.show(id: id)).reply,
            case .note(let saved) = try editor.ask(.edit(id: id, base: shown.revision), body: Array("two\n".utf8)).reply
        else { return }
        let lock = try device.begin("lock")
        var asked = false
        for _ in 0..<500 where !asked {
            while let event = try? editor.nextEvent() { if event == .handInDrafts { asked = true } }
            usleep(1000)
        }
        #expect(asked)
        try editor.ask(.keepDraft(id: id, base: saved.revision), body: Array("three\n".utf8))
        lock.waitUntilExit()
        try device.unlock()
        try device.notes("unlock", input: "pass\n")
        #expect(try device.notes("show", id).text == "three\n")
    }

    @Test func `an empty input makes no note, and empties none`() throws {
        let device = try LiveDevice()
        let id = try device.newNote("kept\n")
        for arguments in [["new"], ["edit", id]] {
            let outcome = try device.run(["notes"] + arguments)
            #expect(outcome.code == 64 && outcome.errors.contains("standard input has no text"), "\(outcome.errors)")
        }
        #expect(try device.notes("list").text.split(separator: "\n").count == 1)
        #expect(try device.notes("show", id).text == "kept\n")
    }

    @Test func `a text of more than 16 MiB is refused, says what to do, and changes nothing`() throws {
        let device = try LiveDevice()
        let id = try device.newNote("kept\n")
        let long = String(repeating: "sixteen letters\n", count: 1 << 20) + "x"
        let words = "at most 16 MiB; attach what is longer as a file"
        for arguments in [["new"], ["edit", id]] {
            let outcome = try device.run(["notes"] + arguments, input: Data(long.utf8))
            #expect(outcome.code == 64 && outcome.errors.contains(words), "\(outcome.errors)")
        }
        // Not by the command alone: the program takes no more from anybody.
        let socket = try device.notesConnection()
        let error = #expect(throws: NotesError.self) {
            try socket.ask(.create(NewNote()), body: Array(long.utf8))
        }
        #expect(error?.code == .tooLarge)
        let folder = device.folder + "-texts"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(long.utf8).write(to: URL(fileURLWithPath: folder + "/long.md"))
        try Data("short\n".utf8).write(to: URL(fileURLWithPath: folder + "/short.md"))
        let report = try device.notes("import", "markdown", folder)
        #expect(report.code == 64 && report.text.contains("  long: ") && report.text.contains(words), "\(report.text)")
        #expect(try device.notes("show", id).text == "kept\n")
        #expect(try device.notes("list").text.split(separator: "\n").count == 2, "the kept one, and the short one")
    }

    @Test func `attach prints the id by which the attachment is taken out again`() throws {
        let device = try LiveDevice()
        let id = try device.newNote("a note\n")
        let file = device.folder + "/a.bin"
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: file))
        let attached = try device.notes("attach", id, file).text.trimmingCharacters(in: .newlines)
        #expect(try device.notes("extract", id, attached).output == Data([1, 2, 3]))
        let thumbnail = try device.notes("extract", id, attached, "--thumbnail")
        #expect(thumbnail.code == 3 && thumbnail.errors.contains("only images and sketches have thumbnails"))
        #expect(try device.notes("detach", id, attached).code == 0)
        #expect(try device.notes("attachments", id).text.isEmpty)
    }

    @Test func `two editors of one note: both edits are kept`() throws {
        let device = try LiveDevice()
        let id = try device.newNote("one\n\ntwo\n\nthree\n")
        do {
            let (first, second) = try (device.notesConnection(), device.notesConnection())
            try first.ask(.keepDraft(id: id, base: 1), body: Array("one by the first\n\ntwo\n\nthree\n".utf8))
            try second.ask(.keepDraft(id: id, base: 1), body: Array("one\n\ntwo\n\nthree by the second\n".utf8))
        }
        usleep(200_000)
        #expect(try device.notes("show", id).text == "one by the first\n\ntwo\n\nthree by the second\n")
    }

    @Test func `the revision that show tells is the one that an edit begins from`() throws {
        struct Shown: Decodable {
            struct Note: Decodable { let revision: UInt64 }
            let note: Note
        }
        let device = try LiveDevice()
        let id = try device.newNote("# Plan\n\nfirst\n\nlast\n")
        let shown = try JSONDecoder().decode(Shown.self, from: device.notes("show", id, "--json").output)
        #expect(try device.notes("edit", id, input: "# Plan\n\nfirst, and theirs\n\nlast\n").code == 0)
        let base = "\(shown.note.revision)"
        let edit = try device.notes("edit", id, "--base", base, input: "# Plan\n\nfirst\n\nlast, and mine\n")
        #expect(edit.code == 0, "\(edit.errors)")
        #expect(try device.notes("show", id).text == "# Plan\n\nfirst, and theirs\n\nlast, and mine\n")
        let later = try JSONDecoder().decode(Shown.self, from: device.notes("show", id, "--json").output)
        #expect(later.note.revision > shown.note.revision)
    }

    @Test func `a save by one client leaves what another is typing`() throws {
        let device = try LiveDevice()
        let id = try device.newNote("one\n\ntwo\n\nthree\n")
        do {
            let editor = try device.notesConnection()
            try editor.ask(.keepDraft(id: id, base: 1), body: Array("one being typed\n\ntwo\n\nthree\n".utf8))
            let saver = try device.notesConnection()
            try saver.ask(.edit(id: id, base: 1), body: Array("one\n\ntwo\n\nthree, saved\n".utf8))
        }
        usleep(200_000)
        #expect(try device.notes("show", id).text == "one being typed\n\ntwo\n\nthree, saved\n")
    }

    @Test func `an answer under way ends with the session`() throws {
        let device = try LiveDevice()
        try device.notes("passphrase", "set", input: "pass\npass\n")
        let id = try device.newNote(String(repeating: "many words ", count: 500_000))
        try device.notes("lock", id)
        let reader = try device.notesConnection()
        var received = 0
        #expect(throws: NotesError.self) {
            try reader.ask(
                .show(id: id), hasBody: false, send: { nil },
                receive: { part in
                    if received == 0 { try device.notes("lock-now") }
                    received += part.count
                })
        }
        #expect(received < 4_000_000)
    }

    @Test func `a reset on a locked device neither resets nor unlocks`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        try device.notes("passphrase", "set", input: "pass\npass\n")
        try device.run("lock")
        #expect(try device.notes("passphrase", "reset", input: "1234\nnew\nnew\n").code == 5)
        #expect(try device.status().enclave.lock == .locked)
    }

    @Test func `a store that was there and is not is missed, and put back it opens`() throws {
        let device = try LiveDevice()
        let id = try device.newNote("kept\n")
        try device.stopNotes()
        let aside = device.folder + "/aside"
        try FileManager.default.createDirectory(atPath: aside, withIntermediateDirectories: true)
        let names = try FileManager.default.contentsOfDirectory(atPath: device.home.notesFolder)
            .filter { $0.hasPrefix("notes.sqlite") }
        for name in names {
            try FileManager.default.moveItem(atPath: device.home.notesFolder + "/" + name, toPath: aside + "/" + name)
        }
        let missed = try device.notes("list")
        #expect(missed.code == 8 && missed.errors.contains("missing"), "\(missed.errors)")
        #expect(try device.notes("new", input: "another\n").code == 8)
        for name in names {
            let path = device.home.notesFolder + "/" + name
            try? FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: aside + "/" + name, toPath: path)
        }
        #expect(try device.notes("show", id).text == "kept\n")
    }

    @Test func `a search of very many words is answered in time`() throws {
        let device = try LiveDevice()
        let words = (0..<15_000).map { "w\($0)" }.joined(separator: " ")
        _ = try device.newNote(words + String(repeating: " t", count: 200_000))
        let begin = Date()
        for query in [words, String(repeating: "t ", count: 20_000)] {
            let found = try device.notes("search", query)
            #expect(found.code == 0 && found.text.contains("w0"), "\(found.errors)")
        }
        #expect(try device.notes("search", "t").code == 0)
        #expect(Date().timeIntervalSince(begin) < 5)
    }
}

/// A session ends when it must, and an edit that it cuts short is there afterwards.
@Suite(.serialized) struct NotesSessionStory {
    private static let clocked = LiveDevice.programs + "/clock"
    private static let hasClock = FileManager.default.fileExists(atPath: clocked + "/tresor-notes")

    /// A locked note on a screen, with an edit that has not been saved.
    private func editing(_ device: LiveDevice) throws -> (id: String, editor: NotesConnection) {
        try device.notes("passphrase", "set", input: "pass\npass\n")
        let id = try device.newNote("before\n")
        try device.notes("lock", id)
        let editor = try device.notesConnection()
        try editor.subscribe()
        guard case .note(let note) = try editor.ask(.show(id: id)).reply else {
            throw LiveDevice.NotesConnectionProblem()
        }
        try editor.ask(.keepDraft(id: id, base: note.revision), body: Array("before and after\n".utf8))
        return (id: id, editor: editor)
    }

    private func reads(_ device: LiveDevice, _ id: String) throws -> String {
        #expect(try device.notes("show", id).code == 5)
        #expect(try device.notes("unlock", input: "pass\n").code == 0)
        return try device.notes("show", id).text
    }

    @Test func `Lock Now seals what an editor holds, and the next session has it`() throws {
        let device = try LiveDevice()
        let (id, editor) = try editing(device)
        try device.notes("lock-now")
        #expect(try reads(device, id) == "before and after\n")
        _ = editor
    }

    @Test func `an editor is asked for its last words before the session ends`() throws {
        let device = try LiveDevice()
        let (id, editor) = try editing(device)
        guard case .note(let note) = try editor.ask(.show(id: id)).reply else { return }
        let ender = try device.begin("notes", "lock-now")
        var asked = false
        for _ in 0..<500 {
            while let event = try editor.nextEvent() { if event == .handInDrafts { asked = true } }
            if asked { break }
            usleep(2000)
        }
        #expect(asked)
        try editor.ask(.keepDraft(id: id, base: note.revision), body: Array("the last words\n".utf8))
        ender.waitUntilExit()
        #expect(try reads(device, id) == "the last words\n")
    }

    @Test func `the device's lock ends the session and takes the program's memory along`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let (id, editor) = try editing(device)
        #expect(try device.run("lock").code == 0)
        #expect(throws: NotesError.self) { try editor.ask(.show(id: id)) }
        #expect(try device.notes("show", id).code == 5)
        try device.unlock()
        #expect(try reads(device, id) == "before and after\n")
    }

    @Test func `an editor that is killed loses nothing that it had handed in`() throws {
        let device = try LiveDevice()
        try device.notes("passphrase", "set", input: "pass\npass\n")
        let id = try device.newNote("before\n")
        do {
            let editor = try device.notesConnection()
            try editor.ask(.keepDraft(id: id, base: 1), body: Array("typed\n".utf8))
        }
        usleep(100_000)
        #expect(try device.notes("show", id).text == "typed\n")
    }

    @Test(.enabled(if: hasClock, "needs the build with a clock for tests: make test"))
    func `after eight minutes without input the session is over, and a touch puts that off`() throws {
        let device = try LiveDevice(programs: Self.clocked)
        let clock = try TestClockFile(device)
        let (id, editor) = try editing(device)
        try clock.advance(milliseconds: 7 * 60_000)
        try editor.ask(.touch)
        try clock.advance(milliseconds: 7 * 60_000)
        #expect(try device.notes("show", id).code == 0)
        try clock.advance(milliseconds: 8 * 60_000 + 10)
        #expect(try reads(device, id) == "before and after\n")
    }

    @Test(.enabled(if: hasClock, "needs the build with a clock for tests: make test"))
    func `touches of a program that has nothing to do with a locked note put nothing off`() throws {
        let device = try LiveDevice(programs: Self.clocked)
        let clock = try TestClockFile(device)
        let (id, editor) = try editing(device)
        let stranger = try device.notesConnection()
        for _ in 0..<4 {
            try clock.advance(milliseconds: 3 * 60_000)
            try stranger.ask(.touch)
            _ = try stranger.ask(.search(text: "nothing", limit: 1))
        }
        #expect(try reads(device, id) == "before and after\n", "the session is over, and the draft was kept")
        _ = editor
    }

    @Test(.enabled(if: hasClock, "needs the build with a clock for tests: make test"))
    func `a program that shows a locked note keeps the session open for an hour or so, and not for ever`() throws {
        let device = try LiveDevice(programs: Self.clocked)
        let clock = try TestClockFile(device)
        let (id, editor) = try editing(device)
        let stranger = try device.notesConnection()
        func isOpen() throws -> Bool {
            do { _ = try stranger.ask(.show(id: id)) } catch let error as NotesError where error.code == .noteLocked {
                return false
            }
            return true
        }
        for step in 1...11 {
            try clock.advance(milliseconds: 5 * 60_000)
            #expect(try isOpen(), "after \(5 * step) minutes of eight times eight")
        }
        try clock.advance(milliseconds: 5 * 60_000)
        usleep(500_000)
        _ = try isOpen()
        try clock.advance(milliseconds: 5 * 60_000)
        // While editors hand in, everybody is served.
        for _ in 0..<200 where try isOpen() { usleep(50_000) }
        #expect(try !isOpen(), "after 65 minutes")
        _ = editor
    }

    @Test(.enabled(if: hasClock, "needs the build with a clock for tests: make test"))
    func `a suspension ends the session, however short`() throws {
        let device = try LiveDevice(programs: Self.clocked)
        let clock = try TestClockFile(device)
        let (id, editor) = try editing(device)
        // The boot clock runs on while the monotonic clock stands: as after a suspension of a minute.
        try clock.advance(milliseconds: 60_000, inSuspension: true)
        #expect(try reads(device, id) == "before and after\n")
        _ = editor
    }
}

/// The clock of tresor-notes in its build for tests.
final class TestClockFile {
    private let path: String
    private var passed: UInt64 = 0
    private var suspended: UInt64 = 0

    init(_ device: LiveDevice) throws {
        path = device.folder + "/test-clock"
        try advance(milliseconds: 0)
    }

    func advance(milliseconds: UInt64, inSuspension: Bool = false) throws {
        passed += milliseconds
        if inSuspension { suspended += milliseconds }
        try FileSystem.replace(path, with: Array("\(passed) \(suspended)".utf8))
    }
}
