extension TextBuffer {
    /// Where the cursor may go from where it is.
    package enum Movement { case left, right, wordLeft, wordRight, lineStart, lineEnd, documentStart, documentEnd }

    /// Moves the cursor; at the end of the text nothing happens.
    package mutating func move(_ movement: Movement) { move(to: place(after: movement)) }

    /// Removes what `movement` would pass over.
    package mutating func remove(_ movement: Movement) { remove(to: place(after: movement)) }

    private func place(after movement: Movement) -> TextPosition {
        switch movement {
        case .left: before(cursor)
        case .right: after(cursor)
        case .wordLeft: wordStart(before: cursor)
        case .wordRight: wordEnd(after: cursor)
        case .lineStart: TextPosition(line: cursor.line, column: 0)
        case .lineEnd: TextPosition(line: cursor.line, column: lines[cursor.line].count)
        case .documentStart: TextPosition(line: 0, column: 0)
        case .documentEnd: end
        }
    }

    private func before(_ position: TextPosition) -> TextPosition {
        if position.column > 0 { return TextPosition(line: position.line, column: position.column - 1) }
        guard position.line > 0 else { return position }
        return TextPosition(line: position.line - 1, column: lines[position.line - 1].count)
    }

    private func after(_ position: TextPosition) -> TextPosition {
        if position.column < lines[position.line].count {
            return TextPosition(line: position.line, column: position.column + 1)
        }
        guard position.line + 1 < lines.count else { return position }
        return TextPosition(line: position.line + 1, column: 0)
    }

    private func wordStart(before position: TextPosition) -> TextPosition {
        guard position.column > 0 else { return before(position) }
        let line = lines[position.line]
        var column = position.column
        while column > 0 && !line[column - 1].isPartOfWord { column -= 1 }
        while column > 0 && line[column - 1].isPartOfWord { column -= 1 }
        return TextPosition(line: position.line, column: column)
    }

    private func wordEnd(after position: TextPosition) -> TextPosition {
        let line = lines[position.line]
        guard position.column < line.count else { return after(position) }
        var column = position.column
        while column < line.count && !line[column].isPartOfWord { column += 1 }
        while column < line.count && line[column].isPartOfWord { column += 1 }
        return TextPosition(line: position.line, column: column)
    }
}

extension Character {
    fileprivate var isPartOfWord: Bool { isLetter || isNumber || self == "_" }
}
