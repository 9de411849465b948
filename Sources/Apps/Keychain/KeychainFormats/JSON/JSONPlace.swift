/// A value of a JSON file: what kind it is, and where it lies.
///
/// `Codecs` builds texts; this builds none, since most of them are secrets, which no `String` may hold.
struct JSONPlace: Sendable {
    enum Content: Sendable {
        case null
        case bool(Bool)
        case number
        case string
        case array([JSONPlace])
        case object([JSONMember])
    }

    let content: Content
    /// In the file; of a string without its quotation marks, with its escapes.
    let range: Range<Int>

    var members: [JSONMember]? { if case .object(let members) = content { members } else { nil } }
    var elements: [JSONPlace]? { if case .array(let elements) = content { elements } else { nil } }
    var bool: Bool? { if case .bool(let flag) = content { flag } else { nil } }
    var isString: Bool { if case .string = content { true } else { false } }
    var isNull: Bool { if case .null = content { true } else { false } }

    /// Whether it says nothing: null, no, an empty text, list or object.
    var isUnset: Bool {
        switch content {
        case .null: true
        case .bool(let flag): !flag
        case .number: false
        case .string: range.isEmpty
        case .array(let elements): elements.allSatisfy(\.isUnset)
        case .object(let members): members.allSatisfy(\.value.isUnset)
        }
    }
}

/// A name and its value.
struct JSONMember: Sendable {
    let name: String
    let value: JSONPlace
}
