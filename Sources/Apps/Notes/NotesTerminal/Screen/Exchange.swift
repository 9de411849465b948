import Localization
import NotesClient
import TerminalScreen
import Tresor

/// A question to tresor-notes, and what goes with it.
struct Ask: Equatable, Sendable {
    var request: NotesRequest
    var body: [UInt8] = []
    /// Whether the passphrase that was just typed goes with it.
    var needsSecret = false
    /// Whether those that the driver holds go with it: of a new passphrase, and of what proves the present one.
    var takesHeldSecrets = false
    /// Whether nobody else has these words any more: where they are not taken, the driver holds them until they are.
    var isLastWords = false

    init(
        _ request: NotesRequest, body: [UInt8] = [], needsSecret: Bool = false, isLastWords: Bool = false,
        takesHeldSecrets: Bool = false
    ) {
        self.request = request
        self.body = body
        self.needsSecret = needsSecret
        self.isLastWords = isLastWords
        self.takesHeldSecrets = takesHeldSecrets
    }
}

extension Ask {
    /// Whether what was typed goes with it.
    var keepsWords: Bool {
        switch request {
        case .edit, .create, .keepDraft: true
        default: false
        }
    }

    /// The request by which these words are handed in later, when no editor has them any more: they become the note's
    /// text, merged with what came since.
    var later: NotesRequest {
        if case .keepDraft(let id, let base) = request { .edit(id: id, base: base) } else { request }
    }
}

/// What reaches the screen's state.
enum Input: Sendable {
    case started
    case key(Key)
    case resized(columns: Int, rows: Int)
    case event(NotesEvent)
    case answer(NotesReply, [UInt8], to: Ask)
    case refusal(NotesError, to: Ask)
    /// A passphrase lies in the driver's hands; its bytes never come here.
    case secretEntered
    case secretCancelled
    /// Enter was pressed with nothing before it.
    case nothingEntered
    /// Whether a finger does in place of the passphrase that is asked for.
    case fingerFound(Bool)
    /// A finger has opened the passphrase, which lies in the driver's hands.
    case fingerCame
    /// No finger came, or the reader failed; the reason is a sentence.
    case fingerFailed(String)
    /// So many characters of a secret have been typed so far.
    case secretTyped(count: Int)
    /// The passcode that was typed has unlocked the device, or why it has not.
    case deviceUnlocked
    case deviceUnlockRefused(DeviceUnlock.Refusal)
    /// How the new passphrase and the same once more are to each other.
    case secretsCompared(SecretComparison)
    /// What Tab makes of a path that was typed so.
    case pathCompleted(String, TypedPath.Completion)
    case fileSaved(FileWish)
    case fileOpened
    /// A file was neither read nor written; what was wanted is nil where it was to be attached.
    case fileFailed(PersonsFileFailure, FileWish?)
    /// Nothing is known of the session until tresor-notes answers again.
    case connectionLost
    /// Keys that were pressed while the text was on the screen, and that came as it was covered.
    case lateKeys([Key])
    /// The device is locked, as tresord says; tresor-notes will say it too.
    case lockSeen
    /// tresord runs no more, so that nobody vouches for an open device; and that it runs again.
    case daemonEnded
    case daemonFound
    /// What was typed could not be handed in, for this reason; the driver holds so many texts.
    case held(NotesError, count: Int)
    /// What the driver held has been handed in.
    case heldHandedIn
    /// Somebody wants the program to stop, as Ctrl-Z does.
    case stopRequested
    /// The program ends, however that came.
    case ending
    /// The time has passed on.
    case tick
}

/// What the screen's state wants done.
enum Effect: Equatable, Sendable {
    case ask(Ask)
    /// Erase the terminal before anything else is drawn.
    case clear
    /// Draw now, before what follows, which may take long.
    case show
    /// Try to hand in what the driver holds.
    case handInHeld
    /// Wipe what the driver holds: the person does not want it.
    case forgetHeld
    /// Try the passcode that was just typed.
    case unlockDevice
    /// Wait for a finger, for as long as the screen does.
    case waitForFinger
    /// Keep the secret that was just typed, until a request takes it or nobody asks for more.
    case holdSecret(SecretSlot)
    /// Compare the secret that was just typed with the new one that is held.
    case compareSecrets
    /// Whatever was kept of the former passphrase is of no use any more.
    case passphraseIsNew
    case completePath(String)
    case attach(note: String, path: String)
    case save(FileWish)
    /// Give the file to the program that the desktop has for it.
    case open(FileWish)
    case openAddress(String)
    /// Give the terminal to the shell for a while.
    case suspend
    case quit
}

extension NoteList {
    /// What may be missing in it or could not be looked at, as sentences; empty for nothing.
    var lacks: String {
        var words = isPartial ? [localized("The search index is being built; something may be missing.")] : []
        if let count = unread?.count {
            words.append(localized("\(count) could not be read; tresor doctor --data names them."))
        }
        return words.joined(separator: " ")
    }

    /// The same in lines, with the names of the first that could not be read.
    var lackLines: [String] {
        var lines = lacks.isEmpty ? [] : [lacks]
        for note in (unread ?? []).prefix(PlainList.pageSize) {
            let title = note.title.isEmpty ? "" : " " + SafeText.line(note.title)
            let parts = (note.damage ?? []).map { $0.words }.joined(separator: ", ")
            let name = note.id.prefix(8) + title
            lines.append(localized("Damaged, and kept: \(name), \(parts)"))
        }
        return lines
    }
}

extension NotePart {
    /// What it is called, for people.
    fileprivate var words: String {
        switch self {
        case .head: localized("head")
        case .text: localized("text")
        case .lock: localized("lock")
        case .origin: localized("origin")
        }
    }
}

extension NotesError {
    /// The reason as a sentence, and the hint where there is one.
    var sentence: String {
        let end = message.last.map { ".!?".contains($0) } ?? true ? "" : "."
        return message.prefix(1).uppercased() + message.dropFirst() + end
            + (hint.map { localized(" Hint: \($0)") } ?? "")
    }
}
