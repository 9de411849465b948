import NotesClient
import TerminalScreen

/// A line that is typed, for this: a path, tags, a folder.
struct LinePrompt: Sendable {
    enum Purpose: Equatable, Sendable {
        case attach(note: String)
        case save(FileWish)
        case tags(note: String, before: [String])
        case move(note: String)
    }

    let purpose: Purpose
    private(set) var field: TypedLine
    /// What Tab has found where there are several ways on.
    private var choices: [String] = []

    init(_ purpose: Purpose, _ text: String) {
        self.purpose = purpose
        field = TypedLine(text)
    }

    var text: String { field.text }

    mutating func type(_ key: Key) {
        choices = []
        field.type(key)
    }

    /// Takes what Tab has found for a text, unless that is another by now.
    mutating func complete(_ typed: String, _ completion: TypedPath.Completion) {
        guard typed == field.text else { return }
        if completion.path != typed { field = TypedLine(completion.path) }
        choices = completion.choices
    }

    /// Whether words of a locked note may stand in it.
    var isAboutLockedNote: Bool {
        switch purpose {
        case .save(let wish): wish.isLocked
        case .tags(_, let before): !before.isEmpty
        case .attach, .move: false
        }
    }

    /// Whether Tab looks into the folders of this computer.
    var isPath: Bool {
        switch purpose {
        case .attach, .save: true
        case .tags, .move: false
        }
    }

    /// What follows when it was typed to its end, and what is told meanwhile.
    var entered: (words: String?, effects: [Effect]) {
        switch purpose {
        case .attach(let note):
            return text.isEmpty ? (nil, []) : (ScreenWords.attaching, [.show, .attach(note: note, path: text)])
        case .save(var wish):
            wish.path = text
            return text.isEmpty ? (nil, []) : (ScreenWords.saving, [.show, .save(wish)])
        case .tags(let note, let before):
            let tags = ScreenWords.tags(in: text)
            let (add, remove) = (tags.filter { !before.contains($0) }, before.filter { !tags.contains($0) })
            let isSame = add.isEmpty && remove.isEmpty
            return (nil, isSame ? [] : [.ask(Ask(.tag(id: note, add: add, remove: remove)))])
        case .move(let note): return (nil, [.ask(Ask(.move(id: note, folder: text)))])
        }
    }

    func draw(on frame: inout Frame, _ message: String, columns: Int) {
        let above = choices.isEmpty ? message : choices.joined(separator: "  ")
        if !above.isEmpty { frame.put(above, choices.isEmpty ? .bold : .plain, rowsBelow: 1, columns: columns) }
        // However long the label is, half of the row stays for what is typed.
        let label = ScreenWords.label(purpose)
        frame.put(CellWidth.of(label) > columns / 2 ? "> " : label, field, columns: columns)
    }
}

/// A file that somebody wants to have: an attachment, or the text of a note.
struct FileWish: Equatable, Sendable {
    let note: String
    /// Nil for the note's text.
    var attachment: String?
    /// Made fit for a folder.
    let name: String
    let isLocked: Bool
    var path = ""
    /// Whether another file of that name goes for it.
    var replaces = false

    /// The same, over another file of that name.
    var replacing: FileWish {
        var wish = self
        wish.replaces = true
        return wish
    }

    /// What brings it.
    var request: NotesRequest {
        attachment.map { .attachment(id: note, attachment: $0, isThumbnail: false) } ?? .show(id: note)
    }
}
