package import Linux

/// Words in lines that fit a terminal: broken between words, where the terminal itself would break amid one.
///
///     WordWrap(columns: 24).text("  say 'tresor up' before that")  // "  say 'tresor up'\n  before that"
///
/// A line that follows another one begins below the first word, or behind the mark of a list (`-`, `2.`), or behind the
/// name of a row whose value stands two spaces behind it. What stands in quotes, as commands do, stays together where
/// it fits a line. A word that is longer than a line, such as a path, is left whole on a line of its own: whoever
/// copies it gets all of it. Nothing but the spaces at a break is changed, and a text that fits stays as it is.
package struct WordWrap {
    private let columns: Int

    /// - Parameter columns: of the terminal, 1 at least.
    package init(columns: Int) { self.columns = columns }

    /// - Parameter text: has been through `SafeText`; its own line feeds stay. A line with tabs in it is not touched.
    package func text(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }.joined(separator: "\n")
    }

    private func line(_ line: String) -> String {
        guard CellWidth.of(line) > columns, !line.contains("\t") else { return line }
        let words = Self.words(of: line)
        guard let first = words.first else { return line }
        let hang = hang(of: words)
        var wrapped = ""
        var end = 0
        for unit in units(of: words, room: columns - hang) {
            if wrapped.isEmpty || end + unit.gap + unit.width <= columns {
                wrapped += String(repeating: " ", count: unit.gap) + unit.text
                end += unit.gap + unit.width
            } else {
                let start = [hang, first.gap, 0].first { $0 + unit.width <= columns } ?? 0
                wrapped += "\n" + String(repeating: " ", count: start) + unit.text
                end = start + unit.width
            }
        }
        return wrapped
    }

    /// At which column the lines begin that follow the first.
    private func hang(of words: [Word]) -> Int {
        let indent = words[0].gap
        var places = [indent, 0]
        if words.count > 1, Self.isMark(words[0].text) {
            places.insert(indent + words[0].width + words[1].gap, at: 0)
        } else if let value = words.dropFirst().firstIndex(where: { $0.gap > 1 }) {
            places.insert(words[..<value].reduce(0) { $0 + $1.gap + $1.width } + words[value].gap, at: 0)
        }
        return places.first { $0 <= columns / 2 } ?? 0
    }

    // MARK: words

    /// What is not broken, and how many spaces stand before it.
    private struct Word {
        var gap: Int
        var text: String
        var width: Int

        /// With another one behind it, and the spaces between them.
        func followed(by next: Word) -> Word {
            let spaces = String(repeating: " ", count: next.gap)
            return Word(gap: gap, text: text + spaces + next.text, width: width + next.gap + next.width)
        }

        /// With so many spaces behind it, which are never alone on a line.
        func ending(in spaces: Int) -> Word { followed(by: Word(gap: spaces, text: "", width: 0)) }
    }

    private static func words(of line: String) -> [Word] {
        var words: [Word] = []
        var spaces = 0
        var rest = line[...]
        while !rest.isEmpty {
            let gap = rest.prefix { $0 == " " }
            let word = rest[gap.endIndex...].prefix { $0 != " " }
            rest = rest[word.endIndex...]
            spaces = gap.count
            if !word.isEmpty {
                words.append(Word(gap: spaces, text: String(word), width: CellWidth.of(String(word))))
                spaces = 0
            }
        }
        // Behind a question stands a space, before what is typed.
        if spaces > 0, let last = words.popLast() { words.append(last.ending(in: spaces)) }
        return words
    }

    /// Words that stay together, joined.
    ///
    /// - Parameter room: the columns of a line that follows another.
    private func units(of words: [Word], room: Int) -> [Word] {
        var units: [Word] = []
        var index = 0
        while index < words.count {
            // The first stands where it stands.
            let room = index == 0 || units.count == 1 ? min(room, columns - words[0].gap) : room
            let (unit, next) = unit(at: index, of: words, room: room)
            // French has a space before these, which some write as one that may be broken.
            if let last = units.last, Self.isBound(unit.text) || last.text == "«",
                last.width + unit.gap + unit.width <= room
            {
                units[units.count - 1] = last.followed(by: unit)
            } else {
                units.append(unit)
            }
            index = next
        }
        return units
    }

    private func unit(at index: Int, of words: [Word], room: Int) -> (unit: Word, next: Int) {
        var unit = words[index]
        let opening = unit.text.drop { "([«".contains($0) }
        guard opening.hasPrefix("'"), !Self.closes(opening.dropFirst()) else { return (unit, index + 1) }
        for next in (index + 1)..<max(index + 1, words.count) {
            unit = unit.followed(by: words[next])
            guard unit.width <= room else { break }
            if Self.closes(words[next].text[...]) { return (unit, next + 1) }
        }
        return (words[index], index + 1)
    }

    /// Whether a quote ends with a word, punctuation aside.
    private static func closes(_ word: Substring) -> Bool {
        word.reversed().drop { ".,;:!?…)]»".contains($0) }.first == "'"
    }

    private static func isBound(_ word: String) -> Bool { word.allSatisfy { "?!:;»%".contains($0) } }

    private static func isMark(_ word: String) -> Bool {
        if ["-", "*", "•", "–"].contains(word) { return true }
        guard let last = word.last, last == "." || last == ")" else { return false }
        let number = word.dropLast()
        return !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
    }
}

extension Terminal {
    /// A text for a person, in lines that fit the terminal; where there is none, as it is.
    ///
    /// Not for what a person copies or a program reads: secrets, contents, JSON.
    ///
    /// - Parameters:
    ///   - text: has been through `SafeText`.
    ///   - descriptor: where it is written to.
    package static func wrapped(_ text: String, on descriptor: Int32) -> String {
        guard let columns = columns(descriptor) else { return text }
        return WordWrap(columns: columns).text(text)
    }
}
