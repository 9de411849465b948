/// Writes a table as GitHub's Markdown does; its first row is the heading.
enum TableMarkdown {
    /// The lines of the table, none if it has no cells.
    ///
    /// A cell is one line there: line breaks in it become spaces, and code in it plain text.
    static func render(_ rows: [[[Paragraph]]]) -> [String] {
        guard let first = rows.first, !first.isEmpty else { return [] }
        let lines = rows.map { row in "| " + row.map(cell).joined(separator: " | ") + " |" }
        let rule = "| " + first.map { _ in "---" }.joined(separator: " | ") + " |"
        return [lines[0], rule] + lines.dropFirst()
    }

    /// Whether a cell of several lines loses its line breaks.
    static func losesLineBreaks(_ rows: [[[Paragraph]]]) -> Bool {
        rows.contains { $0.contains { lines($0).count > 1 } }
    }

    private static func cell(_ paragraphs: [Paragraph]) -> String {
        var spans: [InlineMarkdown.Span] = []
        for line in lines(paragraphs) {
            if !spans.isEmpty { spans.append(.init(text: " ", style: InlineStyle())) }
            spans += line
        }
        let source = InlineMarkdown.render(spans).drop { $0 == " " || $0 == "\t" }
        return escapePipes(source)
    }

    private static func lines(_ paragraphs: [Paragraph]) -> [[InlineMarkdown.Span]] {
        paragraphs.flatMap { paragraph in
            SoftLines.split(
                paragraph.pieces.compactMap { piece in
                    guard case .text(let text, var style) = piece else { return nil }
                    style.isCode = false
                    return InlineMarkdown.Span(text: text, style: style)
                })
        }.filter { line in line.contains { !$0.text.allSatisfy(\.isWhitespace) } }
    }

    /// Escapes the pipes that are not yet, such as those in addresses: in a table each ends a cell.
    private static func escapePipes(_ source: Substring) -> String {
        var result = ""
        var isEscaped = false
        for character in source {
            if character == "|", !isEscaped { result.append("\\") }
            isEscaped = character == "\\" && !isEscaped
            result.append(character)
        }
        return result
    }
}
