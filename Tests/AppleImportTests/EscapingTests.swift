import Testing

@testable import AppleImport

/// Text that looks like Markdown stays text.
@Suite struct Escaping {
    @Test(arguments: [
        ("5 * 3 * 2", "5 \\* 3 \\* 2"), ("snake_case", "snake\\_case"), ("a\\b", "a\\\\b"), ("`x`", "\\`x\\`"),
        ("[x](y)", "\\[x\\](y)"), ("~/.profile", "\\~/.profile"), ("a | b", "a \\| b"), ("<b>", "\\<b>"),
        ("&copy; &#33;", "\\&copy; \\&#33;"), ("http://a_b", "http\\://a\\_b"), ("www.example", "www\\.example"),
        ("nul\0", "nul\u{FFFD}"),
    ])
    func `what has a meaning inside a line is escaped`(_ text: String, _ source: String) {
        #expect(MarkdownEscaping.escape(text) == source)
    }

    @Test(arguments: ["a < b > c", "AT&T", "R&D", "100 %", "a: b", "(c)", "“quoted”", "x^2 $y$", "12:30", "wait!"])
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
    }
}
