import TerminalScreen
import Testing

@Suite struct TypedLineTests {
    @Test func `a line takes text, loses it and never holds a second line`() {
        var line = TypedLine("ma")
        for key in [Key.text("i"), .text("l"), .paste("\r\nbox\n"), .left, .backspace, .control("s"), .enter] {
            line.type(key)
        }
        #expect(line.text == "mailbx")
        line.type(.control("u"))
        #expect(line.text == "x")
        line.type(.delete)
        #expect(line.isEmpty)
    }

    @Test func `a long line is seen around its cursor`() {
        var frame = Frame(lines: [StyledLine("", width: 20)], cursor: nil)
        frame.put("Search: ", TypedLine("one two three four five"), columns: 20)
        #expect(frame.text == "Search: five\n")
        #expect(frame.cursor?.column == 12)
    }

    @Test func `words take as many rows as they need, three at most, from the bottom up`() {
        var frame = Frame(lines: Array(repeating: StyledLine("", width: 10), count: 5), cursor: nil)
        frame.put("one two three four five six seven", .bold, columns: 10)
        #expect(frame.text == "\n\none two\nthree\nfour\n")
    }
}
