import TerminalScreen

/// A row of a note as it is read: what is drawn, and what of the source stands there.
struct MarkdownRow: Equatable, Sendable {
    let line: StyledLine
    /// Which line of the source, from 0 on.
    let source: Int
    /// Whether a box of a check list stands in it.
    var hasBox = false
    var links: [NoteLink] = []

    /// Text → rows: one line of the source after the other, folded at the width.
    ///
    /// A reader of notes expects its line ends where they were typed, so that lines of a paragraph are not joined. What
    /// is no Markdown stands as it is.
    ///
    /// - Parameter width: at least 4; what is less counts as that.
    static func rows(of text: String, width: Int) -> [MarkdownRow] {
        // A carriage return in front of a line feed is one character with it, and belongs to no line.
        let scalars = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        let lines = scalars.map { line in
            let line = line.last == "\r" ? line.dropLast() : line
            return SafeText.line(String(String.UnicodeScalarView(line)))
        }
        var page = MarkdownPage(width: max(4, width))
        page.read(lines)
        return page.rows
    }
}

/// Rows on their way: which block the next line of the source belongs to.
private struct MarkdownPage {
    let width: Int
    private(set) var rows: [MarkdownRow] = []
    /// The fence that ends a block of code; nil outside of one.
    private var fence: (mark: Character, count: Int)?

    init(width: Int) { self.width = width }

    mutating func read(_ lines: [String]) {
        var index = 0
        while index < lines.count {
            let table = fence == nil ? MarkdownTable(lines[index...]) : nil
            if let table {
                for (offset, line) in table.rows(width: width).enumerated() {
                    rows.append(MarkdownRow(line: line, source: index + min(offset, table.lineCount - 1)))
                }
                index += table.lineCount
                continue
            }
            // A line of signs under a text makes a heading of it.
            if fence == nil, index + 1 < lines.count, let level = Self.underline(lines[index + 1]),
                Self.isParagraph(lines[index])
            {
                addHeading(lines[index], level, index)
                index += 2
                continue
            }
            read(lines[index], index)
            index += 1
        }
    }

    private mutating func read(_ line: String, _ source: Int) {
        let indent = line.prefix { $0 == " " }.count
        let rest = line.dropFirst(indent)
        if let fence {
            if Self.fence(rest, indent).map({ $0.mark == fence.mark && $0.count >= fence.count && $0.isBare }) == true {
                self.fence = nil
            } else {
                add([Run(line, .plain)], "│ ", source: source)
            }
        } else if let opened = Self.fence(rest, indent) {
            fence = (opened.mark, opened.count)
        } else if let level = Self.headingLevel(rest), indent < 4 {
            addHeading(String(rest.drop { $0 == "#" }), level, source)
        } else if Self.isRule(rest) {
            add([Run(String(repeating: "─", count: width), .faint)], "", source: source)
        } else {
            addText(rest, indent, source)
        }
    }

    /// Behind the signs of quotes, an item of a list or plain text.
    private mutating func addText(_ rest: Substring, _ indent: Int, _ source: Int) {
        var rest = rest
        var prefix = ""
        while rest.first == ">" {
            rest = rest.dropFirst()
            if rest.first == " " { rest = rest.dropFirst() }
            if prefix.count < width / 2 { prefix += "▌ " }
        }
        let inner = prefix.isEmpty ? indent : rest.prefix { $0 == " " }.count
        if !prefix.isEmpty { rest = rest.drop { $0 == " " } }
        prefix += String(repeating: " ", count: min(inner, width / 3))
        guard let item = Self.item(rest) else { return add(MarkdownRuns(String(rest)), prefix, source: source) }
        var sign = item.sign
        var words = item.rest
        var hasBox = false
        if words.hasPrefix("[ ] ") || words.hasPrefix("[x] ") || words.hasPrefix("[X] ") {
            hasBox = true
            sign = words.hasPrefix("[ ] ") ? "☐ " : "☑ "
            words = words.dropFirst(4)
        }
        add(MarkdownRuns(String(words)), prefix + sign, source: source, hasBox: hasBox)
    }

    private mutating func addHeading(_ text: String, _ level: Int, _ source: Int) {
        let runs = MarkdownRuns(Self.trimmed(text))
        let bold = runs.runs.map { Run($0.text, .bold) }
        add(bold, "", links: runs.links, source: source)
        guard level <= 2, let last = rows.last else { return }
        let length = min(width, max(1, CellWidth.of(last.line.text)))
        add([Run(String(repeating: level == 1 ? "═" : "─", count: length), .faint)], "", source: source)
    }

    private mutating func add(_ runs: MarkdownRuns, _ prefix: String, source: Int, hasBox: Bool = false) {
        add(runs.runs, prefix, links: runs.links, source: source, hasBox: hasBox)
    }

