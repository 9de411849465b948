/// The first directory of a TIFF file, or of the Exif in another; TIFF 6.0, section 2.
///
/// Nothing is followed but the header's one pointer, so that there is no circle to run in.
package struct TIFFDirectory {
    private enum FieldType {
        static let ascii = 2
        static let short = 3
    }

    private static let longestText = 256
    private static let entryByteCount = 12

    private let bytes: ArraySlice<UInt8>
    private let isLittle: Bool
    private let start: Int
    private let count: Int

    /// Nil for what has no such header, BigTIFF among it, or no directory where that says.
    package init?(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        isLittle = bytes.starts(with: [0x49, 0x49, 42, 0])
        guard isLittle || bytes.starts(with: [0x4D, 0x4D, 0, 42]),
            let directory = Self.integer(bytes, 4, at: 4, isLittle),
            let count = Self.integer(bytes, 2, at: directory, isLittle)
        else { return nil }
        start = directory + 2
        self.count = count
    }

    /// The value of an entry of one SHORT.
    package func short(_ tag: Int) -> Int? {
        guard let entry = entry(tag), integer(2, at: entry + 2) == FieldType.short, integer(4, at: entry + 4) == 1
        else {
            return nil
        }
        return integer(2, at: entry + 8)
    }

    /// The value of an entry of ASCII, up to its first zero.
    package func text(_ tag: Int) -> String? {
        guard let entry = entry(tag), integer(2, at: entry + 2) == FieldType.ascii,
            let count = integer(4, at: entry + 4), count <= Self.longestText,
            let offset = count <= 4 ? entry + 8 : integer(4, at: entry + 8), offset <= bytes.count - count
        else { return nil }
        let text = bytes.dropFirst(offset).prefix(count).prefix { $0 != 0 }
        return String(decoding: text, as: UTF8.self)
    }

    private func entry(_ tag: Int) -> Int? {
        for number in 0..<count {
            let entry = start + Self.entryByteCount * number
            guard let found = integer(2, at: entry) else { return nil }
            if found == tag { return entry }
        }
        return nil
    }

    private func integer(_ count: Int, at offset: Int) -> Int? { Self.integer(bytes, count, at: offset, isLittle) }

    /// Nil behind the end.
    private static func integer(_ bytes: ArraySlice<UInt8>, _ count: Int, at offset: Int, _ isLittle: Bool) -> Int? {
        guard offset >= 0, offset <= bytes.count - count else { return nil }
        let field = bytes.dropFirst(offset).prefix(count)
        return isLittle ? field.reversed().reduce(0) { $0 << 8 | Int($1) } : field.reduce(0) { $0 << 8 | Int($1) }
    }
}
