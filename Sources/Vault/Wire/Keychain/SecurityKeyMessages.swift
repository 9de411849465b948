package import Secrets

/// An enrolled security key: what is asked of it, and nothing secret.
package struct SecurityKeyDescription: Equatable, Sendable {
    package static let longestCredential = 1024
    package static let publicKeyByteCount = 64
    package static let saltByteCount = 32
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

    package init(name: String, credential: [UInt8], publicKey: [UInt8], salt: [UInt8], demandsVerification: Bool) {
        self.name = name
        self.credential = credential
        self.publicKey = publicKey
        self.salt = salt
        self.demandsVerification = demandsVerification
    }

    package init(from reader: inout ByteReader) throws(DecodingError) {
        name = try reader.stringField(limit: Self.longestName)
        credential = try reader.bytesField(limit: Self.longestCredential)
        guard !credential.isEmpty else { throw .invalid }
        publicKey = try reader.bytes(Self.publicKeyByteCount)
        salt = try reader.bytes(Self.saltByteCount)
        demandsVerification = try reader.bool()
    }

    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(Array(name.utf8))
        try buffer.field(credential)
        try buffer.append(publicKey)
        try buffer.append(salt)
        try buffer.bool(demandsVerification)
    }

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
    package let description: SecurityKeyDescription

    package init(
        passcode: consuming SecretBytes, secret: consuming SecretBytes, description: SecurityKeyDescription
    ) {
        self.passcode = passcode
        self.secret = secret
        self.description = description
    }

    package init(from reader: inout ByteReader) throws {
        self.init(
            passcode: try reader.secretField(limit: WireLimits.passcode),
            secret: try reader.secretField(limit: WireLimits.passcode),
            description: try SecurityKeyDescription(from: &reader))
    }

    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(passcode)
        try buffer.field(secret)
        try description.encode(into: &buffer)
    }
}

/// A security key that shall count no more.
package struct SecurityKeyRemoval: ~Copyable {
    package let passcode: SecretBytes?
    package let id: Identifier

    package init(passcode: consuming SecretBytes?, id: Identifier) {
        self.passcode = passcode
        self.id = id
    }

    package init(from reader: inout ByteReader) throws {
        let passcode = try reader.optionalSecretField(limit: WireLimits.passcode)
        self.init(passcode: passcode, id: try reader.identifier())
    }

    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.optionalField(passcode)
        try buffer.identifier(id)
    }
}

/// What a security key gave, and the operation it shall permit.
package struct SecurityKeyClaim: ~Copyable {
    package let id: Identifier
    package let secret: SecretBytes
    package let item: Identifier
    package let operation: UInt8

    package init(id: Identifier, secret: consuming SecretBytes, item: Identifier, operation: UInt8) {
        self.id = id
        self.secret = secret
        self.item = item
        self.operation = operation
    }

    package init(from reader: inout ByteReader) throws {
        self.init(
            id: try reader.identifier(), secret: try reader.secretField(limit: WireLimits.passcode),
            item: try reader.identifier(), operation: try reader.uint8())
    }

    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.identifier(id)
        try buffer.field(secret)
        try buffer.identifier(item)
        try buffer.uint8(operation)
    }
}

/// The enrolled security keys.
package struct SecurityKeysReport: Equatable, Sendable {
    package static let mostKeys = 16

    package struct Key: Equatable, Sendable {
        package var id: Identifier
        package var description: SecurityKeyDescription

        package init(id: Identifier, description: SecurityKeyDescription) {
            self.id = id
            self.description = description
        }
    }

    package var keys: [Key]

    package init(keys: [Key]) { self.keys = keys }

    package init(from reader: inout ByteReader) throws(DecodingError) {
        keys = []
        for _ in 0..<(try reader.count(limit: Self.mostKeys)) {
            keys.append(Key(id: try reader.identifier(), description: try SecurityKeyDescription(from: &reader)))
        }
    }

    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint32(UInt32(keys.count))
        for key in keys {
            try buffer.identifier(key.id)
            try key.description.encode(into: &buffer)
        }
    }
}
