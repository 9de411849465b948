import Localization
import TerminalScreen

/// The viewer while tresord does not run: nobody vouches for the device, and nobody unlocks it.
enum WithoutDaemon {
    /// It has ended: nothing of any item remains, and nothing is asked for.
    static func begin(_ screen: inout BrowserScreen) -> [Effect] {
        guard screen.absence == nil else { return [] }
        let effects = screen.wipe()
        screen.absence = DaemonAbsence()
        (screen.lockState, screen.dialog) = (nil, nil)
        return effects
    }

    static func press(_ key: Key, in screen: inout BrowserScreen) -> [Effect] {
        if key == .control("z") { return [.suspend] }
        return screen.absence?.leaves(with: key) == true ? screen.quit() : []
    }

    /// That it does not run, and how to go on: a narrow window folds it, and of a low one the end is not seen.
    static func draw(_ screen: BrowserScreen) -> [StyledLine] {
        var words = DaemonAbsence.lines
        if screen.waiting == .held { words.append(localized("What was typed into the form waits, unseen.")) }
        let texts = TextBuffer(words.joined(separator: "\n")).lines
        let height = screen.bodyHeight
        let rows = TextView(width: screen.columns - 1, height: height).rows(of: texts).map { row in
            StyledLine(
                " " + String(texts[row.line][row.range]), row.line == 0 ? .bold : .plain, width: screen.columns)
        }
        return rows.count < height ? [StyledLine("", width: screen.columns)] + rows : rows
    }
}
