import TerminalScreen
import Testing

/// A text in a pane: what keys do there, and where the caret stands.
@Suite struct TextAreaTests {
    private static func area(_ text: String, width: Int = 20, height: Int = 3) -> TextArea {
        TextArea(text, view: TextView(width: width, height: height))
    }

    private static func type(_ keys: Key..., into area: inout TextArea) { for key in keys { _ = area.type(key) } }

    @Test func `the caret stays in sight, counted among the rows that are seen`() {
        var area = Self.area("one\ntwo\nthree\nfour")
        #expect(area.caret?.row == 0 && area.caret?.column == 0)
        Self.type(.documentEnd, into: &area)
        #expect(area.draw().map(\.text) == ["two", "three", "four"] && area.caret?.row == 2 && area.caret?.column == 4)
        area.resize(width: 20, height: 1)
        #expect(area.draw().map(\.text) == ["four"] && area.caret?.row == 0)
    }

    @Test func `up and down keep their column until another key, or until the keys go elsewhere`() {
        var area = Self.area("abcdef\na\nabcdef")
        Self.type(.end, .down, .down, into: &area)
        #expect(area.buffer.cursor == TextPosition(line: 2, column: 6))
        Self.type(.up, into: &area)
        area.leave()
        Self.type(.down, into: &area)
        #expect(area.buffer.cursor == TextPosition(line: 2, column: 1))
    }

    @Test func `another text is one change, and the cursor stays where it can`() {
        var area = Self.area("first\nsecond")
        Self.type(.documentEnd, into: &area)
        area.replace(with: "1\n2\n3")
        #expect(area.buffer.text == "1\n2\n3" && area.buffer.cursor == TextPosition(line: 1, column: 1))
        area.undo()
        #expect(area.buffer.text == "first\nsecond")
        area.redo()
        #expect(area.buffer.text == "1\n2\n3")
        let revision = area.buffer.revision
        area.replace(with: "1\n2\n3")
        #expect(area.buffer.revision == revision)
    }

    @Test func `a key that means nothing in a text changes nothing, and says so`() {
        var area = Self.area("x")
        #expect(!area.type(.control("s")) && !area.type(.escape) && area.buffer.revision == 0)
        #expect(area.type(.tab) && area.buffer.text == "\tx")
    }
}
