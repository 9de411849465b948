import NotesClient
import TerminalScreen

/// What stands in the last row, or over everything, until it is answered.
enum NotesDialog: Sendable {
    case help(TextView)
    case search(TypedLine)
    case secret(SecretPrompt)
    case question(Question)

    enum Question: Equatable, Sendable {
        case discardEdit
        /// What the driver holds because it could not be handed in; then, perhaps, the end.
        case discardHeld(quits: Bool)
        case deleteForever(id: String)
        case removeLock(id: String)

        var words: String {
            switch self {
            case .discardEdit: "Discard what you wrote? y/n"
            case .discardHeld(quits: true): "What you wrote is not kept, and is lost if you quit. Quit? y/n"
            case .discardHeld(quits: false): "Discard what you wrote, which is not kept anywhere else? y/n"
            case .deleteForever: "Delete this note for good? It cannot be brought back. y/n"
            case .removeLock: "Remove the lock? The note can then be read without the passphrase. y/n"
            }
        }
    }

    /// What a key does to it.
    enum Answer: Equatable, Sendable {
        case stays
        case closed
        /// It closes, and this is looked for.
        case search(String)
        /// It closes with a yes.
        case yes(Question)
    }

    /// Whether the bytes that are typed belong to a passphrase.
    var wantsSecret: Bool { if case .secret = self { true } else { false } }

    /// - Parameter view: the room for the help.
    mutating func resize(_ view: TextView) { if case .help = self { self = .help(view) } }

    // MARK: Keys

    mutating func press(_ key: Key) -> Answer {
        switch self {
        case .help(let view): return press(key, inHelp: view)
        case .search(let field): return press(key, inSearch: field)
        case .question(let question): return Self.answer(key, question)
        // The driver reads passphrases itself.
        case .secret: return .stays
        }
    }

    private mutating func press(_ key: Key, inHelp view: TextView) -> Answer {
        var view = view
        switch key {
        case .text("j"), .down: view.scroll(by: 1, in: Help.lines)
        case .text("k"), .up: view.scroll(by: -1, in: Help.lines)
        case .pageDown, .text(" "): view.scroll(by: view.height - 1, in: Help.lines)
        case .pageUp: view.scroll(by: 1 - view.height, in: Help.lines)
        default: return .closed
        }
        self = .help(view)
        return .stays
    }

    private mutating func press(_ key: Key, inSearch field: TypedLine) -> Answer {
        var field = field
        switch key {
        case .escape, .control("c"): return .closed
        case .enter: return .search(field.text)
        default: field.type(key)
        }
        self = .search(field)
        return .stays
    }

    private static func answer(_ key: Key, _ question: Question) -> Answer {
        switch key {
        case .text("y"), .text("Y"): .yes(question)
        case .text("n"), .text("N"), .escape, .control("c"): .closed
        default: .stays
        }
    }

    // MARK: Drawing

    /// - Parameters:
    ///   - message: what there is to be told besides.
    ///   - length: of the secret that is typed.
    func draw(on frame: inout Frame, _ message: String, length: Int, _ layout: ScreenLayout) {
        let columns = layout.columns
        switch self {
        case .search(let field): frame.put("Search: ", field, columns: columns)
        case .secret(let prompt):
            // A wrong try and its hint stand above the prompt.
            if !message.isEmpty { frame.put(message, .bold, rowsBelow: 1, columns: columns) }
            prompt.draw(on: &frame, length: length, columns: columns)
        case .question(let question): frame.put(question.words, .warning, columns: columns)
        case .help: frame.put("j/k scroll  any other key closes", .faint, columns: columns)
        }
    }
}
