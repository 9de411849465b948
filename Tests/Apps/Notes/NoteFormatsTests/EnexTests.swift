import ProcessorTime
import Foundation
import NoteFormats
import Testing

/// Evernote's exports; the samples are in the shape of those in streetwriters/notesnook-importer, `packages/enex`.
@Suite struct EnexTests {
    private func export(_ content: String, title: String = "n", more: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export3.dtd">
        <en-export export-date="20201010T204251Z" application="Evernote" version="10.17.6">
        <note><title>\(title)</title><content><![CDATA[<?xml version="1.0" encoding="UTF-8" standalone="no"?>
        <!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note>\(content)</en-note>]]></content>
        <created>20201010T165715Z</created><updated>20201010T204213Z</updated>\(more)</note>
        </en-export>
        """
    }

    @Test func `an address and a reminder, which have no place here, are named`() throws {
        let more = { (inner: String) in "<note-attributes><author>anna</author>\(inner)</note-attributes>" }
        let problems = { try FormatFixture.notes(export("x", more: more($0)), .enex).map(\.problems) }
        #expect(try problems("<source-url></source-url>") == [[]])
        #expect(
            try problems("<source-url>https://a.example</source-url><reminder-time>20240616T070000Z</reminder-time>")
                == [
                    ["The web address that it came from was not carried over.", "Its reminder was not carried over."]
                ])
    }

    private func body(_ content: String) throws -> String {
        let note = try #require(try FormatFixture.notes(export(content), .enex).first)
        return String(note.markdown.dropFirst("# n\n\n".count))
    }

    @Test(arguments: [
        ("<div>one</div><div>two</div>", "one\\\ntwo\n"),
        ("<div>one</div><div><br/></div><div>two</div>", "one\n\ntwo\n"),
        ("<div><b>bold</b> <i>it</i> <span style=\"font-weight: bold;\">b2</span></div>", "**bold** *it* **b2**\n"),
        (
            "<ul><li><div>a</div></li><ul><li><div>below</div></li></ul><li><div>b</div></li></ul>",
            "- a\n  - below\n- b\n"
        ),
        ("<ul><li><div><en-todo checked=\"true\"/>done</div></li></ul>", "- [x] done\n"),
        ("<div><en-todo/>open</div><div><en-todo checked=\"true\"/>done</div>", "- [ ] open\n- [x] done\n"),
        ("<ul style=\"--en-todo:true;\"><li style=\"--en-checked:true;\"><div>x</div></li></ul>", "- [x] x\n"),
        ("<ol><li>a</li><li>b</li></ol>", "1. a\n2. b\n"),
        ("<ul>text<li>a</li></ul>", "- text\n- a\n"),
        (
            "<table><caption>above</caption>loose<tr>stray<td>a</td></tr></table>",
            "above\n\nloosestray\n\n| a |\n| --- |\n"
        ),
        ("<div><video src=\"https://x.example/a.mp4\">no film</video></div>", "<https://x.example/a.mp4>\n\nno film\n"),
        ("<div><audio><source src=\"https://x.example/a.mp3\"/></audio></div>", "<https://x.example/a.mp3>\n"),
        (
            "<div style=\"box-sizing: border-box; -en-codeblock:true;\"><div>let a</div><div>  b</div></div>",
            "```\nlet a\n  b\n```\n"
        ),
        (
            "<table><tbody><tr><td><div>a</div></td><td>b|c</td></tr><tr><td>1</td></tr></tbody></table>",
            "| a | b\\|c |\n| --- | --- |\n| 1 |  |\n"
        ),
        ("<div><a href=\"https://x.example?a=1&amp;b=2\">li*nk</a></div>", "[li\\*nk](https://x.example?a=1&b=2)\n"),
        ("<div><a href=\"javascript:alert(1)\">x</a> a&nbsp;b &eacute;</div>", "x a\u{A0}b é\n"),
        (
            "<h1>Part</h1><hr/><div># no heading</div><div>1. no item</div>",
            "# Part\n\n---\n\n\\# no heading\\\n1\\. no item\n"
        ),
        ("<div>5 &lt; 6, snake_case, a * b, *star*</div>", "5 < 6, snake_case, a * b, \\*star\\*\n"),
    ])
    func `what Evernote shows is Markdown`(_ content: String, _ markdown: String) throws {
        #expect(try body(content) == markdown)
    }

    @Test func `files are known by the hash of their content`() throws {
        let resource = """
            <resource><data encoding="base64">aGVs
            bG8=</data><mime>text/plain</mime><resource-attributes><file-name>../a/hello.txt</file-name>
            </resource-attributes></resource><resource><data encoding="base64">%%%</data><mime>x</mime></resource>
            """
        let text = export(
            "<div>see</div><en-media hash=\"5d41402abc4b2a76b9719d911017c592\" type=\"text/plain\"/>", more: resource)
        let note = try #require(try FormatFixture.notes(text, .enex).first)
        #expect(note.markdown == "# n\n\nsee\n\n![hello.txt](attachment:0)\n")
        #expect(note.attachments.map(\.name) == ["hello.txt"] && note.attachments[0].bytes == Array("hello".utf8))
        #expect(
            note.problems.count == 1 && note.created == 1_602_349_035_000_000 && note.modified == 1_602_362_533_000_000)
    }

    @Test func `notes are known by the moment of their making and their title, the same ones by their order`() throws {
        let notes = try FormatFixture.notes(
            export("a").replacing(
                "</note>",
                with: "</note><note><title>n</title><content></content><created>20201010T165715Z</created></note>"),
            .enex)
        #expect(notes.map(\.source) == ["enex:20201010T165715Z/n", "enex:20201010T165715Z/n#2"])
    }

    @Test func `a note without a date is known by what it says: another of its title is another note`() throws {
        let dated = "<created>20201010T165715Z</created>"
        let notes = try ["one", "two", "one"].map { content in
            try #require(try FormatFixture.notes(export(content).replacing(dated, with: ""), .enex).first)
        }
        #expect(notes[0].source != notes[1].source && notes[0].source == notes[2].source)
        #expect(notes.allSatisfy { $0.source.hasPrefix("enex:/n#") })
    }

    @Test func `tasks stand where their list is, or at the end, in Evernote's order`() throws {
        let task = { (title: String, weight: String, group: String, status: String) in
            "<task><title>\(title)</title><taskStatus>\(status)</taskStatus><sortWeight>\(weight)</sortWeight>"
                + "<taskGroupNoteLevelID>\(group)</taskGroupNoteLevelID></task>"
        }
        let tasks =
            task("second *", "b", "g1", "open") + task("first", "B", "g1", "completed")
            + task("elsewhere", "A", "g2", "open")
        let content = "<div style=\"--en-task-group:true; --en-id:g1;\"/><div>below</div>"
        let note = try #require(try FormatFixture.notes(export(content, more: tasks), .enex).first)
        #expect(
            note.markdown == "# n\n\n- [x] first\n- [ ] second *\n\nbelow\n\n- [ ] elsewhere\n", "\(note.markdown)")
        #expect(note.problems == [] && note.source.hasSuffix("/n"))
    }

    @Test func `an encrypted passage is reported`() throws {
        let note = try #require(
            try FormatFixture.notes(export("<div>a</div><en-crypt hint=\"x\">QUJD</en-crypt>"), .enex).first)
        #expect(note.problems.count == 1 && note.markdown.contains("encrypted in Evernote"))
    }

    @Test(arguments: [
        "", "{}", "<en-export>", "<en-export><note>", "<en-export><note><title>x", "<html></html>",
        "<!DOCTYPE en-export [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><en-export><note><title>&b;</title></note></en-export>",
        "<en-export><note><title>a</title><resource><data>QUJD</note></en-export>",
        "<en-export><note <</note></en-export>",
    ])
    func `what is no export, is cut short or declares entities is refused`(_ text: String) {
        #expect(throws: NoteFormatError.self) { try FormatFixture.notes(text, .enex) }
    }

    @Test func `entities stand for one character each, whatever a document declares`() throws {
        let bomb = "&lol9;".padding(toLength: 60_000, withPad: "&lol9;", startingAt: 0)
        let note = try #require(try FormatFixture.notes(export("<div>\(bomb)</div>"), .enex).first)
        #expect(note.markdown.utf8.count < 200_000)
    }

    @Test(arguments: ["<div>", "<ul><li>", "<b>", "<table><tr><td>", "<blockquote>"])
    func `what is nested too deep is reported, and read in time`(_ tag: String) throws {
        let page = export(String(repeating: tag, count: 20_000) + "x")
        let time = try ProcessorTime.of {
            let notes = try FormatFixture.notes(page, .enex)
            #expect(notes.first?.problems.count == 1)
        }
        #expect(time < .seconds(20))
    }
}
