public import Secrets
package import Wire

/// How a program asks the owner to prove to be there, when an item demands it.
///
/// A passcode is checked inside the enclave. A finger is fprintd's word, and the enclave's rules on it (see
/// docs/guides/presence.md). Either is good for one operation on one item over one connection.
///
///     let context = AuthenticationContext { reason in try askForPasscode(reason) }
///     let secret = try await keychain.read(query, context: context)
public struct AuthenticationContext: Sendable {
    /// Why the owner is asked.
    public enum Reason: Sendable {
        /// A secret is to be read.
        case read
        /// A secret or its rules are to be changed.
        case change
        /// A private key of the enclave's is to sign, or to agree on a secret.
        case use
    }

    /// How a finger is asked for.
    public struct Finger: Sendable {
        /// How long to wait for it, in milliseconds; at most a minute.
        public var milliseconds: UInt32
        let announce: @Sendable (Reason) -> Void

        /// - Parameters:
        ///   - milliseconds: how long to wait for it; at most a minute.
        ///   - announce: tells the owner to touch the reader; called before each wait.
        public init(milliseconds: UInt32 = 30_000, announce: @escaping @Sendable (Reason) -> Void) {
            self.milliseconds = milliseconds
            self.announce = announce
        }
    }

    /// Asks one of these security keys; nil where none of them is there.
    package typealias SecurityKeyAsking =
        @Sendable ([SecurityKeysReport.Key]) throws -> SecurityKeyAnswer?

    let passcode: @Sendable (Reason) throws -> SecretBytes
    let finger: Finger?
    let securityKey: SecurityKeyAsking?
    let itemPassword: (@Sendable (Reason) throws -> SecretBytes)?

    /// Asks by means of closures.
    ///
    /// - Parameters:
    ///   - finger: how a finger is asked for; nil where none shall be.
    ///   - itemPassword: returns the password of an item that has one of its own; nil where none is expected.
    ///   - passcode: returns the passcode as UTF-8, or throws when the owner declines.
    public init(
        finger: Finger? = nil, itemPassword: (@Sendable (Reason) throws -> SecretBytes)? = nil,
        passcode: @escaping @Sendable (Reason) throws -> SecretBytes
    ) {
        self.init(finger: finger, securityKey: nil, itemPassword: itemPassword, passcode: passcode)
    }

    /// The same, for programs of ours that ask security keys.
    ///
    /// - Parameter securityKey: asks one of the enrolled keys; nil where none is to be asked.
    package init(
        finger: Finger? = nil, securityKey: SecurityKeyAsking?,
        itemPassword: (@Sendable (Reason) throws -> SecretBytes)? = nil,
        passcode: @escaping @Sendable (Reason) throws -> SecretBytes
    ) {
        self.finger = finger
        self.securityKey = securityKey
        self.itemPassword = itemPassword
        self.passcode = passcode
    }
}

/// What a security key derived, and which one it was.
package struct SecurityKeyAnswer: ~Copyable, Sendable {
    /// Of the enrolled key that was there.
    package let id: Identifier
    /// 32 bytes.
    package let secret: SecretBytes

    /// - Parameter secret: what the key derived, 32 bytes.
    package init(id: Identifier, secret: consuming SecretBytes) {
        self.id = id
        self.secret = secret
    }
}
