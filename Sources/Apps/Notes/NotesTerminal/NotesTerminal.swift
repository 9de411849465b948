import Linux
import NotesClient
package import Tresor
package import Wire

/// Notes in the terminal.
package enum NotesTerminal {
    /// Shows the notes until the person quits.
    ///
    /// - Parameters:
    ///   - isPlain: whether to talk in lines, for screen readers, instead of filling the screen.
    ///   - finger: the passphrase of locked notes where it is kept for a finger; nil where none is looked for.
    ///   - passphraseIsNew: called when the passphrase of locked notes was changed or reset: what was kept of the
    ///     former one is of no use any more.
    ///   - ownerIsActive: called when a key was pressed, at most once a second.
    /// - Throws: ``NotesError`` when tresor-notes cannot be reached, or what was typed could not be kept; `LinuxError`
    ///   when there is no terminal.
    package static func run(
        home: Home, isPlain: Bool = false, finger: FingerPassword? = nil, passphraseIsNew: @escaping () -> Void = {},
        ownerIsActive: @escaping () -> Void = {}
    ) throws {
        if isPlain || !canFill(terminal: CurrentProcess.environment("TERM")) {
            try PlainDriver(home: home, finger: finger, ownerIsActive: ownerIsActive).run()
        } else {
            try ScreenDriver(
                home: home, finger: finger, passphraseIsNew: passphraseIsNew, ownerIsActive: ownerIsActive
            ).run()
        }
    }

    /// Whether a terminal of this name moves its cursor; a dumb one shows lines alone.
    ///
    /// Nothing here has a colour, so that `NO_COLOR` changes nothing: what stands out is bold, faint or inverse, and
    /// told by a sign as well.
    static func canFill(terminal name: String?) -> Bool { name != nil && name != "" && name != "dumb" }

    /// Edits one note; returns when the editor is left.
    ///
    /// - Throws: ``NotesError`` when the note cannot be edited, and as ``run(home:isPlain:finger:passphraseIsNew:ownerIsActive:)``.
    package static func edit(
        home: Home, id: String, finger: FingerPassword? = nil, ownerIsActive: @escaping () -> Void = {}
    ) throws {
        try ScreenDriver(home: home, onlyNote: id, finger: finger, ownerIsActive: ownerIsActive).run()
    }
}
