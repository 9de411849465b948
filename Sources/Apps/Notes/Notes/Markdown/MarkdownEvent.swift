/// What the library found, in the order of the document; safe values, so that nothing else touches its tree.
enum MarkdownEvent: Equatable {
    case enterQuote
    /// - Parameter start: the first number of an ordered list.
    case enterList(start: Int?, isTight: Bool)
    case enterItem
    case leave
    /// Text is the source of the inline content, without the indentation of its lines.
    case heading(level: Int, text: String)
    case paragraph(text: String)
    case code(info: String, text: String)
    case html(String)
    case table(Table)
    case rule
}

/// A piece of inline content.
enum MarkdownInline: Equatable {
    case text(String)
    case code(String)
    case html(String)
    case softBreak
    case hardBreak
    case enterLink(url: String)
    case enterImage(url: String)
    case leaveLink
    case leaveImage
}

/// Joins neighbouring texts, which the library splits at every character that might have been markup.
struct InlineCollector {
    private var inlines: [MarkdownInline] = []
    private var text = ""

    mutating func add(_ inline: MarkdownInline) {
        if case .text(let piece) = inline {
            text += piece
        } else {
            flush()
            inlines.append(inline)
        }
    }

    mutating func finish() -> [MarkdownInline] {
        flush()
        return inlines
    }

    /// After a hard break the library leaves the indentation of the line.
    private mutating func flush() {
        if text.isEmpty { return }
        let isIndented = inlines.last == .hardBreak
        inlines.append(.text(isIndented ? String(text.drop { $0 == " " || $0 == "\t" }) : text))
        text = ""
    }
}
