import Linux
import NotesClient
package import Wire

/// Notes in the terminal.
package enum NotesTerminal {
    /// Shows the notes until the person quits.
    ///
    /// - Parameter isPlain: whether to talk in lines, for screen readers, instead of filling the screen.
    /// - Throws: ``NotesError`` when tresor-notes cannot be reached, `LinuxError` when there is no terminal.
    package static func run(home: Home, isPlain: Bool = false) throws {
        if isPlain {
            try PlainDriver(home: home).run()
        } else {
            try ScreenDriver(home: home).run()
        }
    }

    /// Edits one note; returns when the editor is left.
    ///
    /// - Throws: ``NotesError`` when the note cannot be edited, and as ``run(home:isPlain:)``.
    package static func edit(home: Home, id: String) throws {
        try ScreenDriver(home: home, onlyNote: id).run()
    }
}
