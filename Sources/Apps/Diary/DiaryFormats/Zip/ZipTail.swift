import Linux

/// How many members an archive claims, before libzip makes room for so many.
///
/// Source: APPNOTE.TXT of PKWARE, 4.3.14 to 4.3.16.
enum ZipTail {
    private static let longest = 22 + 65_535 + 20

    /// The largest claim; libzip looks at all that could be the end of a directory.
    ///
    /// - Throws: `damaged` where there is no end of a directory, or one that claims more than its bytes can hold.
    static func memberCount(_ file: borrowing FileDescriptor) throws -> Int {
        let size = try file.byteCount()
        let start = max(0, size - longest)
        let tail = try file.read(count: size - start, at: start)
        var largest: UInt64?
        for end in tail.indices.dropLast(21) where tail[end...].starts(with: [0x50, 0x4B, 5, 6]) {
            let count = number(tail, end + 10, 2)
            let directory = number(tail, end + 12, 4)
            // The locator of the larger form stands in front; where all bits are set, that form alone counts.
            let isLarge = end >= 20 && tail[(end - 20)...].starts(with: [0x50, 0x4B, 6, 7])
            if !isLarge || (count != 0xFFFF && directory != 0xFFFF_FFFF) {
                try check(count, directory, size, &largest)
            }
            guard isLarge else { continue }
            guard let place = Int(exactly: number(tail, end - 12, 8)), place < size else {
                throw DiaryFormatError.damaged
            }
            let record = try file.read(count: 56, at: place)
            guard record.count == 56 else { throw DiaryFormatError.damaged }
            try check(number(record, 32, 8), number(record, 40, 8), size, &largest)
        }
        guard let largest else { throw DiaryFormatError.damaged }
        return Int(largest)
    }

    /// A member has at least 46 bytes in the directory, which is in the file.
    private static func check(
        _ count: UInt64, _ directory: UInt64, _ size: Int, _ largest: inout UInt64?
    ) throws(DiaryFormatError) {
        guard directory <= UInt64(size), count <= directory / 46 else { throw .damaged }
        largest = max(largest ?? 0, count)
    }

    private static func number(_ bytes: [UInt8], _ index: Int, _ count: Int) -> UInt64 {
        bytes[index..<(index + count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
