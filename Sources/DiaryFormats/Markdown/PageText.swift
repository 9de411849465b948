/// Markdown as HTML: what diaries use of it, everything else as its own text.
///
/// Headings, lists, ticks, quotes, rules, fenced code, bold, italic, code, links to the web and pictures. Every byte of
/// a text is escaped; no tag comes from it.
struct PageText {
    /// HTML of a file by its number, with its caption, which is HTML.
    private let media: (_ number: Int, _ caption: String) -> String?
    private var html = ""
    private var paragraph: [String] = []
    private var code: [Substring]?
    /// The tag that is open around list items or a quote.
    private var block: String?

    static func html(_ text: String, media: @escaping (Int, String) -> String?) -> String {
        var page = PageText(media: media)
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            page.add(line)
        }
        page.endCode()
        page.close()
        return page.html
    }

    private init(media: @escaping (Int, String) -> String?) { self.media = media }

    static func escaped(_ text: some StringProtocol) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private mutating func add(_ line: Substring) {
        let content = line.drop { $0 == " " || $0 == "\t" }
        if content.hasPrefix("```") || content.hasPrefix("~~~") {
            if code == nil {
                close()
                code = []
            } else {
                endCode()
            }
        } else if code != nil {
            code?.append(line)
        } else if content.isEmpty {
            close()
        } else if content.hasPrefix("#"), content.drop(while: { $0 == "#" }).first == " " {
            close()
            let level = min(content.prefix { $0 == "#" }.count + 2, 6)
            html += "<h\(level)>\(inline(content.drop { $0 == "#" || $0 == " " }))</h\(level)>\n"
        } else if content.count >= 3, content.allSatisfy({ $0 == content.first }), "*-_".contains(content.prefix(1)) {
            close()
            html += "<hr>\n"
        } else if content.first == ">" {
            item(of: "blockquote", "<p>", content.dropFirst().drop { $0 == " " }, "</p>")
        } else if let text = Self.bullet(content) {
            item(of: "ul", "<li>", text, "</li>")
        } else if let text = Self.number(content) {
            item(of: "ol", "<li>", text, "</li>")
        } else {
            if block != nil { close() }
            paragraph.append(inline(content))
        }
    }

    private mutating func item(of tag: String, _ before: String, _ text: Substring, _ after: String) {
        if block != tag {
            close()
            html += "<\(tag)>\n"
            block = tag
        }
        html += before + inline(text) + after + "\n"
    }

    private mutating func close() {
        if !paragraph.isEmpty { html += "<p>\(paragraph.joined(separator: "<br>\n"))</p>\n" }
        if let block { html += "</\(block)>\n" }
        paragraph = []
        block = nil
    }

    private mutating func endCode() {
        guard let lines = code else { return }
        html += "<pre>\(Self.escaped(lines.joined(separator: "\n")))</pre>\n"
        code = nil
    }

    private static func bullet(_ line: Substring) -> Substring? {
        guard let first = line.first, "-*+".contains(first), line.dropFirst().first == " " else { return nil }
        let text = line.dropFirst(2)
        if text.hasPrefix("[ ] ") { return "☐ " + text.dropFirst(4) }
        if text.hasPrefix("[x] ") || text.hasPrefix("[X] ") { return "☑ " + text.dropFirst(4) }
        return text
    }

    private static func number(_ line: Substring) -> Substring? {
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        let rest = line.dropFirst(digits.count)
        guard (1...9).contains(digits.count), rest.hasPrefix(". ") || rest.hasPrefix(") ") else { return nil }
        return rest.dropFirst(2)
    }

    private func inline(_ text: Substring) -> String {
        var scan = InlineText(text, media: media)
        return scan.html()
    }
}
