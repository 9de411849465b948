public import Secrets

/// How a program asks the owner to prove to be there, when an item demands it.
///
/// The proof is checked inside the enclave, and is good for one operation on one item over one connection.
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
    }

    let passcode: @Sendable (Reason) throws -> SecretBytes

    /// Asks by means of a closure.
    ///
    /// - Parameter passcode: returns the passcode as UTF-8, or throws when the owner declines.
    public init(passcode: @escaping @Sendable (Reason) throws -> SecretBytes) { self.passcode = passcode }
}
