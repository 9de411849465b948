import KeychainStore
import Secrets
import Wire

/// What programs put into the trash, of the groups that they reach, and take out of it.
extension KeychainService {
    func answer(_ request: consuming TrashRequest, _ call: Call, _ output: inout SecretBuffer) throws {
        switch consume request {
        case .put(let query):
            try withCaller(call.connection, query.attributes) { try device.store.trash(query, caller: $0) }
        case .contents(let row):
            return try withCaller(call.connection, Attributes()) {
                try device.store.answerTrashed(after: row, id: call.id, caller: $0, into: &output)
            }
        case .restore(let reference):
            try withCaller(call.connection, Attributes()) { try device.store.restore(reference, caller: $0) }
        case .empty: try withCaller(call.connection, Attributes()) { try device.store.emptyTrash(caller: $0) }
        case .time(let days):
            if let days { try device.setTrashTime(days: days) }
            return try reply(call.id, .trashTime, &output) { try $0.uint32(device.trashDays) }
        }
        try KeychainReply.appendDone(id: call.id, to: &output)
    }
}
