import ProcessorTime
import Testing
import Thoroughness

@testable import TerminalScreen

@Suite struct TextBufferTests {
    @Test func `typing, deleting and moving do what they say`() {
        var buffer = TextBuffer("one two\nthree")
        buffer.move(.documentEnd)
        buffer.insert("!")
        buffer.move(.wordLeft)
        buffer.insert("and ")
        #expect(buffer.text == "one two\nand three!")
        buffer.move(.lineStart)
        buffer.remove(.left)
        #expect(buffer.text == "one twoand three!")
        buffer.remove(.wordLeft)
        #expect(buffer.text == "one and three!")
        buffer.remove(.lineEnd)
        #expect(buffer.text == "one ")
    }

    @Test func `an accent joins its letter, and both go together`() {
        var buffer = TextBuffer()
        for scalar in ["e", "\u{301}", "👨", "\u{200D}", "👧"] { buffer.insert(scalar) }
        #expect(buffer.lines == [["e\u{301}", "👨‍👧"]])
        #expect(buffer.cursor.column == 2)
        buffer.remove(.left)
        buffer.remove(.left)
        #expect(buffer.isEmpty)
    }

    @Test func `a typed word is undone at once, and comes back`() {
        var buffer = TextBuffer("a")
        buffer.move(.lineEnd)
        for letter in " new word" { buffer.insert(String(letter)) }
        buffer.undo()
        #expect(buffer.text == "a new ")
        buffer.undo()
        buffer.undo()
        buffer.undo()
        #expect(buffer.text == "a")
        #expect(buffer.undo() == false)
        while buffer.redo() {}
        #expect(buffer.text == "a new word")
    }

    @Test func `a paste brings line feeds only`() {
        var buffer = TextBuffer("xy")
        buffer.move(.right)
        buffer.insert("1\r\n2\r3\n4")
        #expect(buffer.text == "x1\n2\n3\n4y")
        #expect(buffer.cursor == TextPosition(line: 3, column: 1))
    }

    @Test func `a lone carriage return in a note is kept`() {
        #expect(TextBuffer("a\r\nb\rc").text == "a\nb\rc")
    }

    @Test(arguments: 1...UInt64(Thoroughness.count(12, soak: 40)))
    func `undoing everything leads back to the start, redoing to the end`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let start = "first line\n\ntab\there\n日本 e\u{301} 👍🏽\nlast"
        var buffer = TextBuffer(start)
        var texts = [buffer.text]
        for _ in 0..<200 {
            Self.edit(&buffer, &random)
            let isValid = buffer.cursor <= buffer.end && buffer.cursor.column <= buffer.lines[buffer.cursor.line].count
            #expect(isValid)
            texts.append(buffer.text)
        }
        let end = buffer.text
        while buffer.undo() { #expect(texts.contains(buffer.text)) }
        #expect(buffer.text == start)
        while buffer.redo() {}
        #expect(buffer.text == end)
    }

    private static let pieces = ["a", " ", "\n", "é", "\u{301}", "\u{200D}", "🇳", "日", "word", "x\ny\nz", "\t", "\r\n"]
    private static let movements: [TextBuffer.Movement] = [
        .left, .right, .wordLeft, .wordRight, .lineStart, .lineEnd, .documentStart, .documentEnd,
    ]

    private static func edit(_ buffer: inout TextBuffer, _ random: inout SeededRandom) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: buffer.insert(pieces.randomElement(using: &random) ?? "")
        case 5, 6: buffer.remove(movements[Int.random(in: 0..<6, using: &random)])
        case 7:
            let line = Int.random(in: -1...8, using: &random)
            buffer.move(to: TextPosition(line: line, column: Int.random(in: -1...12, using: &random)))
        default: buffer.move(movements.randomElement(using: &random) ?? .left)
        }
    }
}

@Suite struct TextViewTests {
    static func rows(_ text: String, width: Int, height: Int = 10) -> [String] {
        let view = TextView(width: width, height: height)
        let lines = TextBuffer(text).lines
        return view.rows(of: lines).map { view.draw($0, of: lines).text }
    }

    @Test func `lines are folded at spaces, and inside a word that is too long`() {
        #expect(Self.rows("one two three", width: 9) == ["one two", "three"])
        #expect(Self.rows("abcdefghij", width: 5) == ["abcd", "efgh", "ij"])
        #expect(Self.rows("", width: 5) == [""])
    }

    @Test func `wide characters take two columns and are never cut`() {
        #expect(Self.rows("日本語", width: 6) == ["日本", "語"])
        #expect(Self.rows("👍🏽👍🏽", width: 4) == ["👍🏽", "👍🏽"])
    }

    @Test func `tabs reach to the next stop`() { #expect(Self.rows("a\tb", width: 20) == ["a   b"]) }

    @Test func `controls are spelled out and counted`() {
        #expect(Self.rows("a\u{1B}[2J", width: 30) == ["a‹U+001B›[2J"])
        #expect(Self.rows("می‌خواهم", width: 30) == ["می‌خواهم"])
    }

    @Test(arguments: 1...UInt64(Thoroughness.count(8, soak: 20)))
    func `the cursor is always in sight`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let width = Int.random(in: 2...30, using: &random)
        var view = TextView(width: width, height: Int.random(in: 1...6, using: &random))
        let vocabulary = ["word", "日本語", "\n", "averyverylongword", "\t", "👍"]
        let words = (0..<40).map { _ in vocabulary.randomElement(using: &random) ?? "" }
        let lines = TextBuffer(words.joined(separator: " ")).lines
        for _ in 0..<100 {
            let line = Int.random(in: lines.indices, using: &random)
            let cursor = TextPosition(line: line, column: Int.random(in: 0...lines[line].count, using: &random))
            view.show(cursor, in: lines)
            let place = view.place(of: cursor, in: lines)
            let row = TextView.Row(line: line, range: view.fold(lines[line])[place.row])
            #expect(view.rows(of: lines).contains(row))
            #expect(place.column <= view.width)
        }
    }

    @Test func `a long text is shown without folding all of it`() {
        let text = String(repeating: String(repeating: "word ", count: 40) + "\n", count: 50_000)
        let lines = TextBuffer(text).lines
        var view = TextView(width: 80, height: 24)
        let time = ProcessorTime.of { view.show(TextPosition(line: 50_000, column: 0), in: lines) }
        #expect(time < .milliseconds(100))
    }
}
