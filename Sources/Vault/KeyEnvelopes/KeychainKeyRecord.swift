package import Secrets

/// The key of a keychain that has a passcode of its own, as it is kept.
///
/// See specs/keychain-key.md.
package struct KeychainKeyRecord: Equatable, Sendable {
    /// A version, the identifier, the cost, the salt and the wrapped key: 110 bytes.
    package static let byteCount = 1 + 16 + 1 + DeviceKeys.saltByteCount + WrappedKey.byteCount
    private static let version: UInt8 = 1

    /// Names the key; random.
    package var id: Identifier
    /// scrypt's cost, as the power of two of N.
    package var logRounds: UInt8
    /// 32 random bytes, new with each passcode.
    package var salt: [UInt8]
    /// The key, under what follows from the keychain's passcode and the device's root key.
    package var wrapped: WrappedKey

    /// - Parameters:
    ///   - logRounds: scrypt's cost, as the power of two of N.
    ///   - salt: 32 random bytes.
    package init(id: Identifier, logRounds: UInt8, salt: [UInt8], wrapped: WrappedKey) {
        self.id = id
        self.logRounds = logRounds
        self.salt = salt
        self.wrapped = wrapped
    }

    /// 110 bytes.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.uint8(Self.version)
        writer.identifier(id)
        writer.uint8(logRounds)
        writer.raw(salt)
        writer.raw(wrapped.bytes)
        return writer.bytes
    }

    /// - Throws: `DecodingError` unless it is the one form of a record, at a cost that is within bounds.
    package init(_ bytes: [UInt8]) throws(DecodingError) {
        self = try bytes.withSpan { (span) throws(DecodingError) in
            var reader = ByteReader(span)
            guard try reader.uint8() == Self.version else { throw .invalid }
            let id = try reader.identifier()
            let logRounds = try reader.uint8()
            guard DeviceKeys.logRoundsRange.contains(logRounds) else { throw .invalid }
            let salt = try reader.bytes(DeviceKeys.saltByteCount)
            guard let wrapped = WrappedKey(try reader.bytes(WrappedKey.byteCount)) else { throw .invalid }
            try reader.end()
            return KeychainKeyRecord(id: id, logRounds: logRounds, salt: salt, wrapped: wrapped)
        }
    }
}
