import DiaryClient
import DiaryViews
import Localization
import TerminalScreen

/// What `?` shows.
enum Help {
    static func lines(_ language: DiaryLanguage) -> [[Character]] {
        let text = language.phrase(
            """
            # Views
            t  timeline           c  calendar        o  on this day
            m  map                s  statistics      g  tags
            *  starred            D  drafts          T  trash
            /  search             S  settings        Esc  back

            # Moving
            j k ↑ ↓     next and previous entry
            Enter       open
            [ ]         earlier and later: day, month, entry

            # Writing
            n  new entry          e  edit            d  to the trash
            N  from a template    z  take back the last delete
            In the editor: Tab changes the field, Ctrl+S saves and closes,
            Ctrl+D keeps a draft, Ctrl+C discards.
            Date   2026-11-22 14:05 Europe/Oslo; empty means now
            Place  Drøbak 59.67, 10.63; the name alone where it is known
            Ctrl+P takes over what a photo says of date and place.

            # Files
            In the field of the files: Tab completes the path, Enter adds.
            While no path is typed: ↑ ↓ selects, ← → moves, Del takes out,
            Enter puts the file into the text.
            f  in an entry: its files, and what is known of them
            Enter  in an entry, on a file: its picture, as large as the screen
            x  saves a photo without place, date and camera, X the original

            # Otherwise
            ?  this help; while you type, F1 opens it
            Ctrl+L  lock now          Ctrl+Z  suspend, which locks too
            Ctrl+R  read anew         q       quit, which locks too
            """)
        return TextBuffer(text).lines
    }
}
