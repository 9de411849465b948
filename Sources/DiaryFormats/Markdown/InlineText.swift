/// The inside of a line of Markdown as HTML.
struct InlineText {
    private var rest: Substring
    private let media: (Int, String) -> String?
    private var result = ""
    /// Tags that are open, the innermost last.
    private var open: [String] = []

    init(_ text: Substring, media: @escaping (Int, String) -> String?) {
        rest = text
        self.media = media
    }

    mutating func html() -> String {
        while let character = rest.first {
            switch character {
            case "\\" where rest.count > 1 && Self.isPunctuation(rest.dropFirst().first):
                rest = rest.dropFirst()
                passOne()
            case "`": passCode()
            case "*", "_": passEmphasis(character)
            case "!" where passPicture(): break
            case "[" where passLink(): break
            default: passOne()
            }
        }
        while let tag = open.popLast() { result += "</\(tag)>" }
        return result
    }

    private static func isPunctuation(_ character: Character?) -> Bool {
        character?.isASCII == true && character?.isLetter == false && character?.isNumber == false
            && character?.isWhitespace == false
    }

    private mutating func passOne() {
        result += PageText.escaped(rest.prefix(1))
        rest = rest.dropFirst()
    }

    private mutating func passCode() {
        let run = rest.prefix { $0 == "`" }
        let inner = rest.dropFirst(run.count)
        guard let end = inner.firstRange(of: run) else {
            result += run
            rest = inner
            return
        }
        result += "<code>\(PageText.escaped(inner[..<end.lowerBound]))</code>"
        rest = inner[end.upperBound...]
    }

    /// `*` and `**`, and `_` at the ends of words; a mark that closes nothing and opens nothing is text.
    private mutating func passEmphasis(_ mark: Character) {
        let run = rest.prefix { $0 == mark }
        let after = rest.dropFirst(run.count)
        let tag = run.count == 1 ? "em" : run.count == 2 ? "strong" : nil
        if let tag, open.last == tag {
            open.removeLast()
            result += "</\(tag)>"
        } else if let tag, !open.contains(tag), after.first?.isWhitespace == false, after.contains(run),
            mark == "*" || result.last.map({ !$0.isLetter && !$0.isNumber }) ?? true
        {
            open.append(tag)
            result += "<\(tag)>"
        } else {
            result += PageText.escaped(run)
        }
        rest = after
    }

    private mutating func passPicture() -> Bool {
        guard let link = Self.link(rest.dropFirst()), let number = MediaLink.number(link.target),
            let html = media(number, PageText.escaped(link.label))
        else { return false }
        result += html
        rest = link.rest
        return true
    }

    /// To the web alone: every other scheme stays text.
    private mutating func passLink() -> Bool {
        guard let link = Self.link(rest), link.target.hasPrefix("https://") || link.target.hasPrefix("http://"),
            !link.target.contains(where: \.isWhitespace)
        else { return false }
        result += "<a href=\"\(PageText.escaped(link.target))\" rel=\"noreferrer\">"
        result += PageText.escaped(link.label) + "</a>"
        rest = link.rest
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
