import DurableDatabase
import Linux
import SQLite
package import Secrets
import StoreTables

/// Accounts, zones and their sealed records in one database, and beside it the files of assets.
///
/// Not thread-safe, on purpose: one thread owns it. Every record is sealed from its first moment on; in clear stands
/// what specs/zone-store.md lists, and nothing else.
package final class ZoneStore {
    private let durable: DurableDatabase
    var database: Database { durable.database }
    package let assets: AssetFolder
    let keystones: ZoneKeystones
    private let folder: String
    private let file: String
    /// What was damaged or missing and has been made good from the spare, in words for a log.
    package var mended: [String] { keystones.mended }
    /// Whether the rows on which all others hang lie twice.
    package var hasSpare: Bool { !keystones.spare.hasFailed }

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
        (self.folder, self.file) = (folder, file)
        let spare = SpareDatabase(folder: folder, file: file, ZoneSchema.pragmas, create: ZoneSchema.open)
        do {
            let path = folder + "/" + file
            let database = try Database(path, settingUp: ZoneSchema.pragmas)
            _ = try database.text("PRAGMA journal_mode = WAL")
            try FormerDatabase.keep(database, at: path, before: ZoneSchema.version, of: Version.text, tell: tell)
            try database.transaction { try ZoneSchema.open(database) }
            try FileSystem.setMode(path, 0o600)
            assets = try AssetFolder(folder + "/assets")
            durable = try DurableDatabase(
                database, path: path, companions: [folder + "/assets"], formatVersion: ZoneSchema.version)
            self.keystones = ZoneKeystones(durable, spare, of: keystones)
        } catch { throw ZoneError(error) }
    }

    /// Lends a reading handle; what it reads is of one moment.
    package func read<Result>(_ body: (ZoneReader) throws -> Result) throws -> Result {
        do {
            return try body(ZoneReader(database: database))
        } catch let error as DatabaseError { throw ZoneError(error) }
    }

    /// Looks into the database; what SQLite says of it is told as ours.
    func look<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try durable.look(body)
    }

    /// Runs `body` in one transaction: all of it is on the disk when this returns, or nothing.
    package func write<Result>(_ body: (ZoneWriter) throws -> Result) throws -> Result { try keystones.write(body) }

    /// From now on what is written is acknowledged by ``endBatch()``, and until then may be undone as a whole.
    package func beginBatch() throws {
        do { try durable.beginBatch() } catch let error as DatabaseError { throw ZoneError(error) } catch let error
            as DurabilityError
        { throw ZoneError(error) }
    }

    /// Waits until all that was written is on the disk.
    ///
    /// - Throws: `ZoneError`; then nothing that was written since ``beginBatch()`` is there, and who has read it has to
    ///   read anew.
    package func endBatch() throws {
        do { try durable.endBatch() } catch let error as DatabaseError { throw ZoneError(error) } catch let error
            as DurabilityError
        { throw ZoneError(error) }
    }

    /// Whether something that was written waits for ``endBatch()``.
    package var isInBatch: Bool { durable.isInBatch }

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
            let sql = "SELECT count(*) FROM record WHERE type = ? AND tombstone = 0"
            return Int(try database.integer(sql, [Int(type)]) ?? 0)
        } catch { throw ZoneError(error) }
    }

    /// Records of which each is named by one head, and that no head names: what is left where a head is lost.
    ///
    /// - Parameters:
    ///   - heads: how many heads open.
    ///   - named: what they name; asked for only where there are more records than heads.
    package func strays(
        ofType type: UInt16, in zone: OpenZone, heads: Int, named: () -> Set<Identifier>
    ) throws -> Set<Identifier> {
        do {
            return try read { reader in
                guard try reader.count(ofType: type, in: zone) > heads else { return [] }
                return try reader.names(ofType: type, in: zone).subtracting(named())
            }
        } catch let error as ZoneError where error.isOfPage {
            // Which they are stands on a page that cannot be read; a look names the page.
            return []
        }
    }

    /// Reads all pages, and what they say of each other.
    ///
    /// - Throws: `ZoneError.damagedStore` where one is none any more.
    package func checkPages() throws {
        try look { database in
            guard try database.text("PRAGMA quick_check(1)") == "ok" else {
                throw ZoneError.damagedStore
            }
        }
    }

    /// An earlier copy of this store, if one lies there to take from.
    ///
    /// - Throws: where it cannot be opened now.
    func openSource() throws -> ZoneSource? { try ZoneSource(in: folder, file: file) }

    /// The records of a type as the spare has them: for one that stands on a page of the store that cannot be read.
    package func sparedRecords(ofType type: UInt16, in zone: OpenZone) -> [ZoneRecord] {
        keystones.records(ofType: type, in: zone)
    }

    package func close() {
        durable.close()
        keystones.spare.close()
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

extension DurableDatabase {
    /// Looks into the database; what SQLite says of it is told as ours.
    func look<Result>(_ body: (Database) throws -> Result) throws -> Result {
        do { return try body(database) } catch let error as DatabaseError { throw ZoneError(error) }
    }
}
