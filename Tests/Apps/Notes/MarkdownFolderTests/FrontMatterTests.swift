import Testing

@testable import MarkdownFolder

/// What stands between the lines of dashes.
@Suite struct FrontMatterReading {
    private func matter(_ text: String) -> FrontMatter? {
        FrontMatter.parse(("---\n" + text + "\n---\nText").split(separator: "\n").map(String.init))?.matter
    }

    @Test(arguments: [
        ("title: Plain words", "Plain words"), ("title: \"a: \\\"b\\\" \\u00e9\"", "a: \"b\" é"),
        ("title: 'it''s'", "it's"), ("Title: x # a comment", "x"), ("title: C#", "C#"),
        ("# a comment\ntitle: x", "x"), ("title: x\ntitle: y", "x"), ("other:\n  title: no\ntitle: x", "x"),
    ])
    func `a title in any spelling`(_ text: String, _ title: String) {
        #expect(matter(text)?.text("title") == title)
    }

    @Test(arguments: [
        "tags: [a, \"b, c\", 'd']", "tags:\n  - a\n  - \"b, c\"\n  - d", "tags:\n- a\n- 'b, c'\n- d",
        "tags: [a,\n  \"b, c\",\n  d]", "tags: [a, \"b, c\", d",
    ])
    func `a list in any spelling`(_ text: String) {
        #expect(matter(text)?.list("tags") == ["a", "b, c", "d"])
    }

    @Test func `a text with commas is a list too`() {
        #expect(matter("tags: a, b,, c")?.list("tags") == ["a", "b", "c"])
        #expect(matter("tags:")?.list("tags") == [])
    }

    @Test func `what only begins with a quote is taken as it stands`() {
        #expect(matter("title: \"Dune\" – my notes")?.text("title") == "\"Dune\" – my notes")
        #expect(matter("title: \"Dune")?.text("title") == "\"Dune")
        #expect(matter("title: 'tis so")?.text("title") == "'tis so")
        #expect(matter("title: \"Dune\" # a book")?.text("title") == "Dune")
        #expect(matter("tags: \"a\", 'b', c")?.list("tags") == ["a", "b", "c"])
        #expect(matter("tags: [\"a\" b, 'c' , d]")?.list("tags") == ["\"a\" b", "c", "d"])
        #expect(matter("tags: [\"a, ]\nb\", c]")?.list("tags") == ["a, ] b", "c"])
    }

    @Test(arguments: [
        "---\nText that follows a rule\n---", "---\ntitle: never closed", "--- \n", "Text\n---\na: b\n---", "",
    ])
    func `a rule is no front matter`(_ text: String) {
        #expect(FrontMatter.parse(text.split(separator: "\n").map(String.init)) == nil)
    }

    @Test func `what is quoted reads back`() {
        let texts = ["", "a", "\"\\\n\t\r", "\u{1}\u{7F}\u{2028}", "]", ",", "é 漢 👩‍👩‍👧", "# x", "- y"]
        for text in texts { #expect(matter("title: " + FrontMatter.quoted(text))?.text("title") ?? "" == text) }
        let list = texts.filter { !$0.isEmpty }
        #expect(matter("tags: " + FrontMatter.quoted(list))?.list("tags") == list)
    }
}
