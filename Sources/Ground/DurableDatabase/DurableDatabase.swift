package import Linux
package import SQLite

/// Why a commit is not acknowledged, beside what SQLite says.
package enum DurabilityError: Error, Equatable, Sendable {
    /// The database, its log, or a file beside it is not any more the one that stands under its name: what is written
    /// now would be gone with the process.
    ///
    /// Nothing was changed, or it was changed in files that have no name any more. From then on every transaction ends
    /// so.
    case replaced
    /// The commit failed, and so did the attempt to make the log forget it: after a crash it may have happened; from
    /// then on every transaction ends so.
    ///
    /// Or it was done, and the names could not be looked up behind it.
    case undecided
    /// The names could not be looked up; nothing was changed.
    case storage(LinuxError)
}

/// A SQLite database whose transactions are acknowledged only once they are kept, and have not happened where they are
/// refused, also after a crash.
///
/// Not thread-safe, on purpose: one thread owns it.
package final class DurableDatabase {
    /// For reads, and for writes that nobody has to be told of.
    package let database: Database
    private let formatVersion: Int
    private var standing: StandingFiles?
    private var ended: DurabilityError?
    /// Whether something stands in the log of which nobody knows whether the disk has it: nothing may follow it there.
    private var isLogUnsure = false
    private let path: String?
    private let gaps: PageGaps?
    /// Bytes of the log behind which a commit empties it.
    private let longestLog: Int

    /// - Parameters:
    ///   - database: one that keeps a log, and does not move it into the database by itself
    ///     (`wal_autocheckpoint` 0).
    ///   - path: where the database lies; nil for one in memory.
    ///   - companions: files and folders without which it is of no use, by their paths.
    ///   - formatVersion: what its `user_version` says.
    ///   - longestLog: bytes of the log behind which a commit empties it: pages that are written again and again are
    ///     moved into the database once.
    package init(
        _ database: Database, path: String?, companions: [String] = [], formatVersion: Int, longestLog: Int = 16 << 20
    ) throws {
        self.database = database
        self.path = path
        self.formatVersion = formatVersion
        self.longestLog = longestLog
        standing = try path.map { try StandingFiles([$0, $0 + "-wal"] + companions) }
        switch path {
        case .some(let path): gaps = try PageGaps(path)
        case .none: gaps = nil
        }
    }

    deinit { end() }

    /// Gives pages back that were read and are kept: up to 16 MiB, of which few are wanted again after a lock or after
    /// a reading of everything.
    package func releaseMemory() { try? database.execute("PRAGMA shrink_memory") }

    /// Closes the database; nothing can be done with it afterwards.
    package func close() {
        if end() { database.close() }
    }

    /// - Returns: whether it may be closed: SQLite removes the log then, by its name, which may be another's by now.
    @discardableResult
    private func end() -> Bool {
        guard isStanding else {
            database.abandon()
            return false
        }
        // SQLite would move the log into the database itself, and leave what lay in its pages before.
        if ended == nil, !isInBatch { try? truncateLog() }
        return true
    }

    private var isStanding: Bool { (try? standing?.areStanding()) ?? (standing == nil) }

    /// Runs `body` in one transaction: all of it is on the disk when this returns, under the names that the files have,
    /// or none of it.
    ///
    /// - Throws: what `body` throws, SQLite's `DatabaseError`, or ``DurabilityError``.
    package func transaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
        if let ended { throw ended }
        if isLogUnsure { try truncateLog() }
        guard !isInBatch else { return try part(body) }
        var isCommitting = false
        let result: Result
        do {
            result = try database.transaction {
                let result = try body(database)
                try look()
                isCommitting = true
                return result
            }
        } catch let error as DatabaseError where isCommitting && error.isOfSync {
            try forgetCommit()
            throw error
        }
        try lookBehind()
        shortenLog()
        return result
    }

    // MARK: batches

    /// A part of a batch, which is done or not by itself.
    private func part<Result>(_ body: (Database) throws -> Result) throws -> Result {
        if let batchFailure { throw batchFailure }
        do {
            try database.cachedStatement("SAVEPOINT part").run()
            do {
                let result = try body(database)
                try database.cachedStatement("RELEASE part").run()
                return result
            } catch {
                undoPart()
                throw error
            }
        } catch {
            // A full disk undoes the whole batch at once: its end says why, and nothing more is done in it.
            if !database.isInsideTransaction { batchFailure = error }
            throw error
        }
    }

    private func undoPart() {
        guard database.isInsideTransaction else { return }
        do {
            try database.cachedStatement("ROLLBACK TO part").run()
            try database.cachedStatement("RELEASE part").run()
        } catch { database.rollback() }
    }

    /// Whether transactions are under way that ``endBatch()`` will acknowledge.
    package private(set) var isInBatch = false
    /// Why a part of a batch was not done, which its end has to say of all of it.
    private var batchFailure: (any Error)?

    /// From now on a transaction that returns is not on the disk before ``endBatch()`` returns; each is done or not
    /// by itself as before.
    ///
    /// - Throws: also where a part of the batch could not be committed, and its end is still to come.
    package func beginBatch() throws {
        if let ended { throw ended }
        if let batchFailure { throw batchFailure }
        guard !isInBatch else { return }
        if isLogUnsure { try truncateLog() }
        try database.beginTransaction()
        isInBatch = true
    }

    /// Acknowledges what was done since ``beginBatch()``: all of it is on the disk when this returns.
    ///
    /// - Throws: as ``transaction(_:)``; then nothing of it may be acknowledged.
    package func endBatch() throws {
        defer { batchFailure = nil }
        if let batchFailure {
            isInBatch = false
            database.rollback()
            throw batchFailure
        }
        try commitBatch()
    }

    /// Brings to the disk what was done so far, for who has to write elsewhere behind it; the batch's end still counts.
    package func commitBatch() throws {
        guard isInBatch else { return }
        if let batchFailure { throw batchFailure }
        isInBatch = false
        do { try commitOpenBatch() } catch {
            batchFailure = error
            throw error
        }
    }

    private func commitOpenBatch() throws {
        var isCommitting = false
        do {
            do {
                try look()
                isCommitting = true
                try database.commit()
            } catch {
                database.rollback()
                throw error
            }
        } catch let error as DatabaseError where isCommitting && error.isOfSync {
            try forgetCommit()
            throw error
        }
        try lookBehind()
        shortenLog()
    }

    /// They may have been replaced between the look and the commit.
    private func lookBehind() throws(DurabilityError) {
        do { try look() } catch {
            if case .storage = error { throw .undecided }
            throw error
        }
    }

    /// Moves what the log holds into the database, and empties the log: nothing that was replaced or deleted is left in
    /// either.
    package func truncateLog() throws {
        // The log is left until the middle of its pages is clear, too.
        try checkpoint("FULL")
        switch gaps {
        case .some(let gaps): try gaps.clearWritten()
        case .none: break
        }
        try checkpoint("TRUNCATE")
        isLogUnsure = false
    }

    private func checkpoint(_ mode: String) throws {
        let isBusy = try database.integer("PRAGMA wal_checkpoint(\(mode))")
        if let isBusy, isBusy != 0 { throw DatabaseError(.busy) }
    }

    /// Empties a log that has grown long; what is in it is kept, so where that fails the next commit tries it again.
    private func shortenLog() {
        guard let path, let log = (try? FileSystem.status(path + "-wal")) ?? nil, log.byteCount > longestLog else {
            return
        }
        try? truncateLog()
    }

    private func look() throws(DurabilityError) {
        let isStanding: Bool
        do { isStanding = try standing?.areStanding() ?? true } catch { throw .storage(error) }
        guard isStanding else {
            ended = .replaced
            throw .replaced
        }
    }

    /// Makes the log forget a commit that failed.
    ///
    /// Its frames may lie whole in the log, behind those of the commits before it, though SQLite takes them for none:
    /// whoever opens the database after a crash would take them for a commit. So another one, of nothing, is written
    /// over the first of them; the checksums of those behind it then fit no more (SQLite's file format, section 4.1).
    private func forgetCommit() throws(DurabilityError) {
        if writeNothing(synchronous: "FULL") { return }
        // Without a sync it holds for an end of this process, and the log is emptied before anything follows.
        isLogUnsure = true
        if writeNothing(synchronous: "OFF") { return }
        ended = .undecided
        throw .undecided
    }

    private func writeNothing(synchronous level: String) -> Bool {
        do {
            try database.execute("PRAGMA synchronous = \(level)")
            defer { try? database.execute("PRAGMA synchronous = FULL") }
            try database.execute("PRAGMA user_version = \(formatVersion)")
            return true
        } catch { return false }
    }
}
