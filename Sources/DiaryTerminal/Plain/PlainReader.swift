import DiaryClient
import DiaryViews
import TerminalScreen

/// The same diary in lines of words, for screen readers: which keys a typed line stands for, and what is said of what
/// is open then.
///
/// It drives a ``DiaryScreen``, so that locking, drafts and refusals are the screen's.
struct PlainReader: Sendable {
    /// What the next line is.
    enum Expectation: Equatable, Sendable {
        case command
        case date, tags, files, text
        case answer
    }

    enum Step: Equatable, Sendable {
        case press(Key)
        /// Opens the entry or tag of this number, counted from 1; with `true`, only selects it.
        case choose(Int, isOnlySelected: Bool)
        case more
        case quit
    }

    private(set) var expectation = Expectation.command
    /// The first of the numbers that are said next.
    private(set) var first = 0
    /// Whether the text that is typed has a line already.
    private var hasText = false

    /// So many entries are said at once.
    static let pageSize = 20

    /// - Parameters:
    ///   - line: what was typed, without its line feed.
    ///   - diary: what is open.
    mutating func hear(_ line: String, _ diary: OpenDiary?) -> [Step] {
        switch expectation {
        case .command: return obey(line.trimmed, diary)
        case .answer:
            expectation = .command
            return line.isEmpty ? [.press(.escape)] : [.press(.text(String(line.prefix(1))))]
        case .date:
            expectation = .tags
            return [.press(.control("u")), .press(.paste(line)), .press(.tab)]
        case .tags:
            expectation = .files
            return [.press(.control("u")), .press(.paste(line)), .press(.tab), .press(.tab), .press(.tab)]
        case .files:
            guard line.trimmed.isEmpty else { return [.press(.paste(line)), .press(.enter)] }
            expectation = .text
            return [.press(.tab)]
        case .text:
            guard line != "." else { return [.press(.control("s"))] }
            defer { hasText = true }
            return (hasText ? [.press(.enter)] : []) + [.press(.paste(line))]
        }
    }

    private mutating func obey(_ line: String, _ diary: OpenDiary?) -> [Step] {
        guard let key = line.first else { return [] }
        let rest = String(line.dropFirst()).trimmed
        if let number = Int(line) {
            first = 0
            return [.choose(number, isOnlySelected: false)]
        }
        switch key {
        case "/":
            first = 0
            return [.press(.text("/")), .press(.paste(rest)), .press(.enter)]
        case "n":
            (expectation, hasText) = (.date, false)
            return [.press(.text("n")), .press(.tab)]
        case "d":
            // No other entry must be removed than the one that was named.
            guard let number = Int(rest), case .list(let pane) = diary?.page,
                pane.order.indices.contains(number - 1)
            else { return [] }
            expectation = .answer
            return [.choose(number, isOnlySelected: true), .press(.text("d"))]
        case "+":
            first += Self.pageSize
            return [.more]
        case "l": return [.press(.control("l"))]
        case "b":
            first = 0
            return [.press(.escape)]
        case "t", "o", "s", "g", "D", "z":
            first = 0
            return [.press(.text(String(key)))]
        case "q": return [.quit]
        default: return []
        }
    }

    /// Looks at what has become of the steps.
    mutating func settle(_ screen: DiaryScreen) {
        guard let diary = screen.diary else {
            (expectation, first) = (.command, 0)
            return
        }
        switch (expectation, diary.editor) {
        case (.command, _), (.answer, _):
            let isAsked = if case .deletion = diary.dialog { true } else { false }
            expectation = isAsked ? .answer : .command
        // Saved and closed.
        case (_, nil): expectation = .command
        // Not saved, because of the date.
        case (.text, .some(let editor)) where editor.field == .date: expectation = .date
        default: break
        }
    }
}

extension OpenDiary {
    /// Opens, or only selects, what is called by this number where it is said.
    mutating func choose(_ number: Int, isOnlySelected: Bool) -> [Effect] {
        switch page {
        case .list(var pane) where pane.order.indices.contains(number - 1):
            pane.row = number - 1
            show(.list(pane))
        case .tags where (tags ?? []).indices.contains(number - 1): show(.tags(row: number - 1))
        default: return []
        }
        return isOnlySelected ? [] : press(.enter)
    }

    /// Asks for more of the list where what follows has not been loaded.
    func more(from first: Int) -> [Effect] {
        guard case .list(var pane) = page else { return [] }
        pane.row = first
        return pane.requestForMore(near: PlainReader.pageSize).map { [.ask(Ask($0))] } ?? []
    }
}
