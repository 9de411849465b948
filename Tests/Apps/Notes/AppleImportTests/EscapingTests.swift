import Testing
import Thoroughness

@testable import AppleImport
@testable import Notes

/// Text that looks like Markdown stays text.
@Suite struct Escaping {
    @Test(arguments: [
        ("_x_", "\\_x_"), ("a _b_ c", "a \\_b_ c"), ("*a*", "\\*a\\*"), ("* a", "\\* a"), ("5*3*2", "5\\*3\\*2"),
        ("a\\", "a\\\\"), ("a\\*", "a\\\\\\*"), ("`x`", "\\`x\\`"), ("[x](y)", "\\[x\\](y)"),
        ("[wifi]: secret", "\\[wifi\\]: secret"), ("[ ] no check", "\\[ ] no check"), ("a [x](y)", "a [x\\](y)"),
        ("~~x~~", "\\~\\~x\\~\\~"), ("a~b~", "a\\~b\\~"), ("| a |", "\\| a |"), ("<b>", "\\<b>"), ("a </p", "a \\</p"),
        ("&copy; &#33;", "\\&copy; \\&#33;"), ("http://a_b", "http\\://a_b"),
        ("http://a.b/*x*", "http\\://a.b/\\*x\\*"),
        ("<me@x.org>", "\\<me@x.org>"), ("<-me_2@x.org>", "\\<-me_2@x.org>"), ("<1@x.org>", "\\<1@x.org>"),
        ("see www.*", "see www\\.\\*"), ("http://a.b/&copy;", "http\\://a.b/\\&copy;"), ("nul\0", "nul\u{FFFD}"),
    ])
    func `what has a meaning inside a line is escaped`(_ text: String, _ source: String) {
        #expect(MarkdownEscaping.escape(text) == source)
    }

    @Test(arguments: [
        "a < b > c", "AT&T", "R&D", "100 %", "a: b", "(c)", "“quoted”", "x^2 $y$", "12:30", "wait!", "5 * 3 * 2",
        "snake_case_name", "a__b", "C:\\Users\\me", "~/.profile", "about ~5 and ~6", "a | b", "<3", "x <- y",
        "<3 me@x.org",
        "https://example.com/a_b/c-d_(e)?q=1&r=2#top", "www.example.org/under_score", "(http://localhost:8080/x_y)",
        "first.last_name@mail-host.example.org", "Mr. Smith-Jones (Jr.), No. 5 - done", "a [b] c", "x[1] = y[2]",
        "2024-05-01", "sftp://host/a_b", "+49 (171) 123-45.67", "file_name-v1.2_(final).tar.gz",
    ])
    func `what means nothing stays readable`(_ text: String) {
        #expect(MarkdownEscaping.escape(text) == text)
    }

    @Test(arguments: [
        ("# a", "\\# a"), ("###### a", "\\###### a"), ("> a", "\\> a"), ("- a", "\\- a"), ("+ a", "\\+ a"),
        ("--- ", "\\--- "), ("=", "\\="), ("===", "\\==="), (":-:", "\\:-:"), ("1. a", "1\\. a"), ("12) a", "12\\) a"),
        ("1.", "1\\."), ("    code", "&#32;   code"), ("\tcode", "&#9;code"),
    ])
    func `what has a meaning at the start of a line is escaped there`(_ line: String, _ source: String) {
        #expect(MarkdownEscaping.escapeStart(of: line) == source)
    }

    @Test(arguments: ["#tag", "-5 degrees", "+49", "1.5 l", "1999", "a", "", "=5", ": a"])
    func `what begins a line harmlessly stays`(_ line: String) {
        #expect(MarkdownEscaping.escapeStart(of: line) == line)
    }

    @Test func `an address keeps its parentheses and loses its line breaks`() {
        #expect(MarkdownEscaping.destination("http://x/(a b)\n<c>") == "<http://x/(a b)\\<c\\>>")
        #expect(MarkdownEscaping.destination("https://x.org/a_b?c=d#e") == "https://x.org/a_b?c=d#e")
    }

    /// The reader of our notes is asked what it sees: libcmark-gfm, with addresses, tables and strikethrough.
    @Test func `random lines are read as the text that they were`() {
        let seed = UInt64.random(in: 0...(.max))
        var random = Numbers(state: seed)
        for number in 0..<Thoroughness.count(1500, soak: 5_000) {
            // Emphasis right after emphasis is a matter of its own.
            let runs = (0...Int.random(in: 0...3, using: &random)).flatMap { _ in
                [Self.makeSpan(&random), InlineMarkdown.Span(text: " ", style: InlineStyle())]
            }
            let source = InlineMarkdown.render(runs)
            let line = MarkdownEscaping.escapeStart(of: source)
            let blocks = Markdown.blocks(from: line + "\n")
            let shown = blocks.map { block in
                guard case .paragraph(let text) = block.content else { return "no paragraph" }
                return Markdown.plainInline(text)
            }
            let text = runs.map(\.text).joined().replacing("\0", with: "\u{FFFD}")
            let expected = Self.trimmed(text)
            guard Self.trimmed(shown.joined()) == expected else {
                Issue.record(
                    "seed \(seed), line \(number): \(text.debugDescription) → \(line.debugDescription) → \(shown)")
                return
            }
        }
    }

    private static func makeSpan(_ random: inout Numbers) -> InlineMarkdown.Span {
        let text = (0...Int.random(in: 0...5, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        var style = InlineStyle()
        switch Int.random(in: 0..<8, using: &random) {
        case 0: style.isBold = true
        case 1: style.isItalic = true
        case 2: style.isStruck = true
        case 3: style.link = "https://x.org/a_b"
        case 4: (style.isBold, style.isItalic) = (true, true)
        default: break
        }
        return InlineMarkdown.Span(text: text.joined(), style: style)
    }

    private static func trimmed(_ text: String) -> String {
        text.split(separator: " ").joined(separator: " ").replacing("\u{FFFD}", with: "")
    }

    private static let pieces = [
        "a", "b c", " ", " ", "_", "__", "*", "**", "~", "~~", "`", "[", "]", "(", ")", "[x]", "](", "]:", "!", "![",
        "|",
        "<", ">", "<b>", "</i>", "<!--", "&", "&amp;", "&#33;", ";", "\\", "\\*", "http://", "https://a.b/c_d", "www.",
        "www.x_y.org/_z", "me_2@x.org", ":", "://", "//", ".", ",", "-", "+", "1.", "12)", "#", "# ", "=", "---", "{",
        "}",
        "$", "^", "é", "👩‍👩‍👧", "“", "—", "snake_case", "C:\\dir", "~/.x", "ftp://f.g", "xhttp://a.b", "\"", "'",
    ]
}

/// Repeatable random numbers (Steele, Lea and Flood: Fast splittable pseudorandom number generators, 2014).
private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
