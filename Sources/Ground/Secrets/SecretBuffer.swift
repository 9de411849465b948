package import Linux

/// A growing run of bytes in locked memory, for frames and whatever else may carry a secret while it is built.
///
/// Numbers and fields are written by methods beside `ByteWriter`, frames are found by those beside `StreamFrame`.
@safe package struct SecretBuffer: ~Copyable, Sendable {
    package var storage: LockedBuffer

    /// - Parameter capacity: bytes for which there is room at first; it grows.
    package init(capacity: Int = 256) throws(SecretMemoryError) {
        do { storage = try LockedBuffer(capacity: capacity) } catch { throw SecretMemoryError() }
    }

    /// How many bytes were appended, less those that were taken away.
    package var count: Int { storage.count }

    /// All of them, as long as the buffer is borrowed.
    package var bytes: RawSpan {
        @_lifetime(borrow self)
        borrowing get { storage.bytes }
    }

    /// Lends the bytes, where the buffer is a property of a class and ``bytes`` can't be.
    package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(storage.bytes)
    }

    /// Copies bytes behind what is there; where it has to grow, the memory before is wiped.
    package mutating func append(_ source: RawSpan) throws(SecretMemoryError) {
        do { try storage.append(source) } catch { throw SecretMemoryError() }
    }

    /// One byte behind what is there.
    package mutating func append(byte: UInt8) throws(SecretMemoryError) {
        do { try storage.append(byte) } catch { throw SecretMemoryError() }
    }

    /// Copies an array's bytes, which stay where they are; no array should hold a secret.
    package mutating func append(_ source: [UInt8]) throws(SecretMemoryError) {
        try unsafe append(source.span.bytes)
    }

    /// Copies a secret, from locked memory to locked memory.
    package mutating func append(_ secret: borrowing SecretBytes) throws(SecretMemoryError) {
        try secret.withBytes { (bytes) throws(SecretMemoryError) in try append(bytes) }
    }

    /// As many zeros behind what is there.
    package mutating func appendZeros(count: Int) throws(SecretMemoryError) {
        do { try storage.appendZeros(count: count) } catch { throw SecretMemoryError() }
    }

    /// Four bytes at a place that was written, big-endian: a length that is known only afterwards.
    package mutating func overwrite(at offset: Int, with value: UInt32) { storage.overwrite(at: offset, with: value) }
    /// Wipes everything, and keeps the room.
    package mutating func removeAll() { storage.removeAll() }
    /// Wipes what lies behind the first `count` bytes.
    package mutating func truncate(to count: Int) { storage.truncate(to: count) }
    /// Moves what lies behind the first `count` bytes to the front, and wipes what is left.
    package mutating func removeFirst(_ count: Int) { storage.removeFirst(count) }

    /// Hands the bytes over as a finished secret.
    package consuming func finish() -> SecretBytes { SecretBytes(storage) }
}
