import DurableDatabase
import Foundation
import Linux
import SQLite
import Testing

/// What was replaced or deleted is in no page of a database, wherever SQLite had moved it meanwhile.
@Suite struct PageGapsTests {
    private let folder = NSTemporaryDirectory() + "tresor-gaps-" + UUID().uuidString

    init() throws { try FileSystem.makeDirectories(folder) }

    private static let pragmas = """
        PRAGMA secure_delete = ON;
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA wal_autocheckpoint = 0;
        """

    private func opened(_ path: String, longestLog: Int = 1 << 20) throws -> DurableDatabase {
        let database = try Database(path, settingUp: Self.pragmas)
        _ = try database.text("PRAGMA journal_mode = WAL")
        // What a crash of the machine leaves is not what this is about.
        try database.execute(
            """
            PRAGMA synchronous = OFF;
            CREATE TABLE IF NOT EXISTS record (id INTEGER PRIMARY KEY, name BLOB UNIQUE, sealed BLOB);
            """)
        return try DurableDatabase(database, path: path, formatVersion: 1, longestLog: longestLog)
    }

    /// The same numbers at each run: what SQLite leaves, it leaves each time.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
            return mixed ^ mixed >> 31
        }

        mutating func bytes(_ count: Int) -> [UInt8] {
            let words = (0..<(count + 7) / 8).map { _ in next() }
            return words.withUnsafeBytes { Array($0.prefix(count)) }
        }
    }

    /// Rows that are written, replaced and deleted, each with 32 bytes of its own in front.
    private struct Rows {
        var numbers: Numbers
        let greatest: Int
        var live: [Int: [UInt8]] = [:]
        var former: [[UInt8]] = []

        init(seed: UInt64, greatest: Int) { (numbers, self.greatest) = (Numbers(state: seed), greatest) }

        mutating func step(_ database: Database) throws {
            let id = Int.random(in: 1...300, using: &numbers)
            if let known = live[id] { former.append(known) }
            if live[id] != nil, Int.random(in: 0..<100, using: &numbers) < 15 {
                live[id] = nil
                return try database.execute("DELETE FROM record WHERE id = ?", [id])
            }
            let mark = numbers.bytes(32)
            let sealed = mark + numbers.bytes(Int.random(in: 18..<greatest, using: &numbers))
            live[id] = mark
            try database.execute(
                "INSERT INTO record VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed",
                [id, numbers.bytes(16), sealed])
        }

        /// How many of those that are gone lie in a file, and how many of those that are there do not.
        func judge(_ path: String) throws -> (left: Int, missing: Int) {
            var word: UInt64 = 0
            var words: Set<UInt64> = []
            // A mark is told by its first eight bytes, and a piece of one is told by them too.
            let marks = Set((former + live.values).map(Self.word))
            for byte in try FileSystem.read(path) {
                word = word << 8 | UInt64(byte)
                if marks.contains(word) { words.insert(word) }
            }
            return (
                former.count { words.contains(Self.word($0)) }, live.values.count { !words.contains(Self.word($0)) }
            )
        }

        private static func word(_ mark: [UInt8]) -> UInt64 { mark.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
    }

    @Test(arguments: [700, 1500, 3500])
    func `nothing of what was replaced or deleted is left, and all else is whole`(greatest: Int) throws {
        defer { try? FileSystem.removeTree(folder) }
        let path = folder + "/rows.sqlite"
        let database = try opened(path)
        var rows = Rows(seed: 7, greatest: greatest)
        for number in 0..<4000 {
            try database.transaction { try rows.step($0) }
            // The log grows long in between, too.
            if number % 1000 == 999 { try database.truncateLog() }
        }
        let (left, missing) = try rows.judge(path)
        #expect(left == 0 && missing == 0, "\(left) of \(rows.former.count), \(missing) of \(rows.live.count)")
        #expect(try FileSystem.status(path + "-wal")?.byteCount == 0)
        let verdict = try database.database.text("PRAGMA integrity_check")
        let count = try database.database.integer("SELECT count(*) FROM record")
        #expect(verdict == "ok" && count == Int64(rows.live.count))
        database.close()
    }

    @Test func `a log that a kill left is emptied in the same way, and so is one at the end of a program`() throws {
        defer { try? FileSystem.removeTree(folder) }
        let path = folder + "/rows.sqlite"
        let killed = folder + "/killed.sqlite"
        var rows = Rows(seed: 9, greatest: 1500)
        let database = try opened(path, longestLog: .max)
        for _ in 0..<4000 { try database.transaction { try rows.step($0) } }
        for end in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + end, toPath: killed + end) }
        database.close()
        #expect(try rows.judge(path) == (left: 0, missing: 0))
        let next = try opened(killed)
        try next.truncateLog()
        #expect(try rows.judge(killed) == (left: 0, missing: 0))
        next.close()
    }

    @Test func `a log is emptied behind the commit that makes it long`() throws {
        defer { try? FileSystem.removeTree(folder) }
        let path = folder + "/rows.sqlite"
        let database = try opened(path, longestLog: 64 << 10)
        var rows = Rows(seed: 11, greatest: 3500)
        var longest = 0
        for _ in 0..<300 {
            try database.transaction { try rows.step($0) }
            longest = max(longest, try FileSystem.status(path + "-wal")?.byteCount ?? 0)
        }
        #expect((1...(64 << 10)).contains(longest), "\(longest)")
        database.close()
    }

    @Test func `the second copy keeps nothing of what was replaced in it`() throws {
        defer { try? FileSystem.removeTree(folder) }
        let spare = SpareDatabase(folder: folder, file: "rows.sqlite", Self.pragmas) { database in
            try database.execute(
                "CREATE TABLE IF NOT EXISTS record (id INTEGER PRIMARY KEY, name BLOB UNIQUE, sealed BLOB)")
        }
        var rows = Rows(seed: 13, greatest: 1500)
        for _ in 0..<200 {
            #expect(spare.write { database in for _ in 0..<20 { try rows.step(database) } })
        }
        #expect(try rows.judge(folder + "/spare/rows.sqlite") == (left: 0, missing: 0))
        spare.close()
    }

    @Test(arguments: [5, 6])
    func `a page whose header is damaged keeps its rows`(byte: Int) throws {
        defer { try? FileSystem.removeTree(folder) }
        let path = folder + "/rows.sqlite"
        let database = try opened(path)
        try database.transaction { database in
            for id in 1...3 {
                try database.execute(
                    "INSERT INTO record VALUES (?, NULL, ?)", [id, [UInt8](repeating: UInt8(id), count: 300)])
            }
        }
        database.close()
        var bytes = try FileSystem.read(path)
        // The leaf of the table: its first cell lies further behind than three rows do.
        let page = try #require(stride(from: 4096, to: bytes.count, by: 4096).first { bytes[$0] == 13 })
        bytes[page + byte] = byte == 5 ? 15 : bytes[page + byte] | 0xF0
        try FileSystem.replace(path, with: bytes)
        try PageGaps(path).clearAll()
        #expect(try FileSystem.read(path) == bytes)
    }

    @Test func `pages that cannot be told apart are left as they are`() throws {
        defer { try? FileSystem.removeTree(folder) }
        let path = folder + "/mapped.sqlite"
        let database = try Database(path)
        // The second page of the map, 822, looks like a page of a tree with 533 cells, the first at 1,280.
        try database.execute(
            """
            PRAGMA auto_vacuum = FULL; PRAGMA synchronous = OFF; VACUUM;
            CREATE TABLE record (id INTEGER PRIMARY KEY, sealed BLOB);
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1300)
            INSERT INTO record SELECT n, randomblob(3000) FROM number;
            """)
        database.close()
        let mapped = try FileSystem.read(path)
        #expect(mapped[821 * 4096] == 5 && mapped[821 * 4096 + 1200] != 0)
        for bytes in [mapped, Array("no database".utf8), []] {
            try FileSystem.replace(path, with: bytes)
            try PageGaps(path).clearAll()
            #expect(try FileSystem.read(path) == bytes)
        }
    }
}
