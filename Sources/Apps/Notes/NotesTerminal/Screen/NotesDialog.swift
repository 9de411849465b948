import Localization
import NotesClient
import TerminalScreen

/// What stands in the last row, or over everything, until it is answered.
enum NotesDialog: Sendable {
    /// The help, over what else is asked; that is there again when it closes.
    indirect case help(TextView, over: NotesDialog?)
    case search(TypedLine)
    case secret(SecretPrompt)
    case question(Question)
    /// A passphrase is set, changed or reset; and the line of its hint.
    case form(PassphraseForm, TypedLine)
    /// Which of the two is meant, change or reset.
    case passphraseMenu
    case line(LinePrompt)
    case picker(NotePicker)
    case page(TextPage)

    enum Question: Equatable, Sendable {
        case discardEdit
        /// What the driver holds because it could not be handed in; then, perhaps, the end.
        case discardHeld(quits: Bool)
        case deleteForever(id: String)
        case removeLock(id: String)
        case emptyTrash(count: Int)
        case detach(note: String, attachment: String, name: String)
        /// There is a file of that name.
        case replace(FileWish)
        /// Another program gets to see a file of a locked note.
        case openLocked(FileWish)
        /// A link out of the notes.
        case openAddress(String)

        var words: String {
            switch self {
            case .discardEdit: localized("Discard what you wrote? y/n")
            case .discardHeld(quits: true): localized("What you wrote is not kept, and is lost if you quit. Quit? y/n")
            case .discardHeld(quits: false): localized("Discard what you wrote, which is not kept anywhere else? y/n")
            case .deleteForever: localized("Delete this note for good? It cannot be brought back. y/n")
            case .removeLock: localized("Remove the lock? The note can then be read without the passphrase. y/n")
            case .emptyTrash, .detach, .replace, .openLocked, .openAddress: ScreenWords.question(self)
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
        /// It stays, and the screen knows what the key does: completes a line, or something with what is chosen.
        case tab, key
        /// It closes with this line.
        case line(LinePrompt.Purpose, String)
        case passphrase(PassphraseForm.Kind)
        case hint(PassphraseForm.Kind, String)

        var keepsDialog: Bool {
            switch self {
            case .stays, .tab, .key: true
            default: false
            }
        }
    }

    /// Whether it shows what only a session lets be seen.
    var isAboutLockedNote: Bool {
        switch self {
        case .picker(let picker): picker.note.isLocked
        case .page(let page): page.note.isLocked
        case .line(let prompt): prompt.isAboutLockedNote
        case .question(.openLocked), .question(.detach), .question(.openAddress): true
        case .help(_, let covered): covered?.isAboutLockedNote == true
        default: false
        }
    }

    /// Whether the bytes that are typed belong to a passphrase.
    var wantsSecret: Bool {
        switch self {
        case .secret: true
        case .form(let form, _): form.wantsSecret
        default: false
        }
    }

    /// Whether `?` is a letter like others.
    var takesLetters: Bool {
        switch self {
        case .search, .line, .secret, .form: true
        default: false
        }
    }

    /// - Parameter view: the room for the help, or a text.
    mutating func resize(_ view: TextView) {
        switch self {
        case .help(_, var covered):
            covered?.resize(view)
            self = .help(view, over: covered)
        case .page(var page):
            page.resize(view)
            self = .page(page)
        default: break
        }
    }

    // MARK: Keys

    /// - Parameter height: rows of a list that are seen.
    mutating func press(_ key: Key, height: Int) -> Answer {
        switch self {
        case .help(let view, let covered): return press(key, inHelp: view, over: covered)
        case .search(let field): return press(key, inSearch: field)
        case .question(let question): return Self.answer(key, question)
        // The driver reads passphrases itself.
        case .secret: return .stays
        case .form(let form, let field): return press(key, inHint: field, form)
        case .passphraseMenu: return Self.answer(menu: key)
        case .line(let prompt): return press(key, in: prompt)
        case .picker(var picker):
            if picker.move(key, height: height) {
                self = .picker(picker)
                return .stays
            }
            return Self.closes(key) ? .closed : .key
        case .page(var page):
            if page.move(key) {
                self = .page(page)
                return .stays
            }
            return Self.closes(key) ? .closed : .key
        }
    }

    private static func closes(_ key: Key) -> Bool { key == .escape || key == .control("c") || key == .text("q") }

    private static func answer(menu key: Key) -> Answer {
        switch key {
        case .text("c"): .passphrase(.change)
        case .text("r"): .passphrase(.reset)
        case .escape, .control("c"), .text("q"): .closed
        default: .stays
        }
    }

    private mutating func press(_ key: Key, inHint field: TypedLine, _ form: PassphraseForm) -> Answer {
        // The driver reads what is secret.
        guard !form.wantsSecret else { return .stays }
        var field = field
        switch key {
        case .escape, .control("c"): return .closed
        case .enter: return .hint(form.kind, field.text)
        default: field.type(key)
        }
        self = .form(form, field)
        return .stays
    }

    private mutating func press(_ key: Key, in prompt: LinePrompt) -> Answer {
        var prompt = prompt
        switch key {
        case .escape, .control("c"): return .closed
        case .enter: return .line(prompt.purpose, prompt.text)
        case .tab: return .tab
        default: prompt.type(key)
        }
        self = .line(prompt)
        return .stays
    }

    private mutating func press(_ key: Key, inHelp view: TextView, over covered: NotesDialog?) -> Answer {
        var view = view
        let moves = view.move(key, in: Help.lines)
        guard moves || covered != nil else { return .closed }
        self = moves ? .help(view, over: covered) : covered ?? self
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
        case .search(let field): frame.put(localized("Search: "), field, columns: columns)
        case .secret(let prompt):
            // A wrong try and its hint stand above the prompt, else that a finger does.
            let words = message.isEmpty ? prompt.offer : message
            if !words.isEmpty { frame.put(words, .bold, rowsBelow: 1, columns: columns) }
            prompt.draw(on: &frame, length: length, columns: columns)
        case .question(let question): frame.put(question.words, .warning, columns: columns)
        case .help where columns < 40: frame.put(localized("j/k; others close"), .faint, columns: columns)
        case .help: frame.put(localized("j/k scroll  any other key closes"), .faint, columns: columns)
        case .form(let form, let field):
            if !message.isEmpty { frame.put(message, .bold, rowsBelow: 1, columns: columns) }
            if form.wantsSecret {
                SecretPrompt.draw(form.label, on: &frame, length: length, columns: columns)
            } else {
                frame.put(form.label, field, columns: columns)
            }
        case .passphraseMenu: frame.put(ScreenWords.passphraseMenu, .bold, columns: columns)
        case .line(let prompt): prompt.draw(on: &frame, message, columns: columns)
        case .picker(let picker):
            frame.put(message.isEmpty ? ScreenWords.keys(picker.rows) : message, .faint, columns: columns)
        case .page: frame.put(message.isEmpty ? ScreenWords.pageKeys : message, .faint, columns: columns)
        }
    }
}
