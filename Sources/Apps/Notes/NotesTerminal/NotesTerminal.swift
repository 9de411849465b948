import Linux
import NotesClient
package import Wire

/// Notes in the terminal.
package enum NotesTerminal {
    /// Shows the notes until the person quits.
    ///
    /// - Parameters:
    ///   - isPlain: whether to talk in lines, for screen readers, instead of filling the screen.
    ///   - ownerIsActive: called when a key was pressed, at most once a second.
    /// - Throws: ``NotesError`` when tresor-notes cannot be reached, or what was typed could not be kept; `LinuxError`
    ///   when there is no terminal.
    package static func run(
        home: Home, isPlain: Bool = false, ownerIsActive: @escaping () -> Void = {}
    ) throws {
        if isPlain {
            try PlainDriver(home: home, ownerIsActive: ownerIsActive).run()
        } else {
            try ScreenDriver(home: home, ownerIsActive: ownerIsActive).run()
        }
    }

    /// Edits one note; returns when the editor is left.
    ///
    /// - Throws: ``NotesError`` when the note cannot be edited, and as ``run(home:isPlain:ownerIsActive:)``.
    package static func edit(home: Home, id: String, ownerIsActive: @escaping () -> Void = {}) throws {
        try ScreenDriver(home: home, onlyNote: id, ownerIsActive: ownerIsActive).run()
    }
}
