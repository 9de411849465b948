import Envelopes
import FoundationEssentials
import GRDB
import Protection
import Secrets
package import Wire

// A look at everything: each row is opened, and what is in it thrown away.
extension KeychainStore {
    /// Looks at the rows behind one until others have waited long enough.
    ///
    /// - Parameters:
    ///   - row: ``ItemLook/next`` of the part before; 0 at first.
    ///   - isDue: whether they have.
    package func look(after row: UInt64, until isDue: () -> Bool) throws -> ItemLook {
        var look = ItemLook()
        look.total = try storage { try UInt64.fetchOne($0, sql: "SELECT count(*) FROM item WHERE tombstone = 0") ?? 0 }
        var last = Int64(bitPattern: row)
        repeat {
            guard let row = try nextRow(after: &last, &look) else { return look }
            try examine(row, &look)
            look.rows += 1
        } while !isDue() && look.damaged.count < ItemLook.mostDamaged
        look.next = UInt64(bitPattern: last)
        return look
    }

    private func examine(_ row: ItemRow, _ look: inout ItemLook) throws {
        do {
            let metadata = try openMetadata(row)
            let group = try metadata.withBytes { try Attributes.encodedText($0, of: .accessGroup) }
            let caller = Caller(connection: 0, accessGroups: group.map { [$0] } ?? [])
            _ = try openSecret(row, attributes: metadata, for: .read, caller: caller)
        } catch is DecodingError {
            _ = quarantine(row)
            look.damaged.append(Self.reference(row))
        } catch let error as KeychainError {
            switch error.reason {
            case .damagedItem: look.damaged.append(Self.reference(row))
            case .locked, .keychainLocked, .noPasscodeSet: look.shut += 1
            case .presenceRequired, .itemPasswordRequired, .enrolmentChanged: look.guarded += 1
            default: throw error
            }
        }
    }

    private static func reference(_ row: ItemRow) -> PersistentReference {
        PersistentReference(kind: row.kind ?? .password, item: row.identity.item)
    }

    /// Rows on a page that cannot be read are passed over.
    private func nextRow(after last: inout Int64, _ look: inout ItemLook) throws -> ItemRow? {
        var step: Int64 = 0
        while true {
            let after = last + step
            do {
                let found = try storage { database in
                    try Row.fetchOne(
                        database,
                        sql: """
                            SELECT \(ItemRow.secretColumns) FROM item NOT INDEXED
                            WHERE item.id > ? AND tombstone = 0 ORDER BY item.id LIMIT 1
                            """,
                        arguments: [after]
                    ).map { ItemRow($0, keychain: keychain) }
                }
                last = found?.id ?? last
                return found
            } catch let error as KeychainError where [.damagedStore, .storage].contains(error.reason) {
                look.hasLostPage = true
                step = step == 0 ? 1 : step * 2
                guard step < 1 << 32 else { throw error }
            }
        }
    }
}
