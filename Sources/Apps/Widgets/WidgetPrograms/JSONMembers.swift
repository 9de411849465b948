import Codecs
import Localization

/// A value and where it stands in an answer.
struct JSONPlace {
    let value: JSONValue
    let path: String

    init(_ value: JSONValue, path: String = "$") {
        self.value = value
        self.path = path
    }

    func refusal(_ reason: String) -> ProgramRefusal { ProgramRefusal(path, reason) }

    func text() throws(ProgramRefusal) -> String {
        guard case .string(let text) = value else { throw refusal(localized("has to be a text")) }
        return text
    }

    func bool() throws(ProgramRefusal) -> Bool {
        guard case .bool(let bool) = value else { throw refusal(localized("has to be true or false")) }
        return bool
    }

    func number(_ range: ClosedRange<Int64>) throws(ProgramRefusal) -> Int64 {
        guard case .number(let text) = value, let whole = JSONNumber(text).whole, range.contains(whole) else {
            throw refusal(localized("has to be a whole number from \(range.lowerBound) to \(range.upperBound)"))
        }
        return whole
    }

    /// The index of a word in a list of them.
    func word(_ words: [String]) throws(ProgramRefusal) -> Int {
        guard case .string(let text) = value, let index = words.firstIndex(of: text) else {
            throw refusal(localized("has to be one of \(words.joined(separator: ", "))"))
        }
        return index
    }

    func list(_ counts: ClosedRange<Int>) throws(ProgramRefusal) -> [JSONPlace] {
        guard case .array(let elements) = value else { throw refusal(localized("has to be a list")) }
        guard counts.contains(elements.count) else {
            throw refusal(localized("has to have from \(counts.lowerBound) to \(counts.upperBound) elements"))
        }
        return elements.enumerated().map { JSONPlace($0.element, path: "\(path)[\($0.offset)]") }
    }

    /// A list of different words, as their indices.
    func words(_ words: [String]) throws(ProgramRefusal) -> [Int] {
        var indices: [Int] = []
        for place in try list(1...words.count) {
            let index = try place.word(words)
            guard !indices.contains(index) else { throw place.refusal(localized("stands there twice")) }
            indices.append(index)
        }
        return indices
    }
}

/// The members of an object that nobody has asked for yet.
///
/// What is left at the end is refused: a misspelt `private` must not go unnoticed.
struct JSONMembers {
    private var members: [String: JSONValue]
    let path: String

    init(_ place: JSONPlace, what: String = localized("an object")) throws(ProgramRefusal) {
        guard case .object(let object) = place.value else { throw place.refusal(localized("has to be \(what)")) }
        // None is there twice: that the reader refuses.
        members = Dictionary(object.members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        path = place.path
    }

    func has(_ name: String) -> Bool { members[name] != nil }

    mutating func take(_ name: String) -> JSONPlace? {
        members.removeValue(forKey: name).map { JSONPlace($0, path: "\(path).\(name)") }
    }

    mutating func need(_ name: String) throws(ProgramRefusal) -> JSONPlace {
        guard let place = take(name) else { throw ProgramRefusal(path, localized("“\(name)” is missing")) }
        return place
    }

    /// The names that are left.
    var names: [String] { members.keys.sorted() }

    func end() throws(ProgramRefusal) {
        guard let name = names.first else { return }
        throw ProgramRefusal(path, localized("a member \(ProgramText.quoted(name)) is not known here"))
    }
}
