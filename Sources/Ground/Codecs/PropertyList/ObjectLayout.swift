import Secrets

/// Where the objects of a binary property list lie: each right behind the one before, and the table behind the last.
struct ObjectLayout {
    private static let trailerCount = 32

    private let isArchive: Bool
    private(set) var starts: [Int] = []
    let referenceSize: Int
    /// The number of the list's own object.
    let root: Int
    /// Where the table of offsets begins, and so where objects end.
    private let tableStart: Int

    /// Reads the last 32 bytes: six zeros, the sizes of offsets and references, and three numbers; then the table.
    init(_ bytes: RawSpan, most: Int, isArchive: Bool) throws(BinaryPropertyListError) {
        let magic = BinaryPropertyList.magic
        guard bytes.byteCount > magic.count + Self.trailerCount else { throw BinaryPropertyListError(.truncated, 0) }
        guard magic.indices.allSatisfy({ bytes.byte(at: $0) == magic[$0] }) else {
            throw BinaryPropertyListError(.kind, 0)
        }
        let trailer = bytes.byteCount - Self.trailerCount
        guard Self.bits(bytes, at: trailer, size: 6) == 0 else { throw BinaryPropertyListError(.damaged, trailer) }
        let offsetSize = Int(bytes.byte(at: trailer + 6))
        self.isArchive = isArchive
        referenceSize = Int(bytes.byte(at: trailer + 7))
        let count = try Self.number(bytes, at: trailer + 8, size: 8)
        root = try Self.number(bytes, at: trailer + 16, size: 8)
        tableStart = try Self.number(bytes, at: trailer + 24, size: 8)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), tableStart > magic.count,
            tableStart < trailer, count == (trailer - tableStart) / offsetSize,
            (trailer - tableStart) % offsetSize == 0, root < count
        else { throw BinaryPropertyListError(.damaged, trailer) }
        guard count <= most else { throw BinaryPropertyListError(.tooManyObjects, trailer) }
        var expected = magic.count
        for index in 0..<count {
            let place = tableStart + index * offsetSize
            guard try Self.number(bytes, at: place, size: offsetSize) == expected else {
                throw BinaryPropertyListError(.damaged, place)
            }
            starts.append(expected)
            expected = try end(bytes, of: expected)
        }
        guard expected == tableStart else { throw BinaryPropertyListError(.damaged, expected) }
    }

    /// Behind the object that begins there.
    private func end(_ bytes: RawSpan, of start: Int) throws(BinaryPropertyListError) -> Int {
        guard start < tableStart else { throw BinaryPropertyListError(.damaged, start) }
        let marker = bytes.byte(at: start)
        switch (marker >> 4, marker & 0x0F) {
        case (0x0, 0x8), (0x0, 0x9): return start + 1
        case (0x0, 0x0) where isArchive: return start + 1
        case (0x1, 0...4), (0x2, 2...3): return try advance(start + 1, 1 << Int(marker & 0x0F), 1)
        case (0x3, 0x3): return try advance(start + 1, 8, 1)
        case (0x4, _), (0x5, _): return try end(items(bytes, at: start), 1)
        case (0x6, _): return try end(items(bytes, at: start), 2)
        case (0x8, let low) where isArchive: return try advance(start + 1, Int(low) + 1, 1)
        case (0xA, _): return try end(items(bytes, at: start), referenceSize)
        case (0xC, _) where isArchive: return try end(items(bytes, at: start), referenceSize)
        case (0xD, _): return try end(items(bytes, at: start), 2 * referenceSize)
        default: throw BinaryPropertyListError(.kind, start)
        }
    }

    /// What an object consists of that has no fixed length.
    struct Items {
        let count: Int
        /// Where they begin.
        let start: Int
    }

    /// Counts from 15 on stand in an integer of their own.
    func items(_ bytes: RawSpan, at start: Int) throws(BinaryPropertyListError) -> Items {
        let low = bytes.byte(at: start) & 0x0F
        guard low == 0x0F else { return Items(count: Int(low), start: start + 1) }
        guard start + 1 < tableStart else { throw BinaryPropertyListError(.truncated, start) }
        let marker = bytes.byte(at: start + 1)
        guard marker >> 4 == 1, marker & 0x0F <= 3 else { throw BinaryPropertyListError(.damaged, start) }
        let size = 1 << Int(marker & 0x0F)
        _ = try advance(start + 2, size, 1)
        let count = try Self.number(bytes, at: start + 2, size: size)
        guard count >= 15 else { throw BinaryPropertyListError(.damaged, start) }
        return Items(count: count, start: start + 2 + size)
    }

    private func end(_ items: Items, _ itemSize: Int) throws(BinaryPropertyListError) -> Int {
        try advance(items.start, items.count, itemSize)
    }

    /// Behind `count` items, if that is not behind the objects' end.
    private func advance(_ start: Int, _ count: Int, _ itemSize: Int) throws(BinaryPropertyListError) -> Int {
        guard start <= tableStart, count <= (tableStart - start) / itemSize else {
            throw BinaryPropertyListError(.truncated, start)
        }
        return start + count * itemSize
    }

    /// An unsigned number of one to eight bytes, at most the file's length.
    static func number(_ bytes: RawSpan, at offset: Int, size: Int) throws(BinaryPropertyListError) -> Int {
        let value = bits(bytes, at: offset, size: size)
        guard value <= UInt64(bytes.byteCount) else { throw BinaryPropertyListError(.damaged, offset) }
        return Int(value)
    }

    /// Up to eight bytes, the highest first.
    static func bits(_ bytes: RawSpan, at offset: Int, size: Int) -> UInt64 {
        var value: UInt64 = 0
        for place in offset..<offset + size { value = value << 8 | UInt64(bytes.byte(at: place)) }
        return value
    }
}
