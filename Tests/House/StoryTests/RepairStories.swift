import Foundation
import Glibc
import Linux
import Testing
import Thoroughness

/// Damaged databases of a whole home, put together again by the command.
@Suite(.serialized) struct RepairStories {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    private struct Home {
        var notes: [String: String] = [:]
        var entries: [String: String] = [:]
        let items = (0..<30).map { "service \($0)" }
    }

    /// Enough that every table has more than one page.
    private func fill() throws -> Home {
        var home = Home()
        for item in home.items {
            let secret = Data("secret of \(item)".utf8)
            #expect(try device.run("keychain", "add", "--service", item, input: secret).code == 0)
        }
        for number in 0..<12 {
            let text = "# Note \(number)\n\n" + String(repeating: "words of \(number) ", count: 20 + 90 * (number % 4))
            home.notes[try device.newNote(text + "\n")] = text + "\n"
        }
        try device.openDiary()
        for number in 0..<6 {
            home.entries[try device.newEntry("Entry \(number)")] = "Entry \(number)"
        }
        return home
    }

    private func overwrite(_ path: String, page: Int) throws {
        let file = try FileDescriptor.open(path, FileFlags.readWrite)
        try file.write((0..<4096).map { UInt8(truncatingIfNeeded: ($0 &* 7 &+ page) >> 2) }, at: (page - 1) * 4096)
    }

    private func pages(_ path: String) throws -> Int { try (FileSystem.status(path)?.byteCount ?? 0) / 4096 }

