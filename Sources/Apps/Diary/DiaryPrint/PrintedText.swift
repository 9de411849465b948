import DiaryFormats
import PrintStream

/// The inside of a block as letters of one style each, with the files that stand among them.
struct PrintedText {
    enum Part: Equatable {
        case spans([PrintSpan])
        case media(number: Int, caption: String)
    }

    private(set) var parts: [Part] = []
    private var spans: [PrintSpan] = []
    private var style: PrintSpan.Style = []

    /// - Parameter lines: become one text, each on a line of its own.
    static func parts(of lines: [[PageInline]]) -> [Part] {
        var text = PrintedText()
        for (index, line) in lines.enumerated() {
            if index > 0 { text.add("\n") }
            text.style = []
            for part in line { text.add(part) }
        }
        text.endSpans()
        return text.parts
    }

    private mutating func add(_ part: PageInline) {
        switch part {
        case .text(let text): add(text)
        case .begin(.emphasis): style.insert(.italic)
        case .begin(.strong): style.insert(.bold)
        case .end(.emphasis): style.remove(.italic)
        case .end(.strong): style.remove(.bold)
        case .code(let text):
            style.insert(.code)
            add(text)
            style.remove(.code)
        case .link(let label, let target): add(label.isEmpty ? target : label, link: PrintLink.encoded(target))
        case .media(let number, let caption):
            endSpans()
            parts.append(.media(number: number, caption: caption))
        }
    }

    private mutating func add(_ text: String, link: String = "") {
        let text = PrintWords.lines(text)
        guard !text.isEmpty else { return }
        if let last = spans.last, last.style == style, last.link == link {
            spans[spans.count - 1].text += text
        } else {
            spans.append(PrintSpan(text, style, link: link))
        }
    }

    /// Spaces and line ends around a picture are those of the text's form, not of the text.
    private mutating func endSpans() {
        while let first = spans.first {
            spans[0].text = String(first.text.drop { $0.isWhitespace })
            guard spans[0].text.isEmpty else { break }
            spans.removeFirst()
        }
        while let last = spans.last {
            let kept = last.text.reversed().drop { $0.isWhitespace }.reversed()
            spans[spans.count - 1].text = String(kept)
            guard kept.isEmpty else { break }
            spans.removeLast()
        }
        if !spans.isEmpty { parts.append(.spans(spans)) }
        spans = []
    }

    /// A paragraph longer than this is several; Pango lays out one at a time.
    private static let longest = 16_384
    private static let mostSpans = 1024

    /// Texts that are short enough for a message each.
    static func texts(
        _ kind: PrintText.Kind, level: UInt8 = 0, marker: String = "", _ spans: [PrintSpan]
    ) -> [PrintText] {
        var texts: [PrintText] = []
        var part: [PrintSpan] = []
        var room = longest
        for span in spans {
            var rest = span
            while !rest.text.isEmpty {
                if room < 64 || part.count == mostSpans {
                    texts.append(PrintText(kind, level: level, marker: texts.isEmpty ? marker : "", part))
                    part = []
                    room = longest
                }
                let taken = beginning(of: rest.text, room)
                part.append(PrintSpan(taken, rest.style, link: rest.link))
                room = taken.utf8.count == rest.text.utf8.count ? room - taken.utf8.count : 0
                rest.text = String(rest.text.dropFirst(taken))
            }
        }
        if !part.isEmpty { texts.append(PrintText(kind, level: level, marker: texts.isEmpty ? marker : "", part)) }
        return texts
    }

    /// At most so many bytes of it, up to a line end or a space if there is one.
    private static func beginning(of text: String, _ room: Int) -> String {
        guard text.utf8.count > room else { return text }
        let start = PrintWords.shortened(text, room)
        let end = start.lastIndex(of: "\n") ?? start.lastIndex(of: " ")
        return end.map { String(start[...$0]) } ?? start
    }
}

extension String {
    /// Without a beginning of it, which may end within a character.
    fileprivate func dropFirst(_ beginning: String) -> Substring.UnicodeScalarView {
        unicodeScalars[unicodeScalars.index(startIndex, offsetBy: beginning.unicodeScalars.count)...]
    }
}
