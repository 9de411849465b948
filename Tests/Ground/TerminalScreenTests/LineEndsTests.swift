import TerminalScreen
import Testing

/// Line ends of a text that is edited with line feeds alone.
@Suite struct LineEndsTests {
    private static func edited(_ text: String, _ edit: (inout TextBuffer) -> Void = { _ in }) -> String {
        var buffer = TextBuffer(text)
        edit(&buffer)
        return String(decoding: LineEnds(text).restored(buffer.text), as: UTF8.self)
    }

    @Test(arguments: [
        "", "a", "a\n", "a\r\n", "a\r\nb", "a\r\n\r\nb\r\n", "a\nb\r\nc\n", "a\rb", "a\r\r\nb\n", "\r\n",
        "\u{FEFF}a\r\n\tb \r\n",
        "nul \0\r\nCafe\u{301}\r\n", "\n\r\n\n",
    ])
    func `a text that nobody edits stays byte for byte`(_ text: String) {
        #expect(Self.edited(text).utf8.elementsEqual(text.utf8))
    }

    @Test func `a line that is written to keeps its end, a new one ends as those beside it`() {
        #expect(
            Self.edited("a\r\nb") {
                $0.move(to: $0.end); $0.insert("\nc")
            } == "a\r\nb\r\nc")
        #expect(
            Self.edited("a\r\nb\r\n") {
                $0.move(to: TextPosition(line: 0, column: 1)); $0.insert("\nx")
            } == "a\r\nx\r\nb\r\n")
        #expect(
            Self.edited("a\nb\r\nc\nd") {
                $0.move(to: TextPosition(line: 1, column: 1)); $0.insert("!\nx")
            } == "a\nb!\r\nx\r\nc\nd")
        #expect(
            Self.edited("a\nb\r\nc\nd") {
                $0.move(to: TextPosition(line: 3, column: 1)); $0.insert("\nx")
            } == "a\nb\r\nc\nd\nx")
        #expect(Self.edited("a\nb") { $0.insert("x\r\ny") } == "x\nya\nb", "what is pasted ends as the rest")
    }

    @Test func `lines that others moved away from keep their ends`() {
        #expect(Self.edited("a\nb\r\nc\nd") { $0.remove(to: TextPosition(line: 1, column: 0)) } == "b\r\nc\nd")
        #expect(
            Self.edited("a\r\nb\nc\r\nd") { $0.replaceAll(with: "x\na\ny\nb\nz\nc\nd") }
                == "x\r\na\r\ny\nb\nz\nc\r\nd")
    }
}