    private func signIn() throws { #expect(try device.diary("sign-in", input: "a blue door\n").code == 0) }

    /// How many of the home's objects are as they were.
    private func intact(_ home: Home) throws -> (items: Int, notes: Int, entries: Int) {
        var (items, notes, entries) = (0, 0, 0)
        for item in home.items {
            let got = try device.run("keychain", "get", "--service", item)
            if got.output == Data("secret of \(item)".utf8) { items += 1 }
            #expect([0, 3, 8].contains(got.code), "\(item): \(got.code) \(got.errors)")
        }
        for (note, text) in home.notes where try device.notes("show", note).text == text { notes += 1 }
        for (entry, text) in home.entries where try device.diary("show", entry).text.contains(text) { entries += 1 }
        return (items: items, notes: notes, entries: entries)
    }

    @Test func `a home whose databases have lost their first pages starts again, with every object`() throws {
        let home = try fill()
        try device.stop()
        let databases = [device.home.database, device.home.notesDatabase, device.home.diaryDatabase]
        for database in databases { try overwrite(database, page: 1) }
        let before = try databases.map { try FileSystem.read($0) }
        #expect(try device.start() == .exited(code: 8))
        let repaired = try device.run("repair", "--offline")
        #expect(repaired.code == 0, "\(repaired.text)\(repaired.errors)")
        let made = repaired.text.split(separator: "\n").filter { $0.contains(" made anew of ") }
        #expect(made.count == 3 && made.map { $0.prefix { $0 != " " } } == ["keychain", "notes", "diary"])
        #expect(try device.start() == nil)
        try signIn()
        let found = try intact(home)
        #expect(found == (items: 30, notes: 12, entries: 6))
        let look = try device.run("doctor", "--data")
        #expect(look.code == 0, "\(look.text)\(look.errors)")
        // What was damaged is kept, as it was.
        let kept = try FileSystem.names(in: device.home.data).filter { $0.contains(".damaged-") }.sorted()
        #expect(kept.count == 3)
        for (name, bytes) in zip(["diary", "keychain", "notes"], [before[2], before[0], before[1]]) {
            let folder = try #require(kept.first { $0.hasPrefix(name) })
            #expect(try FileSystem.read("\(device.home.data)/\(folder)/\(name).sqlite") == bytes)
        }
    }

    @Test func `a start removes what a repair that was cut short had copied of a store that stands`() throws {
        let device = try LiveDevice()
        try device.stop()
        let cut = device.home.keychainFolder + ".repairing"
        // Where no store stands it is what the next repair goes on with.
        let whole = device.home.diaryFolder + ".repairing"
        for folder in [cut + "/work", whole] {
            try FileSystem.makeDirectories(folder)
            try FileSystem.replace(folder + "/copy", with: [1])
        }
        try device.start()
        #expect(try FileSystem.status(cut) == nil && FileSystem.status(whole + "/copy") != nil)
    }

    @Test func `a store that cannot be repaired keeps no other one from its repair`() throws {
        let home = try fill()
        try device.stop()
        let items = StoppedDatabase(path: device.home.database)
        let format = try items.rows("PRAGMA user_version")[0][0]
        try items.rows("PRAGMA user_version = 99")
        for database in [device.home.notesDatabase, device.home.diaryDatabase] { try overwrite(database, page: 1) }
        let before = try FileSystem.read(device.home.database)
        let repaired = try device.run("repair", "--offline")
        #expect(repaired.code == 8 && repaired.errors.contains("keychain: a later version"), "\(repaired.errors)")
        let made = repaired.text.split(separator: "\n").filter { $0.contains(" made anew of ") }
        #expect(made.map { $0.prefix { $0 != " " } } == ["notes", "diary"], "\(repaired.text)")
        #expect(try FileSystem.read(device.home.database) == before)
        try items.rows("PRAGMA user_version = \(format)")
        #expect(try device.start() == nil)
        try signIn()
        let found = try intact(home)
        #expect(found == (items: 30, notes: 12, entries: 6))
    }

    @Test func `a start on a damaged page is a start or says damaged, and never that nobody answers`() throws {
        for number in 0..<12 {
            let secret = Data("secret \(number)".utf8)
            #expect(try device.run("keychain", "add", "--service", "s \(number)", input: secret).code == 0)
        }
        try device.stop()
        let original = try FileSystem.read(device.home.database)
        var codes: [Int32: Int] = [:]
        let step = Thoroughness.count(3, soak: 1)
        for page in try stride(from: 1, through: pages(device.home.database), by: step) {
            try overwrite(device.home.database, page: page)
            let up = try device.run("up", "--detach")
            #expect(up.code == 0 || (up.code == 8 && up.errors.contains("repair")), "page \(page): \(up.errors)")
            codes[up.code, default: 0] += 1
            try device.run("down")
            for end in ["-wal", "-shm"] { try FileSystem.remove(device.home.database + end) }
            try FileSystem.replace(device.home.database, with: original)
        }
        #expect(codes[8] ?? 0 > 0 && codes[0] ?? 0 > 0, "\(codes)")
    }

    @Test(arguments: ["keychain", "notes", "diary"])
    func `whatever page of a database is overwritten, all comes back but what stood on it`(store: String) throws {
        let home = try fill()
        try device.stop()
        let path = "\(device.home.data)/\(store)/\(store).sqlite"
        let original = try FileSystem.read(path)
        let folder = "\(device.home.data)/\(store)"
        var lost = 0
        let count = try pages(path)
        // Each page in turn would take minutes: another part of them at each run.
        let isEach = ProcessInfo.processInfo.environment["TRESOR_KILLS"] != nil
        let step = isEach ? 1 : max(1, count / Thoroughness.count(1, soak: 3))
        for page in stride(from: Int.random(in: 1...step), through: count, by: step) {
            try overwrite(path, page: page)
            let repaired = try device.run("repair", "--offline")
            #expect([0, 8].contains(repaired.code), "page \(page): \(repaired.errors)")
            #expect(try device.start() == nil, "page \(page)")
            try signIn()
            let found = try intact(home)
            let missing = 48 - found.items - found.notes - found.entries
            lost += missing
            #expect(missing <= 12, "page \(page): \(missing) objects")
            let look = try device.run("doctor", "--data")
            // What is lost is said, by the repair or by the look.
            #expect(missing == 0 || look.code == 8 || repaired.code == 8, "page \(page): \(repaired.text)\(look.text)")
            // All can be written again.
            #expect(
                try device.run("keychain", "add", "--service", "new", input: Data("x".utf8)).code == 0, "page \(page)")
            #expect(try device.run("keychain", "delete", "--service", "new").code == 0, "page \(page)")
            let note = try device.newNote("new\n")
            try remove(note)
            try device.stop()
            for name in try FileSystem.names(in: device.home.data) where name.hasPrefix(store + ".damaged-") {
                try FileManager.default.removeItem(atPath: folder)
                try FileManager.default.moveItem(atPath: device.home.data + "/" + name, toPath: folder)
            }
            try FileSystem.replace(path, with: original)
            try? FileSystem.remove(path + "-wal")
        }
        print("\(store): \(count) pages, every \(step)th overwritten, \(lost) objects lost in all")
    }

