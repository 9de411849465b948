/// A frame as text without any markup: what a shell, a prompt or a mail can show, and a screen reader reads.
///
///     PlainTextRenderer.render(frame, columns: 40)   // "📌 Shopping 3 of 7"
///
/// Inline and circular widgets take one line, all others as many as they need. Hidden content is the word "hidden", a
/// widget that is locked is its name and "locked". Control characters and what turns the direction of text around are
/// gone. Columns are those of a terminal (Unicode Standard Annex 11); words from right to left stand between U+2068 and
/// U+2069.
public enum PlainTextRenderer {
    /// - Parameters:
    ///   - frame: what to render.
    ///   - columns: the most columns of a line, from 1 to 240; nil for 240.
    /// - Returns: lines between U+000A, without one at the end.
    public static func render(_ frame: Frame, columns: Int? = nil) -> String {
        text(TextLayout().lines(frame, columns: columns))
    }

    /// Its name, why there is no more of it, and what a screen reader says of it: what tooltips hold.
    static func description(_ frame: Frame) -> String {
        let title = frame.spokenTitle
        let layout = TextLayout(speaks: true)
        let lines = layout.lines(frame, columns: 80)
        if lines == [layout.title(frame, 80)] { return title }
        let isTitled = frame.state.isPlaceholder
        return title + "\n" + text(Array(lines.dropFirst(isTitled ? 1 : 0).prefix(24)))
    }

    private static func text(_ lines: [TextLine]) -> String {
        var text = ""
        for (index, line) in lines.enumerated() { text += (index > 0 ? "\n" : "") + line.plain }
        return text
    }
}
