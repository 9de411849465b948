import Secrets

/// Reads Apple's binary property list, format `bplist00`.
///
/// Source: the description in CFBinaryPList.c of Apple's open CoreFoundation. Objects refer to each other by number, in
/// circles if they like, and one list of 200 bytes can say a value a thousand million times. So: each object lies right
/// behind the one before, each is used, none contains itself, and values count as often as they are said.
struct BinaryPropertyListReader: ~Escapable {
    private let bytes: RawSpan
    private var starts: [Int] = []
    private var referenceSize = 0
    /// Where the table of offsets begins, and so where objects end.
    private var tableStart = 0
    /// Of texts and data: what is said twice is kept once.
    private var contents: [PropertyListContent?] = []
    /// Arrays and dictionaries that are being read.
    private var isOpen: [Bool] = []
    private var isUsed: [Bool] = []
    private var valueCount = 0

    private static let magic = Array("bplist00".utf8)
    private static let trailerCount = 32

    static func accepts(_ bytes: RawSpan) -> Bool {
        bytes.byteCount >= 6 && (0..<6).allSatisfy { bytes.byte(at: $0) == magic[$0] }
    }

    static func read(_ bytes: RawSpan, into content: inout SecretBuffer) throws -> PropertyListValue {
        var reader = try BinaryPropertyListReader(bytes)
        let root = try reader.readTrailer()
        let value = try reader.value(root, depth: 0, &content)
        if let unused = reader.isUsed.firstIndex(of: false) {
            throw PropertyListError(.unused, reader.starts[unused])
        }
        return value
    }

    @_lifetime(copy bytes)
    private init(_ bytes: RawSpan) throws(PropertyListError) {
        self.bytes = bytes
        guard bytes.byteCount > Self.magic.count + Self.trailerCount else { throw PropertyListError(.truncated, 0) }
        guard (0..<Self.magic.count).allSatisfy({ bytes.byte(at: $0) == Self.magic[$0] }) else {
            throw PropertyListError(.kind, 0)
        }
    }