    /// Folds at words; what follows stands under the first row's text, behind the signs of a quote.
    private mutating func add(
        _ runs: [Run], _ prefix: String, links: [NoteLink] = [], source: Int, hasBox: Bool = false
    ) {
        let further = String(prefix.map { $0 == "▌" || $0 == "│" ? $0 : " " })
        let lines = Run.fold(runs, width: max(2, width - CellWidth.of(prefix)))
        for (index, runs) in lines.enumerated() {
            var line = StyledLine()
            line.append(index == 0 ? prefix : further, .plain)
            for run in runs { line.append(run.text, run.style) }
            // What could not be folded small enough ends in a sign that there is more.
            if line.width > width { line = StyledLine(line.text, width: width) }
            line.pad(to: width)
            var row = MarkdownRow(line: line, source: source)
            row.hasBox = hasBox && index == 0
            // Wherever of it the cursor stands.
            row.links = links
            rows.append(row)
        }
    }

    // MARK: What a line is

    private static func fence(_ rest: Substring, _ indent: Int) -> (mark: Character, count: Int, isBare: Bool)? {
        guard indent < 4, let mark = rest.first, mark == "`" || mark == "~" else { return nil }
        let count = rest.prefix { $0 == mark }.count
        let words = rest.dropFirst(count)
        // With a backtick behind it, it is code within a line.
        guard count >= 3, mark == "~" || !words.contains("`") else { return nil }
        return (mark, count, words.allSatisfy { $0 == " " })
    }

    private static func headingLevel(_ rest: Substring) -> Int? {
        let count = rest.prefix { $0 == "#" }.count
        let next = rest.dropFirst(count).first
        return (1...6).contains(count) && (next == nil || next == " ") ? count : nil
    }

    private static func underline(_ line: String) -> Int? {
        let line = trimmed(line)
        guard let sign = line.first, sign == "=" || sign == "-", line.allSatisfy({ $0 == sign }) else { return nil }
        return sign == "=" ? 1 : line.count > 1 ? 2 : nil
    }

    private static func isParagraph(_ line: String) -> Bool {
        let rest = line.drop { $0 == " " }
        return !rest.isEmpty && rest.first != ">" && headingLevel(rest) == nil && item(rest) == nil && !isRule(rest)
            && fence(rest, 0) == nil
    }

    private static func isRule(_ rest: Substring) -> Bool {
        let signs = rest.filter { $0 != " " }
        guard signs.count >= 3, let sign = signs.first, "-*_".contains(sign) else { return false }
        return signs.allSatisfy { $0 == sign }
    }

    private static func item(_ rest: Substring) -> (sign: String, rest: Substring)? {
        guard let first = rest.first else { return nil }
        if "-*+".contains(first), rest.dropFirst().first == " " {
            return ("• ", rest.dropFirst().drop { $0 == " " })
        }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        let behind = rest.dropFirst(digits.count)
        guard (1...9).contains(digits.count), let sign = behind.first, sign == "." || sign == ")",
            behind.dropFirst().first == " "
        else { return nil }
        return (digits + "\(sign) ", behind.dropFirst().drop { $0 == " " })
    }

    private static func trimmed(_ text: String) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        // Signs at the end of a heading close it.
        let closed = text.reversed().drop { $0 == "#" }
        if closed.count < text.count, closed.first == " " { text = text.prefix(closed.count) }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

/// A piece of a row in one style.
struct Run: Equatable, Sendable {
    let text: String
    let style: Style

    init(_ text: String, _ style: Style) {
        self.text = text
        self.style = style
    }

    /// Rows of at most so many columns: folded behind the last space that fits, else inside a word.
    static func fold(_ runs: [Run], width: Int) -> [[Run]] {
        let cells = runs.flatMap { run in run.text.map { (character: $0, style: run.style) } }
        var rows: [[Run]] = []
        var (start, index, column, afterSpace) = (0, 0, 0, 0)
        while index < cells.count {
            let cellWidth = CellWidth.of(cells[index].character)
            if column + cellWidth > width && index > start {
                // A space that does not fit any more ends the row, and is not seen.
                let end = cells[index].character == " " ? index : afterSpace > start ? afterSpace : index
                rows.append(joined(cells[start..<end]))
                start = end
                while start < cells.count, cells[start].character == " " { start += 1 }
                (index, column, afterSpace) = (start, 0, start)
                continue
            }
            column += cellWidth
            index += 1
            if cells[index - 1].character == " " { afterSpace = index }
        }
        if start < cells.count || rows.isEmpty { rows.append(joined(cells[start...])) }
        return rows
    }

    private static func joined(_ cells: ArraySlice<(character: Character, style: Style)>) -> [Run] {
        var runs: [Run] = []
        var text = ""
        var style: Style?
        for cell in cells {
            if let style, style != cell.style {
                runs.append(Run(text, style))
                text = ""
            }
            style = cell.style
            text.append(cell.character)
        }
        if let style { runs.append(Run(text, style)) }
        return runs
    }
}
