package import Protection
package import Secrets

/// A security key that shall count as the owner, by the owner's word.
package struct PresenceKeyEnrolment: ~Copyable {
    /// The device's.
    package let passcode: SecretBytes
    /// What the security key derives, 32 bytes.
    package let secret: SecretBytes

    package init(passcode: consuming SecretBytes, secret: consuming SecretBytes) {
        self.passcode = passcode
        self.secret = secret
    }

    init(from reader: inout ByteReader) throws {
        self.init(
            passcode: try reader.secretField(limit: EnclaveLimits.passcode),
            secret: try reader.secretField(limit: EnclaveLimits.passcode))
    }

    borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(passcode)
        try buffer.field(secret)
    }
}

/// A security key's secret, and the operation it shall permit.
package struct PresenceKeyClaim: ~Copyable {
    /// A `PresenceKeyRecord`.
    package let record: [UInt8]
    package let secret: SecretBytes
    package let connection: UInt64
    package let item: Identifier
    package let operation: ProtectedOperation

    package init(
        record: [UInt8], secret: consuming SecretBytes, connection: UInt64, item: Identifier,
        operation: ProtectedOperation
    ) {
        self.record = record
        self.secret = secret
        self.connection = connection
        self.item = item
        self.operation = operation
    }

    init(from reader: inout ByteReader) throws {
        self.init(
            record: try reader.bytesField(limit: EnclaveLimits.wrappedKey),
            secret: try reader.secretField(limit: EnclaveLimits.passcode), connection: try reader.uint64(),
            item: try reader.identifier(), operation: try reader.operation())
    }

    borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(record)
        try buffer.field(secret)
        try buffer.uint64(connection)
        try buffer.identifier(item)
        try buffer.uint8(operation.rawValue)
    }
}

/// An item's own password, and for whom it is.
package struct OwnPassword: ~Copyable {
    /// UTF-8.
    package let password: SecretBytes
    package let connection: UInt64
    /// Zero for the next item that the connection makes.
    package let item: Identifier

    package init(password: consuming SecretBytes, connection: UInt64, item: Identifier) {
        self.password = password
        self.connection = connection
        self.item = item
    }

    init(from reader: inout ByteReader) throws {
        self.init(
            password: try reader.secretField(limit: EnclaveLimits.passcode), connection: try reader.uint64(),
            item: try reader.identifier())
    }

    borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(password)
        try buffer.uint64(connection)
        try buffer.identifier(item)
    }
}
