package import Protection
package import Secrets

/// A secret as the whole of a message.
///
/// (Swift 6.3 can't borrow a noncopyable payload of another module's type out of an enum; this wrapper can be.)
package struct CarriedSecret: ~Copyable, Sendable {
    package let bytes: SecretBytes

    package init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    package consuming func takeBytes() -> SecretBytes { bytes }
}

/// The passcode in force and the one that shall replace it.
package struct PasscodeChange: ~Copyable {
    package let current: SecretBytes
    package let new: SecretBytes

    package init(current: consuming SecretBytes, new: consuming SecretBytes) {
        self.current = current
        self.new = new
    }

    init(from reader: inout ByteReader) throws {
        self.init(
            current: try reader.secretField(limit: WireLimits.passcode),
            new: try reader.secretField(limit: WireLimits.passcode))
    }

    borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(current)
        try buffer.field(new)
    }
}

/// The settings wanted, and the passcode that permits them.
package struct SecuritySettingsChange: ~Copyable {
    package let passcode: SecretBytes
    package let settings: SecuritySettings

    package init(passcode: consuming SecretBytes, settings: SecuritySettings) {
        self.passcode = passcode
        self.settings = settings
    }

    init(from reader: inout ByteReader) throws {
        self.init(
            passcode: try reader.secretField(limit: WireLimits.passcode),
            settings: try SecuritySettings(from: &reader))
    }

    borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(passcode)
        try settings.encode(into: &buffer)
    }
}

/// Passcode, and the operation it shall permit.
package struct PresenceClaim: ~Copyable {
    package let passcode: SecretBytes
    /// Whatever a client says; the daemon knows over which connection it is said.
    package let connection: UInt64
    package let item: Identifier
    /// A `ProtectedOperation`.
    package let operation: UInt8

    package init(passcode: consuming SecretBytes, connection: UInt64, item: Identifier, operation: UInt8) {
        self.passcode = passcode
        self.connection = connection
        self.item = item
        self.operation = operation
    }

    init(from reader: inout ByteReader) throws {
        self.init(
            passcode: try reader.secretField(limit: WireLimits.passcode), connection: try reader.uint64(),
            item: try reader.identifier(), operation: try reader.uint8())
    }

    borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(passcode)
        try buffer.uint64(connection)
        try buffer.identifier(item)
        try buffer.uint8(operation)
    }
}

/// An item's own password, and for whom it is.
package struct ItemPassword: ~Copyable {
    /// UTF-8.
    package let password: SecretBytes
    /// Whatever a client says; the daemon knows over which connection it is said.
    package let connection: UInt64
    /// Zero for the next item that the connection makes.
    package let item: Identifier

    package init(password: consuming SecretBytes, connection: UInt64, item: Identifier) {
        self.password = password
        self.connection = connection
        self.item = item
    }

    package init(from reader: inout ByteReader) throws {
        self.init(
            password: try reader.secretField(limit: WireLimits.passcode), connection: try reader.uint64(),
            item: try reader.identifier())
    }

    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(password)
        try buffer.uint64(connection)
        try buffer.identifier(item)
    }
}

extension SecuritySettings {
    init(from reader: inout ByteReader) throws(DecodingError) {
        guard let policy = DelayPolicy(rawValue: try reader.uint8()) else { throw .invalid }
        self.init(
            delayPolicy: policy, erasesAfterTenTries: try reader.bool(), minimumPasscodeLength: try reader.uint8())
    }

    func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint8(delayPolicy.rawValue)
        try buffer.bool(erasesAfterTenTries)
        try buffer.uint8(minimumPasscodeLength)
    }
}
