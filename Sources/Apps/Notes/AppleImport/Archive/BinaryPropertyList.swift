/// Why a property list or an archive in one cannot be read.
struct ArchiveError: Error, Equatable {}

/// Apple's binary property list, format `bplist00`.
///
/// Source: CFBinaryPList.c of Apple's CoreFoundation. Objects refer to each other by number, in circles if they like:
/// they are decoded one by one, never followed, and whoever reads them takes one step at a time.
struct BinaryPropertyList {
    enum Object: Equatable {
        /// Null, a truth value, a real number or a date: nothing that we want.
        case other
        case integer(Int64)
        case data([UInt8])
        case string(String)
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
        /// A reference inside a keyed archive.
        case uid(Int)
    }

    static let magic = Array("bplist00".utf8)
    private static let trailerCount = 32

    private let bytes: [UInt8]
    private(set) var objects: [Object] = []
    private(set) var root = 0
    private var referenceSize = 1
    /// Where the table of offsets begins, and so where objects end.
    private var end = 0
    /// How much the objects may still hold in all: no honest list holds more than its file has.
    private var budget: Int

    init(_ bytes: [UInt8]) throws(ArchiveError) {
        guard bytes.starts(with: Self.magic), bytes.count >= 8 + Self.trailerCount else { throw ArchiveError() }
        self.bytes = bytes
        budget = bytes.count
        let trailer = bytes.count - Self.trailerCount
        let offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        let count = try number(at: trailer + 8, size: 8, limit: bytes.count)
        root = try number(at: trailer + 16, size: 8, limit: bytes.count)
        end = try number(at: trailer + 24, size: 8, limit: bytes.count)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), root < count, end >= 8, end <= trailer,
            count <= (trailer - end) / offsetSize
        else { throw ArchiveError() }
        objects.reserveCapacity(count)
        for index in 0..<count {
            let offset = try number(at: end + index * offsetSize, size: offsetSize, limit: bytes.count)
            objects.append(try object(at: offset))
        }
    }

    private mutating func object(at offset: Int) throws(ArchiveError) -> Object {
        guard offset >= 8, offset < end else { throw ArchiveError() }
        let (kind, low) = (bytes[offset] >> 4, bytes[offset] & 0x0F)
        switch kind {
        case 0x1:
            // Sixteen bytes hold numbers that no field of ours has.
            guard low <= 3 else { return .other }
            return .integer(try integer(at: offset + 1, size: 1 << Int(low)))
        case 0x4:
            let range = try payload(at: offset, low: low, itemSize: 1)
            return .data(Array(bytes[range]))
        case 0x5:
            let range = try payload(at: offset, low: low, itemSize: 1)
            return .string(String(decoding: bytes[range], as: UTF8.self))
        case 0x6:
            let range = try payload(at: offset, low: low, itemSize: 2)
            let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
                UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
            }
            return .string(String(decoding: units, as: UTF16.self))
        case 0x8: return .uid(try number(at: offset + 1, size: Int(low) + 1, limit: Int.max))
        case 0xA, 0xC: return .array(try references(payload(at: offset, low: low, itemSize: referenceSize)))
        case 0xD:
            let all = try references(payload(at: offset, low: low, itemSize: 2 * referenceSize))
            return .dictionary(keys: Array(all.prefix(all.count / 2)), values: Array(all.suffix(all.count / 2)))
        default: return .other
        }
    }

    /// Where an object's contents lie; counts from 15 on stand in an integer of their own.
    private mutating func payload(at offset: Int, low: UInt8, itemSize: Int) throws(ArchiveError) -> Range<Int> {
        var start = offset + 1
        var count = Int(low)
        if low == 0x0F {
            guard start < end, bytes[start] >> 4 == 1, bytes[start] & 0x0F <= 3 else { throw ArchiveError() }
            let size = 1 << Int(bytes[start] & 0x0F)
            count = try number(at: start + 1, size: size, limit: bytes.count)
            start += 1 + size
        }
        let (length, overflow) = count.multipliedReportingOverflow(by: itemSize)
        guard !overflow, start <= end, length <= end - start, length <= budget else { throw ArchiveError() }
        budget -= length
        return start..<start + length
    }

    private func references(_ range: Range<Int>) throws(ArchiveError) -> [Int] {
        var result: [Int] = []
        for position in stride(from: range.lowerBound, to: range.upperBound, by: referenceSize) {
            result.append(try number(at: position, size: referenceSize, limit: bytes.count))
        }
        return result
    }

    private func integer(at offset: Int, size: Int) throws(ArchiveError) -> Int64 {
        guard offset + size <= bytes.count else { throw ArchiveError() }
        let value = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(bitPattern: value)
    }

    /// An unsigned number of up to eight bytes, big-endian, refused above `limit`.
    private func number(at offset: Int, size: Int, limit: Int) throws(ArchiveError) -> Int {
        guard offset >= 0, size <= bytes.count, offset <= bytes.count - size else { throw ArchiveError() }
        let digits = bytes[offset..<offset + size].drop { $0 == 0 }
        guard digits.count <= 8 else { throw ArchiveError() }
        let value = digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let number = Int(exactly: value), number <= limit else { throw ArchiveError() }
        return number
    }
}

extension BinaryPropertyList {
    /// The values of the dictionary that is the list's root, by their keys.
    subscript(key: String) -> Object? { value(key, of: root) }

    func object(_ index: Int) -> Object? { objects.indices.contains(index) ? objects[index] : nil }

    /// What dictionary `index` has under `key`.
    func value(_ key: String, of index: Int) -> Object? {
        guard case .dictionary(let keys, let values)? = object(index),
            let position = keys.firstIndex(where: { object($0) == .string(key) }), position < values.count
        else { return nil }
        return object(values[position])
    }
}
