/// JSON (RFC 8259) as it was written: members in their order, numbers as text.
///
/// FoundationEssentials' decoder would make numbers of the numbers, and so not give back what it read; and it builds
/// the whole of a file in memory.
package indirect enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// In the grammar of RFC 8259, section 6.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// Nil for all but a string.
    package var string: String? { if case .string(let text) = self { text } else { nil } }
    /// Nil for all but `true` and `false`.
    package var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    /// Nil for all but an array.
    package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
    /// Nil for all but an object.
    package var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
    /// Nil for what is no finite number.
    package var double: Double? {
        guard case .number(let text) = self, let number = Double(text), number.isFinite else { return nil }
        return number
    }
    /// Nil for what is no whole number of 64 bits, written as one.
    package var integer: Int64? { if case .number(let text) = self { Int64(text) } else { nil } }

    /// A whole number.
    package static func integer(_ number: some BinaryInteger) -> JSONValue { .number(String(number)) }
}

/// Members of an object in their order.
package struct JSONObject: Equatable, Sendable {
    /// A name and what it stands for.
    package struct Member: Equatable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    package var members: [Member] = []

    package init(members: [Member] = []) { self.members = members }

    package var isEmpty: Bool { members.isEmpty }

    /// Of several of one name the last, as most programs read them; setting leaves one of them, at the first's place.
    package subscript(_ name: String) -> JSONValue? {
        get { members.last { $0.name == name }?.value }
        set {
            let first = members.firstIndex { $0.name == name }
            members.removeAll { $0.name == name }
            guard let newValue else { return }
            members.insert(Member(name: name, value: newValue), at: first ?? members.count)
        }
    }

    /// Takes a member out.
    package mutating func take(_ name: String) -> JSONValue? {
        defer { self[name] = nil }
        return self[name]
    }
}

extension JSONValue {
    /// Without spaces, escaped where RFC 8259 asks for it.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let flag): bytes += (flag ? "true" : "false").utf8
        case .number(let text): bytes += text.utf8
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += #"\""#.utf8
            case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
            case 10: bytes += #"\n"#.utf8
            case 13: bytes += #"\r"#.utf8
            case 9: bytes += #"\t"#.utf8
            case 0..<32: bytes += ("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
