package import Protection
package import Secrets

/// A keychain's own passcode, and the record of its key.
package struct KeychainPasscode: ~Copyable {
    /// Of the store.
    package let keychain: Identifier
    /// A `KeychainKeyRecord`; empty where one shall be made.
    package let record: [UInt8]
    package let passcode: SecretBytes

    package init(keychain: Identifier, record: [UInt8], passcode: consuming SecretBytes) {
        self.keychain = keychain
        self.record = record
        self.passcode = passcode
    }

    init(from reader: inout ByteReader) throws {
        self.init(
            keychain: try reader.identifier(), record: try reader.bytesField(limit: EnclaveLimits.wrappedKey),
            passcode: try reader.secretField(limit: EnclaveLimits.passcode))
    }

    borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.identifier(keychain)
        try buffer.field(record)
        try buffer.field(passcode)
    }
}

/// The passcode of a keychain in force, and the one that shall replace it.
package struct KeychainPasscodeChange: ~Copyable {
    package let keychain: Identifier
    package let record: [UInt8]
    package let change: PasscodeReplacement

    package init(keychain: Identifier, record: [UInt8], change: consuming PasscodeReplacement) {
        self.keychain = keychain
        self.record = record
        self.change = change
    }

    init(from reader: inout ByteReader) throws {
        self.init(
            keychain: try reader.identifier(), record: try reader.bytesField(limit: EnclaveLimits.wrappedKey),
            change: PasscodeReplacement(
                current: try reader.secretField(limit: EnclaveLimits.passcode),
                new: try reader.secretField(limit: EnclaveLimits.passcode)))
    }

    borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.identifier(keychain)
        try buffer.field(record)
        try buffer.field(change.current)
        try buffer.field(change.new)
    }
}

/// Work for a private key that stays in the enclave.
package struct PrivateKeyUse: Sendable {
    package var stored: StoredRowKey
    package var work: PrivateKeyWork
    /// The hash, or the other's public key as X9.63 has it.
    package var input: [UInt8]

    package init(stored: StoredRowKey, work: PrivateKeyWork, input: [UInt8]) {
        self.stored = stored
        self.work = work
        self.input = input
    }

    init(from reader: inout ByteReader) throws(DecodingError) {
        stored = try StoredRowKey(from: &reader)
        guard let work = PrivateKeyWork(rawValue: try reader.uint8()) else { throw .invalid }
        self.work = work
        input = try reader.bytesField(limit: EnclaveLimits.wrappedKey)
    }

    func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try stored.encode(into: &buffer)
        try buffer.uint8(work.rawValue)
        try buffer.field(input)
    }
}
