import DurableDatabase
import SQLite
import Testing

/// What is written in a batch, part by part.
@Suite struct BatchParts {
    private struct Refusal: Error {}

    private let durable: DurableDatabase

    init() throws {
        let database = try Database()
        try database.execute("CREATE TABLE word (text TEXT NOT NULL)")
        durable = try DurableDatabase(database, path: nil, formatVersion: 0)
    }

    private func write(_ text: String, _ then: (Database) throws -> Void = { _ in }) throws {
        try durable.transaction { database in
            try database.execute("INSERT INTO word VALUES (?)", [text])
            try then(database)
        }
    }

    private func words() throws -> [String] {
        try durable.database.rows("SELECT text FROM word ORDER BY rowid").compactMap { $0.text(0) }
    }

    @Test func `a part that fails leaves nothing, and those around it stay`() throws {
        try durable.beginBatch()
        try write("one")
        #expect(throws: Refusal.self) { try write("two") { _ in throw Refusal() } }
        try write("three")
        try durable.endBatch()
        #expect(try words() == ["one", "three"])
    }

    @Test func `where a full disk has undone a batch nothing more is done in it, and its end says so`() throws {
        try durable.beginBatch()
        try write("one")
        // As SQLite does it by itself when the disk is full.
        #expect(throws: Refusal.self) {
            try write("two") { database in
                try database.execute("ROLLBACK")
                throw Refusal()
            }
        }
        #expect(throws: Refusal.self) { try write("three") }
        #expect(throws: Refusal.self) { try durable.beginBatch() }
        #expect(throws: Refusal.self) { try durable.endBatch() }
        #expect(try words() == [])
        try write("later")
        #expect(try words() == ["later"])
    }
}
