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
        /// A line of the entry that is written, or a command that begins with a period.
        case text
        case answer
    }

    enum Step: Equatable, Sendable {
        case press(Key)
        /// Opens what is called by this number, counted from 1; with `true`, only selects it.
        case choose(Int, isOnlySelected: Bool)
        case write(WritingStep)
        case act(SpokenAct)
        case more
        case say(String)
        /// Puts the text of the entry that is open then on the clipboard.
        case copy
        case quit
    }

    private(set) var expectation = Expectation.command
    /// The first of the numbers that are said next.
    var first = 0
    /// Whether anything was typed since the entry that is written was opened.
    private(set) var isWriting = false
    /// Whether only what there is to be told is said, and not again what is open.
    private(set) var isBrief = false
    /// Whether the page that is open was asked for, and is read: none is read again by itself.
    var isAsked = true
    /// Whether nothing was done, so that what was told before is not told again.
    private(set) var isIdle = false
    /// The setting that was changed, which alone is read then.
    var changedSetting: Int?
    /// The entries of the list that was read last, by their numbers.
    ///
    /// A number must not come to mean another entry while somebody has it in mind.
    private(set) var numbered: [String] = []

    /// So many entries are said at once.
    static let pageSize = 20

    /// - Parameters:
    ///   - line: what was typed, without its line feed.
    ///   - diary: what is open.
    mutating func hear(_ line: String, _ diary: OpenDiary?) -> [Step] {
        (isBrief, isAsked, isIdle, changedSetting) = (false, false, false, nil)
        switch expectation {
        case .command:
            let steps = understand(line.trimmed, diary)
            isIdle = steps.allSatisfy { if case .say = $0 { true } else { false } }
            return steps
        case .answer: return line.isEmpty ? [.press(.escape)] : [.press(.text(String(line.prefix(1))))]
        case .text:
            isWriting = true
            guard line.hasPrefix("."), !line.hasPrefix("..") else {
                // A line that shall begin with a period begins with two.
                return [.write(.line(line.hasPrefix("..") ? String(line.dropFirst()) : line))]
            }
            return obey(writing: line, diary)
        }
    }

    /// The keys of the screen, as they were typed in lines before there were words.
    mutating func obey(_ line: String, _ diary: OpenDiary?) -> [Step] {
        guard let key = line.first else { return [] }
        let rest = String(line.dropFirst()).trimmed
        switch key {
        case "/":
            (first, isAsked) = (0, true)
            return [.press(.text("/")), .press(.paste(rest)), .press(.enter)]
        case "e", "d", "z": return change(key, rest, diary)
        case "x", "X":
            isBrief = true
            return save(rest, keepsAll: key == "X", diary)
        case "+": return readOn(diary)
        case "l": return [.press(.control("l"))]
        case "b": return goBack(diary)
        case "t", "o", "s", "g", "D", "T", "S", "*", "c", "m", "n", "N", "f", "[", "]", "{", "}":
            guard rest.isEmpty else { return [] }
            (first, isAsked) = (0, true)
            return [.press(.text(String(key)))]
        case "q": return [.quit]
        default: return []
        }
    }

    // MARK: Writing

    private func obey(writing line: String, _ diary: OpenDiary?) -> [Step] {
        let parts = line.split(separator: " ", maxSplits: 1).map { String($0) }
        let rest = parts.count > 1 ? parts[1].trimmed : ""
        switch parts[0] {
        case ".": return [.press(.control("s"))]
        case ".draft": return [.press(.control("d"))]
        case ".cancel": return [.press(.control("c"))]
        case ".help": return diary.map { [.say(ScreenPhrase.writingHelp.text(in: $0.language))] } ?? []
        case ".list": return diary.map { [.say(Self.textWords($0))] } ?? []
        case ".fields": return diary.map { [.say(Self.fieldWords($0).joined(separator: "\n"))] } ?? []
        default: return Self.step(parts[0], rest).map { [.write($0)] } ?? [.write(.delete(line: 0))]
        }
    }

    /// Nil where the words name no step; what does nothing is told by the editor.
    private static func step(_ command: String, _ rest: String) -> WritingStep? {
        let words = rest.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        let number = words.first.flatMap { Int($0) }
        let behind = words.count > 1 ? words[1] : ""
        switch command {
        case ".date": return .fill(.date, rest)
        case ".place": return .fill(.place, rest)
        case ".tags": return .fill(.tags, rest)
        case ".mood": return .fill(.mood, rest)
        case ".star": return .fill(.star, "")
        case ".file": return rest.isEmpty ? nil : .fill(.files, rest)
        case ".change": return number.map { .change(line: $0, behind) }
        case ".insert": return number.map { .insert(line: $0, behind) }
        case ".delete": return number.map { .delete(line: $0) }
        case ".out": return number.map { .move(file: $0, to: nil) }
        case ".move": return number.flatMap { file in Int(behind.trimmed).map { .move(file: file, to: $0) } }
        case ".photo": return .takeOffer(file: number ?? 1)
        default: return nil
        }
    }

    /// Looks at what has become of the steps.
    mutating func settle(_ screen: DiaryScreen) {
        let former = expectation
        guard let diary = screen.diary else {
            (expectation, first, isWriting, isAsked, isIdle) = (.command, 0, false, true, false)
            changedSetting = nil
            numbered = []
            return
        }
        expectation = diary.dialog?.isQuestion == true ? .answer : diary.editor != nil ? .text : .command
        if expectation == .command || former == .command { isWriting = false }
        if isAsked, case .list(let pane) = diary.page { numbered = pane.order.map(\.id) }
    }
}
