package import Secrets

/// The keys that follow from the root key and the passcode.
///
/// See specs/keybag.md.
package enum DeviceKeys {
    /// The bounds of scrypt's cost, as the power of two of N; a stored value outside is refused.
    package static let logRoundsRange: ClosedRange<UInt8> = 15...20
    /// The least cost at which anything new is made: 128 MiB, about 0.4 s of a processor of 2024.
    package static let leastNewLogRounds: UInt8 = 17
    /// Of scrypt's salt, which is random and new with each passcode.
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

    /// Of the check, in bytes.
    package static let rootCheckByteCount = 16

    /// By which a file of the root key vouches for what it holds; see specs/root-key.md.
    package static func rootCheck(_ root: borrowing SecretBytes) throws(EnvelopeError) -> [UInt8] {
        var writer = ByteWriter()
        writer.field("tresor root key check v1")
        return Array(authenticateState(writer.bytes, under: try deriveStateKey(root: root)).prefix(rootCheckByteCount))
    }

    /// What the keybag promises, under a key that only the passcode opens; see specs/keybag.md, "The seal".
    ///
    /// - Parameters:
    ///   - classKey: the key of class 10.
    ///   - id: its identifier.
    ///   - salt: the passcode's; empty where none is set.
    package static func sealPromises(
        _ promises: UInt8, classKey: borrowing SecretBytes, id: Identifier, salt: [UInt8], keybag: Identifier
    ) throws(EnvelopeError) -> [UInt8] {
        let key = try KeyDerivation.derive(from: classKey, salt: keybag.bytes, info: "tresor keybag seal key v1")
        var writer = ByteWriter()
        writer.field("tresor keybag seal v1")
        writer.identifier(keybag)
        writer.identifier(id)
        writer.field(salt)
        writer.uint8(promises)
        return KeyedHash.authenticate(writer.bytes, under: key)
    }

    /// By which a store's record of the keybag's generation is known to be the enclave's own.
    package static func witnessGeneration(
        _ generation: UInt64, of keybag: Identifier, in store: Identifier, stateKey: borrowing SecretBytes
    ) -> [UInt8] {
        var writer = ByteWriter()
        writer.field("tresor store generation v1")
        writer.identifier(keybag)
        writer.identifier(store)
        writer.uint64(generation)
        return KeyedHash.authenticate(writer.bytes, under: stateKey)
    }

    /// How many bytes a seal, a witness and a binding have.
    package static let tagByteCount = 32

    /// A keyed hash by which the last wrong passcode is recognised without keeping it.
    package static func fingerprint(of passcode: borrowing SecretBytes, under key: borrowing SecretBytes) -> [UInt8] {
        passcode.withBytes { KeyedHash.authenticate($0, under: key) }
    }
}
