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
    /// F1, which asks for help where `?` is a letter like others.
    case help
    /// With Ctrl, as its lower-case letter.
    case control(Character)
    /// The left button of a mouse, where it was pressed, counted from 0; told only where a session hears the mouse.
    case click(row: Int, column: Int)
    /// The wheel of a mouse, by so many notches, down or, where it is negative, up.
    case wheel(Int)
}

extension Key {
    /// The same keys with letters that follow each other in one piece, which a long line takes at once.
    package static func joined(_ keys: [Key]) -> [Key] {
        var joined: [Key] = []
        var run = ""
        for key in keys {
            if case .text(let text) = key {
                run += text
                continue
            }
            if !run.isEmpty { joined.append(.paste(run)) }
            run = ""
            joined.append(key)
        }
        if !run.isEmpty { joined.append(.paste(run)) }
        return joined
    }
}
