import Foundation
import Linux
import Testing
import Wire

/// One damage at a time in a home with notes and a diary: what it hits is named, ends with 8, and all else is there.
///
/// The device is stopped while the bytes are changed, as a disk that goes bad does it, or a sync program.
@Suite(.serialized) struct DamageStories {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    /// How a file goes bad.
    enum FileDamage: String, CaseIterable { case firstPart, lastPart, cut, empty, gone, folder }

    /// Runs `body` while the device is stopped.
    private func stopped(_ body: () throws -> Void) throws {
        #expect(try device.down() == 0)
        try body()
        #expect(try device.start() == nil)
    }

    /// Flips one bit in the middle of what a record of a type is sealed to: the one that was written as `number`.
    ///
    /// - Parameter isGone: removes its row.
    private func damage(_ database: String, type: Int, number: Int, isGone: Bool = false) throws {
        let script = """
            import sqlite3, sys
            store = sqlite3.connect(sys.argv[1])
            find = "SELECT id, sealed FROM record WHERE type = ? AND tombstone = 0 ORDER BY id LIMIT 1 OFFSET ?"
            row, sealed = store.execute(find, (int(sys.argv[2]), int(sys.argv[3]))).fetchone()
            sealed = bytearray(sealed)
            sealed[len(sealed) // 2] ^= 1
            if sys.argv[4] == "gone":
                store.execute("DELETE FROM record WHERE id = ?", (row,))
            else:
                store.execute("UPDATE record SET sealed = ? WHERE id = ?", (bytes(sealed), row))
            store.commit()
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, database, "\(type)", "\(number)", isGone ? "gone" : "bit"]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    private func damage(_ path: String, _ damage: FileDamage) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        switch damage {
        case .firstPart: bytes[100] ^= 1
        case .lastPart: bytes[bytes.count - 100] ^= 1
        case .cut: bytes.removeLast(50)
        case .empty: bytes.removeAll()
        case .gone, .folder:
            try FileManager.default.removeItem(atPath: path)
            guard damage == .folder else { return }
            return try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    /// The largest file of a store.
    private func largestFile(_ folder: String) throws -> String {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/assets").map {
            folder + "/assets/" + $0
        }
        let sizes = try files.map { try FileSystem.status($0)?.byteCount ?? 0 }
        return try #require(zip(files, sizes).max { $0.1 < $1.1 }?.0)
    }

    private func export(_ arguments: String...) throws -> (outcome: LiveDevice.Outcome, path: String) {
        let path = device.folder + "-export-" + UUID().uuidString
        return (outcome: try device.run(arguments + [path]), path: path)
    }

    /// A look at everything names it, and nothing else.
    private func expectFound(_ words: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let look = try device.run("doctor", "--data")
        let found = look.text.split(separator: "\n").filter { $0.hasPrefix("damaged") }
        #expect(
            look.code == 8 && found.count == 1 && found[0].contains(words), "\(look.text)\(look.errors)",
            sourceLocation: sourceLocation)
        // What is kept of it has no word of a user's.
        let kept = String(decoding: try FileSystem.read(device.home.data + "/doctor.json"), as: UTF8.self)
        #expect(kept.contains("\"part\"") && !kept.contains("Victim"), sourceLocation: sourceLocation)
    }

    // MARK: Notes

    private struct Notes {
        let first: String
        let victim: String
        let last: String
        /// More than one part of a body.
        let big = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) })
    }

    private func makeNotes() throws -> Notes {
        let notes = Notes(
            first: try device.newNote("# First\n\nwords\n"), victim: try device.newNote("# Victim\n\nwords\n"),
            last: try device.newNote("# Last\n\nwords\n"))
        for (name, bytes) in [("small.bin", Data("small".utf8)), ("big.bin", notes.big)] {
            let path = device.folder + "/" + name
            try bytes.write(to: URL(fileURLWithPath: path))
            #expect(try device.notes("attach", notes.victim, path).code == 0)
        }
        return notes
    }

    @Test func `a note without its head is listed, named by a search and an export, and hides no other`() throws {
        let notes = try makeNotes()
        try stopped { try damage(device.home.notesDatabase, type: 1, number: 1) }
        try expectFound("note \(notes.victim): head")
        let list = try device.notes("list")
        #expect(list.code == 8 && list.text.contains("First") && list.text.contains("Last"), "\(list.text)")
        #expect(list.text.contains(notes.victim) && list.text.contains("damaged"))
        let json = try device.notes("list", "--json")
        #expect(json.code == 8 && json.text.contains("\"damage\"") && json.text.contains(notes.victim))
        let search = try device.notes("search", "words")
        #expect(search.code == 8 && search.text.contains("First") && search.errors.contains(notes.victim))
        let found = try device.notes("search", "words", "--json").text
        #expect(found.contains("\"damage\"") && found.contains(notes.victim))
        let shown = try device.notes("show", notes.victim)
        #expect(shown.code == 8 && shown.errors.contains("head"), "\(shown.errors)")
        let (out, folder) = try export("notes", "export")
        #expect(
            out.code == 8 && out.text.contains("exported 2 notes") && out.text.contains(notes.victim), "\(out.text)")
        #expect(FileManager.default.fileExists(atPath: folder + "/Last.md"))
    }

    @Test(arguments: [false, true])
    func `a note without its head is put together again of its text and its files`(isGone: Bool) throws {
        let notes = try makeNotes()
        let shut = try device.newNote("# Shut\n\nwords\n")
        #expect(try device.notes("passphrase", "set", input: "quince\nquince\n").code == 0)
        #expect(try device.notes("lock", shut).code == 0)
        try stopped { try damage(device.home.notesDatabase, type: 1, number: 1, isGone: isGone) }
        let list = try device.notes("list")
        let named = try #require(list.text.split(separator: "\n").last.map(String.init))
        #expect(list.code == 8 && named.contains("its head cannot be read"), "\(list.text)")
        let id = String(named.prefix(32))
        #expect(isGone == (id != notes.victim))
        #expect(try device.notes("search", "words").errors.contains(id))
        #expect(try device.notes("status").text.contains(id), "as screens say it")
        let (out, _) = try export("notes", "export")
        #expect(out.code == 8 && out.text.contains("exported 2 notes") && out.text.contains(id), "\(out.text)")
        for request in [["show", id], ["edit", id], ["move", id, "Work"], ["delete", id]] {
            let refused = try device.run(["notes"] + request, input: Data("other words\n".utf8))
            #expect(
                refused.code == 8 && refused.errors.contains("notes restore \(id)"), "\(request): \(refused.errors)")
        }
        let restored = try device.notes("restore", id)
        #expect(restored.code == 0, "\(restored.errors)")
        let note = restored.text.trimmingCharacters(in: .newlines)
        for _ in 0..<2 {
            #expect(try device.notes("list").code == 0)
            // A read brings a file back that was put aside.
            let aside = try? FileManager.default.contentsOfDirectory(
                atPath: device.home.notesFolder + "/assets/unnamed")
            #expect(aside?.isEmpty ?? true, "a head that does not name its files loses them after 90 days")
            let shown = try device.notes("show", note)
            #expect(shown.code == 0 && shown.text.hasPrefix("# Victim\n\nwords\n"), "\(shown.text)")
            #expect(try device.notes("extract", note, "small.bin").output == Data("small".utf8))
            #expect(try device.notes("extract", note, "big.bin").output == notes.big)
            #expect(try device.notes("search", "words").code == 0)
            let look = try device.run("doctor", "--data")
            #expect(look.code == 0, "\(look.text)")
            try stopped {}
        }
        // A locked one gets its own back with its passphrase, and stays until then.
        try stopped { try damage(device.home.notesDatabase, type: 1, number: isGone ? 2 : 3, isGone: isGone) }
        let second = try device.notes("list")
        let lost = try #require(second.text.split(separator: "\n").last { $0.contains("its head") }).prefix(32)
        let refused = try device.notes("restore", String(lost))
        #expect(second.code == 8 && second.text.contains("Last") && second.text.contains("Victim"))
        #expect(refused.code == 5 && refused.errors.contains("notes unlock"), "\(refused.errors)")
        #expect(try device.notes("list").text == second.text)
        #expect(try device.notes("unlock", input: "quince\n").code == 0)
        let opened = try device.notes("restore", String(lost))
        #expect(opened.code == 0 && opened.text.hasPrefix(shut), "\(opened.text)\(opened.errors)")
        #expect(try device.notes("show", shut).text.hasPrefix("# Shut\n\nwords\n"))
        try stopped {}
        #expect(try device.notes("list").code == 0 && device.notes("show", shut).code == 5)
    }

    @Test func `a note whose former texts are lost is edited and goes out, and its versions say so`() throws {
        let id = try device.newNote("# A note\n\nfirst words\n")
        #expect(try device.notes("edit", id, input: "# A note\n\nsecond words\n").code == 0)
        // Type 7: the list of former texts.
        try stopped { try damage(device.home.notesDatabase, type: 7, number: 0) }
        let lost = try device.notes("versions", id)
        #expect(lost.code == 8 && lost.errors.contains("damaged") && lost.text.hasPrefix("0  "), "\(lost.text)")
        #expect(try device.notes("show", id, "--at", "2").text.contains("second words"), "a number stays its text's")
        try expectFound("history")
        let edit = try device.notes("edit", id, input: "# A note\n\nthird words\n")
        #expect(edit.code == 0, "\(edit.errors)")
        let versions = try device.notes("versions", id)
        let lines = versions.text.split(separator: "\n")
        #expect(versions.code == 8 && lines.map { $0.prefix(1) } == ["0", "2", "3"])
        #expect(lines.first?.hasSuffix("damaged") == true)
        #expect(try device.notes("versions", id, "--json").text.contains("\"damaged\" : true"))
        #expect(try device.notes("show", id, "--at", "2").text.contains("second words"))
        for lost in ["0", "1"] { #expect(try device.notes("show", id, "--at", lost).code == 8) }
        let (outcome, path) = try export("notes", "export")
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(outcome.code == 0 && FileManager.default.fileExists(atPath: path + "/A note.md"))
        #expect(try device.notes("versions", id, "--revert", "2").code == 0)
        #expect(try device.notes("show", id).text.contains("second words"))
    }

    @Test func `a note without its text is named by a search and an export, and hides no other`() throws {
        let notes = try makeNotes()
        try stopped { try damage(device.home.notesDatabase, type: 2, number: 1) }
        try expectFound("note \(notes.victim) \"Victim\": text")
        let search = try device.notes("search", "words")
        #expect(
            search.code == 8 && search.text.contains("Last") && search.errors.contains("Victim"), "\(search.errors)")
        let shown = try device.notes("show", notes.victim)
        #expect(shown.code == 8, "\(shown.errors)")
        let (out, folder) = try export("notes", "export")
        #expect(out.code == 8 && out.text.contains("exported 2 notes") && out.text.contains("Victim: text"))
        #expect(FileManager.default.fileExists(atPath: folder + "/First.md"))
    }

    @Test(arguments: FileDamage.allCases)
    func `a note goes out without the file that is damaged, and with all else`(_ how: FileDamage) throws {
        let notes = try makeNotes()
        try stopped { try damage(largestFile(device.home.notesFolder), how) }
        try expectFound("note \(notes.victim) \"Victim\": file")
        let extracted = try device.notes("extract", notes.victim, "big.bin")
        #expect(extracted.code == 8 && !extracted.errors.contains("went away"), "\(extracted.errors)")
        #expect(try device.notes("extract", notes.victim, "small.bin").output == Data("small".utf8))
        let (out, folder) = try export("notes", "export")
        #expect(out.code == 8 && out.text.contains("exported 3 notes") && out.text.contains("Victim: big.bin"))
        let text = try String(contentsOfFile: folder + "/Victim.md", encoding: .utf8)
        #expect(text.contains("words") && text.contains("small.bin"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder + "/attachments") == ["small.bin"], "\(out.text)"
        )
        // Each way of damage in one format, and each format with one.
        for format in how == .lastPart ? ["html", "enex", "jex"] : [] {
            let (out, path) = try export("notes", "export", "--format", format)
            #expect(out.code == 8 && out.text.contains("exported 3 notes"), "\(format): \(out.text)\(out.errors)")
            let back = try LiveDevice()
            let taken = try back.run(["notes", "import", "--format", format, path])
            #expect(taken.code == 0, "\(format): \(taken.text)\(taken.errors)")
            #expect(try back.notes("list").text.split(separator: "\n").count == 3)
        }
    }

    // MARK: Diary

    private func makeDiary() throws -> [String] {
        try device.openDiary()
        let sound = device.folder + "/sound.ogg"
        try Data("OggS".utf8 + [UInt8](repeating: 7, count: 2_500_000)).write(to: URL(fileURLWithPath: sound))
        return [
            try device.newEntry("First entry"), try device.newEntry("Victim entry", "--audio", sound),
            try device.newEntry("Last entry"),
        ]
    }

    private func signIn() throws { #expect(try device.diary("sign-in", input: "a blue door\n").code == 0) }

    @Test(arguments: [1, 2]) func `a diary is listed and goes out without the entry that is damaged`(_ type: Int) throws
    {
        let ids = try makeDiary()
        let hasHead = type == 2
        try stopped { try damage(device.home.diaryDatabase, type: type, number: 1) }
        try signIn()
        try expectFound(hasHead ? "entry \(ids[1]) \"Victim entry\": text" : "entry \(ids[1]): head")
        let list = try device.diary("list")
        #expect(list.code == (hasHead ? 0 : 8) && list.text.contains("First") && list.text.contains("Last"))
        #expect(list.text.contains("Victim") == hasHead && list.errors.contains(ids[1]) != hasHead, "\(list.errors)")
        let search = try device.diary("search", "entry")
        #expect(search.code == 8 && search.text.contains("First") && search.errors.contains(ids[1]), "\(search.errors)")
        let json = try device.diary("search", "entry", "--json").text + device.diary("list", "--json").text
        #expect(json.components(separatedBy: "\"damage\"").count == (hasHead ? 2 : 3), "\(json)")
        #expect(try device.diary("show", ids[1]).code == 8)
        for format in ["markdown", "html", "day-one"] {
            let (out, _) = try export("diary", "export", "--format", format)
            #expect(out.code == 8 && out.errors.contains("2 entries written"), "\(format): \(out.errors)")
            #expect(out.errors.contains(ids[1]) && out.errors.contains(hasHead ? "text" : "head"), "\(out.errors)")
        }
    }

    @Test(arguments: ["zone", "keyring", "record"])
    func `a page without which the diary opens for nobody is found without its password`(_ table: String) throws {
        _ = try makeDiary()
        try stopped { try overwritePage(of: table, in: device.home.diaryDatabase) }
        let look = try device.run("doctor", "--data")
        #expect(look.code == 8 && look.text.contains("store: of the diary"), "\(look.text)\(look.errors)")
        #expect(look.text.contains("tresor repair") && !look.text.contains("not seen"), "\(look.text)")
    }

    /// Writes other bytes over the first page of a table.
    private func overwritePage(of table: String, in database: String) throws {
        let script = """
            import sqlite3, sys
            store = sqlite3.connect(sys.argv[1])
            store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            page, = store.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (sys.argv[2],)).fetchone()
            store.close()
            with open(sys.argv[1], "r+b") as file:
                file.seek((page - 1) * 4096)
                file.write(b"\\xa5" * 4096)
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, database, table]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test(arguments: [false, true])
    func `an entry without its head is named, and its text becomes an entry again`(isGone: Bool) throws {
        let ids = try makeDiary()
        try stopped { try damage(device.home.diaryDatabase, type: 1, number: 1, isGone: isGone) }
        try signIn()
        let list = try device.diary("list")
        #expect(list.code == 8 && list.text.contains("First") && !list.text.contains("Victim"), "\(list.errors)")
        let id = try #require(list.errors.split(separator: " ").first { $0.count == 32 }.map(String.init))
        #expect(isGone == (id != ids[1]), "\(list.errors)")
        #expect(try device.diary("search", "entry").errors.contains(id))
        #expect(try device.diary("status").text.contains(id), "as screens say it")
        let (out, _) = try export("diary", "export", "--format", "markdown")
        #expect(out.code == 8 && out.errors.contains(id), "\(out.errors)")
        let shown = try device.diary("show", id)
        #expect(shown.code == 8 && shown.errors.contains("diary restore \(id)"), "\(shown.errors)")
        let restored = try device.diary("restore", id)
        #expect(restored.code == 0, "\(restored.errors)")
        for _ in 0..<2 {
            let list = try device.diary("list")
            #expect(list.code == 0 && list.text.contains("Victim entry"), "\(list.text)\(list.errors)")
            #expect(try device.diary("search", "victim").text.contains("Victim entry"))
            #expect(try device.run("doctor", "--data").code == 0)
            try stopped {}
            try signIn()
        }
    }

    @Test(arguments: FileDamage.allCases)
    func `a diary goes out whole but for the file that is damaged, which is named`(_ how: FileDamage) throws {
        let ids = try makeDiary()
        try stopped { try damage(largestFile(device.home.diaryFolder), how) }
        try signIn()
        try expectFound("entry \(ids[1]) \"Victim entry\": file 1 of 1")
        let extracted = try device.diary("extract", ids[1], "0")
        #expect(extracted.code == 8 && !extracted.errors.contains("went away"), "\(extracted.errors)")
        for format in how == .lastPart ? ["markdown", "html", "day-one"] : ["markdown"] {
            let (out, _) = try export("diary", "export", "--format", format)
            #expect(out.code == 8 && out.errors.contains("3 entries written"), "\(format): \(out.errors)")
            #expect(out.errors.contains("sound.ogg") && out.errors.contains(ids[1]), "\(format): \(out.errors)")
        }
    }
}
