import Linux
package import SQLite

/// A second database, in a folder of its own, with those rows of a store on which all others hang.
///
/// One bad sector, or one deleted file, cannot hit both. Its rows are as sealed as their originals, and open no more.
/// It is written behind each commit of the store that changes such rows; where that fails it is removed, for it must
/// not keep what was destroyed.
///
/// Not thread-safe, on purpose: the store's thread owns it.
package final class SpareDatabase {
    private let folder: String
    private let path: String
    private let pragmas: String
    private let create: (Database) throws -> Void
    private var database: Database?
    /// Of the open one.
    private var gaps: PageGaps?
    /// Whether it cannot be opened or written now.
    package private(set) var hasFailed = false

    /// - Parameters:
    ///   - folder: of the store; the spare lies in its subfolder `spare`.
    ///   - file: the name of the database in it.
    ///   - pragmas: that say how it is used.
    ///   - create: makes the tables, or throws where another version has made them.
    package init(
        folder: String, file: String, _ pragmas: String, create: @escaping (Database) throws -> Void
    ) {
        self.folder = folder + "/spare"
        path = folder + "/spare/" + file
        self.pragmas = pragmas
        self.create = create
    }

    /// What `body` finds in it; nil where there is none, or it does not let itself be read.
    package func read<Result>(_ body: (Database) throws -> Result) -> Result? {
        guard let database = opened() else { return nil }
        return try? body(database)
    }

    /// Runs `body` in one transaction.
    ///
    /// Where it cannot be written, or opened, it is removed.
    ///
    /// - Returns: whether it has what `body` wrote, or is gone; false where it may still hold what was there before.
    @discardableResult
    package func write(_ body: (Database) throws -> Void) -> Bool {
        if let database = opened() {
            do {
                try database.transaction { try body(database) }
                try clearGaps()
                return true
            } catch { close() }
        }
        hasFailed = true
        return remove()
    }

    /// Makes it anew at its next use, where it had failed; what was to be in it is to be written again.
    ///
    /// - Returns: whether it had.
    package func tryAgain() -> Bool {
        defer { hasFailed = false }
        return hasFailed
    }

    /// Lets go of the file; the next use opens it again.
    package func close() {
        database?.close()
        database = nil
        gaps = nil
    }

    /// It is small, and each change puts pages in order.
    private func clearGaps() throws {
        if gaps == nil { gaps = try PageGaps(path) }
        try gaps?.clearAll()
    }

    /// One that is damaged is made anew: the store has what it had.
    private func opened() -> Database? {
        if let database { return database }
        guard !hasFailed else { return nil }
        for _ in 0..<2 {
            do {
                database = try open()
                return database
            } catch let error as DatabaseError where error.kind == .corrupt || error.kind == .notADatabase {
                remove()
            } catch { break }
        }
        hasFailed = true
        return nil
    }

    private func open() throws -> Database {
        try FileSystem.makeDirectories(folder)
        let database = try Database(path, settingUp: pragmas)
        // Nobody else has it open, so its journal stays beside it, with the pages of before the last change. It is
        // emptied with each commit: what was destroyed must not lie there.
        _ = try database.text("PRAGMA journal_mode = TRUNCATE")
        try database.transaction { try create(database) }
        try? Self.emptyJournal(path + "-journal", of: database)
        try FileSystem.setMode(path, 0o600)
        return database
    }

    /// What a kill left, or a program that did not empty it, goes with a commit: with the next where this one fails.
    private static func emptyJournal(_ journal: String, of database: Database) throws {
        guard let size = try FileSystem.status(journal)?.byteCount, size > 0 else { return }
        let format = try database.integer("PRAGMA user_version") ?? 0
        try database.transaction { try database.execute("PRAGMA user_version = \(format)") }
    }

    /// - Returns: whether nothing of it is left, also after a crash.
    @discardableResult
    private func remove() -> Bool {
        do {
            // The journal last: with the database alone it would bring back what was there before.
            for suffix in ["", "-journal"] { try FileSystem.remove(path + suffix) }
            try FileSystem.syncDirectory(folder)
            return true
        } catch {
            // What is no file holds no row of ours.
            return (try? FileSystem.status(path))??.isRegular != true
        }
    }
}

extension Database {
    /// The cells of some columns of a table.
    package func cells(_ columns: String, of table: String, where condition: String = "1") throws -> [[DatabaseValue]] {
        try rows("SELECT \(columns) FROM \(table) WHERE \(condition)").map(\.cells)
    }

    /// Puts rows into a table, each in the place of one with the same key.
    package func put(_ rows: [[DatabaseValue]], _ columns: String, into table: String) throws {
        for row in rows {
            let places = row.map { _ in "?" }.joined(separator: ", ")
            try execute(
                "INSERT OR REPLACE INTO \(table) (\(columns)) VALUES (\(places))", row)
        }
    }
}
