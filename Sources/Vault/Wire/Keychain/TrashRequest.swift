import Protection
import Secrets

/// What programs ask of the trash of the groups that they reach.
///
/// See specs/wire.md.
package enum TrashRequest: ~Copyable {
    /// Puts every match into the trash, which takes it out of everything but the trash.
    case put(KeychainQuery)
    /// What lies in it behind a row; 0 begins.
    case contents(after: UInt64)
    /// Takes an item out of it, to where it was.
    case restore(PersistentReference)
    /// Removes for good what lies in it.
    case empty
    /// After how many days what lies in it goes by itself; 0 is never.
    ///
    /// Nil asks alone; in any case the answer says what holds.
    case time(days: UInt32?)

    /// The number of the request.
    var opcode: KeychainRequest.Opcode {
        switch self {
        case .put: .trash
        case .contents: .trashed
        case .restore: .restore
        case .empty: .emptyTrash
        case .time: .trashTime
        }
    }

    /// Appends the fields.
    borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        switch self {
        case .put(let query): try query.encode(into: &buffer)
        case .contents(let row): try buffer.uint64(row)
        case .restore(let reference): try buffer.append(reference.bytes)
        case .empty: break
        case .time(let days):
            try buffer.bool(days != nil)
            if let days { try buffer.uint32(days) }
        }
    }
}
