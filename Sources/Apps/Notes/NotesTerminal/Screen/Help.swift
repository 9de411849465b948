import Localization
import TerminalScreen

/// What `?` shows.
enum Help {
    static var lines: [[Character]] { TextBuffer(text).lines }

    private static var text: String {
        localized(
            """
            # Moving
            ↑ ↓ j k      next and previous
            PgUp PgDn    by pages; Home and End: first and last
            Tab          next pane; Shift+Tab the one before
            Enter        into the folder or note; Esc back
            / Ctrl+F     search
            o            order: changed, made, title

            # Notes
            n Ctrl+N     new note
            e            edit
            t m          tags; to a folder
            p            pin, or take the pin off
            a A          attach a file; the attachments
            v            former texts: look, bring back
            x            export this note to a file
            d Del        to the trash; in the trash: delete for good
            z Ctrl+U     take back the last delete; in the trash: take out
            D            in the trash: empty it

            # Reading
            Space        tick the box of this row; else a page on
            Enter        follow the link of this row

            # Locked notes
            Enter        asks for the passphrase; letters do nothing there
            u            open all of them, with the passphrase
            L            lock this note, or remove its lock
            P Ctrl+P     set, change or reset the passphrase
            Ctrl+L       close all of them now

            # Editor
            - [ ] milk   writes a box to tick; - milk a list, # Food a heading
            Esc          save and close
            Ctrl+S       save
            Ctrl+C       discard
            Ctrl+Z Ctrl+Y   undo, redo
            Ctrl+← Ctrl+→   by words; Ctrl+W deletes one
            Ctrl+K Ctrl+U   delete to the end, to the start of the line

            # Otherwise
            ? F1         this help; while you type, F1 alone
            Ctrl+R       read everything anew
            Ctrl+Z       suspend
            q            quit
            """)
    }
}
