import Localization
import NotesClient
import TerminalScreen

/// A note that is written line by line: a line is added, a line that begins with a period is a command.
struct PlainEditor: Sendable {
    /// Nil for a note that is new.
    var id: String?
    var base: UInt64 = 0
    var isLocked = false
    var lines: [String] = []
    /// Whether it was made here, with its first line.
    var isMade = false
    /// Whether tresor-notes has said that it has all of this.
    var isKept = true
    /// Whether anything was typed here, kept or not.
    private(set) var hasWords = false
    private var lineEnds = LineEnds()

    init(id: String? = nil) { self.id = id }

    init(_ note: NoteSummary, _ text: String) {
        (id, base, isLocked) = (note.id, note.revision, note.isLocked)
        take(text)
    }

    /// What could not be saved.
    init(unsaved ask: Ask) {
        if case .edit(let id, let base, _) = ask.request { (self.id, self.base) = (id, base) }
        take(String(decoding: ask.body, as: UTF8.self))
        (isKept, hasWords) = (false, true)
    }

    /// Whether a line that is typed is text, and no command.
    static func isText(_ line: String) -> Bool { !line.hasPrefix(".") || line.hasPrefix("..") }

    mutating func append(_ line: String) {
        lines.append(line.hasPrefix("..") ? String(line.dropFirst()) : line)
        (isKept, hasWords) = (false, true)
    }

    private mutating func take(_ text: String) {
        lines = TextBuffer(text).lines.map { String($0) }
        lineEnds = LineEnds(text)
    }

    var bytes: [UInt8] { lineEnds.restored(lines.joined(separator: "\n")) }

    var listing: String {
        lines.enumerated().map { "\($0.offset + 1): \($0.element)" }.joined(separator: "\n")
    }

    static var help: String {
        localized(
            """
            A line of text is added at the end. A line with only a period saves.
            - [ ] milk is a box to tick, - milk an item of a list, # Food a heading.
            .list reads the lines with their numbers
            .change 2 and words: the second line becomes those words
            .insert 2 and words: a new line before the second
            .delete 2 deletes the second line
            .cancel forgets what you wrote
            A line that shall begin with a period begins with two.
            """)
    }

    /// What is to be said, or nil when the line was no command that this knows.
    mutating func obey(_ command: String, _ rest: String) -> String? {
        switch command {
        case ".help": return Self.help
        case ".list": return lines.isEmpty ? localized("Empty.") : listing
        case ".change", ".insert", ".delete": break
        default: return nil
        }
        let words = rest.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        guard let number = words.first.flatMap({ Int($0) }), number > 0, number <= lines.count else {
            return localized("Say which line by its number; .list reads them.")
        }
        let text = words.count > 1 ? words[1] : ""
        switch command {
        case ".change": lines[number - 1] = text
        case ".insert": lines.insert(text, at: number - 1)
        default: lines.remove(at: number - 1)
        }
        (isKept, hasWords) = (false, true)
        return localized("Done.")
    }

    // MARK: A line

    /// What a line does.
    enum Step: Sendable {
        case saves, cancels
        /// Nil where nothing is to be said.
        case goesOn(String?)
    }

    mutating func hear(_ line: String) -> Step {
        if line == "." { return .saves }
        if line == ".cancel" { return .cancels }
        guard !Self.isText(line) else {
            append(line)
            return .goesOn(nil)
        }
        let parts = line.split(separator: " ", maxSplits: 1).map { String($0) }
        return .goesOn(obey(parts[0], parts.count > 1 ? parts[1] : "") ?? localized("Not understood. Type .help."))
    }

    // MARK: What is handed in

    /// As a draft; a note that is new is made.
    func draft(in folder: String?) -> Ask {
        if let id { return Ask(.keepDraft(id: id, base: base), body: bytes) }
        return Ask(.create(NewNote(folder: folder)), body: bytes)
    }

    /// As the note's text; nil for nothing.
    func saving(in folder: String?) -> Ask? {
        if let id { return Ask(.edit(id: id, base: base), body: bytes) }
        return lines.isEmpty ? nil : Ask(.create(NewNote(folder: folder)), body: bytes)
    }

    /// Forgets what was written: the draft, or what was made for this text alone, which goes to the trash.
    var cancelling: NotesRequest? {
        id.map { isMade ? .delete(id: $0, forever: false) : .discardDraft(id: $0) }
    }

    /// tresor-notes has made a note of what is new.
    mutating func made(_ note: NoteSummary) { (id, base, isMade, isKept) = (note.id, note.revision, true, true) }

    /// A draft that was taken may be gone with what somebody else has changed, and is handed in once more at the end.
    mutating func noteChanged(_ id: String) { if self.id == id, hasWords { isKept = false } }

    /// Whether it goes with this event.
    func isCovered(by event: NotesEvent) -> Bool {
        switch event {
        case .deviceLocked, .deviceLocking: true
        case .handInDrafts: isLocked
        case .sessionChanged(let session): isLocked && !session.isOpen
        case .deviceUnlocked, .noteChanged: false
        }
    }
}
