/// Writes the fields that ``ByteReader`` reads, into an array.
///
/// Not for secrets: those go into a ``SecretBuffer``, which has the same calls.
package struct ByteWriter: Sendable {
    /// What was written so far.
    package private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: bytes for which there is room at first; it grows.
    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// One byte.
    package mutating func uint8(_ value: UInt8) { bytes.append(value) }
    /// Two bytes, big-endian.
    package mutating func uint16(_ value: UInt16) { integer(value) }
    /// Four bytes, big-endian.
    package mutating func uint32(_ value: UInt32) { integer(value) }
    /// Eight bytes, big-endian.
    package mutating func uint64(_ value: UInt64) { integer(value) }
    /// One byte: 1 for true, 0 for false.
    package mutating func bool(_ value: Bool) { bytes.append(value ? 1 : 0) }
    /// The 16 bytes as they are.
    package mutating func identifier(_ value: Identifier) {
        uint64(value.high)
        uint64(value.low)
    }
    /// The bytes as they are, without a length: of what has always the same.
    package mutating func raw(_ value: [UInt8]) { bytes += value }
    /// The bytes as they are, out of the memory that lends them.
    package mutating func raw(_ value: RawSpan) {
        unsafe value.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
    /// The length in four bytes, and the bytes.
    package mutating func field(_ value: [UInt8]) {
        uint32(UInt32(value.count))
        bytes += value
    }
    /// The length of its UTF-8 in four bytes, and that.
    package mutating func field(_ value: String) {
        uint32(UInt32(value.utf8.count))
        bytes += value.utf8
    }
    /// The length in four bytes, and the bytes.
    package mutating func field(_ value: RawSpan) {
        uint32(UInt32(value.byteCount))
        unsafe value.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
    /// As many zeros.
    package mutating func zeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }

    private mutating func integer(_ value: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}

extension SecretBuffer {
    /// One byte.
    package mutating func uint8(_ value: UInt8) throws(SecretMemoryError) { try append(byte: value) }
    /// Four bytes, big-endian.
    package mutating func uint32(_ value: UInt32) throws(SecretMemoryError) { try integer(value) }
    /// Eight bytes, big-endian.
    package mutating func uint64(_ value: UInt64) throws(SecretMemoryError) { try integer(value) }
    /// One byte: 1 for true, 0 for false.
    package mutating func bool(_ value: Bool) throws(SecretMemoryError) { try append(byte: value ? 1 : 0) }
    /// The 16 bytes as they are.
    package mutating func identifier(_ value: Identifier) throws(SecretMemoryError) {
        try uint64(value.high)
        try uint64(value.low)
    }
    /// The length in four bytes, and the bytes.
    package mutating func field(_ value: [UInt8]) throws(SecretMemoryError) {
        try uint32(UInt32(value.count))
        try append(value)
    }
    /// The length in four bytes, and the secret, from locked memory to locked memory.
    package mutating func field(_ value: borrowing SecretBytes) throws(SecretMemoryError) {
        try uint32(UInt32(value.count))
        try append(value)
    }
    /// The length in four bytes, and the bytes.
    package mutating func field(_ value: RawSpan) throws(SecretMemoryError) {
        try uint32(UInt32(value.byteCount))
        try append(value)
    }
    /// One byte: 1 and the secret as a field, or 0 where there is none.
    package mutating func optionalField(_ secret: borrowing SecretBytes?) throws(SecretMemoryError) {
        switch secret {
        case .some(let secret):
            try uint8(1)
            try field(secret)
        case .none: try uint8(0)
        }
    }

    private mutating func integer(_ value: some FixedWidthInteger) throws(SecretMemoryError) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            try append(byte: UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}
