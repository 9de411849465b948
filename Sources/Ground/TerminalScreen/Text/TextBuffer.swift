/// A place in a text: a line and a character in it, both counted from 0.
package struct TextPosition: Equatable, Comparable, Sendable {
    /// From 0 on.
    package var line: Int
    /// Characters in front of it, as people count them.
    package var column: Int

    /// - Parameters:
    ///   - line: from 0 on.
    ///   - column: characters in front of it.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// What stands earlier in the text.
    package static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// A text that is being edited: its lines, a cursor, and what was done to it.
///
/// A line is a list of characters as people count them (grapheme clusters), so that the cursor never stands inside an
/// emoji or between a letter and its accent.
package struct TextBuffer: Sendable {
    /// At least one; none contains a line feed.
    package private(set) var lines: [[Character]]
    /// Where the next character goes; it lies in the text always.
    package private(set) var cursor = TextPosition(line: 0, column: 0)
    /// Grows with every change, undone ones too.
    package private(set) var revision = 0
    private var undone: [TextChange] = []
    private var done = TextHistory()

    /// A text with the cursor at its begin, and nothing to undo.
    package init(_ text: String = "") { lines = Self.lines(of: text) }

    /// The lines with line feeds between them.
    package var text: String { lines.map { String($0) }.joined(separator: "\n") }

    /// Whether there is no character and no line feed.
    package var isEmpty: Bool { lines.count == 1 && lines[0].isEmpty }

    /// The end of the text.
    package var end: TextPosition { TextPosition(line: lines.count - 1, column: lines[lines.count - 1].count) }

    /// Puts the cursor at the nearest place that exists.
    package mutating func move(to position: TextPosition) {
        let line = min(max(position.line, 0), lines.count - 1)
        cursor = TextPosition(line: line, column: min(max(position.column, 0), lines[line].count))
        done.endRun()
    }

    /// Puts `text` at the cursor, and the cursor behind it.
    package mutating func insert(_ text: String) {
        guard !text.isEmpty else { return }
        replace(from: cursor, to: cursor, with: text)
    }

    /// Removes what lies between the cursor and `other`, in either order.
    package mutating func remove(to other: TextPosition) {
        guard other != cursor else { return }
        replace(from: min(cursor, other), to: max(cursor, other), with: "")
    }

    /// Puts another text in the place of all, in one change; the cursor stays where it was, as near as can be.
    package mutating func replaceAll(with text: String) {
        let place = cursor
        replace(from: TextPosition(line: 0, column: 0), to: end, with: text)
        move(to: place)
    }

    /// False when there is nothing to undo.
    @discardableResult
    package mutating func undo() -> Bool {
        guard let change = done.popLast() else { return false }
        lines.replaceSubrange(change.line..<change.line + change.after.count, with: change.before)
        cursor = change.cursorBefore
        revision += 1
        undone.append(change)
        return true
    }

    /// False when nothing was undone last.
    @discardableResult
    package mutating func redo() -> Bool {
        guard let change = undone.popLast() else { return false }
        lines.replaceSubrange(change.line..<change.line + change.before.count, with: change.after)
        cursor = change.cursorAfter
        revision += 1
        done.append(change, joining: false)
        return true
    }

    private mutating func replace(from start: TextPosition, to end: TextPosition, with text: String) {
        let head = String(lines[start.line][..<start.column])
        let tail = String(lines[end.line][end.column...])
        let pieces = Self.lines(of: head + Self.withLineFeeds(text))
        let place = TextPosition(line: start.line + pieces.count - 1, column: pieces[pieces.count - 1].count)
        // Split again as a whole: an accent at the seam joins the letter before it.
        let last = Array(String(pieces[pieces.count - 1]) + tail)
        let change = TextChange(
            line: start.line, before: Array(lines[start.line...end.line]), after: pieces.dropLast() + [last],
            cursorBefore: cursor, cursorAfter: TextPosition(line: place.line, column: min(place.column, last.count)))
        lines.replaceSubrange(start.line...end.line, with: change.after)
        cursor = change.cursorAfter
        revision += 1
        undone = []
        done.append(change, joining: text.count == 1 && text.first?.isWhitespace == false)
    }

    private static func lines(of text: String) -> [[Character]] {
        let scalars = withLineFeeds(text, loneReturns: false).unicodeScalars
        return scalars.split(separator: "\n", omittingEmptySubsequences: false).map { Array(String($0)) }
    }

    /// Carriage returns end lines in what terminals paste and in files from elsewhere; a lone one in a note is text.
    private static func withLineFeeds(_ text: String, loneReturns: Bool = true) -> String {
        guard text.utf8.contains(0x0D) else { return text }
        var result = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            if scalar == "\n" && isAfterReturn { result.removeLast() }
            isAfterReturn = scalar == "\r"
            result.append(isAfterReturn && loneReturns ? "\n" : scalar)
        }
        return String(result)
    }
}

/// One change: some lines took the place of others.
struct TextChange: Sendable {
    let line: Int
    let before: [[Character]]
    let after: [[Character]]
    let cursorBefore: TextPosition
    let cursorAfter: TextPosition

    fileprivate var size: Int { before.reduce(0) { $0 + $1.count } + after.reduce(0) { $0 + $1.count } + 1 }
}

/// What was done, the last at the end; typing a word is one change.
private struct TextHistory: Sendable {
    private var changes: [TextChange] = []
    private var isRunOpen = false
    private var size = 0

    /// So many characters are kept for undoing; the oldest changes go first.
    private static let limit = 4_000_000

    /// - Parameter joining: whether the change may continue the one before it.
    mutating func append(_ change: TextChange, joining: Bool) {
        if joining, isRunOpen, let last = changes.last, last.cursorAfter == change.cursorBefore,
            last.line == change.line, last.after.count == 1, change.after.count == 1, change.before.count == 1
        {
            changes.removeLast()
            size -= last.size
            push(
                TextChange(
                    line: last.line, before: last.before, after: change.after, cursorBefore: last.cursorBefore,
                    cursorAfter: change.cursorAfter))
        } else {
            push(change)
        }
        isRunOpen = joining
    }

    mutating func popLast() -> TextChange? {
        isRunOpen = false
        guard let change = changes.popLast() else { return nil }
        size -= change.size
        return change
    }

    mutating func endRun() { isRunOpen = false }

    private mutating func push(_ change: TextChange) {
        changes.append(change)
        size += change.size
        while size > Self.limit && changes.count > 1 { size -= changes.removeFirst().size }
    }
}
