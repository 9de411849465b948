import Linux
import SQLite
import Secrets
import StoreTables
import Wire

/// An earlier copy of the keychain, laid into its folder `from` to take from it what is damaged or lost.
///
/// `tresor repair --from` lays it there, and removes it; see specs/keychain-item.md, "A copy to take from".
final class EarlierCopy {
    /// How many of its items are looked for at a time.
    private static let part = 64

    private let database: Database
    /// Whether items are taken that are not there at all: only where rows are known to be lost, else they were deleted.
    let hasMissing: Bool

    /// Nil where there is none, or what is there is no keychain of this format.
    init?(beside path: String) {
        let store = FileSystem.directory(of: path)
        let folder = store + "/" + EarlierCopyFolder.name
        let copy = folder + path.dropFirst(store.count)
        guard (try? FileSystem.status(copy))??.isRegular == true,
            let database = try? Database(copy, settingUp: Schema.pragmas),
            let format = try? Schema.format(of: database),
            (1...Schema.version).contains(format)
        else { return nil }
        self.database = database
        hasMissing = (try? FileSystem.status(folder + "/" + EarlierCopyFolder.mark)) ?? nil != nil
    }

    /// Nil where a page of the copy is damaged; what may be read another time is no damage.
    private func look<Result>(_ body: (Database) throws -> Result) throws -> Result? {
        do { return try body(database) } catch let error as DatabaseError
            where error.isOfPage || error.kind == .notADatabase
        { return nil } catch { throw KeychainError(storage: error) }
    }

    /// - Throws: where it cannot be read now.
    func row(of item: Identifier, in storeID: Identifier) throws -> ItemRow? {
        let found = try look { database in
            try database.row(
                "SELECT \(ItemRow.secretColumns) FROM item WHERE uuid = ? AND tombstone = 0", [item.bytes])
        }
        guard var row = found.flatMap({ $0 }).map({ ItemRow($0, storeID: storeID) }) else { return nil }
        // Its number says nothing here, and nothing is to be noted under it.
        row.id = -1
        row.isQuarantined = true
        return row
    }

    /// - Returns: the items behind a row, and the row of the last; nil where there are none.
    /// - Throws: where they cannot be read now.
    func items(after row: Int64) throws -> (items: [Identifier], last: Int64)? {
        let rows = try look { database in
            try database.rows(
                "SELECT id, uuid FROM item WHERE id > ? AND tombstone = 0 ORDER BY id LIMIT ?", [row, Self.part])
        }
        guard let rows, let last = rows.last?.integer(0) else { return nil }
        return (items: rows.compactMap { $0.bytes(1).flatMap(Identifier.init) }, last: last)
    }
}
