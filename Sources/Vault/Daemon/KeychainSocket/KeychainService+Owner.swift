import EventLoop
import KeychainStore
import Linux
import Protection
import Secrets
import Wire

/// What the owner says of programs, and what programs have counted and kept for them.
extension KeychainService {
    /// How long a part of a look at all items keeps the others waiting.
    private static var lookingTime: Duration { .milliseconds(12) }

    func replyApps(after: String, _ call: Call, _ output: inout SecretBuffer) throws {
        let report = device.apps.report(after: after, wishes: appAdministration.wishes)
        try reply(call.id, .apps, &output) { try report.encode(into: &$0) }
    }

    func look(after row: UInt64, _ call: Call, _ output: inout SecretBuffer) throws {
        let end = SuspendingClock.now + Self.lookingTime
        let found = try device.store.look(after: row) { SuspendingClock.now > end }
        try reply(call.id, .look, &output) { try found.encode(into: &$0) }
    }

    func findNames(_ query: NameQuery, _ call: Call, _ output: inout SecretBuffer) throws {
        try withCaller(call.connection, Attributes()) {
            try device.store.answerFindNames(query, id: call.id, caller: $0, into: &output)
        }
    }

    func changeAdvertising(_ change: AdvertisingChange) throws {
        try device.apps.changeAdvertising(resets: change.resets, allowsTracking: change.allowsTracking)
    }

    /// Whose count it is: the caller's own group, which no other program has first.
    func countingGroup(_ connection: Connection) throws -> (name: String, isOurs: Bool) {
        let identity = try identity(of: connection)
        guard let group = identity.accessGroups.first else {
            throw KeychainError(.missingEntitlement, .unknownProgram)
        }
        return (name: group, isOurs: identity.isOurs)
    }

    /// A process has passwords waiting over this many connections at a time; the one that gave longest ago gives way.
    private static var givingConnections: Int { 4 }

    func noteGiving(_ connection: Connection) {
        let giving = connections().filter { $0.process == connection.process && $0.gavePassword > 0 }
        if connection.gavePassword == 0, giving.count >= Self.givingConnections,
            let first = giving.min(by: { $0.gavePassword < $1.gavePassword })
        {
            device.forgetGiven(first)
        }
        givings += 1
        connection.gavePassword = givings
        connection.isKnownToEnclave = true
    }
}
