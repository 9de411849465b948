/// A line that is typed at the screen, such as what to search for.
package struct TypedLine: Sendable {
    package private(set) var buffer: TextBuffer

    package init(_ text: String = "") {
        buffer = TextBuffer(text)
        buffer.move(.documentEnd)
    }

    package var text: String { buffer.text }
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
