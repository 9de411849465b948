import Codecs
import Secrets

/// Reads Apple's binary property list, format `bplist00`, into locked memory.
///
/// Objects refer to each other by number, in circles if they like, and one list of 200 bytes can say a value a thousand
/// million times. So: each object is used, none contains itself, and values count as often as they are said.
struct BinaryPropertyListReader: ~Escapable {
    private let bytes: RawSpan
    private let list: BinaryPropertyList
    /// Of texts and data: what is said twice is kept once.
    private var contents: [PropertyListContent?]
    /// Arrays and dictionaries that are being read.
    private var isOpen: [Bool]
    private var isUsed: [Bool]
    private var valueCount = 0

    static func accepts(_ bytes: RawSpan) -> Bool {
        bytes.byteCount >= 6 && (0..<6).allSatisfy { bytes.byte(at: $0) == BinaryPropertyList.magic[$0] }
    }

    static func read(_ bytes: RawSpan, into content: inout SecretBuffer) throws -> PropertyListValue {
        do {
            var reader = try BinaryPropertyListReader(bytes)
            let root = reader.list.root
            let value = try reader.value(root, depth: 0, &content)
            if let unused = reader.isUsed.firstIndex(of: false) {
                throw PropertyListError(.unused, reader.list.offset(of: unused))
            }
            return value
        } catch let error as BinaryPropertyListError { throw PropertyListError(error) }
    }

    @_lifetime(copy bytes)
    private init(_ bytes: RawSpan) throws(BinaryPropertyListError) {
        let list = try BinaryPropertyList(bytes, most: PropertyList.valueLimit, isArchive: false)
        contents = Array(repeating: nil, count: list.count)
        isOpen = Array(repeating: false, count: list.count)
        isUsed = Array(repeating: false, count: list.count)
        self.bytes = bytes
        self.list = list
    }
}

// Values.
extension BinaryPropertyListReader {
    private mutating func value(
        _ index: Int, depth: Int, _ content: inout SecretBuffer
    ) throws -> PropertyListValue {
        let start = list.offset(of: index)
        isUsed[index] = true
        valueCount += 1
        guard valueCount <= PropertyList.valueLimit else { throw PropertyListError(.tooManyValues, start) }
        let kind = list.kind(index)
        switch kind {
        case .bool(let flag): return .bool(flag)
        case .integer:
            // Sixteen bytes hold what is too large for eight, which no field of a profile is.
            guard let integer = list.integer(index) else { throw PropertyListError(.number, start) }
            return .integer(integer)
        case .real: return .real(try real(index))
        case .date:
            let seconds = try real(index)
            guard CalendarDate.range.contains(seconds) else { throw PropertyListError(.date, start) }
            return .date(seconds)
        case .data: return .data(try data(index, &content))
        case .ascii, .utf16: return .string(try text(index, &content))
        case .array, .dictionary:
            guard !isOpen[index] else { throw PropertyListError(.circular, start) }
            guard depth < PropertyList.depthLimit else { throw PropertyListError(.tooDeep, start) }
            isOpen[index] = true
            defer { isOpen[index] = false }
            return kind == .array
                ? .array(try array(index, depth, &content)) : .dictionary(try dictionary(index, depth, &content))
        case .null, .uid, .set: throw PropertyListError(.kind, start)
        }
    }

    private func real(_ index: Int) throws(PropertyListError) -> Double {
        let value = list.real(index)
        guard value.isFinite else { throw PropertyListError(.number, list.offset(of: index)) }
        return value
    }

    private mutating func data(_ index: Int, _ content: inout SecretBuffer) throws -> PropertyListContent {
        if let known = contents[index] { return known }
        let range = try list.content(index)
        let begin = content.count
        try content.append(bytes.extracting(range))
        contents[index] = content.content(since: begin)
        return content.content(since: begin)
    }

    private mutating func text(_ index: Int, _ content: inout SecretBuffer) throws -> PropertyListContent {
        if let known = contents[index] { return known }
        let begin = content.count
        let range = try list.content(index)
        if list.kind(index) == .ascii { try appendASCII(range, &content) } else { try appendUTF16(range, &content) }
        contents[index] = content.content(since: begin)
        return content.content(since: begin)
    }

    private func appendASCII(_ range: Range<Int>, _ content: inout SecretBuffer) throws {
        for place in range {
            let byte = bytes.byte(at: place)
            guard byte < 0x80, TextRules.allows(Unicode.Scalar(byte)) else { throw PropertyListError(.notText, place) }
            try content.append(byte: byte)
        }
    }

    private func appendUTF16(_ range: Range<Int>, _ content: inout SecretBuffer) throws {
        let count = range.count / 2
        func unit(_ index: Int) -> UInt32 {
            let place = range.lowerBound + 2 * index
            return UInt32(bytes.byte(at: place)) << 8 | UInt32(bytes.byte(at: place + 1))
        }
        var index = 0
        while index < count {
            var value = unit(index)
            if value >> 10 == 0x36, index + 1 < count, unit(index + 1) >> 10 == 0x37 {
                value = 0x10000 + (value & 0x3FF) << 10 + (unit(index + 1) & 0x3FF)
                index += 1
            }
            guard let scalar = Unicode.Scalar(value), TextRules.allows(scalar) else {
                throw PropertyListError(.notText, range.lowerBound + 2 * index)
            }
            try content.append(scalar)
            index += 1
        }
    }

    private mutating func array(
        _ index: Int, _ depth: Int, _ content: inout SecretBuffer
    ) throws -> [PropertyListValue] {
        var values: [PropertyListValue] = []
        for reference in try list.references(index) {
            values.append(try value(reference, depth: depth + 1, &content))
        }
        return values
    }

    private mutating func dictionary(
        _ index: Int, _ depth: Int, _ content: inout SecretBuffer
    ) throws -> [String: PropertyListValue] {
        let start = list.offset(of: index)
        let references = try list.references(index)
        let count = references.count / 2
        var fields: [String: PropertyListValue] = [:]
        for place in 0..<count {
            guard case .string(let name) = try value(references[place], depth: depth + 1, &content) else {
                throw PropertyListError(.keyIsNoText, start)
            }
            let key = String(
                decoding: content.bytes.extracting(name.start..<name.start + name.count).copyToArray(), as: UTF8.self)
            let read = try value(references[count + place], depth: depth + 1, &content)
            guard fields.updateValue(read, forKey: key) == nil else { throw PropertyListError(.duplicateKey, start) }
        }
        return fields
    }
}

extension PropertyListError {
    fileprivate init(_ error: BinaryPropertyListError) {
        let reason: Reason =
            switch error.reason {
            case .truncated: .truncated
            case .damaged: .damaged
            case .kind: .kind
            case .tooManyObjects: .tooManyValues
            }
        self.init(reason, error.offset)
    }
}
