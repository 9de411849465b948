package import Secrets

/// The keys that follow from the root key and the passcode.
///
/// See specs/keybag.md.
package enum DeviceKeys {
    /// The bounds of scrypt's cost, as the power of two of N; a stored value outside is refused.
    package static let logRoundsRange: ClosedRange<UInt8> = 15...20
    package static let saltByteCount = 32

    /// Wraps what needs no passcode: HKDF(root key).
    package static func deriveDeviceKEK(root: borrowing SecretBytes, keybag: Identifier) throws(EnvelopeError)
        -> SecretBytes
    {
        try KeyDerivation.derive(from: root, salt: keybag.bytes, info: "tresor device kek v1")
    }

    /// Wraps what needs the passcode: HKDF(scrypt(passcode) ‖ root key).
    ///
    /// - Parameters:
    ///   - salt: 32 random bytes, new with each passcode.
    ///   - logRounds: scrypt's N is 2 to this power; r = 8, p = 1.
    package static func derivePasscodeKEK(
        passcode: borrowing SecretBytes, salt: [UInt8], logRounds: UInt8, root: borrowing SecretBytes,
        keybag: Identifier
    ) throws(EnvelopeError) -> SecretBytes {
        guard logRoundsRange.contains(logRounds), salt.count == saltByteCount else { throw .malformed }
        let stretched = try KeyDerivation.scrypt(passcode, salt: salt, logRounds: logRounds)
        let input = try join(stretched, root)
        return try KeyDerivation.derive(from: input, salt: keybag.bytes, info: "tresor passcode kek v1")
    }

    /// Wraps the key of a keychain with a passcode of its own: HKDF(scrypt(passcode) ‖ root key).
    ///
    /// - Parameters:
    ///   - salt: 32 random bytes, new with each passcode.
    ///   - logRounds: scrypt's N is 2 to this power; r = 8, p = 1.
    ///   - id: of the keychain's key.
    package static func deriveKeychainKEK(
        passcode: borrowing SecretBytes, salt: [UInt8], logRounds: UInt8, root: borrowing SecretBytes, id: Identifier
    ) throws(EnvelopeError) -> SecretBytes {
        guard logRoundsRange.contains(logRounds), salt.count == saltByteCount else { throw .malformed }
        let stretched = try KeyDerivation.scrypt(passcode, salt: salt, logRounds: logRounds)
        let input = try join(stretched, root)
        return try KeyDerivation.derive(from: input, salt: id.bytes, info: "tresor keychain passcode kek v1")
    }

    /// Wraps the row keys of a keychain with a passcode of its own: HKDF(class key ‖ keychain's key).
    ///
    /// - Parameter id: of the keychain's key.
    package static func joinKeys(
        classKey: borrowing SecretBytes, keychainKey: borrowing SecretBytes, id: Identifier
    ) throws(EnvelopeError) -> SecretBytes {
        let input = try join(classKey, keychainKey)
        return try KeyDerivation.derive(from: input, salt: id.bytes, info: "tresor keychain joined key v1")
    }

    /// Wraps the row key of an item with a password of its own: HKDF(what would wrap it otherwise ‖ scrypt(password)).
    ///
    /// - Parameters:
    ///   - parameters: 32 random bytes of salt, and scrypt's cost as the power of two of N; r = 8, p = 1.
    ///   - item: the item's.
    package static func addPassword(
        _ password: borrowing SecretBytes, _ parameters: [UInt8], to key: borrowing SecretBytes, item: Identifier
    ) throws(EnvelopeError) -> SecretBytes {
        guard parameters.count == saltByteCount + 1, let logRounds = parameters.last,
            logRoundsRange.contains(logRounds)
        else { throw .malformed }
        let stretched = try KeyDerivation.scrypt(
            password, salt: Array(parameters.dropLast()), logRounds: logRounds)
        let input = try join(key, stretched)
        return try KeyDerivation.derive(from: input, salt: item.bytes, info: "tresor item password v1")
    }

    /// Wraps what proves that a security key was there: HKDF(the key's secret ‖ root key).
    ///
    /// - Parameters:
    ///   - secret: hmac-secret of CTAP 2.1, 32 bytes.
    ///   - id: of the record.
    package static func derivePresenceKEK(
        secret: borrowing SecretBytes, root: borrowing SecretBytes, id: Identifier
    ) throws(EnvelopeError) -> SecretBytes {
        let input = try join(secret, root)
        return try KeyDerivation.derive(from: input, salt: id.bytes, info: "tresor presence kek v1")
    }

    private static func join(
        _ first: borrowing SecretBytes, _ second: borrowing SecretBytes
    ) throws(EnvelopeError) -> SecretBytes {
        do {
            var input = try SecretBuffer(capacity: 64)
            try input.append(first)
            try input.append(second)
            return input.finish()
        } catch { throw .memory }
    }

    /// Authenticates the keybag's and the try counter's slots.
    package static func deriveStateKey(root: borrowing SecretBytes) throws(EnvelopeError) -> SecretBytes {
        try KeyDerivation.derive(from: root, salt: [], info: "tresor enclave state v1")
    }

    /// HMAC-SHA256 of a slot, 32 bytes.
    package static func authenticateState(_ bytes: [UInt8], under key: borrowing SecretBytes) -> [UInt8] {
        KeyedHash.authenticate(bytes, under: key)
    }

    /// A keyed hash by which the last wrong passcode is recognised without keeping it.
    package static func fingerprint(of passcode: borrowing SecretBytes, under key: borrowing SecretBytes) -> [UInt8] {
        passcode.withBytes { KeyedHash.authenticate($0, under: key) }
    }
}
