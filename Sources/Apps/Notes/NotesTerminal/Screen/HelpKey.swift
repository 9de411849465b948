import TerminalScreen

/// The keys that open the help, wherever they are pressed, and what is said of keys that do nothing.
enum HelpKey {
    /// Opens the help by F1, and by `?` where that is no letter; of what lies under it nothing changes.
    ///
    /// - Returns: false for every other key, and while a secret is typed, which may have any character.
    static func opens(_ key: Key, in desk: inout NotesDesk) -> Bool {
        guard key == .help || key == .text("?") && !takesLetters(desk), !desk.foot.wantsSecret else { return false }
        if case .help = desk.dialog { return false }
        desk.dialog = .help(desk.layout.editor, over: desk.dialog)
        return true
    }

    /// Says that a key does nothing, until the next one.
    static func tellDead(_ key: Key, in desk: inout NotesDesk) -> [Effect] {
        if let words = DeadKey.words(key, isTyping: takesLetters(desk)) { desk.message = words }
        return []
    }

    private static func takesLetters(_ desk: NotesDesk) -> Bool { desk.dialog?.takesLetters ?? (desk.editor != nil) }
}
