/// What a person pressed.
package enum Key: Equatable, Sendable {
    /// A typed character, one scalar at a time: an accent may follow its letter.
    case text(String)
    /// What the terminal pasted, in one piece or a few.
    case paste(String)
    case enter, tab, backTab, backspace, delete, escape
    case up, down, left, right, home, end, pageUp, pageDown
    /// With Ctrl or Alt.
    case wordLeft, wordRight, documentStart, documentEnd
    case deleteWord
    /// With Ctrl, as its lower-case letter.
    case control(Character)
}
