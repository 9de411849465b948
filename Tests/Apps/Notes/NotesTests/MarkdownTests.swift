import Secrets
import Testing

@testable import Notes

@Suite struct MarkdownTests {
    private let picture = "![a \\[b\\]](attachment:00112233445566778899aabbccddeeff)"

    @Test func `a picture of an attachment is a block of its own, with any name`() throws {
        let id = try #require(Identifier("00112233445566778899aabbccddeeff"))
        #expect(contents(picture) == [.attachment(id: id, name: "a [b]")])
        #expect(contents("[p](<attachment:00112233445566778899aabbccddeeff>)") == [.attachment(id: id, name: "p")])
        for name in [
            "", " ", "](x)", "a\\", "`", "*b* _c_ ~d~", "<b>&amp;", "![x", "www.a.b", "https://a", "\u{202E}x", "a@b.c",
        ] {
            let block = Block(content: .attachment(id: id, name: name))
            #expect(contents(Markdown.render([block])) == [block.content])
        }
    }

    @Test func `what only resembles an attachment stays a paragraph`() {
        let digits = "00112233445566778899aabbccddeeff"
        for text in [
            "\(picture) and text", "![p](attachment:\(digits.uppercased()))", "![p](attachment:\(digits)0)",
            "![p](attachment:)",
            "![p](attachments:\(digits))", "![p](attachment:\(digits))![q](attachment:\(digits))", "`\(picture)`",
        ] {
            #expect(contents(text) == [.paragraph(text: text)])
        }
    }

    @Test func `attachments are written with the address that the caller gives`() throws {
        let block = Block(content: .attachment(id: .zero, name: "p"))
        #expect(Markdown.render([block]) { _ in "files/a b).png" } == "![p](<files/a b).png>)\n")
        #expect(Markdown.render([block]) { _ in "p.png" } == "![p](p.png)\n")
    }

    @Test func `check items keep their state, in quotes and numbered lists too`() {
        let blocks = Markdown.blocks(from: "- [ ] use [x] here\n- [X] b\n- c\n\n> 1) [x] d\n\n- [ ]\n- [x]\n  - e")
        let checks = blocks.map { block in
            block.containers.compactMap { container in
                if case .item(let item) = container { return item.isChecked.map { $0 ? "x" : "o" } ?? "-" }
                return nil
            }.joined()
        }
        #expect(checks == ["o", "x", "-", "x", "o", "x-"])
        #expect(blocks[0].content == .paragraph(text: "use [x] here") && blocks[4].content == .empty)
        let item = Block.Item(id: .makeRandom(), list: .makeRandom(), isChecked: true)
        let heading = [Block(containers: [.item(item)], content: .heading(level: 1, text: "a"))]
        #expect(checked(Markdown.blocks(from: Markdown.render(heading))) == true)
    }

    @Test func `leaves of one item share it, items of one list share that`() {
        let blocks = Markdown.blocks(from: "3. a\n\n   b\n4. c\n\n> d\n>\n> e")
        #expect(blocks[0].containers == blocks[1].containers && blocks[0].containers != blocks[2].containers)
        guard case .item(let first)? = blocks[0].containers.first, case .item(let last)? = blocks[2].containers.first
        else { return #expect(Bool(false)) }
        #expect(first.list == last.list && first.number == 3 && last.number == 4 && !first.isTight)
        #expect(blocks[3].containers == blocks[4].containers && blocks[3].containers.count == 1)
    }

    @Test func `text that looks like another block stays what it is`() {
        for text in [
            "# a", "- a", "* a", "+", "1. a", "12) a", "> a", "---", "***", "___", "```", "~~~ x", "<div>", "<!-- a",
            "[a]: b", "a\n---",
            "a\n===", "a\n- b", "a\n1. b", "a\n> b", "a\n# b", "a\n```", "a\n<div>", "a | b\n--|--", "- a\n- b", "#",
            "[ ] a", "    a", "a\n\n\nb",
        ] {
            for containers in [[], [Block.Container.item(Block.Item(id: .zero, list: .zero))], [.quote(id: .zero)]] {
                let written = Markdown.render([Block(containers: containers, content: .paragraph(text: text))])
                let blocks = Markdown.blocks(from: written)
                #expect(blocks.count == 1 && blocks[0].content.kind == .paragraph, "\(written)")
                #expect(checked(blocks) == nil && Markdown.render(blocks) == written, "\(written)")
            }
        }
    }

    @Test func `headings end with the marks that belong to them`() {
        for text in ["a #", "#", "a ##", "C#", "a \\#", "two\nlines"] {
            let blocks = [Block(content: .heading(level: 2, text: text))]
            #expect(contents(Markdown.render(blocks)) == blocks.map(\.content))
        }
        #expect(Markdown.render([Block(content: .heading(level: 9, text: "a\nb"))]) == "###### a b\n")
    }

    @Test func `plain text shows what a reader sees`() {
        let text =
            "# *Big* `c`\n\n1. [link](u) <b>x</b>\n2. a  \n   b\n\n| **x** | y\\|z |\n|--|--|\n| 1 |\n\n"
            + "<p>hi\n<b>there</b>\n\n***\n\n\(picture)"
        #expect(
            Markdown.plainText(Markdown.blocks(from: text)) == "Big c\nlink x\na b\nx\ty|z\n1\t\nhi there\na [b]")
        #expect(Markdown.plainInline("- *a* &amp; ![b](c)") == "- a & b")
        #expect(Markdown.plainInline("# a") == "# a" && Markdown.plainInline("") == "")
    }

