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

    // MARK: terminals that are too narrow

    /// What a column does is a rule of the table: here the class goes first, then the label is shortened and goes.
    private func items(_ columns: Int?, _ rows: [[String]]? = nil) -> [String] {
        var table = TextTable(
            ["KIND", "NAME", "ACCOUNT", "LABEL", "CLASS"],
            yielding: [.dropped(4), .shortened(3, to: 8), .dropped(3), .dropped(0), .dropped(2)])
        for row in rows ?? Self.rows { table.add(row) }
        return table.lines(within: columns)
    }

    private static let rows = [
        ["internet", "github.com", "anna@example.com", "GitHub of the firm", "whenUnlocked"],
        ["password", "wifi", "", "東京の無線", "whenUnlocked"],
    ]

    @Test func `in a narrow terminal the least needed columns give way, in the table's order`() {
        #expect(items(80) == items(nil) && items(300) == items(nil) && items(nil)[0].contains("CLASS"))
        #expect(
            items(60) == [
                "KIND      NAME        ACCOUNT           LABEL",
                "internet  github.com  anna@example.com  GitHub of the firm",
                "password  wifi                          東京の無線",
            ])
        #expect(
            items(50) == [
                "KIND      NAME        ACCOUNT           LABEL",
                "internet  github.com  anna@example.com  GitHub of…", "password  wifi                          東京の無線",
            ])
        #expect(
            items(40) == ["KIND      NAME        ACCOUNT", "internet  github.com  anna@example.com", "password  wifi"])
        #expect(items(30) == ["NAME        ACCOUNT", "github.com  anna@example.com", "wifi"])
        #expect(items(20) == ["NAME", "github.com", "wifi"])
    }

    @Test func `a name is whole at each width, and one that is too long takes nothing from the other rows`() {
        let long = "a name that somebody has made a whole sentence of"
        let rows = Self.rows + [["password", long, "bob", "", "always"]] + Self.rows
        for columns in 1...120 {
            let lines = items(columns, rows)
            for name in ["github.com", "wifi", long] { #expect(lines.contains { $0.contains(name) }, "\(columns)") }
        }
        #expect(
            items(40, rows) == [
                "NAME                    ACCOUNT", "github.com              anna@example.com", "wifi",
                long, "                        bob", "github.com              anna@example.com", "wifi",
            ])
    }

    @Test func `no line is wider than the terminal, unless a cell is that stands whole`() {
        for columns in 10...120 {
            for line in items(columns) {
                #expect(CellWidth.of(line) <= columns && !line.hasSuffix(" "), "\(columns): \(line)")
            }
        }
    }
}
