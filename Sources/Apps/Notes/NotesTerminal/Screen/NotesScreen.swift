import NotesClient
import TerminalScreen

/// The terminal interface of notes as a value: what is known, what is shown, and what follows from each key, answer
/// and event.
///
/// It does no I/O and knows no clock. A driver hands it what happens (``Input``) with the time, does what it returns
/// (``Effect``), and draws ``frame()``.
struct NotesScreen: Sendable {
    var layout: ScreenLayout
    var now: UInt64 = 0
    var session = SessionClock()
    var isDeviceLocked = false
    /// Whether it is locked because tresord does not run: then no passcode helps.
    var isDaemonGone = false
    /// Whether tresor-notes has not been heard of since the connection was lost.
    var isDisconnected = false
    var dialog: NotesDialog?
    var message = ""
    var panes = NotePanes()
    var writing: NoteWriting
    /// What was typed and is kept nowhere but here.
    var held: HeldWords?
    /// How many characters of a secret stand in the prompt, as dots.
    var secretLength = 0
    /// Whether the lock screen was asked to end once: the next time it does.
    var leavesLockScreen = false
    /// Notes of the trash that were tried to be deleted while it is emptied; nil otherwise.
    var emptied: Set<String>?
    /// In which time dates are shown.
    let dates: NoteDates
    /// Why the one note cannot be edited.
    var failure: NotesError?
    /// When lists are read anew; several changes in a row cause one reading.
    var reloadDue: UInt64?

    /// - Parameters:
    ///   - onlyNote: the one note to edit, where the screen is nothing but its editor.
    ///   - dates: in which time dates are shown.
    init(columns: Int, rows: Int, onlyNote: String? = nil, dates: NoteDates = .utc) {
        self.dates = dates
        layout = ScreenLayout(columns: columns, rows: rows)
        writing = NoteWriting(onlyNote: onlyNote)
    }

    var onlyNote: String? { writing.onlyNote }

    var editor: NoteEditor? { writing.editor }

    /// Whether the bytes that are typed belong to a passphrase.
    var wantsSecret: Bool { dialog?.wantsSecret == true }

    /// Whether the driver still needs the secrets that it holds.
    var holdsSecrets: Bool { if case .form = dialog { true } else { false } }

    /// When the next ``Input/tick`` is needed, in milliseconds; besides, there is one each second.
    var deadline: UInt64? { [editor?.draftDue, reloadDue, held?.nextTry].compactMap(\.self).min() }

    mutating func handle(_ input: Input, at time: UInt64) -> [Effect] {
        now = time
        // Emptying goes on from one answer to the next, and never from anything else.
        switch input {
        case .answer, .refusal: break
        default: emptied = nil
        }
        switch input {
        case .started: return load()
        case .key(let key): return touch() + press(key)
        case .resized(let columns, let rows): return resize(columns, rows)
        case .event(let event): return react(to: event)
        case .answer(let reply, let body, let ask): return accept(reply, body, ask)
        case .refusal(let error, let ask): return refuse(error, ask)
        case .secretEntered: return sendSecret()
        case .secretCancelled: return cancelSecret()
        case .nothingEntered: return enterNothing()
        case .fingerFound(let isKept):
            setFinger(isKept ? .offered : .none)
            return []
        case .fingerCame: return fingerCame()
        case .fingerFailed(let reason): return fingerFailed(reason)
        case .secretTyped(let count): return showDots(count)
        case .deviceUnlocked: return load()
        case .deviceUnlockRefused(let refusal): return refuse(refusal)
        case .secretsCompared(let comparison): return compared(comparison)
        case .pathCompleted(let typed, let completion): return completed(typed, completion)
        case .fileSaved(let wish): return saved(wish)
        case .fileOpened:
            message = ScreenWords.opened
            return []
        case .fileFailed(let failure, let wish): return failed(failure, wish)
        case .connectionLost: return loseConnection()
        case .tick: return passTime()
        case .lateKeys(let keys): return take(late: keys)
        case .lockSeen: return lockScreen()
        case .daemonEnded: return loseDaemon()
        case .daemonFound: return findDaemon()
        case .held(let error, _): return hold(error)
        case .heldHandedIn: return forgetHeld()
        case .stopRequested: return cover()
        case .ending: return lastWords() + (held == nil ? [] : [.handInHeld])
        }
    }

    /// Tells tresor-notes that somebody is there.
    private mutating func touch() -> [Effect] { session.takesTouch(at: now) ? [.ask(Ask(.touch))] : [] }

    /// Everything there is to show, from the start.
    func load() -> [Effect] {
        let status = Effect.ask(Ask(.status))
        return isDeviceLocked ? [status] : [status] + reload()
    }

    /// Folders and the list as they are now.
    func reload() -> [Effect] {
        guard let onlyNote else { return [.ask(Ask(.folders)), .ask(Ask(panes.shelf.request()))] }
        return writing.wanted == nil ? [] : [.ask(Ask(.show(id: onlyNote)))]
    }

    static func ask(_ requests: [NotesRequest]) -> [Effect] { requests.map { .ask(Ask($0)) } }

    private mutating func resize(_ columns: Int, _ rows: Int) -> [Effect] {
        layout = ScreenLayout(columns: columns, rows: rows)
        panes.resize(layout.note)
        writing.resize(layout.editor)
        dialog?.resize(layout.editor)
        return [.clear]
    }
}
