package import Secrets
package import Wire

// Security keys (FIDO2) that count as the owner.
extension Keychain {
    /// The enrolled keys, by their names.
    ///
    /// - Throws: ``TresorError``: `locked`.
    package func securityKeys() throws -> [SecurityKeysReport.Key] {
        try conversation.securityKeys()
    }

    /// Lets a security key count as the owner.
    ///
    /// - Parameters:
    ///   - description: what is asked of the key.
    ///   - secret: what it derived, 32 bytes.
    ///   - passcode: the device's.
    /// - Throws: ``TresorError``: `authenticationFailed`, `notPermitted` without a passcode, `duplicate`, `locked`,
    ///   `invalidParameter` for a name that is none, and beyond sixteen keys.
    package func enrolSecurityKey(
        _ description: SecurityKeyDescription, secret: consuming SecretBytes, passcode: consuming SecretBytes
    ) throws {
        try conversation.perform(
            .enrolSecurityKey(SecurityKeyEnrolment(passcode: passcode, secret: secret, description: description)))
    }

    /// Lets a security key count no more.
    package func removeSecurityKey(_ id: Identifier, passcode: consuming SecretBytes?) throws {
        try conversation.perform(.removeSecurityKey(SecurityKeyRemoval(passcode: passcode, id: id)))
    }
}

extension Conversation {
    /// The enrolled keys, by their names.
    func securityKeys() throws -> [SecurityKeysReport.Key] {
        try reply(to: .securityKeys, .securityKeys) { try SecurityKeysReport(from: &$0) }.keys
    }
}