    /// The last 32 bytes: six zeros, the sizes of offsets and references, and three numbers.
    private mutating func readTrailer() throws(PropertyListError) -> Int {
        let trailer = bytes.byteCount - Self.trailerCount
        guard (0..<6).allSatisfy({ bytes.byte(at: trailer + $0) == 0 }) else { throw failure(.damaged, trailer) }
        let offsetSize = Int(bytes.byte(at: trailer + 6))
        referenceSize = Int(bytes.byte(at: trailer + 7))
        let count = try number(at: trailer + 8, size: 8)
        let root = try number(at: trailer + 16, size: 8)
        tableStart = try number(at: trailer + 24, size: 8)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), tableStart > Self.magic.count,
            tableStart < trailer, count == (trailer - tableStart) / offsetSize,
            (trailer - tableStart) % offsetSize == 0, root < count
        else { throw failure(.damaged, trailer) }
        guard count <= PropertyList.valueLimit else { throw failure(.tooManyValues, trailer) }
        try readOffsets(count, offsetSize)
        contents = Array(repeating: nil, count: count)
        isOpen = Array(repeating: false, count: count)
        isUsed = isOpen
        return root
    }

    /// Objects lie one behind the other, without a gap and without sharing a byte.
    private mutating func readOffsets(_ count: Int, _ size: Int) throws(PropertyListError) {
        starts.reserveCapacity(count)
        var expected = Self.magic.count
        for index in 0..<count {
            let place = tableStart + index * size
            guard try number(at: place, size: size) == expected else { throw failure(.damaged, place) }
            starts.append(expected)
            expected = try end(of: expected)
        }
        guard expected == tableStart else { throw failure(.damaged, expected) }
    }

    private func end(of start: Int) throws(PropertyListError) -> Int {
        guard start < tableStart else { throw failure(.damaged, start) }
        let marker = bytes.byte(at: start)
        switch (marker >> 4, marker & 0x0F) {
        case (0x0, 0x8), (0x0, 0x9): return start + 1
        case (0x1, 0...4), (0x2, 2...3): return try advance(start + 1, 1 << Int(marker & 0x0F), 1)
        case (0x3, 0x3): return try advance(start + 1, 8, 1)
        case (0x4, _), (0x5, _): return try count(at: start).end(itemSize: 1, self)
        case (0x6, _): return try count(at: start).end(itemSize: 2, self)
        case (0xA, _): return try count(at: start).end(itemSize: referenceSize, self)
        case (0xD, _): return try count(at: start).end(itemSize: 2 * referenceSize, self)
        default: throw failure(.kind, start)
        }
    }

    private struct Count {
        let number: Int
        /// Where the items begin.
        let start: Int

        func end(itemSize: Int, _ reader: borrowing BinaryPropertyListReader) throws(PropertyListError) -> Int {
            try reader.advance(start, number, itemSize)
        }
    }

    /// Counts from 15 on stand in an integer of their own.
    private func count(at start: Int) throws(PropertyListError) -> Count {
        let low = bytes.byte(at: start) & 0x0F
        guard low == 0x0F else { return Count(number: Int(low), start: start + 1) }
        guard start + 1 < tableStart else { throw failure(.truncated, start) }
        let marker = bytes.byte(at: start + 1)
        guard marker >> 4 == 1, marker & 0x0F <= 3 else { throw failure(.damaged, start) }
        let size = 1 << Int(marker & 0x0F)
        _ = try advance(start + 2, size, 1)
        let number = try number(at: start + 2, size: size)
        guard number >= 15 else { throw failure(.damaged, start) }
        return Count(number: number, start: start + 2 + size)
    }

    /// Behind `count` items, if that is not behind the objects' end.
    private func advance(_ start: Int, _ count: Int, _ itemSize: Int) throws(PropertyListError) -> Int {
        guard start <= tableStart, count <= (tableStart - start) / itemSize else { throw failure(.truncated, start) }
        return start + count * itemSize
    }

    /// An unsigned number of one to eight bytes, at most the file's length.
    private func number(at offset: Int, size: Int) throws(PropertyListError) -> Int {
        var value: UInt64 = 0
        for index in 0..<size { value = value << 8 | UInt64(bytes.byte(at: offset + index)) }
        guard value <= UInt64(bytes.byteCount) else { throw failure(.damaged, offset) }
        return Int(value)
    }

    private func failure(_ reason: PropertyListError.Reason, _ offset: Int) -> PropertyListError {
        PropertyListError(reason, offset)
    }
}

// Values.
extension BinaryPropertyListReader {
    private mutating func value(
        _ index: Int, depth: Int, _ content: inout SecretBuffer
    ) throws -> PropertyListValue {
        let start = starts[index]
        isUsed[index] = true
        valueCount += 1
        guard valueCount <= PropertyList.valueLimit else { throw failure(.tooManyValues, start) }
        let marker = bytes.byte(at: start)
        switch marker >> 4 {
        case 0x0: return .bool(marker == 0x09)
        case 0x1: return .integer(try integer(start))
        case 0x2: return .real(try real(start))
        case 0x3: return .date(try date(start))
        case 0x4: return .data(try data(index, &content))
        case 0x5, 0x6: return .string(try text(index, &content))
        default:
            guard !isOpen[index] else { throw failure(.circular, start) }
            guard depth < PropertyList.depthLimit else { throw failure(.tooDeep, start) }
            isOpen[index] = true
            defer { isOpen[index] = false }
            return marker >> 4 == 0xA
                ? .array(try array(start, depth, &content)) : .dictionary(try dictionary(start, depth, &content))
        }
    }

    /// Sixteen bytes hold what is too large for eight, which no field of a profile is.
    private func integer(_ start: Int) throws(PropertyListError) -> Int64 {
        let size = 1 << Int(bytes.byte(at: start) & 0x0F)
        guard size <= 8 else { throw failure(.number, start) }
        var value: UInt64 = 0
        for place in 0..<size { value = value << 8 | UInt64(bytes.byte(at: start + 1 + place)) }
        return Int64(bitPattern: value)
    }

