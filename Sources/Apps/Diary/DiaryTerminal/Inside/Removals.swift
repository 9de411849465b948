/// What was deleted here: the entry that can be taken back, and drafts that go without a word.
struct Removals: Sendable {
    /// What `z` takes out of the trash again.
    private(set) var last: String?
    /// Drafts that are removed because what they kept is saved, or not wanted.
    private var drafts: Set<String> = []

    /// A draft that nobody needs any more is on its way out.
    mutating func drop(draft id: String) { drafts.insert(id) }

    /// The draft stays: it is somebody else's by now.
    mutating func keep(draft id: String) { drafts.remove(id) }

    /// Something is deleted.
    ///
    /// - Parameter forever: whether out of the trash, too.
    /// - Returns: whether that is told; of a dropped draft it is not.
    mutating func deleted(_ id: String, forever: Bool) -> Bool {
        if drafts.contains(id) {
            if forever { drafts.remove(id) }
            return false
        }
        last = forever ? last == id ? nil : last : id
        return true
    }

    /// What was deleted last is back.
    mutating func restored() { last = nil }
}
