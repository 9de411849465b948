import TerminalScreen
import Testing

@Suite struct TextTableTests {
    private func lines(_ rows: [[String]]) -> [String] {
        var table = TextTable(["KIND", "NAME", "ACCOUNT"])
        for row in rows { table.add(row) }
        return table.lines
    }

    @Test func `columns are as wide as what stands in them, and no line ends with blanks`() {
        #expect(
            lines([["password", "a", "anna"], ["key", "longer name", ""]]) == [
                "KIND      NAME         ACCOUNT", "password  a            anna", "key       longer name",
            ])
    }

    @Test func `a column that is empty in all rows is left out`() {
        #expect(lines([["key", "a", ""], ["key", "b", ""]]) == ["KIND  NAME", "key   a", "key   b"])
        #expect(lines([]).isEmpty)
    }

    @Test func `wide letters take two columns, and what a terminal would obey is spelled out`() {
        #expect(
            lines([["key", "東京", "x"], ["key", "a\u{1B}b", "y"]]) == [
                "KIND  NAME        ACCOUNT", "key   東京        x", "key   a‹U+001B›b  y",
            ])
    }
}
