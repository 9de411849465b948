import DurableDatabase
import FoundationEssentials
import GRDB
import Linux
package import Secrets
import StoreTables

/// Accounts, zones and their sealed records in one database, and beside it the files of assets.
///
/// Not thread-safe, on purpose: one thread owns it. Every record is sealed from its first moment on; in clear stands
/// what specs/zone-store.md lists, and nothing else.
package final class ZoneStore {
    private let durable: DurableDatabase
    var database: DatabaseQueue { durable.queue }
    package let assets: AssetFolder
    let spare: SpareDatabase
    /// What ``source()`` found.
    private var knownSource: ZoneSource??
    private let folder: String
    private let file: String
    /// Whether the store's own rows of the small tables are damaged, and could not be written anew from the spare.
    ///
    /// Each change tries it again first; the spare is left as it is until then.
    var isSpareAlone = false
    /// Types of records on which others hang.
    let keystones: Set<UInt16>
    /// What was damaged or missing and has been made good from the spare, in words for a log.
    package internal(set) var mended: [String] = []
    /// Whether the rows on which all others hang lie twice.
    package var hasSpare: Bool { !spare.hasFailed }

    /// Opens the store in `folder`, or makes one.
    ///
    /// - Parameters:
    ///   - folder: exists, mode 0700.
    ///   - file: the name of the database in it.
    ///   - keystones: types of records on which others hang: they are kept twice, as the store's keys are.
    ///   - tell: gets what takes long, in words for a log.
    /// - Throws: `damagedStore` when the file in it is no store of ours, `newerStore` when this version does not know
    ///   its format.
    package init(
        folder: String, file: String, keystones: Set<UInt16> = [], tell: (String) -> Void = { _ in }
    ) throws(ZoneError) {
        self.keystones = keystones
        (self.folder, self.file) = (folder, file)
        spare = SpareDatabase(folder: folder, file: file, ZoneSchema.configuration(), create: ZoneSchema.open)
        do {
            let path = folder + "/" + file
            let database = try DatabaseQueue(path: path, configuration: ZoneSchema.configuration())
            try database.inDatabase { database in
                _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
            }
            try FormerDatabase.keep(database, at: path, before: ZoneSchema.version, of: Version.text, tell: tell)
            try database.inDatabase { database in
                try database.inTransaction {
                    try ZoneSchema.open(database)
                    return .commit
                }
            }
            try FileSystem.setMode(path, 0o600)
            assets = try AssetFolder(folder + "/assets")
            durable = try DurableDatabase(
                database, path: path, companions: [folder + "/assets"], formatVersion: ZoneSchema.version)
        } catch { throw ZoneError(error) }
    }

    /// Lends a reading handle; what it reads is of one moment.
    package func read<Result>(_ body: (ZoneReader) throws -> Result) throws -> Result {
        do {
            return try database.inDatabase { try body(ZoneReader(database: $0)) }
        } catch let error as DatabaseError { throw ZoneError(error) }
    }

    /// Looks into the database; what SQLite says of it is told as ours.
    func look<Result>(_ body: (Database) throws -> Result) throws -> Result {
        do { return try database.inDatabase(body) } catch let error as DatabaseError { throw ZoneError(error) }
    }

    /// Runs `body` in one transaction: all of it is on the disk when this returns, or nothing.
    package func write<Result>(_ body: (ZoneWriter) throws -> Result) throws -> Result {
        guard isSpareAlone else { return try transact(body) }
        var refusal: (any Error)?
        do { try putTables() } catch { refusal = error }
        return try transact { writer in
            let result = try body(writer)
            // Nothing is written on which others hang while it cannot lie twice.
            if let refusal, writer.hasKeystones { throw refusal }
            return result
        }
    }

    func transact<Result>(_ body: (ZoneWriter) throws -> Result) throws -> Result {
        do {
            var used: ZoneWriter?
            let result = try durable.transaction { database in
                let writer = ZoneWriter(database: database, keystones: keystones)
                used = writer
                let result = try body(writer)
                try writer.finish()
                return result
            }
            if let used, used.hasKeystones {
                // What others hang on waits for nobody: its second copy is written behind the commit.
                if durable.isInGroup { try durable.commitGroup() }
                copyKeystones(of: used)
            }
            return result
        } catch let error as DatabaseError { throw ZoneError(error) } catch let error as DurabilityError {
            throw ZoneError(error)
        }
    }

    /// From now on what is written is acknowledged by ``endGroup()``, and until then may be undone as a whole.
    package func beginGroup() throws {
        do { try durable.beginGroup() } catch let error as DatabaseError { throw ZoneError(error) } catch let error
            as DurabilityError
        { throw ZoneError(error) }
    }

    /// Waits until all that was written is on the disk.
    ///
    /// - Throws: `ZoneError`; then nothing that was written since ``beginGroup()`` is there, and who has read it has to
    ///   read anew.
    package func endGroup() throws {
        do { try durable.endGroup() } catch let error as DatabaseError { throw ZoneError(error) } catch let error
            as DurabilityError
        { throw ZoneError(error) }
    }

    /// Whether something that was written waits for ``endGroup()``.
    package var isInGroup: Bool { durable.isInGroup }

    /// Empties the write-ahead log, so that no replaced bytes are left in it; those in the database are overwritten as
    /// they are replaced.
    package func scrub() throws(ZoneError) {
        do { try durable.truncateLog() } catch { throw ZoneError(error) }
    }

    /// Gives pages back that were read and are kept: after a reading of everything few of them are wanted again.
    package func releaseMemory() { durable.releaseMemory() }

    /// How many records of a type there are in all zones, which stands in clear.
    package func count(ofType type: UInt16) throws -> Int {
        do {
            return try database.inDatabase { database in
                let sql = "SELECT count(*) FROM record WHERE type = ? AND tombstone = 0"
                return try Int.fetchOne(database, sql: sql, arguments: [Int(type)]) ?? 0
            }
        } catch { throw ZoneError(error) }
    }

    /// Reads all pages, and what they say of each other.
    ///
    /// - Throws: `ZoneError.damagedStore` where one is none any more.
    package func checkPages() throws {
        try look { database in
            guard try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok" else {
                throw ZoneError.damagedStore
            }
        }
    }

    /// How many records there are in a zone, tombstones left out.
    package func recordCount(of zone: OpenZone) throws -> Int {
        try look { database in
            let sql = "SELECT count(*) FROM record WHERE zone = ? AND tombstone = 0"
            return try Int.fetchOne(database, sql: sql, arguments: [zone.row]) ?? 0
        }
    }

    /// Those of some names under which there is no record, whatever its state.
    package func missing(_ names: some Sequence<Identifier>, in zone: OpenZone) throws -> Set<Identifier> {
        try look { database in
            let statement = try database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM record WHERE zone = ? AND name = ? AND tombstone = 0)")
            return Set(
                try names.filter { name in
                    try Bool.fetchOne(statement, arguments: [zone.row, Data(name.bytes)]) != true
                })
        }
    }

    /// An earlier copy of this store, if one lies there to take from.
    ///
    /// - Throws: where it cannot be opened now.
    func source() throws -> ZoneSource? {
        if let knownSource { return knownSource }
        let found = try ZoneSource(in: folder, file: file)
        knownSource = .some(found)
        return found
    }

    package func close() {
        durable.close()
        spare.close()
    }
}

/// A record as its reader sees it.
package struct ZoneRecord: Equatable, Sendable {
    package var name: Identifier
    package var type: UInt16
    package var revision: UInt64
    /// Where it stands in the sequence of the zone's changes.
    package var sequence: UInt64
    package var content: [UInt8]
}
