/// Writes one line of styled text as Markdown.
///
/// The text always arrives. A style is left out where Markdown has no valid place for its delimiters (CommonMark,
/// section 6.2, left- and right-flanking runs): white space, and punctuation at the edge of a word, move out of them.
struct InlineMarkdown {
    struct Span: Equatable {
        var text: String
        var style: InlineStyle

        fileprivate var delimiter: String? {
            guard style.isBold || style.isItalic else { return nil }
            return style.isBold ? (style.isItalic ? "***" : "**") : "*"
        }
    }

    private let spans: [Span]
    private var output = ""
    /// What a delimiter that comes next would have before it.
    private var previous: Character?
    /// The delimiter that the output ends in.
    private var ending: String?
    /// Whether marks of others surround what is written, so that signs may mean more.
    private var isEnclosed = false

    /// Markdown for `spans`, which hold no line breaks; white space at the end is dropped, since Markdown does.
    static func render(_ spans: [Span]) -> String {
        var writer = InlineMarkdown(spans: normalised(spans))
        writer.writeLinks()
        return writer.output
    }

    private init(spans: [Span]) { self.spans = spans }

    // Links are outermost, then strikethrough, then emphasis, then code.

    private mutating func writeLinks() {
        var rest = spans[...]
        while let first = rest.first {
            let group = rest.prefix { $0.style.link == first.style.link }
            rest = rest.dropFirst(group.count)
            let following = rest.first.flatMap { Self.opening($0, from: first) }
            guard let link = first.style.link else {
                writeStrikes(group, following: following)
                // Before a bracket it would make an image of the link.
                if following == "[", output.last == "!" {
                    output.removeLast()
                    output += "\\!"
                }
                continue
            }
            if group.count == 1, first.text == link, MarkdownEscaping.isPlainAddress(link) {
                emit("<" + link + ">")
                continue
            }
            emit("[")
            isEnclosed = true
            writeStrikes(group, following: "]")
            isEnclosed = false
            emit("](" + MarkdownEscaping.destination(link) + ")")
        }
    }

    private mutating func writeStrikes(_ spans: ArraySlice<Span>, following: Character?) {
        var rest = spans
        while let first = rest.first {
            let group = rest.prefix { $0.style.isStruck == first.style.isStruck }
            rest = rest.dropFirst(group.count)
            let after = rest.first.flatMap { Self.opening($0, from: first) } ?? following
            guard first.style.isStruck else {
                writeEmphases(group, following: after)
                continue
            }
            // GitHub's reader looks through tildes for what stands beside a delimiter, others do not: so that both
            // agree, what is inside is written as if there were none.
            var inner = InlineMarkdown(spans: [])
            (inner.previous, inner.ending, inner.isEnclosed) = (previous, ending, true)
            inner.writeEmphases(group, following: after)
            let isValid =
                Flanking.opens(before: previous, after: inner.output.first)
                && Flanking.closes(before: inner.output.last, after: after)
            emit(isValid ? "~~" + inner.output + "~~" : inner.output)
            (previous, ending) = (inner.previous, isValid ? nil : inner.ending)
        }
    }

    private mutating func writeEmphases(_ spans: ArraySlice<Span>, following: Character?) {
        var rest = spans
        while let span = rest.popFirst() {
            let after = rest.first.flatMap { Self.opening($0, from: span) } ?? following
            if let delimiter = span.delimiter {
                writeWords(span.text[...], delimiter, after)
            } else {
                emit(span.style.isCode ? Self.codeSpan(span.text) : escape(span.text, after))
            }
        }
    }

    /// Emphasised text, without the punctuation at its edges that would make its delimiters invalid.
    private mutating func writeWords(_ text: Substring, _ delimiter: String, _ following: Character?) {
        // Delimiters that touch are read as one longer: of the same kind, or without words around, as another.
        if let ending, ending == delimiter || !Flanking.joins(previous, text.first) {
            return emit(escape(String(text), following))
        }
        var inner = text
        var before = previous
        while let first = inner.first, !Flanking.opens(before: before, after: first) {
            before = first
            inner = inner.dropFirst()
        }
        var after = following
        while let last = inner.last, !Flanking.closes(before: last, after: after) {
            after = last
            inner = inner.dropLast()
        }
        emitEdge(text[..<inner.startIndex])
        if !inner.isEmpty {
            emit(delimiter + MarkdownEscaping.escape(String(inner), before: "*", after: "*", isLabel: true) + delimiter)
            // The next delimiter would join this one: what counts is the character before both.
            (ending, previous) = (delimiter, inner.last)
        }
        emitEdge(text[inner.endIndex...])
    }

