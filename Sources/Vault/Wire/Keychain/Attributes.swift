package import Secrets

/// The attributes of an item or a query, by code.
package struct Attributes: Hashable, Sendable {
    /// At most one value for each code.
    package private(set) var values: [AttributeCode: AttributeValue] = [:]

    /// None at all.
    package init() {}

    /// The value of an attribute, in the type in which it was given; nil takes it away.
    package subscript(_ code: AttributeCode) -> AttributeValue? {
        get { values[code] }
        set { values[code] = newValue }
    }

    /// Whether there is none at all.
    package var isEmpty: Bool { values.isEmpty }
    /// By ascending code, as they are encoded.
    package var sorted: [(code: AttributeCode, value: AttributeValue)] {
        values.sorted { $0.key < $1.key }.map { (code: $0.key, value: $0.value) }
    }

    /// The value as text; a number's is decimal, data's is UTF-8, and all else is nil.
    package func string(_ code: AttributeCode) -> String? {
        values[code]?.text
    }

    /// The value where it is a number; nil where it is none, or another type's.
    package func number(_ code: AttributeCode) -> Int64? {
        if case .number(let number) = values[code] { return number }
        return nil
    }

    /// The value where it is data; nil where it is none, or another type's.
    package func data(_ code: AttributeCode) -> [UInt8]? {
        if case .data(let bytes) = values[code] { return bytes }
        return nil
    }

    /// The value where it is a date, in microseconds since 1970; nil where it is none, or another type's.
    package func date(_ code: AttributeCode) -> Int64? {
        if case .date(let date) = values[code] { return date }
        return nil
    }

    /// Puts the other's values in the place of those of the same codes.
    package mutating func merge(_ other: Attributes) {
        values.merge(other.values) { _, new in new }
    }
}

// The canonical encoding: a count, then code, type and value of each, codes strictly ascending.
extension Attributes {
    /// More than any kind has.
    package static let countLimit = 128
    /// The longest string or data, in bytes.
    package static let valueLimit = 64 * 1024

    private enum Tag {
        static let string: UInt8 = 1
        static let data: UInt8 = 2
        static let number: UInt8 = 3
        static let date: UInt8 = 4
    }

    /// Writes the canonical encoding; the same attributes are the same bytes.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint32(UInt32(values.count))
        for (code, value) in sorted {
            try buffer.uint32(code.rawValue)
            switch value {
            case .string(let text):
                try buffer.uint8(Tag.string)
                try buffer.field(Array(text.utf8))
            case .data(let bytes):
                try buffer.uint8(Tag.data)
                try buffer.field(bytes)
            case .number(let number):
                try buffer.uint8(Tag.number)
                try buffer.uint64(UInt64(bitPattern: number))
            case .date(let date):
                try buffer.uint8(Tag.date)
                try buffer.uint64(UInt64(bitPattern: date))
            }
        }
    }

    /// - Throws: `DecodingError` for more than ``countLimit``, for a code twice or out of order, and for values beyond
    ///   ``valueLimit``.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        let count = try reader.uint32()
        guard Int(count) <= Self.countLimit else { throw .tooLong }
        var last: AttributeCode?
        for _ in 0..<count {
            let code = AttributeCode(rawValue: try reader.uint32())
            if let last, last >= code { throw .invalid }
            last = code
            values[code] = try Self.value(&reader)
        }
    }

    private static func value(_ reader: inout ByteReader) throws(DecodingError) -> AttributeValue {
        switch try reader.uint8() {
        case Tag.string: .string(try reader.stringField(limit: valueLimit))
        case Tag.data: .data(try reader.bytesField(limit: valueLimit))
        case Tag.number: .number(Int64(bitPattern: try reader.uint64()))
        case Tag.date: .date(Int64(bitPattern: try reader.uint64()))
        default: throw .invalid
        }
    }

    /// Whether encoded attributes hold everything asked for.
    ///
    /// Reads in place: nothing is copied out of locked memory.
    ///
    /// - Parameter wanted: what each attribute must compare equal to, by ascending code.
    package static func matches(_ span: RawSpan, _ wanted: [Expectation]) throws(DecodingError) -> Bool {
        var reader = ByteReader(span)
        var next = 0
        for _ in 0..<(try reader.uint32()) {
            let code = AttributeCode(rawValue: try reader.uint32())
            let tag = try reader.uint8()
            let value =
                tag == Tag.number || tag == Tag.date
                ? try reader.take(8) : try reader.field(limit: valueLimit)
            while next < wanted.count, wanted[next].code < code {
                guard wanted[next].allowsAbsence else { return false }
                next += 1
            }
            if next < wanted.count, wanted[next].code == code {
                guard wanted[next].equals(value, tag: tag) else { return false }
                next += 1
            }
        }
        return wanted[next...].allSatisfy(\.allowsAbsence)
    }

    /// The text of one attribute, in place; nil where there is none.
    package static func encodedText(_ span: RawSpan, of wanted: AttributeCode) throws(DecodingError) -> String? {
        var reader = ByteReader(span)
        for _ in 0..<(try reader.uint32()) {
            let code = AttributeCode(rawValue: try reader.uint32())
            let tag = try reader.uint8()
            let value =
                tag == Tag.number || tag == Tag.date
                ? try reader.take(8) : try reader.field(limit: valueLimit)
            // They stand in ascending order.
            guard code < wanted else {
                return code == wanted && tag == Tag.string
                    ? String(validating: value.copyToArray(), as: UTF8.self) : nil
            }
        }
        return nil
    }

    /// The texts of some attributes, as ``string(_:)`` gives them.
    ///
    /// - Parameter wanted: in ascending order.
    package static func encodedTexts(_ span: RawSpan, of wanted: [AttributeCode]) throws(DecodingError) -> [String] {
        var reader = ByteReader(span)
        var texts: [String] = []
        for _ in 0..<(try reader.uint32()) {
            let code = AttributeCode(rawValue: try reader.uint32())
            guard wanted.contains(code) else {
                let tag = try reader.uint8()
                _ = tag == Tag.number || tag == Tag.date ? try reader.take(8) : try reader.field(limit: valueLimit)
                continue
            }
            if let text = try value(&reader).text { texts.append(text) }
        }
        return texts
    }

    /// One attribute of a query.
    package struct Expectation: Sendable {
        /// Of which attribute.
        package let code: AttributeCode
        let bytes: [UInt8]
        let type: AttributeType
        /// Key attributes that an item lacks have a default, which a query for that default finds.
        let allowsAbsence: Bool

        /// - Parameters:
        ///   - value: what the attribute must compare equal to.
        ///   - type: how the attribute compares.
        ///   - defaultValue: what an item has that lacks the attribute; nil where it has nothing.
        package init(_ code: AttributeCode, _ value: AttributeValue, type: AttributeType, defaultValue: AttributeValue?)
        {
            self.code = code
            self.type = type
            let bytes = value.comparisonBytes(type)
            self.bytes = bytes
            allowsAbsence = defaultValue.map { $0.comparisonBytes(type) == bytes } ?? false
        }

        func equals(_ value: RawSpan, tag: UInt8) -> Bool {
            switch tag {
            case Tag.string, Tag.data:
                guard bytes.first == 0, value.byteCount == bytes.count - 1 else { return false }
                return value.startsEqual(to: bytes, after: 1)
            case Tag.number where type == .blob:
                var reader = ByteReader(value)
                guard let raw = try? reader.uint64() else { return false }
                return [0] + String(Int64(bitPattern: raw)).utf8 == bytes
            case Tag.number: return bytes.first == 1 && value.startsEqual(to: bytes, after: 1)
            default: return bytes.first == 2 && value.startsEqual(to: bytes, after: 1)
            }
        }
    }
}

