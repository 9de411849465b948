/// A line that is typed at the screen, such as what to search for.
package struct TypedLine: Sendable {
    /// Its one line, and the cursor in it.
    package private(set) var buffer: TextBuffer

    /// A line with the cursor at its end.
    package init(_ text: String = "") {
        buffer = TextBuffer(text)
        buffer.move(.documentEnd)
    }

    /// What was typed so far.
    package var text: String { buffer.text }
    /// Whether nothing was typed, or all of it was taken back.
    package var isEmpty: Bool { buffer.isEmpty }

    /// Does what a key does in a line of text; keys that do nothing there are passed over.
    package mutating func type(_ key: Key) {
        switch key {
        case .text(let text): buffer.insert(text)
        case .paste(let text): buffer.insert(text.filter { !$0.isNewline })
        case .backspace: buffer.remove(.left)
        case .delete: buffer.remove(.right)
        case .deleteWord: buffer.remove(.wordLeft)
        case .control("u"): buffer.remove(.lineStart)
        case .left: buffer.move(.left)
        case .right: buffer.move(.right)
        case .home: buffer.move(.lineStart)
        case .end: buffer.move(.lineEnd)
        default: break
        }
    }
}
