import Localization
import NotesClient
import TerminalScreen

/// What can be said to notes in lines, and what help says of it.
enum PlainNotesWords {
    static let grammar = PlainGrammar([
        PlainWord("folders"), PlainWord("trash"), PlainWord("pin", .choice), PlainWord("status"), PlainWord("discard"),
    ])

    static var help: String {
        localized(
            """
            A number or a title opens a note of the list.
            list, or list and a folder's path: the notes, numbered; more: the next ones; back: the list before
            folders; trash; find and words
            open 3: the third note; the same by its title: open Garden plan
            new; edit 3; copy 3; pin 3
            lock 3 gives the third note a lock, or takes it; lock alone closes all locked notes
            unlock opens them; unlock 3 where the third note has a former passphrase
            delete 3; undo
            status; quit
            """)
    }

    /// Behind a wrong passphrase; nothing in lines sets another.
    static var forgottenPassphrase: String {
        localized("If it is forgotten, tresor notes passphrase reset sets another, for notes locked from then on.")
    }

    /// How notes stand, and their session.
    static func status(_ status: NotesStatus, _ session: SessionClock, at now: UInt64) -> String {
        var words = [
            localized(
                status.notes,
                one: "\(status.account): 1 note, \(status.locked) of them locked, \(status.trashed) in the trash.",
                many: """
                    \(status.account): \(status.notes) notes, \(status.locked) of them locked, \(status.trashed) \
                    in the trash.
                    """)
        ]
        if !status.damaged.isEmpty {
            let count = status.damaged.count
            words.append(localized("Damaged records, which are kept: \(count); tresor notes status names them."))
        }
        if !session.hasPassphrase {
            words.append(localized("There is no passphrase for notes."))
        } else if !session.isOpen {
            words.append(localized("Locked notes are closed."))
        } else if let countdown = session.countdown(at: now) {
            words.append(localized("Locked notes are open; the session \(countdown)."))
        } else {
            words.append(localized("Locked notes are open; the session has no end."))
        }
        return words.joined(separator: " ")
    }
}
