/// How a piece of text stands out.
///
/// No colours: bold, faint and inverse are legible under every theme, and nothing is told by style alone.
package enum Style: Equatable, Sendable {
    case plain, bold, faint, inverse, warning
}

/// One row of the screen, built from left to right.
///
/// Whatever is appended passes through `SafeText`, so that nothing else can reach the terminal.
package struct StyledLine: Equatable, Sendable {
    /// A run of text in one style.
    package struct Span: Equatable, Sendable {
        /// Safe for a terminal.
        package let text: String
        /// How the run looks.
        package let style: Style
        /// The column at which it begins, counted from 0.
        package let column: Int
    }

    /// From left to right, without gaps.
    package private(set) var spans: [Span] = []
    /// How many columns the runs take together.
    package private(set) var width = 0

    /// A line of no width.
    package init() {}

    /// A line of exactly so many columns; see ``append(_:_:width:)``.
    package init(_ text: String, _ style: Style = .plain, width: Int) { append(text, style, width: width) }

    /// Appends `text` in exactly `limit` columns: what is too long ends in `…`, what is short is filled with spaces.
    package mutating func append(_ text: String, _ style: Style = .plain, width limit: Int) {
        guard limit > 0 else { return }
        let safe = SafeText.line(text)
        let clipped = Self.clip(safe, to: limit)
        let padding = String(repeating: " ", count: limit - CellWidth.of(clipped))
        add(clipped + padding, style, width: limit)
    }

    /// Appends `text` as wide as it is.
    package mutating func append(_ text: String, _ style: Style = .plain) {
        let safe = SafeText.line(text)
        add(safe, style, width: CellWidth.of(safe))
    }

    /// Puts another line behind this one.
    package mutating func append(_ line: StyledLine) {
        let start = width
        spans += line.spans.map { Span(text: $0.text, style: $0.style, column: start + $0.column) }
        width += line.width
    }

    /// Fills the line with spaces up to a column; one that is as wide stays as it is.
    package mutating func pad(to limit: Int, _ style: Style = .plain) {
        guard width < limit else { return }
        add(String(repeating: " ", count: limit - width), style, width: limit - width)
    }

    /// The part before a column; a wide character that reaches beyond it is left out.
    package func prefix(columns limit: Int) -> StyledLine {
        var line = StyledLine()
        for span in spans {
            for character in span.text {
                let width = CellWidth.of(character)
                guard line.width + width <= limit else { return line }
                line.add(String(character), span.style, width: width)
            }
        }
        return line
    }

    /// What a reader sees, without the spaces at its end.
    package var text: String {
        var text = spans.map(\.text).joined()
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }

    private mutating func add(_ text: String, _ style: Style, width added: Int) {
        guard !text.isEmpty else { return }
        spans.append(Span(text: text, style: style, column: width))
        width += added
    }

    private static func clip(_ text: String, to limit: Int) -> String {
        var used = 0
        var end = text.startIndex
        for index in text.indices {
            let width = CellWidth.of(text[index])
            if used + width > limit { return text[..<end] + "…" }
            used += width
            // Up to here there is room for the sign that something follows.
            if used < limit { end = text.index(after: index) }
        }
        return text
    }
}