    @Test func `a title is the first line that shows, short and legible`() {
        #expect(Markdown.title([]) == "" && Markdown.title(Markdown.blocks(from: "***\n\n```\n\n  x\ny\n```")) == "x")
        #expect(Markdown.title(Markdown.blocks(from: "a\u{202E}b\u{7}c\td")) == "a\u{FFFD}b\u{FFFD}c d")
        let long = Block(content: .paragraph(text: String(repeating: "e\u{301}", count: 500)))
        #expect(Markdown.title([long]).count == 120)
        let tower = Block(content: .paragraph(text: "e" + String(repeating: "\u{301}", count: 100_000)))
        #expect(Markdown.title([tower]).unicodeScalars.count <= 1_000)
    }

    @Test(arguments: [
        ("Garden plan\nbeans in May\n", "Garden plan"), ("# Garden plan\nbeans\n", "Garden plan"),
        ("**Garden\nplan** and more\n", "Garden"), ("Garden plan  \nbeans\n", "Garden plan"),
        ("Garden\\\nbeans\n", "Garden"), ("- Garden\n  plan\n", "Garden"), ("Garden\nplan\n====\n", "Garden"),
        ("![](a.png)\nGarden\n", "Garden"), ("[Garden](u\n'v') plan\nbeans\n", "Garden plan"),
    ])
    func `a title ends with its line, whether or not a blank one follows`(source: String, title: String) {
        #expect(Markdown.title(Markdown.blocks(from: source)) == title)
    }

    @Test func `null characters and masks of the guard are replaced or kept`() throws {
        #expect(contents("a\u{0}b") == [.paragraph(text: "a\u{FFFD}b")])
        let mask = String(try #require(Unicode.Scalar(0xFDD0)))
        #expect(contents("a" + mask) == [.paragraph(text: "a" + mask)])
        let hostile = String(repeating: "![[]()", count: 50_000)
        #expect(contents(hostile) == [.paragraph(text: hostile)])
        #expect(contents(mask + hostile) == [.paragraph(text: "\u{FFFD}" + hostile)])
    }

    @Test func `a definition that is long and used often is not resolved`() {
        let text = "[a]: " + String(repeating: "x", count: 100_000) + "\n\n" + String(repeating: "[a] ", count: 20_000)
        let length = Markdown.plainText(Markdown.blocks(from: text)).utf8.count
        #expect(length < 2 * text.utf8.count && Markdown.blocks(from: text).count == 2)
    }

    @Test func `what is nested too deep stays, at the greatest depth`() {
        for text in [String(repeating: ">", count: 50_000) + "a", String(repeating: "- ", count: 50_000) + "a"] {
            let blocks = Markdown.blocks(from: text)
            #expect(blocks.map(\.content) == [.paragraph(text: "a")])
            #expect(blocks[0].containers.count == Markdown.maxDepth)
        }
    }

    private func contents(_ text: String) -> [Block.Content] { Markdown.blocks(from: text).map(\.content) }

    private func checked(_ blocks: [Block]) -> Bool? {
        guard case .item(let item)? = blocks.first?.containers.first else { return nil }
        return item.isChecked
    }
}
