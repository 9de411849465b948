/// As much of CBOR (RFC 8949) as CTAP2 needs, in its canonical form: lengths in their shortest form, nothing
/// indefinite.
indirect enum CBOR: Hashable {
    case number(Int64)
    case bytes([UInt8])
    case text(String)
    case array([CBOR])
    /// In the order in which it's written: the caller's business.
    case map([Entry])
    case flag(Bool)

    struct Entry: Hashable {
        let key: CBOR
        let value: CBOR
    }

    struct Malformed: Error {}

    static func fields(_ fields: KeyValuePairs<Int64, CBOR>) -> CBOR {
        .map(fields.map { Entry(key: .number($0.key), value: $0.value) })
    }

    static func named(_ fields: KeyValuePairs<String, CBOR>) -> CBOR {
        .map(fields.map { Entry(key: .text($0.key), value: $0.value) })
    }

    subscript(_ key: Int64) -> CBOR? { self[.number(key)] }
    subscript(_ key: String) -> CBOR? { self[.text(key)] }

    private subscript(_ key: CBOR) -> CBOR? {
        guard case .map(let entries) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }

    var number: Int64? { if case .number(let number) = self { number } else { nil } }
    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var array: [CBOR]? { if case .array(let array) = self { array } else { nil } }
    var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }

    var encoded: [UInt8] {
        switch self {
        case .number(let number) where number < 0: Self.head(1, UInt64(-1 - number))
        case .number(let number): Self.head(0, UInt64(number))
        case .bytes(let bytes): Self.head(2, UInt64(bytes.count)) + bytes
        case .text(let text): Self.head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let array): Self.head(4, UInt64(array.count)) + array.flatMap(\.encoded)
        case .map(let map): Self.head(5, UInt64(map.count)) + map.flatMap { $0.key.encoded + $0.value.encoded }
        case .flag(let flag): [flag ? 0xf5 : 0xf4]
        }
    }

    private static func head(_ major: UInt8, _ value: UInt64) -> [UInt8] {
        let lengths: [(limit: UInt64, bytes: Int, code: UInt8)] = [(1 << 8, 1, 24), (1 << 16, 2, 25), (1 << 32, 4, 26)]
        if value < 24 { return [major << 5 | UInt8(value)] }
        let form = lengths.first { value < $0.limit } ?? (limit: 0, bytes: 8, code: 27)
        return [major << 5 | form.code]
            + (0..<form.bytes).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }

    /// Reads exactly one value.
    init(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        self = try Self.read(&rest, depth: 0)
        guard rest.isEmpty, encoded == bytes else { throw Malformed() }
    }

    private static func read(_ rest: inout ArraySlice<UInt8>, depth: Int) throws -> CBOR {
        guard depth < 5, let first = rest.popFirst() else { throw Malformed() }
        if first == 0xf4 || first == 0xf5 { return .flag(first == 0xf5) }
        var value = UInt64(first & 31)
        if value >= 24 {
            guard value <= 27 else { throw Malformed() }
            value = try take(1 << (value - 24), &rest).reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard let count = Int(exactly: value) else { throw Malformed() }
        switch first >> 5 {
        case 0: return .number(Int64(count))
        case 1: return .number(-1 - Int64(count))
        case 2: return .bytes(Array(try take(count, &rest)))
        case 3: return .text(String(decoding: try take(count, &rest), as: UTF8.self))
        case 4 where count < 64: return .array(try (0..<count).map { _ in try read(&rest, depth: depth + 1) })
        case 5 where count < 64:
            return .map(
                try (0..<count).map { _ in
                    Entry(key: try read(&rest, depth: depth + 1), value: try read(&rest, depth: depth + 1))
                })
        default: throw Malformed()
        }
    }

    private static func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
        guard rest.count >= count else { throw Malformed() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
