import Secrets

/// Writes regrouped blocks as canonical CommonMark.
struct MarkdownWriter {
    private(set) var text = ""
    private let attachmentURL: (Identifier) -> String
    /// What stands before each line: quote marks and the indentation of items.
    private var prefix = ""
    /// What stands before the next line instead, while markers wait for their content.
    private var opening: String?

    init(attachmentURL: @escaping (Identifier) -> String) { self.attachmentURL = attachmentURL }

    mutating func write(_ nodes: [MarkdownNode]) { write(nodes, isTight: false, isFirstInItem: nil, checkMark: "") }

    /// - Parameters:
    ///   - bullet: of the list in whose item the nodes stand first, which a list at their start must not repeat:
    ///     `- - -` is a rule.
    ///   - checkMark: what the first paragraph follows.
    private mutating func write(
        _ nodes: [MarkdownNode], isTight: Bool, isFirstInItem bullet: Character?, checkMark: String
    ) {
        var previous: MarkdownNode?
        var marker: ListMarker?
        for node in nodes {
            if let previous, !isTight || MarkdownSeparation.needsBlankLine(between: previous, and: node) { blankLine() }
            switch node {
            case .leaf(let content):
                write(content, after: previous == nil ? checkMark : "")
                marker = nil
            case .quote(let nodes):
                enter("> ", continuation: "> ") { writer in
                    writer.write(nodes, isTight: false, isFirstInItem: nil, checkMark: "")
                }
                marker = nil
            case .list(let list):
                let next = ListMarker(for: list, after: marker, in: previous == nil ? bullet : nil)
                write(list, next)
                marker = next
            }
            previous = node
        }
    }

    private mutating func write(_ list: MarkdownList, _ marker: ListMarker) {
        for (index, item) in list.items.enumerated() {
            if index > 0, !list.isTight { blankLine() }
            let text = marker.text(at: index)
            enter(text, continuation: String(repeating: " ", count: text.utf8.count)) { writer in
                writer.write(item, marker, isTight: list.isTight)
            }
        }
    }

    /// A mark that has no paragraph to stand in gets one of its own.
    private mutating func write(_ item: MarkdownItem, _ marker: ListMarker, isTight: Bool) {
        var mark = item.isChecked.map { CheckMark.text($0) } ?? ""
        switch item.nodes.first {
        case .leaf(.paragraph)?, .leaf(.attachment)?: if !mark.isEmpty { mark += " " }
        default:
            if mark.isEmpty { break }
            line(mark)
            mark = ""
            if !isTight, !item.nodes.isEmpty { blankLine() }
        }
        write(item.nodes, isTight: isTight, isFirstInItem: marker.bullet, checkMark: mark)
    }

    private mutating func enter(_ marker: String, continuation: String, _ body: (inout MarkdownWriter) -> Void) {
        let outer = prefix
        opening = (opening ?? prefix) + marker
        prefix += continuation
        body(&self)
        if opening != nil { line("") }
        prefix = outer
    }

    private mutating func blankLine() { line("") }

    /// White space at the end of a line is left out unless it belongs to the content.
    private mutating func line(_ content: String) {
        let start = opening ?? prefix
        text += content.isEmpty ? MarkdownText.trimmed(start) : start
        text += content
        text += "\n"
        opening = nil
    }
}

extension MarkdownWriter {
    private mutating func write(_ content: Block.Content, after mark: String) {
        switch content {
        case .heading(let level, let text): writeHeading(level, text)
        case .paragraph(let text): writeParagraph(text, after: mark)
        case .code(let info, let text): writeCode(info, text)
        case .table(let table): write(table)
        case .html(let text): lines(of: text).forEach { line($0) }
        // Dashes could make a heading of a paragraph or a rule of a list; underscores mean nothing else.
        case .rule: line("___")
        case .attachment(let id, let name):
            line(mark + "![\(MarkdownText.escapingAll(name))](\(destination(attachmentURL(id))))")
        case .empty: break
        }
    }

