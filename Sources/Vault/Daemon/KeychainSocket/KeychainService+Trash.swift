import KeychainStore
import Secrets
import Wire

/// What programs put into the trash, of the groups that they reach, and take out of it.
extension KeychainService {
    func trash(_ query: KeychainQuery, _ connection: Connection) throws {
        try withCaller(connection, query.attributes) { try device.store.trash(query, caller: $0) }
    }

    func replyTrashed(after row: UInt64, _ call: Call, _ output: inout SecretBuffer) throws {
        try withCaller(call.connection, Attributes()) {
            try device.store.answerTrashed(after: row, id: call.id, caller: $0, into: &output)
        }
    }

    func restore(_ reference: PersistentReference, _ connection: Connection) throws {
        try withCaller(connection, Attributes()) { try device.store.restore(reference, caller: $0) }
    }

    /// - Parameter days: after how many something goes from now on; nil leaves it.
    func replyTrashTime(changing days: UInt32?, _ call: Call, _ output: inout SecretBuffer) throws {
        if let days { try device.setTrashTime(days: days) }
        try reply(call.id, .trashTime, &output) { try $0.uint32(device.trashDays) }
    }

    func emptyTrash(_ connection: Connection) throws {
        try withCaller(connection, Attributes()) { try device.store.emptyTrash(caller: $0) }
    }
}
