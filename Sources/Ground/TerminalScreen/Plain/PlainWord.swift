/// A word that a dialogue in plain lines obeys.
///
/// Those in ``shared`` mean the same in every dialogue. One may have more of its own.
package struct PlainWord: Equatable, Sendable {
    /// What may follow it.
    package enum Object: Equatable, Sendable {
        case nothing
        /// A number of the list, or a name in it; without one, what is open now.
        case choice
        /// Words, as they were typed.
        case text
    }

    /// How it is typed, and how it is suggested.
    package let name: String
    /// Other spellings, which no help names: those of former versions, and short ones.
    package let others: [String]
    /// What may follow it.
    package let object: Object

    /// - Parameter others: spellings that mean the same.
    package init(_ name: String, _ object: Object = .nothing, others: [String] = []) {
        self.name = name
        self.object = object
        self.others = others
    }

    package static let help = PlainWord("help", others: ["?"])
    package static let list = PlainWord("list", .text)
    package static let more = PlainWord("more", others: ["+"])
    package static let open = PlainWord("open", .choice, others: ["read"])
    package static let find = PlainWord("find", .text, others: ["search", "/"])
    package static let back = PlainWord("back")
    package static let new = PlainWord("new", .text)
    package static let edit = PlainWord("edit", .choice)
    package static let delete = PlainWord("delete", .choice)
    package static let undo = PlainWord("undo")
    package static let copy = PlainWord("copy", .choice)
    package static let lock = PlainWord("lock", .choice)
    package static let unlock = PlainWord("unlock", .choice)
    package static let quit = PlainWord("quit", others: ["q", "exit"])

    /// The words that every dialogue knows.
    package static let shared = [
        help, list, more, open, find, back, new, edit, delete, undo, copy, lock, unlock, quit,
    ]

    /// Whether this is how it is typed, capitals aside.
    func isSpelled(_ word: String) -> Bool { word == name || others.contains(word) }
}
