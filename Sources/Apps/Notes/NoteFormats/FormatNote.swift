import Localization

/// A note as another program's file has it, as Markdown.
package struct FormatNote: Sendable, Equatable {
    /// Names the note for good: the same at every import, and of no other note.
    package var source: String
    package var title: String
    /// Attachment number i stands in a paragraph of its own as `![name](attachment:i)`, or nowhere.
    package var markdown = ""
    /// A path such as `Work/Plans`; empty for none.
    package var folder = ""
    package var tags: [String] = []
    /// Microseconds since 1970, UTC.
    package var created: Int64?
    /// Microseconds since 1970, UTC.
    package var modified: Int64?
    package var isPinned = false
    package var isDeleted = false
    /// Whether it was locked when we exported it.
    package var isLocked = false
    /// Of the note that we exported; nil in a file of somebody else.
    package var id: String?
    package var attachments: [FormatAttachment] = []
    /// What could not be carried over, one sentence each.
    package var problems: [String] = []

    package init(source: String, title: String) {
        self.source = source
        self.title = title
    }

    static let longestTag = 256
    private static let mostProblems = 20

    /// What a note of another program has, and one of ours has no place for.
    static var lostAddress: String { localized("The web address that it came from was not carried over.") }
    static var lostReminder: String { localized("Its reminder was not carried over.") }

    mutating func report(_ problem: String) {
        if problems.count < Self.mostProblems, !problems.contains(problem) { problems.append(problem) }
    }

    /// Adds a tag, unless it is there or is none.
    mutating func add(tag text: String) {
        let tag = FormatText.trimmed(text.hasPrefix("#") ? String(text.dropFirst()) : text)
        guard !tag.isEmpty, !tags.contains(tag) else { return }
        guard tag.utf8.count <= Self.longestTag else {
            return report(localized("One of its tags is longer than \(Self.longestTag) bytes, and was left out."))
        }
        tags.append(tag)
    }
}

/// A file that belongs to a note.
package struct FormatAttachment: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        case bytes([UInt8])
        /// A file, by its path.
        case file(String)
    }

    package var name: String
    /// Empty where it is not known.
    package var mediaType: String
    package var content: Content
}

/// Small things about texts.
enum FormatText {
    static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }

    /// The first line that holds anything.
    static func firstLine(_ text: String) -> String? {
        text.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) }.map(String.init)
    }

    /// What the name of an attachment has at most, in bytes of UTF-8.
    private static let longestName = 255
    private static let longestEnding = 32

    /// A name without the end of its stem.
    private static func shortened(_ name: String) -> String {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let ending = name[dot...].utf8.count <= longestEnding ? String(name[dot...]) : ""
        var stem = name.dropLast(ending.count)
        while stem.utf8.count + ending.utf8.count > longestName { stem.removeLast() }
        return stem + ending
    }

    /// A name that an attachment may have here.
    static func fileName(_ text: String, fallback: String) -> String {
        let parts = text.split { $0 == "/" || $0 == "\\" }
        let name = (parts.last ?? "").unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        var result = trimmed(String(String.UnicodeScalarView(name)))
        if result.utf8.count > longestName { result = shortened(result) }
        return result.isEmpty || result == "." || result == ".." ? fallback : result
    }
}

/// A title that other programs keep apart from the text, and we have as the text's first line.
enum TitledText {
    /// The text below its title, where it can be put together again.
    static func body(of markdown: String, _ title: String) -> String {
        let heading = "# \(MarkdownEscapes.heading(title))\n"
        guard !title.isEmpty, markdown.hasPrefix(heading) else { return markdown }
        let body = String(markdown.dropFirst(heading.count).drop { $0 == "\n" })
        return whole(title, body) == markdown ? body : markdown
    }

    /// The text with its title above it, unless it begins with it.
    static func whole(_ title: String, _ body: String) -> String {
        guard !title.isEmpty else { return body }
        let letters = { (line: String) in line.filter { $0.isLetter || $0.isNumber }.lowercased() }
        if let first = FormatText.firstLine(body), letters(String(first.prefix(1000))) == letters(title) { return body }
        let heading = "# \(MarkdownEscapes.heading(title))\n"
        return body.isEmpty ? heading : heading + "\n" + body
    }
}
