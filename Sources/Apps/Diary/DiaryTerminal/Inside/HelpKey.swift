import DiaryViews
import TerminalScreen

/// The keys that open the help, wherever they are pressed, and what is said of keys that do nothing.
enum HelpKey {
    /// Opens the help by F1, and by `?` where that is no letter; of what lies under it nothing changes.
    ///
    /// - Returns: false for every other key. After a true the terminal is cleared: a picture would stay in front of it.
    static func opens(_ key: Key, in diary: inout OpenDiary, _ here: Surroundings) -> Bool {
        guard key == .help || key == .text("?") && !takesLetters(diary), diary.dialog?.isHelp != true else {
            return false
        }
        diary.dialog = .firstHelp(here.size, over: diary.dialog)
        return true
    }

    /// That a key does nothing; empty for keys that move, of which nobody need be told, and in lines of words, where
    /// nobody has pressed one.
    static func words(dead key: Key, in diary: OpenDiary) -> String {
        guard !diary.here.isSpoken, let name = diary.language.speaking({ DeadKey.name(key) }) else { return "" }
        return ScreenPhrase.dead(name, isTyping: takesLetters(diary), in: diary.language)
    }

    private static func takesLetters(_ diary: OpenDiary) -> Bool {
        diary.dialog?.takesLetters ?? (diary.editor.map { $0.field.takesLetters } ?? false)
    }
}

extension EntryEditor.Field {
    /// Whether something is typed there, and nothing chosen.
    fileprivate var takesLetters: Bool { self != .mood && self != .star }
}

extension EntryEditor {
    /// Whether a key means nothing in the field that has the keys.
    func isDead(_ key: Key) -> Bool {
        switch (field, key) {
        case (.text, .control(let letter)): !"aekuxy".contains(letter)
        case (.mood, .text(let text)), (.star, .text(let text)): text != " "
        case (.mood, .control), (.star, .control): true
        case (_, .control(let letter)): letter != "u"
        default: false
        }
    }
}
