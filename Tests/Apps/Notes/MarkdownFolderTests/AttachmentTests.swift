import ProcessorTime
import MarkdownFolder
import Testing
import Thoroughness

/// Images, files and links between notes in other apps' texts.
@Suite struct ForeignTexts {
    /// A note in `sub`, in a folder with a few files.
    private func note(_ text: String) throws -> MarkdownNote {
        let folder = try FolderFixture()
        for name in ["sub/a b.png", "sub/c.pdf", "media/deep/e.png", "f.png", "sub/x(1).png"] {
            try folder.write(name, name)
        }
        try folder.write("Other.md", "x")
        try folder.write("sub/Note.md", "# Note\n\n" + text + (text.hasSuffix("\n") ? "" : "\n"))
        return try folder.note("sub/Note.md")
    }

    private func body(_ note: MarkdownNote) -> String { String(note.markdown.dropFirst("# Note\n\n".count)) }

    @Test(arguments: [
        ("![An image](a%20b.png)", "![An image](attachment:0)\n", "a b.png"),
        ("![x](<a b.png> \"title\")", "![x](attachment:0)\n", "a b.png"),
        ("[The paper](c.pdf)", "![The paper](attachment:0)\n", "c.pdf"),
        ("[The paper](./c.pdf#page=3)", "![The paper](attachment:0)\n", "c.pdf"),
        ("![](../f.png)", "![](attachment:0)\n", "f.png"),
        ("![x](x(1).png)", "![x](attachment:0)\n", "x(1).png"),
        ("![[e.png|300]]", "![e.png](attachment:0)\n", "e.png"),
        ("![[media/deep/e.png]]", "![e.png](attachment:0)\n", "e.png"),
        ("- ![x](c.pdf)\n- b", "- ![x](attachment:0)\n- b\n", "c.pdf"),
        ("a\n![x](c.pdf)\nb", "a\n\n![x](attachment:0)\n\nb\n", "c.pdf"),
    ])
    func `a paragraph that is a file becomes the attachment`(_ text: String, _ result: String, _ name: String) throws {
        let note = try note(text)
        #expect(body(note) == result && note.attachments.map(\.name) == [name] && note.problems == [])
    }

    @Test(arguments: [
        ("See ![x](f.png) and ![x](../f.png).", "See ![x](f.png) and ![x](../f.png).\n"),
        ("> ![x](../f.png)", "> ![x](../f.png)\n"),
        ("| ![x](../f.png) |", "| ![x](../f.png) |\n"),
        ("[![x](../f.png)](https://x.example)", "[![x](../f.png)](https://x.example)\n"),
        ("See ![[f.png]] here", "See ![[f.png]] here\n"),
        ("See <img src='../f.png'> here", "See <img src='../f.png'> here\n"),
        ("See ![x][pic]\n\n[pic]: ../f.png", "See ![x][pic]\n\n[pic]: ../f.png\n"),
    ])
    func `a file within a text is attached, and the text stays`(_ text: String, _ result: String) throws {
        let note = try note(text)
        #expect(body(note) == result && note.attachments.map(\.name) == ["f.png"])
    }

    @Test func `a file that is named twice is attached once`() throws {
        let note = try note("![a](c.pdf)\n\n![b](c.pdf)\n")
        #expect(body(note) == "![a](attachment:0)\n\n![b](c.pdf)\n" && note.attachments.count == 1)
    }

    @Test(arguments: [
        "[[Other]]", "see [[Other|the *other*]]!", "[[a_b#Part]]", "[[Other#^x1]]", "![[Other]]", "[[#Part]]",
        "[x](../Other.md)", "| [[Other\\|o]] |", "[x][o]\n\n[o]: ../Other.md",
    ])
    func `links between notes keep their targets`(_ text: String) throws {
        let note = try note(text)
        #expect(body(note) == text + "\n" && note.attachments == [] && note.problems == [])
    }

    @Test(arguments: [
        ("![x][pic]", "![x](attachment:0)"), ("![Pic][]", "![Pic](attachment:0)"),
        ("![PIC  ]", "![PIC  ](attachment:0)"),
        ("[x][pic]", "![x](attachment:0)"),
        ("<img src=\"../f.png\" alt=\"a *b*\" width=3>", "![a \\*b\\*](attachment:0)"),
        ("<IMG SRC='..&#47;f.png'/>", "![f.png](attachment:0)"), ("- <img src=../f.png>", "- ![f.png](attachment:0)"),
    ])
    func `an image by its name or as HTML is attached`(_ text: String, _ result: String) throws {
        let note = try note(text + "\n\n[pic]: <../f.png> 'title'")
        #expect(body(note) == result + "\n\n[pic]: <../f.png> 'title'\n" && note.attachments.map(\.name) == ["f.png"])
        #expect(note.problems == [])
    }

    @Test(arguments: [
        "<img>", "<img src>", "<img src=>", "<img src='../f.png'", "<imgsrc='../f.png'>", "`<img src='../f.png'>`",
        "<img src='https://x.example/f.png'>", "<img src='../../f.png'>", "\\<img src='../f.png'>", "![x][none]",
    ])
    func `what is no image of the folder is not attached`(_ text: String) throws {
        let note = try note(text)
        #expect(body(note) == text + "\n" && note.attachments == [])
    }

    @Test(arguments: [
        "```\n[[Other]] ![x](../f.png)\n```", "~~~~\n```\n![x](../f.png)\n~~~\n~~~~",
        "text `[[Other]] ![x](../f.png)` text",
        "    ![x](../f.png)", "- a\n\n  ```\n  ![x](../f.png)\n  ```", "> ```\n> ![x](../f.png)\n> ```",
        "\\![x](https://x.example)",
        "[[", "![[]]", "[x](", "![x](<y", "[a]: b",
    ])
    func `code and what is no link stay as they are`(_ text: String) throws {
        let note = try note(text)
        #expect(body(note) == text + "\n" && note.attachments == [])
    }

    @Test func `a file that is missing is reported`() throws {
        let note = try note("![x](nowhere.png)\n\n![[gone.pdf]]\n\n[y](away.pdf)")
        #expect(note.attachments == [] && note.problems.count == 2)
    }

    @Test func `mutated texts are read to the end`() throws {
        var generator = SystemRandomNumberGenerator()
        let pieces = [
            "[", "]", "(", ")", "!", "[[", "]]", "|", "<", ">", "`", "```", "~~~", "\\", "---", "\n", "\r\n", "a: [",
            "- ", "\"", "'",
            "#", "%2", "%zz", "f.png", "title:", "tags: [a", "\u{301}", "\t", "    ", "1. ", "é", "\\u12",
        ]
        for _ in 0..<Thoroughness.count(400, soak: 3000) {
            let text = (0..<Int.random(in: 1...60)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            _ = try FolderFixture.note(Bool.random() ? text : "---\n" + text)
        }
    }

    @Test(arguments: ["[x](", "[", "![x](<", "![[", "` ", "[x](y) ", "> - "])
    func `a line of a million openings is read in time`(_ opening: String) throws {
        let line = String(repeating: opening, count: 1_000_000 / opening.utf8.count)
        let time = try ProcessorTime.of {
            let note = try note(line)
            #expect(note.markdown.utf8.count >= line.utf8.count)
        }
        #expect(time < .seconds(20))
    }
}
