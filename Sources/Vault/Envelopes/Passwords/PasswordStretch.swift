package import KeyEnvelopes
package import Secrets

/// What a password is stretched to: something to know it again by, and a key.
///
/// scrypt (RFC 7914) gives 64 bytes. Their two halves are outputs of a pseudorandom function for different blocks, so
/// that who reads the first learns nothing of the second. See specs/password-hash.md.
package struct PasswordStretch: ~Copyable {
    /// 32 bytes, as every scrypt of 32 bytes gives them; this is what may be stored.
    package let verifier: [UInt8]
    /// 32 bytes, which are stored nowhere.
    package let key: SecretBytes

    /// The bounds of scrypt's cost, as the power of two of N; a stored value outside is refused.
    package static let logRoundsRange: ClosedRange<UInt8> = 14...18
    /// The bounds of scrypt's p; a stored value outside is refused.
    package static let parallelismRange: ClosedRange<UInt8> = 1...4
    /// Of the salt, which is random and new with each password.
    package static let saltByteCount = 16

    /// - Parameters:
    ///   - salt: 16 random bytes, new with each password.
    ///   - logRounds: scrypt's N is 2 to this power; r = 8, so that it takes 2¹⁰ · N bytes of memory.
    ///   - parallelism: scrypt's p.
    package static func make(
        _ password: borrowing SecretBytes, salt: [UInt8], logRounds: UInt8, parallelism: UInt8
    ) throws(EnvelopeError) -> PasswordStretch {
        guard logRoundsRange.contains(logRounds), parallelismRange.contains(parallelism),
            salt.count == saltByteCount
        else { throw .malformed }
        let stretched = try KeyDerivation.scrypt(
            password, salt: salt, logRounds: logRounds, parallelism: Int(parallelism), byteCount: 64)
        do {
            return PasswordStretch(
                verifier: stretched.withBytes { $0.extracting(0..<32).copyToArray() },
                key: try stretched.withBytes { (bytes) throws(SecretMemoryError) in
                    try SecretBytes(copying: bytes.extracting(32..<64))
                })
        } catch { throw .memory }
    }

    /// Gives the key away; the verifier goes with the value, so copy it before.
    package consuming func takeKey() -> SecretBytes { key }
}

/// SHA-256 over a salt and a password, as some programs have stored passwords.
///
/// Nothing in it costs whoever tries passwords: a graphics card tries billions in a second.
package enum InsecurePasswordDigest {
    /// 32 bytes.
    package static func sha256(salt: [UInt8], password: borrowing SecretBytes) -> [UInt8] {
        Digest.sha256(salt, then: password)
    }
}