    private func real(_ start: Int) throws(PropertyListError) -> Double {
        let size = 1 << Int(bytes.byte(at: start) & 0x0F)
        var pattern: UInt64 = 0
        for place in 0..<size { pattern = pattern << 8 | UInt64(bytes.byte(at: start + 1 + place)) }
        let value =
            size == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern))) : Double(bitPattern: pattern)
        guard value.isFinite else { throw failure(.number, start) }
        return value
    }

    private func date(_ start: Int) throws(PropertyListError) -> Double {
        let value = try real(start)
        guard CalendarDate.range.contains(value) else { throw failure(.date, start) }
        return value
    }

    private mutating func data(_ index: Int, _ content: inout SecretBuffer) throws -> PropertyListContent {
        if let known = contents[index] { return known }
        let count = try count(at: starts[index])
        let begin = content.count
        try content.append(bytes.extracting(count.start..<count.start + count.number))
        contents[index] = content.content(since: begin)
        return content.content(since: begin)
    }

    private mutating func text(_ index: Int, _ content: inout SecretBuffer) throws -> PropertyListContent {
        if let known = contents[index] { return known }
        let begin = content.count
        if bytes.byte(at: starts[index]) >> 4 == 0x5 {
            try appendASCII(starts[index], &content)
        } else {
            try appendUTF16(starts[index], &content)
        }
        contents[index] = content.content(since: begin)
        return content.content(since: begin)
    }

    private func appendASCII(_ start: Int, _ content: inout SecretBuffer) throws {
        let count = try count(at: start)
        for place in count.start..<count.start + count.number {
            let byte = bytes.byte(at: place)
            guard byte < 0x80, TextRules.allows(Unicode.Scalar(byte)) else { throw failure(.notText, place) }
            try content.append(byte: byte)
        }
    }

    private func appendUTF16(_ start: Int, _ content: inout SecretBuffer) throws {
        let count = try count(at: start)
        func unit(_ index: Int) -> UInt32 {
            let place = count.start + 2 * index
            return UInt32(bytes.byte(at: place)) << 8 | UInt32(bytes.byte(at: place + 1))
        }
        var index = 0
        while index < count.number {
            var value = unit(index)
            if value >> 10 == 0x36, index + 1 < count.number, unit(index + 1) >> 10 == 0x37 {
                value = 0x10000 + (value & 0x3FF) << 10 + (unit(index + 1) & 0x3FF)
                index += 1
            }
            guard let scalar = Unicode.Scalar(value), TextRules.allows(scalar) else {
                throw failure(.notText, count.start + 2 * index)
            }
            try content.append(scalar)
            index += 1
        }
    }

    private mutating func array(
        _ start: Int, _ depth: Int, _ content: inout SecretBuffer
    ) throws -> [PropertyListValue] {
        let count = try count(at: start)
        var values: [PropertyListValue] = []
        for index in 0..<count.number {
            values.append(try value(try reference(count.start, index), depth: depth + 1, &content))
        }
        return values
    }

    private mutating func dictionary(
        _ start: Int, _ depth: Int, _ content: inout SecretBuffer
    ) throws -> [String: PropertyListValue] {
        let count = try count(at: start)
        var fields: [String: PropertyListValue] = [:]
        for index in 0..<count.number {
            guard case .string(let name) = try value(try reference(count.start, index), depth: depth + 1, &content)
            else { throw failure(.keyIsNoText, start) }
            let key = String(
                decoding: content.bytes.extracting(name.start..<name.start + name.count).copyToArray(), as: UTF8.self)
            let place = try reference(count.start, count.number + index)
            guard fields.updateValue(try value(place, depth: depth + 1, &content), forKey: key) == nil else {
                throw failure(.duplicateKey, start)
            }
        }
        return fields
    }

    private func reference(_ start: Int, _ index: Int) throws(PropertyListError) -> Int {
        let place = start + index * referenceSize
        let object = try number(at: place, size: referenceSize)
        guard object < starts.count else { throw failure(.damaged, place) }
        return object
    }
}
