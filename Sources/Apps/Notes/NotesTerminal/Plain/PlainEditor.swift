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
}

extension PlainConversation {
    mutating func write(_ line: String, in editor: PlainEditor) -> [Effect] {
        var editor = editor
        if line == "." { return save(editor) }
        if line == ".cancel" { return cancel(editor) }
        var words: [Effect] = []
        if PlainEditor.isText(line) {
            editor.append(line)
        } else {
            let parts = line.split(separator: " ", maxSplits: 1).map { String($0) }
            let answer = editor.obey(parts[0], parts.count > 1 ? parts[1] : "")
            words = [.say(answer ?? localized("Not understood. Type .help."))]
        }
        expectation = .text(editor)
        return words + handIn(editor)
    }

    private mutating func cancel(_ editor: PlainEditor) -> [Effect] {
        expectation = .command
        guard let id = editor.id else { return [.say(localized("Nothing was saved."))] }
        // What was made for this text alone goes to the trash with it.
        let request: NotesRequest = editor.isMade ? .delete(id: id, forever: false) : .discardDraft(id: id)
        return [.ask(Ask(request)), .say(localized("Nothing was saved."))]
    }

    /// Each line is kept as a draft; a note that is new is made with its first line.
    func handIn(_ editor: PlainEditor) -> [Effect] { editor.isKept ? [] : [.ask(draft(of: editor))] }

    private func draft(of editor: PlainEditor) -> Ask {
        if let id = editor.id { return Ask(.keepDraft(id: id, base: editor.base), body: editor.bytes) }
        return Ask(.create(NewNote(folder: folder)), body: editor.bytes)
    }

    private var folder: String? { if case .folder(let path) = place { path } else { nil } }

    private mutating func save(_ editor: PlainEditor) -> [Effect] {
        expectation = .command
        if let id = editor.id { return [.ask(Ask(.edit(id: id, base: editor.base), body: editor.bytes))] }
        if editor.lines.isEmpty { return [.say(localized("There was nothing to save."))] }
        return [.ask(Ask(.create(NewNote(folder: folder)), body: editor.bytes))]
    }

    // MARK: Last words

    /// A draft that was taken may be gone with what somebody else has changed, and is handed in once more at the end.
    mutating func noteChanged(_ id: String) {
        guard case .text(var editor) = expectation, editor.id == id, editor.hasWords else { return }
        editor.isKept = false
        expectation = .text(editor)
    }

    /// The text that is being written, where there is one.
    var editor: PlainEditor? { if case .text(let editor) = expectation { editor } else { nil } }

    /// Whether a text that is being written goes with this event.
    func covers(_ event: NotesEvent) -> Bool {
        guard let editor else { return false }
        switch event {
        case .deviceLocked, .deviceLocking: return true
        case .handInDrafts: return editor.isLocked
        case .sessionChanged(let session): return editor.isLocked && !session.isOpen
        case .deviceUnlocked, .noteChanged: return false
        }
    }

    /// Lines that were typed before the text went, one of them perhaps not to its end.
    mutating func take(late lines: [String]) -> [Effect] {
        guard var editor else { return [] }
        for line in lines { editor.append(line) }
        expectation = .text(editor)
        return []
    }

    /// What is written here and tresor-notes has not said to have; and what is said of it.
    mutating func lastWords() -> [Effect] {
        guard let editor else { return [] }
        let words = Effect.say(localized("What you wrote is kept as a sealed draft."))
        guard !editor.isKept else { return editor.hasWords ? [words] : [] }
        var ask = draft(of: editor)
        ask.isLastWords = true
        return [.ask(ask)]
    }

    mutating func hold(_ error: NotesError) -> [Effect] {
        guard !isHolding else { return [] }
        isHolding = true
        return [
            .say(
                localized(
                    """
                    What you wrote is NOT kept: \(error.reason). It waits in this program alone, and is handed in when \
                    that can be done. Type discard to forget it.
                    """))
        ]
    }
}
