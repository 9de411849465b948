/// Markdown as HTML: the blocks of ``PageBlock``.
///
/// Every byte of a text is escaped; no tag comes from it.
enum PageText {
    /// - Parameters:
    ///   - hasMedia: whether there is a file of a number.
    ///   - media: HTML of a file by its number, with its caption, which is HTML.
    static func html(
        _ text: String, hasMedia: @escaping (Int) -> Bool, media: (_ number: Int, _ caption: String) -> String
    ) -> String {
        var html = ""
        for block in PageBlock.blocks(of: text, hasMedia: hasMedia) {
            switch block {
            case .paragraph(let lines):
                html += "<p>\(lines.map { inline($0, media) }.joined(separator: "<br>\n"))</p>\n"
            case .heading(let level, let parts):
                // Above them are those of the year, of the month and of the entry.
                let tag = "h\(min(level + 3, 6))"
                html += "<\(tag)>\(inline(parts, media))</\(tag)>\n"
            case .rule: html += "<hr>\n"
            case .quote(let lines):
                html += "<blockquote>\n" + lines.map { "<p>\(inline($0, media))</p>\n" }.joined() + "</blockquote>\n"
            case .list(let items): html += list(items, media)
            case .code(let text): html += "<pre>\(escaped(text))</pre>\n"
            }
        }
        return html
    }

    /// Lists within items of lists.
    private static func list(_ items: [PageItem], _ media: (Int, String) -> String) -> String {
        var html = ""
        // Of each list from the outermost.
        var open: [String] = []
        for item in items {
            let tag = item.isNumbered ? "ol" : "ul"
            while open.count > item.level + 1, let inner = open.popLast() { html += "</li>\n</\(inner)>\n" }
            if open.count > item.level {
                html += "</li>\n"
                if let last = open.last, last != tag {
                    html += "</\(last)>\n<\(tag)>\n"
                    open[item.level] = tag
                }
            } else {
                html += (open.isEmpty ? "" : "\n") + "<\(tag)>\n"
                open.append(tag)
            }
            html += "<li>\(inline(item.line, media))"
        }
        while let tag = open.popLast() { html += "</li>\n</\(tag)>\n" }
        return html
    }

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

    private static func inline(_ parts: [PageInline], _ media: (Int, String) -> String) -> String {
        var html = ""
        for part in parts {
            switch part {
            case .text(let text): html += escaped(text)
            case .begin(let mark): html += "<\(tag(mark))>"
            case .end(let mark): html += "</\(tag(mark))>"
            case .code(let text): html += "<code>\(escaped(text))</code>"
            case .link(let label, let target):
                html += "<a href=\"\(escaped(target))\" rel=\"noreferrer\">\(escaped(label))</a>"
            case .media(let number, let caption): html += media(number, escaped(caption))
            }
        }
        return html
    }

    private static func tag(_ mark: PageInline.Mark) -> String {
        switch mark {
        case .emphasis: "em"
        case .strong: "strong"
        }
    }
}