    /// Punctuation from the edge of emphasis; with what follows, `&` may become a character reference.
    private mutating func emitEdge(_ text: Substring) {
        let source = MarkdownEscaping.escape(String(text), before: previous ?? "*", after: "*", isLabel: true)
        emit(text.hasSuffix("&") ? source.dropLast() + "\\&" : source)
    }

    private func escape(_ text: String, _ following: Character?) -> String {
        // After a delimiter the character before it counts for the next one, but here the delimiter does.
        let before = output.last ?? (isEnclosed ? "*" : previous)
        return MarkdownEscaping.escape(text, before: before, after: following, isLabel: isEnclosed)
    }

    private mutating func emit(_ source: String) {
        output += MarkdownEscaping.clash(output, source) ? "\\" + source : source
        guard let last = source.last else { return }
        (ending, previous) = (nil, last)
    }

    /// What stands after a span in the style of `span` when `next` follows: delimiters of `next` itself don't count,
    /// since they may be left out.
    private static func opening(_ next: Span, from span: Span) -> Character? {
        if next.style.link != span.style.link { return "[" }
        return next.style.isCode ? "`" : next.text.first
    }

    /// Code between more backticks than stand in it.
    private static func codeSpan(_ text: String) -> String {
        let text = text.replacing("\0", with: "\u{FFFD}")
        let fence = String(repeating: "`", count: longestRun(of: "`", in: text) + 1)
        let isPadded =
            text.hasPrefix("`") || text.hasSuffix("`")
            || (text.hasPrefix(" ") && text.hasSuffix(" ") && text.contains { $0 != " " })
        return isPadded ? fence + " " + text + " " + fence : fence + text + fence
    }

    static func longestRun(of character: Character, in text: String) -> Int {
        var (longest, current) = (0, 0)
        for each in text {
            current = each == character ? current + 1 : 0
            longest = max(longest, current)
        }
        return longest
    }
}

extension InlineMarkdown {
    /// The same text, with white space outside of emphasis and nothing at the end; neighbours of one style are one.
    ///
    /// Code has no style but a link: its delimiters and others do not go well beside each other.
    private static func normalised(_ spans: [Span]) -> [Span] {
        var result: [Span] = []
        func add(_ text: Substring, _ style: InlineStyle) {
            guard !text.isEmpty else { return }
            if let last = result.last, last.style == style {
                result[result.count - 1].text += text
            } else {
                result.append(Span(text: String(text), style: style))
            }
        }
        for span in spans {
            var plain = span.style
            (plain.isBold, plain.isItalic, plain.isStruck) = (false, false, false)
            // In a link's text, a bracket inside code could end it.
            if plain.link != nil, span.text.contains("]") { plain.isCode = false }
            if span.text.allSatisfy(\.isWhitespace) { plain.isCode = false }
            guard plain != span.style, !span.style.isCode else {
                add(span.text[...], plain)
                continue
            }
            let start = span.text.prefix(while: \.isWhitespace)
            let middle = span.text.dropFirst(start.count)
            let end = middle.reversed().prefix(while: \.isWhitespace).count
            add(start, plain)
            add(middle.dropLast(end), span.style)
            add(middle.suffix(end), plain)
        }
        while let last = result.last, !last.style.isCode {
            let kept = last.text.lastIndex { $0 != " " && $0 != "\t" }.map { last.text[...$0] } ?? ""
            if !kept.isEmpty {
                result[result.count - 1].text = String(kept)
                break
            }
            result.removeLast()
        }
        return result
    }
}

/// Where a delimiter may stand (CommonMark, section 6.2).
private enum Flanking {
    private enum Class { case space, punctuation, unsure, word }

    static func opens(before: Character?, after: Character?) -> Bool {
        switch classify(after, .trailing) {
        case .space: false
        case .word: true
        case .punctuation, .unsure: isEdge(classify(before, .leading))
        }
    }

    static func closes(before: Character?, after: Character?) -> Bool {
        switch classify(before, .leading) {
        case .space: false
        case .word: true
        case .punctuation, .unsure: isEdge(classify(after, .trailing))
        }
    }

    static func joins(_ before: Character?, _ after: Character?) -> Bool {
        classify(before, .leading) == .word && classify(after, .trailing) == .word
    }

    private enum Side { case leading, trailing }

    private static func isEdge(_ kind: Class) -> Bool { kind == .space || kind == .punctuation }

    private static func classify(_ character: Character?, _ side: Side) -> Class {
        let scalars = character?.unicodeScalars
        guard let scalar = side == .leading ? scalars?.last : scalars?.first else { return .space }
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control: return .space
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            return .punctuation
        // Symbols count as punctuation since CommonMark 0.31, and not in the readers before it.
        case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: return scalar.isASCII ? .punctuation : .unsure
        default: return .word
        }
    }
}