    private mutating func writeParagraph(_ text: String, after mark: String) {
        let lines = MarkdownText.paragraphLines(of: text, after: mark)
        for (index, content) in lines.enumerated() { line(index == 0 ? mark + content : content) }
    }

    /// Only an underlined heading can span lines, and it has two levels.
    private mutating func writeHeading(_ level: Int, _ text: String) {
        let level = min(max(level, 1), 6)
        let lines = MarkdownText.paragraphLines(of: text)
        if lines.count > 1, level <= 2 {
            lines.forEach { line($0) }
            return line(level == 1 ? "===" : "---")
        }
        let marks = String(repeating: "#", count: level)
        let title = MarkdownText.singleLine(text)
        // Marks at the end are taken off in reading, one run of them.
        line(title.isEmpty ? marks : marks + " " + title + (title.hasSuffix("#") ? " #" : ""))
    }

    /// The fence is longer than any run of its character in the text.
    private mutating func writeCode(_ info: String, _ text: String) {
        let character: Character = info.contains("`") ? "~" : "`"
        let fence = String(repeating: character, count: max(3, longestRun(of: character, in: text) + 1))
        line(fence + escapedInfo(info))
        if !text.isEmpty { lines(of: text).forEach { line($0) } }
        line(fence)
    }

    private mutating func write(_ table: Table) {
        let count = table.alignments.count
        for (index, row) in table.rows.enumerated() {
            let cells = row.prefix(count) + Array(repeating: "", count: max(0, count - row.count))
            line(cells.reduce(into: "|") { $0 += " " + escapedCell($1) + " |" })
            if index == 0 { line(table.alignments.reduce(into: "|") { $0 += " " + delimiter($1) + " |" }) }
        }
    }

    private func delimiter(_ alignment: Table.Alignment) -> String {
        switch alignment {
        case .none: "---"
        case .left: ":--"
        case .center: ":-:"
        case .right: "--:"
        }
    }

    private func escapedCell(_ text: String) -> String {
        MarkdownText.singleLine(text).split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }

    /// In reading, entities are resolved first, then backslashes.
    private func escapedInfo(_ info: String) -> String {
        MarkdownText.trimmed(info).unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "\\": result += "\\\\"
            case "\n": result += "&#10;"
            case "\r": result += "&#13;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    /// A link's target in angle brackets unless every character is harmless.
    private func destination(_ url: String) -> String {
        let isPlain = url.utf8.allSatisfy { byte in
            byte > 0x20 && byte != 0x7F && !"<>()\\&".utf8.contains(byte)
        }
        guard !isPlain || url.isEmpty else { return url }
        let escaped = url.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar.value < 0x20 { return }
            if "<>\\&".unicodeScalars.contains(scalar) { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return "<" + escaped + ">"
    }

    private func lines(of text: String) -> [String] {
        text.utf8.split(separator: MarkdownText.newline, omittingEmptySubsequences: false).map { String($0) ?? "" }
    }

    private func longestRun(of character: Character, in text: String) -> Int {
        var longest = 0
        var run = 0
        for byte in text.utf8 {
            run = byte == character.asciiValue ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}

/// What stands before the items of one list.
private struct ListMarker {
    /// Nil for an ordered list.
    let bullet: Character?
    let delimiter: Character
    let start: Int

    /// Lists side by side differ in their markers, or they would be one.
    init(for list: MarkdownList, after previous: ListMarker?, in parent: Character?) {
        let taken = [previous?.bullet, parent]
        bullet = list.start == nil ? ["-", "*", "+"].first { !taken.contains($0) } : nil
        delimiter = previous?.bullet == nil && previous?.delimiter == "." ? ")" : "."
        start = min(max(list.start ?? 0, 0), Self.maxNumber)
    }

    /// Nine digits are all that CommonMark takes.
    private static let maxNumber = 999_999_999

    func text(at index: Int) -> String {
        if let bullet { return "\(bullet) " }
        return "\(min(start + index, Self.maxNumber))\(delimiter) "
    }
}
