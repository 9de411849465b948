import Protection
package import Secrets
package import Wire

/// A password of the keychain that opens by a finger, for programs that run one loop on one thread.
///
/// Programs of others take ``Keychain`` with an ``AuthenticationContext``, which wait on a thread of their own.
package struct FingerPassword: Sendable {
    private let home: Home
    private let service: String
    private let account: String

    /// Names the password, and asks nobody yet.
    package init(_ home: Home, service: String, account: String) {
        (self.home, self.service, self.account) = (home, service, account)
    }

    /// Whether there is such a password now; false also where nobody answers.
    package func isKept() -> Bool { (try? find(connect())) != nil }

    /// Asks for a finger, without waiting for it.
    ///
    /// - Throws: ``TresorError``: `notFound` where there is no such password, `locked`, `unavailable`.
    package func ask() throws(TresorError) -> FingerWait {
        do {
            let transport = try connect()
            let reference = try find(transport)
            let claim = BiometryClaim(
                item: reference.item, operation: ProtectedOperation.read.rawValue, patience: Self.patience)
            try transport.send(.proveBiometry(claim))
            return FingerWait(transport, reference)
        } catch { throw TresorError.known(error) }
    }

    /// Whoever asked may give it up at any time.
    private static let patience = Duration.seconds(30)

    private func connect() throws -> SocketTransport { try SocketTransport(home, within: .seconds(5)) }

    private func find(_ transport: SocketTransport) throws -> PersistentReference {
        var query = ItemQuery.password(service: service, account: account).wireForm
        query.returns = []
        var found: PersistentReference?
        try transport.page(.find(query)) { reference, _, _ in found = reference }
        guard let found else { throw TresorError(.notFound, "no such item") }
        return found
    }
}

/// A finger is waited for; whoever lets go of this waits no more.
package final class FingerWait {
    private let transport: SocketTransport
    private let reference: PersistentReference

    fileprivate init(_ transport: SocketTransport, _ reference: PersistentReference) {
        (self.transport, self.reference) = (transport, reference)
    }

    /// To poll: readable once ``finish()`` has something to tell.
    package var descriptor: Int32 { transport.descriptor }

    /// Takes the reader's answer, for which it waits, and with it the password.
    ///
    /// - Throws: ``TresorError``: `authenticationFailed` for a finger that is not enrolled and for none in time,
    ///   `locked`, `unavailable` where the reader fails.
    package func finish() throws(TresorError) -> SecretBytes {
        do {
            try transport.waitForEvent { payload in
                var reader = ByteReader(payload)
                try reader.expect(.done)
                try reader.end()
            }
            // What a finger opens is open over this connection.
            var query = KeychainQuery()
            query.persistentReference = reference
            query.returns = .data
            return try Conversation(transport: transport).secret(query)
        } catch { throw TresorError.known(error) }
    }
}

extension TresorError {
    fileprivate static func known(_ error: any Error) -> TresorError {
        translate(error) as? TresorError ?? TresorError(.unavailable, "tresord does not answer")
    }
}
