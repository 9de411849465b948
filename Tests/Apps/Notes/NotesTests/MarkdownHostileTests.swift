import ProcessorTime
import Testing

@testable import Notes

@Suite struct MarkdownHostileTests {
    @Test(arguments: [
        "![[]()", "a <![CDATA[", "a<!--", "<?", "a<?", "www._", "http://a", "a)", ")", "http://a)))", "|", "-|", "[",
        "]", "[a](", "[a](b \"",
        "[a](<b ", "![", "*a_ ", "*", "_", "**a *b ", "`a``", "~a~~", "<a ", "<a b='", "a@", "&a;", "\\", "<", "\u{0}",
        "e\u{301}",
        "[a]: b\n", "[a]\n", "a\n", "-\n", "|\n", "|-\n", "a|b\n-|-\n", "```\n", "> ", "- ", "1. ", "* + ", ">\n",
        "- a\n\n", "\n", "<div>\n\n", "# a\n",
        "a  \n", "a\n=\n", "[^a]: ", "<!-- a\n", "    a\n", "\ta\n", "*a\n", "- [ ] a\n",
        "![p](attachment:00112233445566778899aabbccddeeff) ",
    ])
    func `any piece repeated is read in time that grows with its length`(_ piece: String) {
        let document = String(repeating: piece, count: 100_000 / piece.utf8.count)
        let time = ProcessorTime.of {
            let blocks = Markdown.blocks(from: document)
            _ = Markdown.render(blocks)
            _ = Markdown.plainText(blocks)
            _ = Markdown.title(blocks)
        }
        #expect(time < .seconds(10))
    }
}
