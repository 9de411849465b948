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

/// Dates.
@Suite struct Dates {
    @Test(arguments: [
        ("1970-01-01", 0), ("2000-02-29", 951_782_400_000_000), ("2024-01-31T10:20:30Z", 1_706_696_430_000_000),
        ("2024-01-31T12:20:30+02:00", 1_706_696_430_000_000), ("2024-01-31 05:20:30-0500", 1_706_696_430_000_000),
        ("2024-01-31T10:20:30.5Z", 1_706_696_430_500_000), ("2024-01-31T10:20:30.123456789", 1_706_696_430_123_456),
        ("2024-01-31T10:20", 1_706_696_400_000_000), ("1969-12-31T23:59:59.999999Z", -1),
        ("0001-01-01", -62_135_596_800_000_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000_000),
    ])
    func `days and times are read`(_ text: String, _ microseconds: Int) {
        #expect(ISODate.parse(text) == Int64(microseconds))
    }

    @Test(arguments: [
        "", "yesterday", "2023-02-29", "2024-13-01", "2024-00-10", "0000-01-01", "2024-1-1", "2024-01-31T",
        "2024-01-31T25:00",
        "2024-01-31T10:20:30+", "2024-01-31T10:20:30Zx", "2024-01-31T10:61", "20240131",
    ])
    func `anything else is none`(_ text: String) {
        #expect(ISODate.parse(text) == nil)
    }

    @Test func `what is written reads back`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<10_000 {
            let time = Int64.random(in: -62_135_596_800_000_000..<253_402_300_800_000_000, using: &generator)
            #expect(ISODate.parse(ISODate.format(time)) == time)
        }
        #expect(ISODate.format(-1) == "1969-12-31T23:59:59.999999Z")
        #expect(!ISODate.isWritable(.max) && !ISODate.isWritable(.min) && ISODate.isWritable(0))
    }
}
