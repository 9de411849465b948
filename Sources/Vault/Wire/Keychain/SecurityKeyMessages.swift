package import Secrets

/// An enrolled security key: what is asked of it, and nothing secret.
package struct SecurityKeyDescription: Equatable, Sendable {
    /// The most bytes that a credential's identifier may have; CTAP2 sets no limit, and keys stay far below it.
    package static let longestCredential = 1024
    /// Of a point of P-256 without its first byte: x and y, 32 bytes each.
    package static let publicKeyByteCount = 64
    /// What the key's hmac-secret extension takes (CTAP 2.1, 12.5).
    package static let saltByteCount = 32
    /// The longest name, in bytes of UTF-8.
    package static let longestName = 64

    /// What the owner calls it.
    package var name: String
    /// As the key named the credential, 1 to 1024 bytes.
    package var credential: [UInt8]
    /// P-256, x and y.
    package var publicKey: [UInt8]
    /// Random, 32 bytes.
    package var salt: [UInt8]
    /// Whether the key must recognise its owner, and not only be touched.
    package var demandsVerification: Bool

    /// - Parameters:
    ///   - credential: 1 to 1,024 bytes.
    ///   - publicKey: x and y of a point of P-256, 64 bytes.
    ///   - salt: 32 random bytes.
    package init(name: String, credential: [UInt8], publicKey: [UInt8], salt: [UInt8], demandsVerification: Bool) {
        self.name = name
        self.credential = credential
        self.publicKey = publicKey
        self.salt = salt
        self.demandsVerification = demandsVerification
    }

    /// - Throws: `DecodingError` for an empty credential, and for fields that are too long or end early.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        name = try reader.stringField(limit: Self.longestName)
        credential = try reader.bytesField(limit: Self.longestCredential)
        guard !credential.isEmpty else { throw .invalid }
        publicKey = try reader.bytes(Self.publicKeyByteCount)
        salt = try reader.bytes(Self.saltByteCount)
        demandsVerification = try reader.bool()
    }

    /// Writes name and credential behind their lengths, then key, salt and demand as they are.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(Array(name.utf8))
        try buffer.field(credential)
        try buffer.append(publicKey)
        try buffer.append(salt)
        try buffer.bool(demandsVerification)
    }

    /// The same bytes, for what is kept in an item.
    package func encode(into writer: inout ByteWriter) {
        writer.field(name)
        writer.field(credential)
        writer.raw(publicKey)
        writer.raw(salt)
        writer.bool(demandsVerification)
    }
}

/// A security key that shall count as the owner.
package struct SecurityKeyEnrolment: ~Copyable {
    /// The device's.
    package let passcode: SecretBytes
    /// What the security key derives, 32 bytes.
    package let secret: SecretBytes
    /// What is asked of the key each time.
    package let description: SecurityKeyDescription

    /// - Parameters:
    ///   - passcode: the device's.
    ///   - secret: what the key derived, 32 bytes.
    package init(
        passcode: consuming SecretBytes, secret: consuming SecretBytes, description: SecurityKeyDescription
    ) {
        self.passcode = passcode
        self.secret = secret
        self.description = description
    }

    /// - Throws: `DecodingError`, `SecretMemoryError`.
    package init(from reader: inout ByteReader) throws {
        self.init(
            passcode: try reader.secretField(limit: WireLimits.passcode),
            secret: try reader.secretField(limit: WireLimits.passcode),
            description: try SecurityKeyDescription(from: &reader))
    }

    /// Writes passcode and derived secret, then the description.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(passcode)
        try buffer.field(secret)
        try description.encode(into: &buffer)
    }
}

/// A security key that shall count no more.
package struct SecurityKeyRemoval: ~Copyable {
    /// The device's, which permits the removal; nil where none is set.
    package let passcode: SecretBytes?
    /// The enrolled key, by the identifier that its record has.
    package let id: Identifier

    /// - Parameter passcode: the device's; nil where none is set.
    package init(passcode: consuming SecretBytes?, id: Identifier) {
        self.passcode = passcode
        self.id = id
    }

    /// - Throws: `DecodingError`, `SecretMemoryError`.
    package init(from reader: inout ByteReader) throws {
        let passcode = try reader.optionalSecretField(limit: WireLimits.passcode)
        self.init(passcode: passcode, id: try reader.identifier())
    }

    /// Writes whether there is a passcode, the passcode, and the 16 bytes of the identifier.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.optionalField(passcode)
        try buffer.identifier(id)
    }
}

/// What a security key gave, and the operation it shall permit.
package struct SecurityKeyClaim: ~Copyable {
    /// The enrolled key that was asked, by its record's identifier.
    package let id: Identifier
    /// What the key derived from its salt, 32 bytes.
    package let secret: SecretBytes
    /// The item that is to be read, changed or used.
    package let item: Identifier
    /// A `ProtectedOperation`.
    package let operation: UInt8

    /// - Parameters:
    ///   - secret: what the key derived, 32 bytes.
    ///   - operation: a `ProtectedOperation`.
    package init(id: Identifier, secret: consuming SecretBytes, item: Identifier, operation: UInt8) {
        self.id = id
        self.secret = secret
        self.item = item
        self.operation = operation
    }

    /// - Throws: `DecodingError` where the bytes end early; `SecretMemoryError`.
    package init(from reader: inout ByteReader) throws {
        self.init(
            id: try reader.identifier(), secret: try reader.secretField(limit: WireLimits.passcode),
            item: try reader.identifier(), operation: try reader.uint8())
    }

    /// Writes identifier, secret, item and operation.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.identifier(id)
        try buffer.field(secret)
        try buffer.identifier(item)
        try buffer.uint8(operation)
    }
}

/// The enrolled security keys.
package struct SecurityKeysReport: Equatable, Sendable {
    /// How many security keys may count as the owner.
    package static let mostKeys = 16

    /// One enrolled key, and what is asked of it.
    package struct Key: Equatable, Sendable {
        /// By which requests name it.
        package var id: Identifier
        /// What is asked of it, and nothing secret.
        package var description: SecurityKeyDescription

        /// - Parameter id: by which requests name it.
        package init(id: Identifier, description: SecurityKeyDescription) {
            self.id = id
            self.description = description
        }
    }

    /// By their names.
    package var keys: [Key]

    /// - Parameter keys: by their names, at most ``mostKeys``.
    package init(keys: [Key]) { self.keys = keys }

    /// - Throws: `DecodingError` for more than ``mostKeys``.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        keys = []
        for _ in 0..<(try reader.count(limit: Self.mostKeys)) {
            keys.append(Key(id: try reader.identifier(), description: try SecurityKeyDescription(from: &reader)))
        }
    }

    /// Writes the count in 32 bits, and each key.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint32(UInt32(keys.count))
        for key in keys {
            try buffer.identifier(key.id)
            try key.description.encode(into: &buffer)
        }
    }
}
