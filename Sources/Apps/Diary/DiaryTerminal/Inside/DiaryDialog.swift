import DiaryClient
import DiaryViews
import TerminalScreen

/// What stands in the last row, or over everything, until it is answered.
enum DiaryDialog: Sendable {
    /// The help, over what else is asked; that is there again when it closes.
    indirect case help(TextView, over: DiaryDialog?)
    case search(TypedLine)
    case deletion(id: String)
    /// Out of the trash, for good.
    case removal(id: String)
    case discarding
    case saving(FileSaving)

    /// Whether a key answers it, and what follows.
    typealias Step = (isOver: Bool, wishes: [PageWish])

    /// The help from its first line, over what else is asked.
    static func firstHelp(_ size: ScreenSize, over covered: DiaryDialog? = nil) -> DiaryDialog {
        .help(TextView(width: size.columns, height: size.bodyHeight), over: covered)
    }

    /// Whether `?` is a letter like others.
    var takesLetters: Bool {
        switch self {
        case .search, .saving: true
        case .help, .deletion, .removal, .discarding: false
        }
    }

    /// Whether it is a question that waits for yes or no.
    var isQuestion: Bool {
        switch self {
        case .deletion, .removal, .discarding: true
        case .help, .search, .saving: false
        }
    }

    var isHelp: Bool { if case .help = self { true } else { false } }

    mutating func resize(_ size: ScreenSize) {
        if case .help(_, let covered) = self { self = .firstHelp(size, over: covered) }
    }

    /// Takes what Tab makes of a path.
    ///
    /// - Returns: false where no such path stands here.
    mutating func complete(_ completion: TypedPath.Completion, of typed: String) -> Bool {
        guard case .saving(var saving) = self, saving.path.text == typed else { return false }
        saving.path = TypedLine(completion.path)
        self = .saving(saving)
        return true
    }

    // MARK: Keys

    mutating func press(_ key: Key, _ language: DiaryLanguage) -> Step {
        switch self {
        case .help(let view, let covered): return press(key, inHelp: view, over: covered, language)
        case .search(let field): return press(key, inSearch: field)
        case .deletion(let id): return answer(key, language, [.ask(.delete(id: id, forever: false))])
        case .removal(let id): return answer(key, language, [.ask(.delete(id: id, forever: true))])
        case .discarding: return answer(key, language, [.leaveEditor])
        case .saving(let saving): return press(key, in: saving, language)
        }
    }

    /// - Parameter wishes: what follows a yes.
    private func answer(_ key: Key, _ language: DiaryLanguage, _ wishes: [PageWish]) -> Step {
        switch key {
        case .text(let text) where text.lowercased() == ScreenPhrase.yesKey.text(in: language): return (true, wishes)
        case .text("n"), .text("N"), .escape, .control("c"): return (true, [])
        default: return (false, [])
        }
    }

    private mutating func press(
        _ key: Key, inHelp view: TextView, over covered: DiaryDialog?, _ language: DiaryLanguage
    ) -> Step {
        var view = view
        let lines = Help.lines(language)
        switch key {
        case .text("j"), .down: view.scroll(by: 1, in: lines)
        case .text("k"), .up: view.scroll(by: -1, in: lines)
        case .pageDown, .text(" "): view.scroll(by: view.height - 1, in: lines)
        case .pageUp: view.scroll(by: 1 - view.height, in: lines)
        default:
            if let covered { self = covered }
            return (covered == nil, [.want(.clear)])
        }
        self = .help(view, over: covered)
        return (false, [])
    }

    private mutating func press(_ key: Key, inSearch field: TypedLine) -> Step {
        var field = field
        switch key {
        case .escape, .control("c"): return (true, [])
        case .enter: return (true, field.text.trimmed.isEmpty ? [] : [.onlyList(.search(field.text))])
        default: field.type(key)
        }
        self = .search(field)
        return (false, [])
    }

    private mutating func press(
        _ key: Key, in saving: FileSaving, _ language: DiaryLanguage
    ) -> Step {
        var saving = saving
        switch key {
        case .escape, .control("c"): return (true, [])
        case .tab: return (false, saving.path.isEmpty ? [] : [.want(.completePath(saving.path.text))])
        case .enter:
            guard let wishes = saving.wishes(language) else { return (false, []) }
            return (true, wishes)
        default: saving.path.type(key)
        }
        self = .saving(saving)
        return (false, [])
    }

    // MARK: Drawing

    /// What lies over the page; nil where only the last row is taken.
    func body(_ language: DiaryLanguage) -> [StyledLine]? {
        guard case .help(let view, _) = self else { return nil }
        let lines = Help.lines(language)
        return view.rows(of: lines).map { view.draw($0, of: lines) }
    }

    /// - Parameter message: what there is to be told besides.
    func draw(on frame: inout Frame, _ message: String, _ here: Surroundings) {
        let (columns, language) = (here.size.columns, here.language)
        switch self {
        case .search(let field): frame.put(DiaryPhrase.search.text(in: language) + ": ", field, columns: columns)
        case .saving(let saving):
            let whole = ScreenPhrase.savingTo(saving.file, saving.size).text(in: language)
            // In a narrow window the path needs the room more.
            let isNarrow = CellWidth.of(whole) > columns - 20
            let label = isNarrow ? ScreenPhrase.saveAs.text(in: language) : whole
            frame.put(label, saving.path, columns: columns)
            if !message.isEmpty { frame.put(message, .bold, rowsBelow: 1, columns: columns) }
        case .removal: frame.put(ScreenPhrase.askRemoval.text(in: language), .warning, columns: columns)
        case .deletion: frame.put(ScreenPhrase.askDeletion.text(in: language), .warning, columns: columns)
        case .discarding: frame.put(ScreenPhrase.askDiscarding.text(in: language), .warning, columns: columns)
        // One row, however narrow it is: more would lie over the end of the help.
        case .help:
            frame.lines[frame.lines.count - 1] = here.row(" " + ScreenPhrase.helpKeys.text(in: language), .faint)
        }
    }
}