    @Test func `what is damaged or lost is taken from a copy, and named; what was removed stays removed`() throws {
        var home = try fill()
        let photo = device.folder + "-file.bin"
        defer { try? FileManager.default.removeItem(atPath: photo) }
        try Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(fileURLWithPath: photo))
        let ids = home.notes.keys.sorted()
        #expect(try device.notes("attach", ids[5], photo).code == 0)
        home.notes[ids[5]] = try device.notes("show", ids[5]).text
        try device.stop()
        let copy = device.folder + "-copy"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try FileManager.default.copyItem(atPath: device.home.data, toPath: copy)
        let before = try contents(copy)
        try device.start()
        // What is written after the copy stays as it is, and what is removed stays away.
        let late = try device.newNote("# Late\n\nwritten later\n")
        home.notes[late] = "# Late\n\nwritten later\n"
        try remove(ids[0])
        home.notes[ids[0]] = nil
        #expect(try device.run("keychain", "delete", "--service", "service 3").code == 0)
        try device.run("keychain", "update", "--service", "service 4", input: Data("changed".utf8))
        try device.stop()
        try damage()
        let repaired = try device.run("repair", "--from", copy)
        #expect(repaired.code == 0, "\(repaired.text)\(repaired.errors)")
        let back = repaired.text.split(separator: "\n").filter { $0.hasPrefix("came back") }
        #expect(back.count { $0.contains(" item ") } == 3, "\(repaired.text)")
        #expect(back.count { $0.contains(" note ") && $0.hasSuffix(": text") } == 2, "\(repaired.text)")
        #expect(back.count { $0.contains(" note ") && $0.hasSuffix(": file") } == 1, "\(repaired.text)")
        // A diary that nobody is signed in to gives nothing away, and takes nothing in, until somebody is.
        #expect(repaired.errors.contains("diary: something is locked") && !repaired.errors.contains("notes:"))
        try signIn()
        let rest = try device.run("repair-data")
        #expect(rest.code == 0 && rest.text.contains("came back    entry"), "\(rest.text)\(rest.errors)")
        try signIn()
        let found = try intact(home)
        #expect(found == (items: 28, notes: 12, entries: 6))
        #expect(try device.run("keychain", "get", "--service", "service 4").output == Data("changed".utf8))
        #expect(try device.run("keychain", "get", "--service", "service 3").code == 3)
        let gone = try device.notes("show", ids[0])
        #expect(gone.code == 3, "\(gone) \(repaired.text)")
        #expect(try contents(copy) == before, "the copy was changed")
        for store in ["keychain", "notes", "diary"] {
            #expect(try FileSystem.status("\(device.home.data)/\(store)/from") == nil, "\(store)")
        }
        // It was started by the repair.
        #expect(try device.run("down").code == 0)
    }

    /// Items of our own programs lie twice: neither opens any more.
    private func damageKeysOfPrograms() throws {
        let spare = StoppedDatabase(path: device.home.data + "/keychain/spare/keychain.sqlite")
        let own = try spare.rows("SELECT uuid FROM item").joined().map { "x'\($0)'" }
        #expect(!own.isEmpty)
        for database in [spare, StoppedDatabase(path: device.home.database)] {
            try database.rows(
                """
                UPDATE item SET secret = zeroblob(length(secret))
                WHERE secret IS NOT NULL AND uuid IN (\(own.joined(separator: ", ")))
                """)
        }
    }

    @Test func `what a store opens by comes back before it, and a store that does not open keeps its copy`() throws {
        let text = "# A note\n\nwords\n"
        let note = try device.newNote(text)
        try device.stop()
        let (copy, part) = (device.folder + "-copy", device.folder + "-part")
        defer { for path in [copy, part] { try? FileManager.default.removeItem(atPath: path) } }
        try FileManager.default.copyItem(atPath: device.home.data, toPath: copy)
        try FileSystem.makeDirectories(part)
        try FileManager.default.copyItem(atPath: copy + "/notes", toPath: part + "/notes")
        try damageKeysOfPrograms()
        try StoppedDatabase(path: device.home.notesDatabase).rows("DELETE FROM record WHERE type = 2")
        // Of the notes alone: what they open by does not come back.
        let first = try device.run("repair", "--from", part)
        #expect(first.code == 8 && first.errors.contains("notes: something is locked or does not open"), "\(first)")
        #expect(try FileSystem.status(device.home.notesFolder + "/from") != nil)
        #expect(try device.run("down").code == 0)
        let second = try device.run("repair", "--from", copy)
        #expect(second.code == 0, "\(second.text)\(second.errors)")
        let back = second.text.split(separator: "\n").filter { $0.hasPrefix("came back") }
        #expect(back.contains { $0.contains(" item ") } && back.contains { $0.hasSuffix(": text") }, "\(second.text)")
        #expect(try device.notes("show", note).text == text)
        #expect(try FileSystem.status(device.home.notesFolder + "/from") == nil)
        // It was started by the repair.
        #expect(try device.run("down").code == 0)
    }

    private func remove(_ note: String) throws {
        #expect(try device.notes("delete", note).code == 0)
        #expect(try device.notes("delete", note, "--forever").code == 0)
    }

    @Test(.enabled(if: CallInjection.isPossible, "needs root, and strace that the kernel permits"))
    func `a repair that is killed at any step leaves the damaged store or the new one, and goes on`() throws {
        let note = try device.newNote("# A note\n\nwords\n")
        try device.stop()
        let path = device.home.notesDatabase
        try overwrite(path, page: 1)
        let damaged = try FileSystem.read(path)
        let whole = try contents(device.home.data)
        // A counter of strace's is of one call: with several at once, the first of them that comes would hide the others.
        for call in ["rename", "link", "mkdir", "fsync", "fdatasync", "unlink", "rmdir", "ftruncate", "pwrite64"] {
            try killRepair(at: call, note: note, damaged: damaged, whole: whole)
        }
    }

    private func killRepair(
        at call: String, note: String, damaged: [UInt8], whole: [String: [UInt8]]
    ) throws {
        var last = 0
        // Of what is done often the first and a later one; between what is done once or twice everything hangs.
        let isOften = ["fsync", "fdatasync", "unlink", "ftruncate", "pwrite64"].contains(call)
        let some = [1, Int.random(in: 2...8)]
        for number in isOften && !Thoroughness.isSoak ? some : Array(1..<200) {
            let step = "\(call) \(number)"
            let isKilled = try repairKilled(at: call, number)
            // Whatever was reached, the damaged bytes are there, under the one name or the other.
            let kept = try contents(device.home.data).values.contains(damaged)
            #expect(kept, "step \(step)")
            let again = try device.run("repair", "--offline")
            #expect(again.code == 0, "step \(step): \(again.errors)")
            #expect(try contents(device.home.data).values.contains(damaged), "step \(step)")
            #expect(try device.start() == nil, "step \(step)")
            #expect(try device.notes("show", note).text == "# A note\n\nwords\n", "step \(step)")
            try device.stop()
            let names = try FileSystem.names(in: device.home.data)
            #expect(names.filter { $0.hasPrefix("notes.damaged-") }.count == 1, "step \(step): \(names)")
            for name in names {
                #expect(!name.hasSuffix(".repairing"), "step \(step)")
                guard name.hasPrefix("notes") else { continue }
                try FileSystem.removeTree(device.home.data + "/" + name)
            }
            try restore(whole)
            guard isKilled else { break }
            last = number
        }
        print("a repair: killed at \(last) of \(call)")
        #expect(last > 0 || call == "link", "\(call)")
    }

    private func restore(_ files: [String: [UInt8]]) throws {
        for (name, bytes) in files where name.hasPrefix("notes/") {
            let path = device.home.data + "/" + name
            try FileSystem.makeDirectories(FileSystem.directory(of: path))
            try FileSystem.replace(path, with: bytes)
        }
    }

    private func repairKilled(at call: String, _ number: Int) throws -> Bool {
        let strace = Process()
        strace.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
        strace.arguments = [
            "-f", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):signal=KILL:when=\(number)",
            device.programs + "/tresor", "repair", "--offline",
        ]
        strace.environment = ["TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin"]
        strace.standardOutput = FileHandle.nullDevice
        strace.standardError = FileHandle.nullDevice
        try strace.run()
        strace.waitUntilExit()
        return strace.terminationReason == .uncaughtSignal || strace.terminationStatus == 137
    }

    /// Three items, two texts of notes, a file, and the text of an entry.
    private func damage() throws {
        let notes = StoppedDatabase(path: device.home.notesDatabase)
        let texts = try notes.rows("SELECT name FROM record WHERE type = 2 AND tombstone = 0 ORDER BY id").joined()
        let names = texts.map { $0 }
        try notes.rows("UPDATE record SET sealed = zeroblob(length(sealed)) WHERE name = x'\(names[2])'")
        try notes.rows("DELETE FROM record WHERE name = x'\(names[4])'")
        let assets = device.home.notesFolder + "/assets"
        for name in try FileSystem.names(in: assets) where name.count == 32 {
            try FileSystem.replace(assets + "/" + name, with: [1, 2, 3])
        }
        // The first rows are those of our own programs, which lie twice.
        let items = StoppedDatabase(path: device.home.database)
        let rows = try items.rows("SELECT id FROM item WHERE tombstone = 0 ORDER BY id LIMIT 3 OFFSET 15").joined()
        for row in rows { try items.rows("UPDATE item SET secret = zeroblob(length(secret)) WHERE id = \(row)") }
        let entries = StoppedDatabase(path: device.home.diaryDatabase)
        let entry = try entries.rows("SELECT name FROM record WHERE type = 2 AND tombstone = 0 LIMIT 1").joined().first
        try entries.rows("UPDATE record SET wrapped_key = zeroblob(40) WHERE name = x'\(entry ?? "")'")
    }

    private func contents(_ path: String) throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            guard try FileSystem.status(path + "/" + name)?.isRegular == true else { continue }
            found[name] = try FileSystem.read(path + "/" + name)
        }
        return found
    }
}