/// The value of an attribute, in the type in which it was given.
package enum AttributeValue: Hashable, Sendable {
    case string(String)
    case data([UInt8])
    case number(Int64)
    /// Microseconds since 1970-01-01 00:00 UTC.
    case date(Int64)
}

/// What an attribute takes, and how it compares.
///
/// See specs/attributes.md.
package enum AttributeType: Sendable {
    /// A string, data or number; kept in its type, compared by its bytes.
    case blob
    /// Data; a string becomes its UTF-8.
    case data
    /// A number; a decimal string becomes one, another string stays a string.
    case number
    /// A string; UTF-8 data becomes one.
    case string
    case date
}

extension AttributeValue {
    /// As text: of a number, its decimal digits; nil for data that is no UTF-8, and for a date.
    var text: String? {
        switch self {
        case .string(let text): text
        case .data(let bytes): String(validating: bytes, as: UTF8.self)
        case .number(let number): String(number)
        case .date: nil
        }
    }

    /// What was given, as an attribute of this type holds it; nil when it can't be converted (errSecParam).
    package func converted(to type: AttributeType) -> AttributeValue? {
        switch (type, self) {
        case (.blob, .string), (.blob, .data), (.blob, .number): self
        case (.data, .data): self
        case (.data, .string(let text)): .data(Array(text.utf8))
        case (.number, .number): self
        case (.number, .string(let text)): Self.canonicalNumber(text).map { .number($0) } ?? self
        case (.string, .string): self
        case (.string, .data(let bytes)): String(validating: bytes, as: UTF8.self).map { .string($0) }
        case (.date, .date): self
        case (.blob, .date), (.data, .number), (.data, .date), (.number, .data), (.number, .date), (.string, .number),
            (.string, .date), (.date, .string), (.date, .data), (.date, .number):
            nil
        }
    }

    /// The bytes by which values compare: strings and data alike, numbers in a blob by their decimal digits.
    package func comparisonBytes(_ type: AttributeType) -> [UInt8] {
        switch self {
        case .string(let text): [0] + text.utf8
        case .data(let bytes): [0] + bytes
        case .number(let number): type == .blob ? [0] + String(number).utf8 : [1] + Self.bigEndian(number)
        case .date(let date): [2] + Self.bigEndian(date)
        }
    }

    private static func canonicalNumber(_ text: String) -> Int64? {
        guard let number = Int64(text), String(number) == text else { return nil }
        return number
    }

    private static func bigEndian(_ value: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> Int64(56 - 8 * $0)) }
    }
}

extension RawSpan {
    fileprivate func startsEqual(to bytes: [UInt8], after skipped: Int) -> Bool {
        guard byteCount == bytes.count - skipped else { return false }
        var reader = ByteReader(self)
        for index in skipped..<bytes.count where (try? reader.uint8()) != bytes[index] { return false }
        return true
    }
}
