package import Secrets
package import Tresor

/// Where the KEKs of open sessions are: with the daemon, which makes and unwraps keys and gives none of its own back.
///
/// Two exist: the daemon's, and one in memory for tests.
package protocol SessionVault: AnyObject {
    /// - Returns: the session's number.
    func openSession(_ key: borrowing SecretBytes, lifetime: Duration) throws -> UInt64
    /// A fresh key, and the same under the session's.
    func makeSessionKey(_ session: UInt64) throws -> WrappedSessionKey
    func unwrap(_ wrapped: [UInt8], session: UInt64) throws -> SecretBytes
    func extendSession(_ session: UInt64, lifetime: Duration) throws
    func closeSession(_ session: UInt64) throws
}

extension DaemonLink: SessionVault {}
