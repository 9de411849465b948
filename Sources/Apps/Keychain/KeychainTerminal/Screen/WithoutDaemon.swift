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

    /// That it does not run, and how to go on; of a low window that alone is seen.
    static func draw(_ screen: BrowserScreen) -> [StyledLine] {
        let waits = screen.waiting == .held ? [localized("What was typed into the form waits, unseen.")] : []
        let words = DaemonAbsence.lines
        let height = screen.bodyHeight
        let choices = [words + waits, Array(words.prefix(2)), [words[1]]].map { fold($0, columns: screen.columns) }
        let lines = choices.first { $0.count <= height } ?? choices[2]
        return lines.count < height ? [StyledLine("", width: screen.columns)] + lines : Array(lines.prefix(height))
    }

    private static func fold(_ words: [String], columns: Int) -> [StyledLine] {
        let texts = TextBuffer(words.joined(separator: "\n")).lines
        let indent = columns < 40 ? "" : " "
        // A view keeps a column free for a cursor.
        let view = TextView(width: columns + 1 - indent.count, height: .max)
        return view.rows(of: texts).map { row in
            let isTitle = row.line == 0 && words.count > 1
            return StyledLine(
                indent + String(texts[row.line][row.range]), isTitle ? .bold : .plain, width: columns)
        }
    }
}
