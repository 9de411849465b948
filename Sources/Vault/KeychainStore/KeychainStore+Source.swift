import Envelopes
import FoundationEssentials
import GRDB
import Linux
import Protection
import Secrets
import StoreTables
import Wire

/// An earlier copy of the keychain, laid into its folder `from` to take from it what is damaged or lost.
///
/// `tresor repair --from` lays it there, and removes it; see specs/keychain-item.md, "A copy to take from".
final class ItemSource {
    /// How many of its items are looked for at a time.
    private static let part = 64

    private let queue: DatabaseQueue
    /// Whether items are taken that are not there at all: only where rows are known to be lost, else they were deleted.
    let hasMissing: Bool

    /// Nil where there is none, or what is there is no keychain of this format.
    init?(beside path: String) {
        let store = FileSystem.directory(of: path)
        let folder = store + "/" + EarlierCopyFolder.name
        let copy = folder + path.dropFirst(store.count)
        guard (try? FileSystem.status(copy))??.isRegular == true,
            let queue = try? DatabaseQueue(path: copy, configuration: Schema.configuration()),
            let format = try? queue.inDatabase({ try Int.fetchOne($0, sql: "PRAGMA user_version") }),
            (1...Schema.version).contains(format)
        else { return nil }
        self.queue = queue
        hasMissing = (try? FileSystem.status(folder + "/" + EarlierCopyFolder.mark)) ?? nil != nil
    }

    /// Nil where a page of the copy is damaged; what may be read another time is no damage.
    private func look<Result>(_ body: (Database) throws -> Result) throws -> Result? {
        do { return try queue.inDatabase(body) } catch let error as DatabaseError
            where [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR].contains(error.resultCode)
        { return nil } catch { throw KeychainError(storage: error) }
    }

    /// - Throws: where it cannot be read now.
    func row(of item: Identifier, in keychain: Identifier) throws -> ItemRow? {
        let found = try look { database in
            try Row.fetchOne(
                database, sql: "SELECT \(ItemRow.secretColumns) FROM item WHERE uuid = ? AND tombstone = 0",
                arguments: [Data(item.bytes)])
        }
        guard var row = found.flatMap({ $0 }).map({ ItemRow($0, keychain: keychain) }) else { return nil }
        // Its number says nothing here, and nothing is to be noted under it.
        row.id = -1
        row.isQuarantined = true
        return row
    }

    /// - Returns: the items behind a row, and the row of the last; nil where there are none.
    /// - Throws: where they cannot be read now.
    func items(after row: Int64) throws -> (items: [Identifier], last: Int64)? {
        let rows = try look { database in
            try Row.fetchAll(
                database, sql: "SELECT id, uuid FROM item WHERE id > ? AND tombstone = 0 ORDER BY id LIMIT ?",
                arguments: [row, Self.part])
        }
        guard let rows, let last = rows.last?.integer(0) else { return nil }
        return (items: rows.compactMap { $0.bytes(1).flatMap(Identifier.init) }, last: Int64(last))
    }
}

// Taking from the copy.
extension KeychainStore {
    /// Puts the copy's row into the place of a damaged one.
    ///
    /// - Returns: whether the copy has one that opens.
    func takeFromCopy(_ row: ItemRow) throws -> Bool {
        guard let new = try rowOfCopy(row.identity.item) else { return false }
        try transaction { try new.replace(row.id, in: $0) }
        if new.isKeystone { copyItem(row.identity.item) }
        return true
    }

    /// Takes items that are in the copy and not in the keychain, where rows are known to be lost.
    ///
    /// - Parameter row: behind which of the copy's it goes on.
    /// - Returns: where the next part begins; nil at the end.
    func takeMissing(after row: Int64, _ taken: (PersistentReference) -> Void) throws -> Int64? {
        guard let source, source.hasMissing, let (items, last) = try source.items(after: row) else { return nil }
        for item in items where try !isKnown(item) {
            guard let new = try rowOfCopy(item) else { continue }
            // One of its name that was added since stays.
            do { try transaction { try new.insert(in: $0) } } catch let error as KeychainError
                where error.status == .duplicateItem
            { continue }
            if new.isKeystone { copyItem(item) }
            taken(PersistentReference(kind: ItemKind(rawValue: new.identity.kind) ?? .password, item: item))
        }
        return last
    }

    private func isKnown(_ item: Identifier) throws -> Bool {
        try storage { database in
            try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM item WHERE uuid = ?)", arguments: [Data(item.bytes)])
                ?? true
        }
    }

    /// The copy's row with tags of today; nil where it does not open as far as the lock state lets it.
    private func rowOfCopy(_ item: Identifier) throws -> NewRow? {
        guard let row = try source?.row(of: item, in: keychain), let kind = row.kind,
            let protectionClass = row.protectionClass, let metadata = try? readMetadata(row),
            let attributes = try? attributes(row)
        else { return nil }
        let group = attributes.string(.accessGroup)
        let caller = Caller(connection: 0, accessGroups: group.map { [$0] } ?? [])
        do { _ = try readSecret(row, attributes: metadata, for: .read, caller: caller) } catch let error
            as KeychainError
        {
            // What asks for its owner cannot be opened by anybody here, in neither place.
            guard [.presenceRequired, .itemPasswordRequired, .enrolmentChanged].contains(error.reason) else {
                return nil
            }
        } catch is DecodingError { return nil }
        return NewRow(
            identity: row.identity, classKey: row.classKey, metadataKey: row.metadataKey, metadata: row.metadata,
            secret: row.secret, tags: try tags(attributes, kind, protectionClass),
            isKeystone: Self.isKeystone(attributes))
    }
}
