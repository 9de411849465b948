/// Why bytes could not be read as what they should be.
package enum DecodingError: Error, Equatable, Sendable {
    /// They end in the middle of a field.
    case truncated
    /// More follow after the last field.
    case trailing
    /// A field holds a value that its format does not know, or not in its one canonical form.
    case invalid
    /// A length or a number of entries is above its limit.
    case tooLong
}

/// Reads big-endian fields from borrowed bytes, front to back, and never beyond their end.
package struct ByteReader: ~Escapable {
    private let span: RawSpan
    private var offset = 0

    /// - Parameter span: what is read; the reader lives no longer.
    @_lifetime(copy span)
    package init(_ span: RawSpan) { self.span = span }

    /// How many bytes were not read yet.
    package var remaining: Int { span.byteCount - offset }

    /// - Throws: `truncated` at the end.
    package mutating func uint8() throws(DecodingError) -> UInt8 {
        let at = try advance(1)
        return unsafe span.unsafeLoad(fromByteOffset: at, as: UInt8.self)
    }

    /// Two bytes, big-endian.
    /// - Throws: `truncated` where there are fewer.
    package mutating func uint16() throws(DecodingError) -> UInt16 {
        let at = try advance(2)
        return unsafe span.unsafeLoadUnaligned(fromByteOffset: at, as: UInt16.self).bigEndian
    }

    /// Four bytes, big-endian.
    /// - Throws: `truncated` where there are fewer.
    package mutating func uint32() throws(DecodingError) -> UInt32 {
        let at = try advance(4)
        return unsafe span.unsafeLoadUnaligned(fromByteOffset: at, as: UInt32.self).bigEndian
    }

    /// Eight bytes, big-endian.
    /// - Throws: `truncated` where there are fewer.
    package mutating func uint64() throws(DecodingError) -> UInt64 {
        let at = try advance(8)
        return unsafe span.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self).bigEndian
    }

    /// A byte that must be 0 or 1.
    package mutating func bool() throws(DecodingError) -> Bool {
        switch try uint8() {
        case 0: false
        case 1: true
        default: throw .invalid
        }
    }

    /// 16 bytes, whatever they are.
    /// - Throws: `truncated` where there are fewer.
    package mutating func identifier() throws(DecodingError) -> Identifier {
        Identifier(high: try uint64(), low: try uint64())
    }

    /// The next `count` bytes, still borrowed.
    @_lifetime(copy self)
    package mutating func take(_ count: Int) throws(DecodingError) -> RawSpan {
        let at = try advance(count)
        return span.extracting(at..<at + count)
    }

    /// A field with a 32-bit length before it.
    @_lifetime(copy self)
    package mutating func field(limit: Int) throws(DecodingError) -> RawSpan {
        let count = Int(try uint32())
        guard count <= limit else { throw .tooLong }
        return try take(count)
    }

    /// The next `count` bytes, copied.
    ///
    /// Not for secrets.
    package mutating func bytes(_ count: Int) throws(DecodingError) -> [UInt8] {
        let at = try advance(count)
        return span.extracting(at..<at + count).copyToArray()
    }

    /// A field with a 32-bit length before it, copied.
    ///
    /// Not for secrets.
    package mutating func bytesField(limit: Int) throws(DecodingError) -> [UInt8] {
        let count = Int(try uint32())
        guard count <= limit else { throw .tooLong }
        return try bytes(count)
    }

    /// Where the next `count` bytes lie in what is read: they stay there, and nothing is copied.
    /// - Throws: `truncated` where there are fewer.
    package mutating func range(_ count: Int) throws(DecodingError) -> Range<Int> {
        let at = try advance(count)
        return at..<at + count
    }

    /// Where the bytes of a field with a 32-bit length before it lie; they are not copied.
    /// - Throws: `tooLong` above `limit`, `truncated` where there are fewer than it says.
    package mutating func fieldRange(limit: Int) throws(DecodingError) -> Range<Int> {
        let count = Int(try uint32())
        guard count <= limit else { throw .tooLong }
        return try range(count)
    }

    /// A field with a 32-bit length before it that must be UTF-8.
    ///
    /// Not for secrets.
    package mutating func stringField(limit: Int) throws(DecodingError) -> String {
        guard let text = String(validating: try bytesField(limit: limit), as: UTF8.self) else { throw .invalid }
        return text
    }

    /// A field with a 32-bit length before it, copied to locked memory.
    package mutating func secretField(limit: Int) throws -> SecretBytes {
        let count = Int(try uint32())
        guard count <= limit else { throw DecodingError.tooLong }
        let at = try advance(count)
        return try SecretBytes(copying: span.extracting(at..<at + count))
    }

    /// What ``SecretBuffer/optionalField(_:)`` wrote: nil where it says that there is none.
    package mutating func optionalSecretField(limit: Int) throws -> SecretBytes? {
        try bool() ? try secretField(limit: limit) : nil
    }

    /// Nothing may follow.
    package func end() throws(DecodingError) {
        guard remaining == 0 else { throw .trailing }
    }

    private mutating func advance(_ count: Int) throws(DecodingError) -> Int {
        guard count >= 0, remaining >= count else { throw .truncated }
        defer { offset += count }
        return offset
    }
}

extension RawSpan {
    /// The byte at `offset`, which must lie inside.
    package func byte(at offset: Int) -> UInt8 {
        precondition(offset >= 0 && offset < byteCount)
        return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// Looks at each byte in place, from front to back.
    package func forEachByte(_ body: (UInt8) -> Void) {
        for offset in 0..<byteCount { body(unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)) }
    }

    /// A copy on the heap.
    ///
    /// Not for secrets.
    package func copyToArray() -> [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}

extension Array where Element == UInt8 {
    /// Lends the bytes as a span.
    package func withSpan<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(span.bytes)
    }
}
