package import Secrets
package import Wire

// Security keys (FIDO2) that count as the owner.
extension Keychain {
    /// The enrolled keys, by their names.
    ///
    /// - Throws: ``TresorError``: `locked`.
    package func securityKeys() throws -> [SecurityKeysReport.Key] {
        var report = SecurityKeysReport(keys: [])
        try exchange(.securityKeys) { payload in
            var reader = ByteReader(payload)
            try reader.expect(.securityKeys)
            report = try SecurityKeysReport(from: &reader)
            try reader.end()
        }
        return report.keys
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
        try perform(
            .enrolSecurityKey(SecurityKeyEnrolment(passcode: passcode, secret: secret, description: description)))
    }

    /// Lets a security key count no more.
    package func removeSecurityKey(_ id: Identifier, passcode: consuming SecretBytes?) throws {
        try perform(.removeSecurityKey(SecurityKeyRemoval(passcode: passcode, id: id)))
    }
}
