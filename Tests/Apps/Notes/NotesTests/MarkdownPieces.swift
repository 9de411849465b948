/// Random documents: every construct of Markdown that has a mark of its own, and bytes that break careless readers.
struct RandomDocument {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func make() -> String {
        let end = Self.lineEnds.randomElement(using: &random) ?? "\n"
        var text = Int.random(in: 0..<40, using: &random) == 0 ? "\u{FEFF}" : ""
        let count = Int.random(in: 0...9, using: &random)
        for line in 0..<count {
            for _ in 0..<Int.random(in: 0...3, using: &random) { text += piece() }
            // The last line has no end as often as not.
            if line + 1 < count || Bool.random(using: &random) { text += end.isEmpty ? lineEnd() : end }
        }
        return text
    }

    private mutating func piece() -> String { Self.pieces.randomElement(using: &random) ?? "" }

    private mutating func lineEnd() -> String { ["\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n" }

    /// Empty stands for another one on each line.
    private static let lineEnds = ["\n", "\n", "\n", "\r\n", "\r", ""]

    /// A noncharacter, which the guard of the library uses.
    private static let mask = String(Unicode.Scalar(0xFDD0 as UInt32) ?? "x")

    private static let pieces =
        MarkdownSamples.pieces + [
            "[Anna]: 0171-1234567", "[wifi]: secret", "[a]:", "/url", "[^1]: note", "[^1]", "[a]: <b c> 'title'",
            "[b]: /u \"t", "| a | b | c |", "| 1 | 2 | 3 | 4 |", "| 1 |", ":-:|--:", "7. seven", "003) x", "  * x",
            "      deep", "   - y", "\t- z", " \t", "  \t ", "trailing  ", "\\", "&nbsp;", "&#0;", "&copy", "\u{0}",
            "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{200B}", "\u{202E}", "\u{FFFD}", mask, "\u{FEFF}",
            "e\u{301}", "\u{E9}", "👩‍👩‍👧", "🗝", "\u{10FFFD}", "\u{7F}", "\u{1B}[31m", "Setext", "=======", "-------",
            "~~~ swift", "````", "``` `", "<!--", "<script>", "</script>", "<![CDATA[", "]]>", "<a href='x'>",
            "<https://a.b>", "a@b.c", "![p](attachment:00112233445566778899aabbccddeeff)", "> - ", ">> 1. ", "- [ ] ",
            "- [x] ", "[X] ", "* * *", "_ _ _", "**b", "__", "~", "``", "$x$", "#hash", "######", "# #", "==m==",
            "---\ntitle: x\n---", "::: note", "{#id}", "Term\n: def", "\n", "\n\n", "    code\n\n    more",
        ]
}
