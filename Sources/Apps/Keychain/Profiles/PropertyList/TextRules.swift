import Secrets

/// Which characters texts may have, in either form of a list: those of XML 1.0, production 2.
enum TextRules {
    static func allows(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// The scalar whose UTF-8 begins at `offset`, and how many bytes it has; nil for everything but the shortest form
    /// of an allowed one (RFC 3629, section 3).
    static func scalar(in bytes: RawSpan, at offset: Int) -> (scalar: Unicode.Scalar, count: Int)? {
        let first = bytes.byte(at: offset)
        let (count, least): (Int, UInt32)
        var value: UInt32
        switch first {
        case 0..<0x80: (count, least, value) = (1, 0, UInt32(first))
        case 0xC2...0xDF: (count, least, value) = (2, 0x80, UInt32(first & 0x1F))
        case 0xE0...0xEF: (count, least, value) = (3, 0x800, UInt32(first & 0x0F))
        case 0xF0...0xF4: (count, least, value) = (4, 0x10000, UInt32(first & 0x07))
        default: return nil
        }
        guard count <= bytes.byteCount - offset else { return nil }
        for index in 1..<max(count, 1) {
            let byte = bytes.byte(at: offset + index)
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        // A scalar's initializer refuses halves of surrogate pairs.
        guard value >= least, let scalar = Unicode.Scalar(value), allows(scalar) else { return nil }
        return (scalar, count)
    }
}

extension SecretBuffer {
    /// Appends a character's UTF-8.
    mutating func append(_ scalar: Unicode.Scalar) throws(SecretMemoryError) {
        for byte in UTF8.CodeUnit.encode(scalar) { try append(byte: byte) }
    }

    /// What was appended since `start`.
    func content(since start: Int) -> PropertyListContent { PropertyListContent(start: start, count: count - start) }
}

extension UTF8.CodeUnit {
    fileprivate static func encode(_ scalar: Unicode.Scalar) -> Unicode.UTF8.EncodedScalar {
        // Every scalar has an encoding; the replacement character's is only there for the type.
        Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter
    }
}
