package import TerminalScreen

/// Where something stands on a screen, as a test that clicks wants to know it.
package enum ScreenPlace {
    /// The words are nowhere on the screen.
    package struct Missing: Error, CustomStringConvertible {
        /// What was looked for, and the screen.
        package let description: String
    }

    /// A click on the first line of the screen that has these words, in the first column of them.
    ///
    /// - Parameter screen: its lines, as text.
    /// - Throws: ``Missing`` where no line has them.
    package static func click(on words: String, in screen: String) throws(Missing) -> Key {
        let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
        for (row, line) in lines.enumerated() {
            guard let before = line.firstRange(of: words)?.lowerBound else { continue }
            return .click(row: row, column: CellWidth.of(String(line[..<before])))
        }
        throw Missing(description: "'\(words)' is not on the screen:\n\(screen)")
    }

    /// The words of a screen or a sentence with one space between them, so that one is found in the other wherever its
    /// lines break.
    package static func words(of text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
