/// A text that is typed into a pane: the text with its cursor, and the part of it that is seen.
package struct TextArea: Sendable {
    /// The text, and the cursor in it.
    package private(set) var buffer: TextBuffer
    /// The part of it that is seen.
    package private(set) var view: TextView
    /// The column that ↑ and ↓ try to keep.
    private var goalColumn: Int?

    /// - Parameter view: the pane's size; it shows the begin of the text.
    package init(_ text: String = "", view: TextView) {
        buffer = TextBuffer(text)
        self.view = view
    }

    /// Takes another size; the cursor stays in sight.
    package mutating func resize(width: Int, height: Int) {
        view.resize(width: width, height: height)
        follow()
    }

    /// Does what a key does in a text; undoing has other keys in other programs.
    ///
    /// - Returns: false when the key means nothing here.
    package mutating func type(_ key: Key) -> Bool {
        guard moveVertically(key) || moveOrEdit(key) else { return false }
        follow()
        return true
    }

    /// Takes the latest change back, if there is one.
    package mutating func undo() {
        buffer.undo()
        leave()
        follow()
    }

    /// Does the latest change again that was taken back, if nothing was typed since.
    package mutating func redo() {
        buffer.redo()
        leave()
        follow()
    }

    /// Another text in its place, in one change; the cursor stays where it was, as near as can be.
    package mutating func replace(with text: String) {
        // Equal strings may have other bytes.
        guard !text.utf8.elementsEqual(buffer.text.utf8) else { return }
        buffer.replaceAll(with: text)
        leave()
        follow()
    }

    /// Forgets the column that ↑ and ↓ keep, where the keys go elsewhere meanwhile.
    package mutating func leave() { goalColumn = nil }

    /// Puts the cursor behind the last character.
    package mutating func moveToEnd() {
        buffer.move(to: buffer.end)
        follow()
    }

    /// The rows that are seen.
    package func draw() -> [StyledLine] { view.rows(of: buffer.lines).map { view.draw($0, of: buffer.lines) } }

    /// Where the caret stands among these rows; nil where it is not seen.
    package var caret: (row: Int, column: Int)? {
        let lines = buffer.lines
        let place = view.place(of: buffer.cursor, in: lines)
        let fold = view.fold(lines[buffer.cursor.line])[place.row]
        let row = TextView.Row(line: buffer.cursor.line, range: fold)
        return view.rows(of: lines).firstIndex(of: row).map { (row: $0, column: place.column) }
    }

    private mutating func follow() { view.show(buffer.cursor, in: buffer.lines) }

    private mutating func moveVertically(_ key: Key) -> Bool {
        let rows: Int
        switch key {
        case .up: rows = -1
        case .down: rows = 1
        case .pageUp: rows = 1 - view.height
        case .pageDown: rows = view.height - 1
        default:
            goalColumn = nil
            return false
        }
        let column = goalColumn ?? view.place(of: buffer.cursor, in: buffer.lines).column
        buffer.move(to: view.position(rows, below: buffer.cursor, nearColumn: column, in: buffer.lines))
        goalColumn = column
        return true
    }

    private mutating func moveOrEdit(_ key: Key) -> Bool {
        switch key {
        case .text(let text), .paste(let text): buffer.insert(text)
        case .enter: buffer.insert("\n")
        case .tab: buffer.insert("\t")
        case .backspace: buffer.remove(.left)
        case .delete: buffer.remove(.right)
        case .deleteWord: buffer.remove(.wordLeft)
        case .left: buffer.move(.left)
        case .right: buffer.move(.right)
        case .home, .control("a"): buffer.move(.lineStart)
        case .end, .control("e"): buffer.move(.lineEnd)
        case .wordLeft: buffer.move(.wordLeft)
        case .wordRight: buffer.move(.wordRight)
        case .documentStart: buffer.move(.documentStart)
        case .documentEnd: buffer.move(.documentEnd)
        case .control("u"): buffer.remove(.lineStart)
        case .control("k"): buffer.remove(.lineEnd)
        default: return false
        }
        return true
    }
}
