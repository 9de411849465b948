import TerminalScreen

/// A line of Markdown within a block: what of it is strong, code or a link.
///
/// The signs of what a terminal cannot show, such as emphasis, stay where they are: nothing is told by a style alone
/// that somebody would miss.
struct MarkdownRuns: Equatable, Sendable {
    private(set) var runs: [Run] = []
    private(set) var links: [NoteLink] = []

    private let text: [Character]
    private var word = ""
    private var isStrong = false

    init(_ line: String) {
        text = Array(line)
        var index = 0
        while index < text.count { index = read(at: index) }
        // What was opened and not closed is no sign of anything: it was put back when it was met.
        flush()
    }

    /// Without styles, for cells of a table and lists.
    static func plain(_ line: String) -> String { MarkdownRuns(line).runs.map(\.text).joined() }

    private mutating func flush(_ style: Style? = nil) {
        if !word.isEmpty { runs.append(Run(word, style ?? (isStrong ? .bold : .plain))) }
        word = ""
    }

    /// - Returns: where it goes on.
    private mutating func read(at index: Int) -> Int {
        let character = text[index]
        switch character {
        case "\\" where index + 1 < text.count && text[index + 1].isPunctuationSign:
            word.append(text[index + 1])
            return index + 2
        case "`": return readCode(at: index)
        case "*", "_":
            if let next = readStrong(at: index, character) { return next }
        case "[":
            if let next = readWikiLink(at: index) ?? readLink(at: index, isPicture: false) { return next }
        case "!":
            if let next = readLink(at: index + 1, isPicture: true) { return next }
        case "<", "h":
            if let next = readAddress(at: index) { return next }
        default: break
        }
        word.append(character)
        return index + 1
    }

    private mutating func readCode(at index: Int) -> Int {
        let count = text[index...].prefix { $0 == "`" }.count
        var end = index + count
        while end < min(text.count, index + count + Self.reach) {
            let run = text[end...].prefix { $0 == "`" }.count
            if run == count {
                flush()
                word = "`" + String(text[(index + count)..<end]) + "`"
                flush(.plain)
                return end + count
            }
            end += max(1, run)
        }
        word += String(repeating: "`", count: count)
        return index + count
    }

    /// Two signs open and close what is strong.
    private mutating func readStrong(at index: Int, _ sign: Character) -> Int? {
        guard index + 1 < text.count, text[index + 1] == sign else { return nil }
        let next = index + 2 < text.count ? text[index + 2] : " "
        if isStrong, index > 0, text[index - 1] != " " {
            flush()
            isStrong = false
            return index + 2
        }
        guard !isStrong, next != " ", next != sign, closes(sign, from: index + 3) else { return nil }
        flush()
        isStrong = true
        return index + 2
    }

    /// How far the end of something is looked for: a line of a million open brackets is read in no time.
    private static let reach = 256

    private func closes(_ sign: Character, from start: Int) -> Bool {
        let end = min(text.count - 1, start + Self.reach)
        guard start < end else { return false }
        return (start..<end).contains {
            text[$0] == sign && text[$0 + 1] == sign && text[$0 - 1] != " "
        }
    }

    /// `[[Title]]` and `[[Title|words]]`.
    private mutating func readWikiLink(at index: Int) -> Int? {
        guard index + 1 < text.count, text[index + 1] == "[", let end = find("]", twice: true, from: index + 2) else {
            return nil
        }
        let inner = String(text[(index + 2)..<end])
        guard !inner.isEmpty else { return nil }
        let parts = inner.split(separator: "|", maxSplits: 1).map { String($0) }
        add(NoteLink(words: parts.last ?? inner, target: parts.first ?? inner))
        return end + 2
    }

    /// `[words](target)`, and the same of a picture.
    private mutating func readLink(at index: Int, isPicture: Bool) -> Int? {
        guard index < text.count, text[index] == "[", let middle = find("]", from: index + 1), middle + 1 < text.count,
            text[middle + 1] == "(", let end = find(")", from: middle + 2)
        else { return nil }
        let words = String(text[(index + 1)..<middle])
        // A title may stand behind the target.
        let target = text[(middle + 2)..<end].prefix { $0 != " " }.filter { $0 != "<" && $0 != ">" }
        if isPicture {
            flush()
            word = "[▣ " + (words.isEmpty ? String(target) : words) + "]"
            flush()
        } else {
            add(NoteLink(words: words.isEmpty ? String(target) : words, target: String(target)))
        }
        return end + 1
    }

    /// `<https://…>`, and the same bare.
    private mutating func readAddress(at index: Int) -> Int? {
        let isBare = text[index] == "h"
        let start = isBare ? index : index + 1
        guard !isBare || index == 0 || !(text[index - 1].isLetter || text[index - 1].isNumber) else { return nil }
        let head = String(text[start...].prefix(8))
        guard head.hasPrefix("https://") || head.hasPrefix("http://") else { return nil }
        var end = start
        while end < text.count, text[end] != " ", text[end] != ">", text[end] != "<" { end += 1 }
        if isBare { while end > start, ".,;:!?)\"'".contains(text[end - 1]) { end -= 1 } }
        guard end - start > (head.hasPrefix("https") ? 8 : 7) else { return nil }
        guard isBare || end < text.count && text[end] == ">" else { return nil }
        let address = String(text[start..<end])
        add(NoteLink(words: address, target: address))
        return isBare ? end : end + 1
    }

    private mutating func add(_ link: NoteLink) {
        flush()
        word = link.words + (link.note == nil ? "↗" : "→")
        flush(.bold)
        links.append(link)
    }

    private func find(_ sign: Character, twice: Bool = false, from start: Int) -> Int? {
        var index = start
        while index < min(text.count, start + Self.reach) {
            if text[index] == sign, !twice || index + 1 < text.count && text[index + 1] == sign { return index }
            index += 1
        }
        return nil
    }
}

extension Character {
    /// What a backslash in front of it makes a plain character (CommonMark 0.31, section 2.4).
    fileprivate var isPunctuationSign: Bool { isASCII && (isPunctuation || isSymbol) }
}
