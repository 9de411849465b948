import Foundation
import Linux
import SQLite
import StoreRepair
import StoreTables
import Testing
import Thoroughness

/// Damaged databases of stores: what of their rows comes over, and that the originals stay as they are.
@Suite struct DatabaseRecoveries {
    private let folder = NSTemporaryDirectory() + "tresor-recovery-" + UUID().uuidString
    private var path: String { folder + "/store.sqlite" }

    init() throws { try FileSystem.makeDirectories(folder) }

    private static func blob(_ count: Int, _ seed: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31 &+ seed &* 17) >> 1) }
    }

    /// A store of notes with records of all sizes: some go on over many pages.
    private func makeNotes(_ count: Int = 400, closed: Bool = true) throws -> Database {
        let database = try Database(path)
        _ = try database.text("PRAGMA journal_mode = WAL")
        try database.transaction {
            try database.execute(StoreTables.zones.sql)
            try database.execute(
                "INSERT INTO account VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    Self.blob(16, 1), Self.blob(32, 2), Self.blob(32, 3), Self.blob(32, 4), Self.blob(60, 5),
                    Self.blob(60, 6), Self.blob(60, 7),
                ])
            try database.execute(
                "INSERT INTO zone VALUES (1, ?, ?, 'notes', 7)", [Self.blob(32, 8), Self.blob(16, 1)])
            try database.execute(
                "INSERT INTO log VALUES (1, 0, ?, ?)", [Self.blob(278, 9), Self.blob(64, 10)])
            try database.execute(
                "INSERT INTO keyring VALUES (1, 1, ?, 0, ?)", [Self.blob(16, 1), Self.blob(80, 11)])
            for number in 1...count {
                try database.execute(
                    "INSERT INTO record VALUES (?, 1, ?, ?, 1, 1, ?, 0, ?, ?, 0, ?)",
                    [
                        number * 3, Self.blob(16, number), number % 5 + 1, Self.blob(16, 1), Self.blob(40, number),
                        number + 10, Self.blob([92, 300, 5000, 40_000][number % 4], number),
                    ])
            }
        }
        if closed { database.close() }
        return database
    }

    /// Every row of every table, as text.
    private func rows(_ path: String, of tables: [String]) throws -> [String: Set<String>] {
        let database = try Database(path)
        defer { database.close() }
        var all: [String: Set<String>] = [:]
        for table in tables {
            let rows = try database.rows("SELECT * FROM \(table)")
            all[table] = Set(rows.map { row in row.cells.map(Self.text).joined(separator: "|") })
        }
        return all
    }

    /// With every byte of it.
    private static func text(_ value: DatabaseValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .blob(let bytes): bytes.map { String($0, radix: 16) }.joined(separator: ".")
        }
    }

    private static let zoneTables = ["account", "zone", "log", "keyring", "record"]

    private func recover(_ tables: StoreTables = .zones) throws -> (DatabaseRecovery.Outcome, String) {
        let work = folder + "/work-" + UUID().uuidString
        try FileSystem.makeDirectories(work)
        let target = work + "/new.sqlite"
        return (try DatabaseRecovery(path, tables: tables, workingIn: work).run(into: target), target)
    }

    private func overwrite(_ page: Int, with bytes: [UInt8]) throws {
        let file = try FileDescriptor.open(path, FileFlags.readWrite)
        try file.write(bytes, at: (page - 1) * 4096)
    }

    private static func noise(_ seed: Int) -> [UInt8] {
        var state = UInt64(seed)
        return (0..<4096).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }

    @Test func `a sound database is left as it is`() throws {
        _ = try makeNotes()
        let before = try FileSystem.read(path)
        let (outcome, target) = try recover()
        #expect(outcome == .sound)
        #expect(try FileSystem.status(target) == nil)
        #expect(try FileSystem.read(path) == before)
    }

    @Test func `whatever page is overwritten, all rows come over that did not stand on it`() throws {
        _ = try makeNotes(120)
        let whole = try rows(path, of: Self.zoneTables)
        let original = try FileSystem.read(path)
        let pages = original.count / 4096
        var (lostRows, damaged) = (0, 0)
        for page in 1...pages {
            try overwrite(page, with: page % 3 == 0 ? [UInt8](repeating: 0, count: 4096) : Self.noise(page))
            let bytes = try FileSystem.read(path)
            let (outcome, target) = try recover()
            #expect(try FileSystem.read(path) == bytes, "page \(page)")
            // A page that a long record goes on with has nothing that SQLite could find wrong.
            if case .recovered(let found) = outcome {
                damaged += 1
                let here = try rows(target, of: Self.zoneTables)
                for table in ["account", "log", "keyring", "record"] {
                    #expect(
                        here[table]!.subtracting(whole[table]!).count <= 1, "page \(page) \(table): bytes of a record")
                }
                let lost = whole["record"]!.count - here["record"]!.count
                #expect(lost <= 12 && lost <= found.lost, "page \(page): \(lost) of \(found.lost)")
                lostRows += lost
                #expect(here["zone"]!.count + here["account"]!.count + here["keyring"]!.count >= 2, "page \(page)")
            } else {
                #expect(outcome == .sound, "page \(page)")
            }
            try FileManager.default.removeItem(atPath: FileSystem.directory(of: target))
            let file = try FileDescriptor.open(path, FileFlags.readWrite)
            try file.write(original, at: 0)
        }
        print("\(pages) pages, \(damaged) of them damage that shows, \(lostRows) rows were lost on them in all")
        #expect(damaged > 20 && lostRows >= 119)
    }

    @Test func `without its first page all rows of all tables come over, each to its table`() throws {
        _ = try makeNotes()
        let whole = try rows(path, of: Self.zoneTables)
        try overwrite(1, with: Self.noise(1))
        let (outcome, target) = try recover()
        guard case .recovered(let found) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(found.lost == 0 && found.strange == 0, "\(found)")
        var here = try rows(target, of: Self.zoneTables)
        // The sequence goes on behind the greatest number that was given.
        #expect(here.removeValue(forKey: "zone")?.first?.hasSuffix("|410") == true)
        #expect(here == whole.filter { $0.key != "zone" })
    }

    @Test func `the keychain's tables of one form are told apart without the page that names them`() throws {
        let database = try Database(path)
        try database.transaction {
            try database.execute(StoreTables.keychain.sql)
            try database.execute(
                "INSERT INTO meta VALUES ('keychain', ?), ('keybag', ?)", [Self.blob(16, 1), Self.blob(16, 2)])
            for number in 1...4 {
                for table in ["table_key", "index_key"] {
                    try database.execute(
                        "INSERT INTO \(table) VALUES (?, ?, ?)",
                        [number, Self.blob(16, number), Self.blob(80, table == "table_key" ? number : -number)])
                }
            }
            for number in 1...300 {
                let key: [UInt8]? = number % 2 == 0 ? Self.blob(40, 9) : nil
                let secret: [UInt8]? = number % 2 == 0 ? Self.blob(92, 9) : nil
                try database.execute(
                    "INSERT INTO item VALUES (?, ?, 1, 2, ?, 0, 0, 0, ?, ?, ?, ?, ?, ?, NULL)",
                    [
                        number, Self.blob(16, number), Self.blob(16, 3), Self.blob(16, 4), Self.blob(40, number),
                        Self.blob(200, number), key, secret, Self.blob(32, number),
                    ])
                try database.execute("INSERT INTO tag VALUES (?, ?)", [number, Self.blob(32, number)])
            }
        }
        database.close()
        let tables = ["table_key", "index_key", "item", "tag"]
        let whole = try rows(path, of: tables)
        for zeros in [true, false] {
            try overwrite(1, with: zeros ? [UInt8](repeating: 0, count: 4096) : Self.noise(5))
            let (outcome, target) = try recover(.keychain)
            guard case .recovered(let found) = outcome else { return #expect(Bool(false), "\(outcome)") }
            #expect(try rows(target, of: tables) == whole, "\(found)")
            // Names are hashed anew at the next unlock.
            #expect(try rows(target, of: ["meta"])["meta"]!.contains { $0.contains("retag") })
        }
    }

    @Test(arguments: [false, true]) func `commits that still stand in the log come over`(losesFirstPage: Bool) throws {
        let database = try makeNotes(20, closed: false)
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try database.execute("UPDATE record SET revision = 77 WHERE id = 3")
        // As a crash leaves it.
        let crashed = folder + "/crashed.sqlite"
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: crashed + suffix) }
        database.close()
        for suffix in ["", "-wal"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
            try FileManager.default.moveItem(atPath: crashed + suffix, toPath: path + suffix)
        }
        // The last page is damaged, so that there is something to recover.
        let pages = try FileSystem.read(path).count / 4096
        try overwrite(losesFirstPage ? 1 : pages, with: Self.noise(3))
        let (outcome, target) = try recover()
        guard case .recovered = outcome else { return #expect(Bool(false), "\(outcome)") }
        let records = try rows(target, of: ["record"])["record"]!
        #expect(records.contains { $0.hasPrefix("3|1|") && $0.contains("|77|") })
    }

    @Test func `what was deleted does not come back`() throws {
        let database = try makeNotes(400, closed: false)
        try database.execute("PRAGMA secure_delete = ON; DELETE FROM record WHERE id > 300")
        database.close()
        try overwrite(1, with: Self.noise(2))
        let (_, target) = try recover()
        let records = try rows(target, of: ["record"])["record"]!
        #expect(records.count == 100, "\(records.count)")
    }

    @Test func `a file that is none, or empty, gives nothing, and nothing is written`() throws {
        for bytes in [[], Self.noise(1), Array("not a database, but a text that somebody has put here".utf8)] {
            try? FileManager.default.removeItem(atPath: path)
            try FileSystem.replace(path, with: bytes)
            let (outcome, target) = try recover()
            #expect(outcome == .nothing)
            #expect(try FileSystem.status(target) == nil && FileSystem.read(path) == bytes)
        }
    }

    @Test func `a store of a later version is refused`() throws {
        let database = try makeNotes(3, closed: false)
        try database.execute("PRAGMA user_version = 9")
        database.close()
        #expect(throws: DatabaseRecovery.Problem.newer(format: 9)) { _ = try recover() }
    }

    @Test func `noise in the place of any page of any size crashes nothing`() throws {
        _ = try makeNotes(40)
        let original = try FileSystem.read(path)
        let pages = original.count / 4096
        for round in 0..<Thoroughness.count(15, soak: 60) {
            var bytes = original
            for hit in 0..<40 {
                let at = Self.noise(round * 41 + hit)
                let place = (Int(at[0]) << 16 | Int(at[1]) << 8 | Int(at[2])) % bytes.count
                // The heads of pages are where lengths and pointers stand.
                let target = hit % 2 == 0 ? place : (place / 4096) * 4096 + Int(at[3]) % 64
                bytes[min(target, bytes.count - 1)] = at[4]
            }
            if round % 5 == 0 { bytes.removeLast(4096 * (round % 7) + round) }
            try? FileManager.default.removeItem(atPath: path)
            try FileSystem.replace(path, with: bytes)
            let (outcome, target) = try recover()
            if case .recovered = outcome {
                let database = try Database(target)
                #expect(try database.text("PRAGMA integrity_check") == "ok")
                database.close()
            }
        }
        #expect(pages > 20)
    }

    @Test func `no bytes of a page make its reader crash, run on, or take more than there is`() throws {
        _ = try makeNotes(24)
        let original = try FileSystem.read(path)
        let pages = original.count / 4096
        var random = SystemRandomNumberGenerator()
        var rows = 0
        let file = folder + "/mutated"
        let count = Thoroughness.count(400, soak: 3000)
        for _ in 0..<count {
            var bytes = original
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let page = Int.random(in: 0..<pages, using: &random) * 4096
                // Heads, pointers, and the sizes in front of cells.
                let start = Int(bytes[page + 5]) << 8 | Int(bytes[page + 6])
                let place = Bool.random(using: &random) ? Int.random(in: 0..<64, using: &random) : start % 4000
                bytes[page + place + Int.random(in: 0..<8, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try bytes.withUnsafeBytes { raw in
                try FileSystem.remove(file)
                try FileDescriptor.open(file, FileFlags.create).write(Array(raw), at: 0)
            }
            let read = try DatabasePages(FileDescriptor.open(file, FileFlags.read))
            for page in 0...read.count + 1 {
                for row in read.rows(of: page) {
                    rows += 1
                    #expect(row.cells.count <= 4096)
                }
            }
        }
        #expect(rows > count)
    }
}
