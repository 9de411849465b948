import Secrets

/// Some of the bytes of a text that lies in locked memory, borrowed.
struct ByteRange: ~Escapable {
    private let span: RawSpan

    @_lifetime(copy span)
    init(_ span: RawSpan) { self.span = span }

    var count: Int { span.byteCount }

    subscript(offset: Int) -> UInt8 { span.byte(at: offset) }

    /// From `start` to before `end`, both inside.
    @_lifetime(copy self)
    func part(_ start: Int, _ end: Int) -> ByteRange { ByteRange(span.extracting(start..<end)) }

    /// Without spaces, tabs and line ends around it.
    var trimmed: ByteRange {
        @_lifetime(copy self)
        get {
            var (start, end) = (0, count)
            while start < end, Self.isBlank(self[start]) { start += 1 }
            while end > start, Self.isBlank(self[end - 1]) { end -= 1 }
            return part(start, end)
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    func firstOffset(of byte: UInt8, from start: Int = 0) -> Int? {
        for offset in start..<count where self[offset] == byte { return offset }
        return nil
    }

    /// Whether these letters come first, in either case.
    ///
    /// - Parameter prefix: in lower case.
    func hasPrefix(_ prefix: String) -> Bool {
        count >= prefix.utf8.count && part(0, prefix.utf8.count).isAlike(prefix)
    }

    /// Whether these are the letters, in either case.
    ///
    /// - Parameter text: in lower case.
    func isAlike(_ text: String) -> Bool {
        guard count == text.utf8.count else { return false }
        for (offset, wanted) in text.utf8.enumerated() where Self.lowerCase(self[offset]) != wanted { return false }
        return true
    }

    private static func lowerCase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// The number that these digits say; nil for any but its one canonical form, and above 999.
    var number: Int? {
        guard (1...3).contains(count), count == 1 || self[0] != UInt8(ascii: "0") else { return nil }
        var number = 0
        for offset in 0..<count {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self[offset]) else { return nil }
            number = number * 10 + Int(self[offset] - UInt8(ascii: "0"))
        }
        return number
    }
}
