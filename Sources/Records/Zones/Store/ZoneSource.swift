import DurableDatabase
import Envelopes
import Linux
import SQLite
import Secrets
import StoreTables

/// An earlier copy of a store, laid into its folder `from` to take from it what is damaged or lost.
///
/// `tresor repair --from` lays it there, and removes it; see specs/zone-store.md, "A copy to take from".
final class ZoneSource {
    /// How many of its records are looked for at a time.
    private static let part = 64

    private let database: Database
    let assets: AssetFolder

    /// Nil where there is none, or what is there is no store of this format.
    ///
    /// - Throws: where it cannot be opened now.
    init?(in store: String, file: String) throws {
        let folder = store + "/" + EarlierCopyFolder.name
        guard try FileSystem.status("\(folder)/\(file)")?.isRegular == true else { return nil }
        let found = try Self.whatIsReadable {
            let database = try Database("\(folder)/\(file)", settingUp: ZoneSchema.pragmas)
            return (database: database, format: Int(try database.integer("PRAGMA user_version") ?? 0))
        }
        guard let found, (1...ZoneSchema.version).contains(found.format) else { return nil }
        database = found.database
        assets = AssetFolder(ofCopy: folder + "/assets")
    }

    /// Nil where a page of the copy is damaged; what may be read another time is no damage.
    private static func whatIsReadable<Result>(_ body: () throws -> Result) throws -> Result? {
        do { return try body() } catch let error as DatabaseError {
            let error = ZoneError(error)
            guard error.isOfPage else { throw error }
            return nil
        }
    }

    /// The record of a name, if it opens under this zone's keys.
    ///
    /// - Throws: where it cannot be read now.
    func record(_ name: Identifier, in zone: OpenZone) throws -> ZoneRecord? {
        let row = try Self.whatIsReadable {
            try database.row(
                "SELECT \(ZoneReader.columns) FROM record WHERE name = ? AND tombstone = 0", [name.bytes])
        }
        guard let row = row.flatMap({ $0 }) else { return nil }
        do { return try ZoneReader.open(row, in: zone) } catch ZoneError.damagedRecord { return nil }
    }

    /// The names of its records behind a row; those that never leave a device are left out.
    ///
    /// - Returns: with the names the row of the last; none where a page is passed over; nil at the end.
    /// - Throws: where they cannot be read now.
    func names(after row: Int64) throws -> (names: [Identifier], last: Int64)? {
        let rows = try Self.whatIsReadable {
            try database.rows(
                "SELECT id, name FROM record WHERE id > ? AND type < ? AND tombstone = 0 ORDER BY id LIMIT ?",
                [row, Int(ZoneWriter.localTypes), Self.part])
        }
        guard let rows else {
            let next = try ZoneReader(database: database).placeBehindLostPage(after: row)
            return next == .max ? nil : (names: [], last: next)
        }
        guard let last = rows.last?.integer(0) else { return nil }
        return (names: rows.compactMap { $0.bytes(1).flatMap(Identifier.init) }, last: last)
    }
}
