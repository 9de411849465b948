import Envelopes
public import Secrets

/// The hash of the book's section 7.4.2: lower-case hexadecimal SHA-256 over a salt and the password.
///
/// It is here so that what was stored by it can be verified once and be replaced by a ``PasswordHash``. Do not store
/// new ones: one graphics card tries billions of passwords in a second. The two hashes that the book prints as
/// examples were made with a line feed behind the password: its e150a1… is that of `123456\n`, without a salt.
public struct InsecurePasswordHash: Sendable, Equatable {
    /// 32 bytes.
    private let digest: [UInt8]
    private let salt: [UInt8]

    /// - Parameters:
    ///   - text: 64 lower-case hexadecimal digits; nil for anything else.
    ///   - salt: the app's fixed salt, or the one of this device; empty for none.
    public init?(_ text: String, salt: [UInt8]) {
        guard text.utf8.count == 64, let digest = Hexadecimal.decode(text) else { return nil }
        self.digest = digest
        self.salt = salt
    }

    /// Whether this is the password; compares in constant time.
    public func matches(_ password: borrowing SecretBytes) -> Bool {
        constantTimeEquals(InsecurePasswordDigest.sha256(salt: salt, password: password), digest)
    }
}
