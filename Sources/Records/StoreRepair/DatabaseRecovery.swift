import DurableDatabase
package import Linux
import SQLite
package import StoreTables

/// A database read around its damage, into a new one.
///
/// Each page is read by itself, and each row that has a table's form comes over. Whether it opens shows only with its
/// keys: nothing is judged here. See docs/decisions/0033-a-reader-of-damaged-databases.md.
///
/// ```swift
/// let recovery = DatabaseRecovery("notes.sqlite", tables: .zones, workingIn: "empty")
/// if case .recovered(let found) = try recovery.run(into: "new/notes.sqlite") { print(found.rows) }
/// ```
package struct DatabaseRecovery {
    /// What came of it.
    package enum Outcome: Equatable, Sendable {
        /// It is sound, and nothing was written.
        case sound
        /// Rows came over.
        case recovered(Found)
        /// No row could be read, and nothing was written.
        case nothing
        /// No row could be read, and an earlier copy takes its place.
        case earlier
    }

    /// What was found in a damaged database.
    package struct Found: Equatable, Sendable {
        /// Rows that came over, of all tables.
        package var rows = 0
        /// Rows of which an index still knows that they were there: the least that is lost.
        package var lost = 0
        /// Rows that have the form of no table's.
        package var strange = 0
        /// Blocks of 4,096 bytes that the disk did not give.
        package var unreadable = 0
    }

    /// Why a database was not looked at, or not put together.
    package enum Problem: Error, Equatable, Sendable {
        /// A later version of Tresor has written it.
        case newer(format: Int)
        /// A call to the system failed.
        case storage(LinuxError)
        /// SQLite could not write what was found.
        case failed(String)
    }

    private static let greatestFormat = 1000

    private let original: String
    private let copy: String
    private let tables: StoreTables

    /// - Parameters:
    ///   - original: the database's path; it and its log are read and never written.
    ///   - folder: an empty one, for a copy; its owner removes it.
    package init(_ original: String, tables: StoreTables, workingIn folder: String) {
        self.original = original
        self.tables = tables
        copy = folder + "/copy.sqlite"
    }

    /// Looks whether the database is sound; where it is not, writes what can be read of it to `path`.
    ///
    /// - Parameter path: where nothing lies; a whole database, on the disk, or nothing is there afterwards.
    /// - Throws: ``Problem``.
    package func run(into path: String) throws(Problem) -> Outcome {
        do {
            var found = Found()
            // To open one is to write to it: the original keeps each of its bytes.
            found.unreadable = try BlockCopy.copy(original, to: copy)
            if try FileSystem.status(original + "-wal") != nil {
                found.unreadable += try BlockCopy.copy(original + "-wal", to: copy + "-wal")
            }
            if try isSound(), found.unreadable == 0 { return .sound }
            try takeLogOver()
            do {
                try putTogether(into: path, &found)
                guard found.rows > 0 else {
                    try FileSystem.remove(path)
                    return .nothing
                }
            } catch {
                try? FileSystem.remove(path)
                throw error
            }
            return .recovered(found)
        } catch let problem as Problem { throw problem } catch let error as LinuxError {
            throw .storage(error)
        } catch { throw .failed("\(error)") }
    }

    // MARK: the look

    /// Whether SQLite finds nothing wrong, and the tables are those of a format that this version knows.
    private func isSound() throws -> Bool {
        guard let database = try? Database(copy, settingUp: Self.pragmas) else { return false }
        defer { database.close() }
        guard let number = try? database.integer("PRAGMA user_version"), number > 0,
            (try? hasTables(database)) == true
        else { return false }
        let format = Int(number)
        // No number of ours is as great as most that damage makes.
        if format > tables.format, format < Self.greatestFormat { throw Problem.newer(format: format) }
        guard format <= tables.format else { return false }
        let verdict = try? database.text("PRAGMA integrity_check(1)")
        // The copy is taken as it is where it is sound, and without its log.
        return verdict == "ok" && Self.emptyLog(of: database)
    }

    private func hasTables(_ database: Database) throws -> Bool {
        let model = try Database(settingUp: Self.pragmas)
        try model.execute(tables.sql)
        return try TableForm.all(of: model).allSatisfy { form in
            try TableForm.columnNames(of: form.name, in: database) == form.columns.map(\.name)
        }
    }

    /// What somebody has written into a database is not run.
    private static let pragmas = """
        PRAGMA trusted_schema = OFF;
        PRAGMA secure_delete = ON;
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA synchronous = FULL;
        PRAGMA temp_store = MEMORY;
        """

    // MARK: the copy

    /// Writes the commits of the copy's log into the copy.
    ///
    /// A first page that SQLite does not take for one is replaced, else no commit would be read.
    private func takeLogOver() throws {
        guard try FileSystem.status(copy + "-wal") != nil, !emptyLog() else { return }
        let file = try FileDescriptor.open(copy, FileFlags.readWrite)
        try file.write(try emptyPage(), at: 0)
        // The log may be damaged itself: then the pages alone speak.
        _ = emptyLog()
    }

    private func emptyLog() -> Bool {
        guard let database = try? Database(copy, settingUp: Self.pragmas) else { return false }
        defer { database.close() }
        return Self.emptyLog(of: database, needsLog: true)
    }

    /// - Parameter needsLog: whether a database that keeps none is one that could not be read.
    private static func emptyLog(of database: Database, needsLog: Bool = false) -> Bool {
        guard let row = try? database.row("PRAGMA wal_checkpoint(TRUNCATE)") else { return false }
        return row.integer(0) == 0 && (!needsLog || row.integer(1) != -1)
    }

    /// The only page of an empty database with a log.
    private func emptyPage() throws -> [UInt8] {
        let path = copy + ".model"
        let database = try Database(path, settingUp: Self.pragmas)
        _ = try database.text("PRAGMA journal_mode = WAL")
        try database.execute("PRAGMA user_version = 1")
        database.close()
        return try FileDescriptor.open(path, FileFlags.read).read(count: DatabasePages.pageByteCount, at: 0)
    }

    // MARK: the new one

    private func putTogether(into path: String, _ found: inout Found) throws {
        let pages = try DatabasePages(try FileDescriptor.open(copy, FileFlags.read))
        let database = try Database(path, settingUp: Self.pragmas)
        var counts = found
        try database.transaction {
            try database.execute(tables.sql)
            var sorter = RowSorter(forms: try TableForm.all(of: database), try IndexForm.all(of: database))
            for page in 1...max(1, pages.count) {
                for row in pages.rows(of: page) { try sorter.take(row, into: database) }
            }
            try database.execute(tables.afterRecovery)
            counts.rows = try sorter.rows(in: database)
            counts.strange = sorter.strange
            counts.lost = try sorter.lost(in: database)
        }
        database.close()
        try PageGaps(path).clearAll()
        try FileSystem.setMode(path, 0o600)
        found = counts
    }
}
