package import Linux

/// A growing run of bytes in locked memory, for frames and whatever else may carry a secret while it is built.
@safe package struct SecretBuffer: ~Copyable, Sendable {
    package var storage: LockedBuffer

    package init(capacity: Int = 256) throws(SecretMemoryError) {
        do { storage = try LockedBuffer(capacity: capacity) } catch { throw SecretMemoryError() }
    }

    package var count: Int { storage.count }

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

    package mutating func append(_ source: RawSpan) throws(SecretMemoryError) {
        do { try storage.append(source) } catch { throw SecretMemoryError() }
    }

    package mutating func append(byte: UInt8) throws(SecretMemoryError) {
        do { try storage.append(byte) } catch { throw SecretMemoryError() }
    }

    package mutating func append(_ source: [UInt8]) throws(SecretMemoryError) {
        try unsafe append(source.span.bytes)
    }

    package mutating func append(_ secret: borrowing SecretBytes) throws(SecretMemoryError) {
        try secret.withBytes { (bytes) throws(SecretMemoryError) in try append(bytes) }
    }

    package mutating func appendZeros(count: Int) throws(SecretMemoryError) {
        do { try storage.appendZeros(count: count) } catch { throw SecretMemoryError() }
    }

    package mutating func overwrite(at offset: Int, with value: UInt32) { storage.overwrite(at: offset, with: value) }
    package mutating func removeAll() { storage.removeAll() }
    package mutating func truncate(to count: Int) { storage.truncate(to: count) }
    package mutating func removeFirst(_ count: Int) { storage.removeFirst(count) }

    /// Hands the bytes over as a finished secret.
    package consuming func finish() -> SecretBytes { SecretBytes(storage) }
}
