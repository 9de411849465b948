/// Reads a file of the time zone database from its beginning to its end.
struct TimeZoneFileReader {
    /// What a block begins with: how much of each thing it has.
    struct Header {
        /// 0, or the digit of a version from 2 on.
        let version: UInt8
        let universalIndicators: Int
        let standardIndicators: Int
        let leapSeconds: Int
        let changes: Int
        let types: Int
        let nameBytes: Int

        /// Of what stands behind the header.
        ///
        /// - Parameter timeSize: how many bytes a time has.
        func byteCount(timeSize: Int) -> Int {
            let records = changes * (timeSize + 1) + types * 6 + leapSeconds * (timeSize + 4)
            return records + nameBytes + standardIndicators + universalIndicators
        }
    }

    /// In seconds east of Greenwich; RFC 9636, section 3.2, knows none beyond.
    private static let possibleOffsets: ClosedRange<Int64> = -89_999...93_599

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ count: Int) throws(TimeZoneFileError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .endsEarly }
        let taken = rest.prefix(count)
        rest = rest.dropFirst(count)
        return taken
    }

    mutating func header() throws(TimeZoneFileError) -> Header {
        let magic = try take(4)
        guard magic.elementsEqual("TZif".utf8) else { throw .magic }
        // The fifteen bytes behind it mean nothing yet. Versions to come are read as the last one known.
        let version = try take(16).first ?? 0
        guard version == 0 || version >= 0x32 else { throw .version }
        var counts: [Int] = []
        for _ in 0..<6 { counts.append(Int(Self.bits(try take(4)))) }
        return Header(
            version: version, universalIndicators: counts[0], standardIndicators: counts[1], leapSeconds: counts[2],
            changes: counts[3], types: counts[4], nameBytes: counts[5])
    }

    /// - Parameter timeSize: how many bytes a time has, 4 or 8.
    /// - Returns: when clocks were changed, what each change led to, and where they stood before.
    mutating func block(
        _ header: Header, timeSize: Int
    ) throws(TimeZoneFileError) -> (changes: [Int64], offsets: [Int], first: Int) {
        guard (1...256).contains(header.types), header.nameBytes > 0,
            [0, header.types].contains(header.standardIndicators),
            [0, header.types].contains(header.universalIndicators)
        else { throw .counts }
        guard header.leapSeconds == 0 else { throw .leapSeconds }
        // Before anything is done as often as a count says.
        guard header.byteCount(timeSize: timeSize) <= rest.count else { throw .endsEarly }
        var changes: [Int64] = []
        for _ in 0..<header.changes {
            let time = Self.number(try take(timeSize))
            if let last = changes.last, time <= last { throw .order }
            changes.append(time)
        }
        let indices = try take(header.changes)
        let types = try types(header)
        var offsets: [Int] = []
        for index in indices {
            guard Int(index) < types.count else { throw .index }
            offsets.append(types[Int(index)])
        }
        try checkIndicators(header)
        return (changes: changes, offsets: offsets, first: types[0])
    }

    /// The types and their names, of which only the distances from UTC are kept.
    private mutating func types(_ header: Header) throws(TimeZoneFileError) -> [Int] {
        var types: [Int] = []
        for _ in 0..<header.types {
            let offset = Self.number(try take(4))
            let isSummer = Self.bits(try take(1))
            let name = Self.bits(try take(1))
            guard Self.possibleOffsets.contains(offset), isSummer <= 1, Int(name) < header.nameBytes else {
                throw .type
            }
            types.append(Int(offset))
        }
        // Each name ends with a zero byte: where the last one does, all do.
        guard try take(header.nameBytes).last == 0 else { throw .type }
        return types
    }

    /// Whether changes to a type were written down in standard time and in UTC: nothing to us, but a sign of damage.
    private mutating func checkIndicators(_ header: Header) throws(TimeZoneFileError) {
        let standard = Array(try take(header.standardIndicators))
        let universal = Array(try take(header.universalIndicators))
        guard standard.allSatisfy({ $0 <= 1 }) else { throw .indicator }
        for (index, mark) in universal.enumerated() {
            // What is in UTC is in standard time as well.
            guard mark <= (standard.isEmpty ? 0 : standard[index]) else { throw .indicator }
        }
    }

    /// What follows the last change, between two line ends; nil where nothing stands there.
    mutating func footer() throws(TimeZoneFileError) -> YearlyRule? {
        guard try take(1).first == 0x0A else { throw .rule }
        guard let end = rest.firstIndex(of: 0x0A) else { throw .endsEarly }
        let text = rest[..<end]
        rest = rest[(end + 1)...]
        if text.isEmpty { return nil }
        guard let rule = YearlyRule(text) else { throw .rule }
        return rule
    }

    /// Big-endian.
    private static func bits(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var bits: UInt64 = 0
        for byte in bytes { bits = bits << 8 | UInt64(byte) }
        return bits
    }

    /// Big-endian, with a sign, of four bytes or of eight.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let bits = bits(bytes)
        return bytes.count == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
    }
}
