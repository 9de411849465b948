import NotesClient
import TerminalScreen

/// A note that is written line by line: a line is added, a line that begins with a period is a command.
struct PlainEditor: Sendable {
    /// Nil for a note that is new.
    var id: String?
    var base: UInt64 = 0
    var isLocked = false
    var lines: [String] = []

    init(id: String? = nil) { self.id = id }

    init(_ note: NoteSummary, _ text: String) {
        (id, base, isLocked) = (note.id, note.revision, note.isLocked)
        lines = TextBuffer(text).lines.map { String($0) }
    }

    /// What could not be saved.
    init(unsaved ask: Ask) {
        if case .edit(let id, let base) = ask.request { (self.id, self.base) = (id, base) }
        lines = TextBuffer(String(decoding: ask.body, as: UTF8.self)).lines.map { String($0) }
    }

    var bytes: [UInt8] { Array(lines.joined(separator: "\n").utf8) }

    var listing: String {
        lines.enumerated().map { "\($0.offset + 1): \($0.element)" }.joined(separator: "\n")
    }

    static let help = """
        A line of text is added at the end. A line with only a period saves.
        .list reads the lines with their numbers
        .change 2 and words: the second line becomes those words
        .insert 2 and words: a new line before the second
        .delete 2 deletes the second line
        .cancel forgets what you wrote
        A line that shall begin with a period begins with two.
        """

    /// What is to be said, or nil when the line was no command that this knows.
    mutating func obey(_ command: String, _ rest: String) -> String? {
        switch command {
        case ".help": return Self.help
        case ".list": return lines.isEmpty ? "Empty." : listing
        case ".change", ".insert", ".delete": break
        default: return nil
        }
        let words = rest.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        guard let number = words.first.flatMap({ Int($0) }), number > 0, number <= lines.count else {
            return "Say which line by its number; .list reads them."
        }
        let text = words.count > 1 ? words[1] : ""
        switch command {
        case ".change": lines[number - 1] = text
        case ".insert": lines.insert(text, at: number - 1)
        default: lines.remove(at: number - 1)
        }
        return "Done."
    }
}

extension PlainConversation {
    mutating func write(_ line: String, in editor: PlainEditor) -> [Effect] {
        var editor = editor
        if line == "." { return save(editor) }
        if line == ".cancel" {
            expectation = .command
            let draft = editor.id.map { [Effect.ask(Ask(.discardDraft(id: $0)))] } ?? []
            return draft + [.say("Nothing was saved.")]
        }
        var words: [Effect] = []
        if line.hasPrefix(".") && !line.hasPrefix("..") {
            let parts = line.split(separator: " ", maxSplits: 1).map { String($0) }
            let answer = editor.obey(parts[0], parts.count > 1 ? parts[1] : "")
            words = [.say(answer ?? "Not understood. Type .help.")]
        } else {
            editor.lines.append(line.hasPrefix("..") ? String(line.dropFirst()) : line)
        }
        expectation = .text(editor)
        return words + handIn(editor)
    }

    /// Each line is kept as a draft; a new note has none before it is made.
    func handIn(_ editor: PlainEditor) -> [Effect] {
        editor.id.map { [.ask(Ask(.keepDraft(id: $0, base: editor.base), body: editor.bytes))] } ?? []
    }

    private mutating func save(_ editor: PlainEditor) -> [Effect] {
        expectation = .command
        if let id = editor.id { return [.ask(Ask(.edit(id: id, base: editor.base), body: editor.bytes))] }
        if editor.lines.isEmpty { return [.say("There was nothing to save.")] }
        let folder: String? = if case .folder(let path) = place { path } else { nil }
        return [.ask(Ask(.create(NewNote(folder: folder)), body: editor.bytes))]
    }
}
