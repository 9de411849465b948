/// The inside of a line of Markdown.
struct InlineScan {
    private var rest: Substring
    private let hasMedia: (Int) -> Bool
    private var result: [PageInline] = []
    /// Text that is not in the result yet.
    private var text = ""
    /// Marks that are open, the innermost last.
    private var open: [PageInline.Mark] = []

    init(_ text: Substring, hasMedia: @escaping (Int) -> Bool) {
        rest = text
        self.hasMedia = hasMedia
    }

    mutating func parts() -> [PageInline] {
        while let character = rest.first {
            switch character {
            case "\\" where rest.count > 1 && Self.isPunctuation(rest.dropFirst().first):
                rest = rest.dropFirst()
                passOne()
            case "`": passCode()
            case "*", "_": passEmphasis(character)
            case "!" where passPicture(): break
            case "[" where passLink(): break
            case "<" where passAddress(): break
            default: passOne()
            }
        }
        while let mark = open.popLast() { append(.end(mark)) }
        endText()
        return result
    }

    private static func isPunctuation(_ character: Character?) -> Bool {
        character?.isASCII == true && character?.isLetter == false && character?.isNumber == false
            && character?.isWhitespace == false
    }

    private mutating func append(_ part: PageInline) {
        endText()
        result.append(part)
    }

    private mutating func endText() {
        if !text.isEmpty { result.append(.text(text)) }
        text = ""
    }

    private mutating func passOne() {
        text += rest.prefix(1)
        rest = rest.dropFirst()
    }

    private mutating func passCode() {
        let run = rest.prefix { $0 == "`" }
        let inner = rest.dropFirst(run.count)
        guard let end = inner.firstRange(of: run) else {
            text += run
            rest = inner
            return
        }
        append(.code(String(inner[..<end.lowerBound])))
        rest = inner[end.upperBound...]
    }

    /// `*` and `**`, and `_` at the ends of words; a mark that closes nothing and opens nothing is text.
    private mutating func passEmphasis(_ sign: Character) {
        let run = rest.prefix { $0 == sign }
        let after = rest.dropFirst(run.count)
        let mark: PageInline.Mark? = run.count == 1 ? .emphasis : run.count == 2 ? .strong : nil
        if let mark, open.last == mark {
            open.removeLast()
            append(.end(mark))
        } else if let mark, !open.contains(mark), after.first?.isWhitespace == false, after.contains(run),
            sign == "*" || text.last.map({ !$0.isLetter && !$0.isNumber }) ?? true
        {
            open.append(mark)
            append(.begin(mark))
        } else {
            text += run
        }
        rest = after
    }

    private mutating func passPicture() -> Bool {
        guard let link = Self.link(rest.dropFirst()), let number = MediaLink.number(link.target), hasMedia(number)
        else { return false }
        append(.media(number: number, caption: String(link.label)))
        rest = link.rest
        return true
    }

    /// To the web alone: every other scheme stays text.
    private mutating func passLink() -> Bool {
        guard let link = Self.link(rest), link.target.hasPrefix("https://") || link.target.hasPrefix("http://"),
            !link.target.contains(where: \.isWhitespace)
        else { return false }
        append(.link(label: String(link.label), target: String(link.target)))
        rest = link.rest
        return true
    }

    /// `<https://example.org>` (CommonMark 6.5), to the web alone.
    private mutating func passAddress() -> Bool {
        let inner = rest.dropFirst()
        let end = inner.utf8.prefix(Self.longestLink).firstIndex { $0 <= 32 || $0 == 127 || $0 == 60 || $0 == 62 }
        guard let scheme = ["https://", "http://"].first(where: inner.hasPrefix), let end,
            inner.utf8[end] == UInt8(ascii: ">"), inner[..<end].utf8.count > scheme.utf8.count
        else { return false }
        append(.link(label: String(inner[..<end]), target: String(inner[..<end])))
        rest = inner[end...].dropFirst()
        return true
    }

    /// Farther on none is looked for, so that a line of brackets alone takes little time.
    private static let longestLink = 4096

    private static func link(_ text: Substring) -> (label: Substring, target: Substring, rest: Substring)? {
        guard text.first == "[", let middle = text.utf8.prefix(longestLink).firstIndex(of: UInt8(ascii: "]")) else {
            return nil
        }
        let behind = text[middle...].dropFirst()
        guard behind.first == "(", let end = behind.utf8.prefix(longestLink).firstIndex(of: UInt8(ascii: ")")) else {
            return nil
        }
        return (
            label: text[..<middle].dropFirst(), target: behind[..<end].dropFirst(), rest: behind[end...].dropFirst()
        )
    }
}
