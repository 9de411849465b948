import TerminalScreen
import Testing

@testable import NotesTerminal

@Suite struct NoteEditorTests {
    static func editor(_ text: String = "") -> NoteEditor {
        NoteEditor(id: "x", base: 1, title: "", isLocked: false, text: text, view: TextView(width: 80, height: 21))
    }

    @Test func `up and down keep their column over short lines`() {
        var editor = Self.editor("abcdef\nab\nabcdef")
        for _ in 0..<4 { _ = editor.handle(.right, at: 0) }
        _ = editor.handle(.down, at: 0)
        #expect(editor.buffer.cursor == TextPosition(line: 1, column: 2))
        _ = editor.handle(.down, at: 0)
        #expect(editor.buffer.cursor == TextPosition(line: 2, column: 4))
    }

    @Test func `a draft is due half a second after the last key`() {
        var editor = Self.editor()
        #expect(editor.draftDue == nil)
        _ = editor.handle(.text("a"), at: 1000)
        #expect(editor.draftDue == 1500)
        _ = editor.handle(.text("b"), at: 1400)
        #expect(editor.draftDue == 1900)
    }

    @Test func `whoever types without a pause has a draft after two seconds`() {
        var editor = Self.editor()
        for step in 0..<10 as Range<UInt64> { _ = editor.handle(.text("a"), at: 1000 + step * 300) }
        #expect(editor.draftDue == 3000)
    }

    @Test func `a draft that was handed in is not due again`() {
        var editor = Self.editor()
        _ = editor.handle(.text("a"), at: 1000)
        editor.draftSent()
        #expect(editor.draftDue == nil)
        #expect(editor.isChanged)
        editor.saveSent()
        #expect(!editor.isChanged)
    }

    @Test func `a text is handed in with the line ends that it had`() {
        for text in ["# T\r\n\r\n\tx  \r\n", "a\r\nb\nc", "\u{FEFF}no end", "a\n\n"] {
            var editor = Self.editor(text)
            #expect(editor.bytes == Array(text.utf8))
            _ = editor.handle(.documentEnd, at: 0)
            _ = editor.handle(.text("!"), at: 0)
            #expect(editor.bytes == Array((text + "!").utf8))
        }
    }

    @Test func `what others wrote comes to stand here after saving, unless more was typed meanwhile`() {
        var editor = Self.editor("a\r\nb")
        _ = editor.handle(.text("x"), at: 0)
        editor.saveSent()
        editor.take("xa\r\nb, they say", base: 3)
        #expect(editor.bytes == Array("xa\r\nb, they say".utf8) && editor.base == 3 && !editor.isChanged)
        _ = editor.handle(.text("y"), at: 0)
        editor.take("other", base: 4)
        #expect(editor.bytes == Array("xya\r\nb, they say".utf8) && editor.base == 3, "the next saving is merged")
    }
}
