import TerminalScreen

/// What `?` shows.
enum Help {
    static let lines: [[Character]] = TextBuffer(text).lines

    private static let text = """
        # Moving
        j k ↑ ↓      next and previous
        Tab          next pane; Shift+Tab the one before
        g G          first and last
        Enter        into the folder or note; Esc back
        /            search

        # Notes
        n            new note
        e            edit
        p            pin, or take the pin off
        d            to the trash; in the trash: delete for good
        z            take back the last delete; in the trash: take out

        # Locked notes
        u            unlock with the passphrase
        L            lock this note, or remove its lock
        Ctrl+L       lock now

        # Editor
        Esc          save and close
        Ctrl+S       save
        Ctrl+C       discard
        Ctrl+Z Ctrl+Y   undo, redo
        Ctrl+← Ctrl+→   by words; Ctrl+W deletes one
        Ctrl+K Ctrl+U   delete to the end, to the start of the line

        # Otherwise
        Ctrl+R       read everything anew
        Ctrl+Z       suspend
        q            quit
        """
}
