/// A place in a note's text that leads somewhere: to another note, or out of the notes.
struct NoteLink: Equatable, Sendable {
    /// What is read there.
    let words: String
    /// As it stands in the source.
    let target: String

    /// The title or the id of another note; nil for an address.
    ///
    /// `[[Title]]` and `[[Title|words]]`, as other programs write it, `note:ID`, and a Markdown file beside.
    var note: String? {
        if target.hasPrefix("note:") { return String(target.dropFirst(5)) }
        guard !target.isEmpty, !target.hasPrefix("#"), !target.hasPrefix("attachment:"), !isAddress else { return nil }
        return target.hasSuffix(".md") ? String(target.dropLast(3)) : target
    }

    private var isAddress: Bool {
        guard let colon = target.firstIndex(of: ":") else { return target.hasPrefix("www.") }
        return target[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }
}
