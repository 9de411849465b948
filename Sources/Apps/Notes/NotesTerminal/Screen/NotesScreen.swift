import NotesClient
import TerminalScreen

/// The terminal interface of notes as a value: what is known, what is shown, and what follows from each key, answer
/// and event.
///
/// It does no I/O and knows no clock. A driver hands it what happens (``Input``) with the time, does what it returns
/// (``Effect``), and draws ``frame()``. What lies open is the ``NotesDesk``'s; whether it may is known here.
struct NotesScreen: Sendable {
    var desk: NotesDesk
    private(set) var isDeviceLocked = false
    /// Whether it is locked because tresord does not run: then no passcode helps.
    private(set) var isDaemonGone = false
    /// What was typed and is kept nowhere but here.
    var held: HeldWords?

    /// - Parameters:
    ///   - onlyNote: the one note to edit, where the screen is nothing but its editor.
    ///   - dates: in which time dates are shown.
    init(columns: Int, rows: Int, onlyNote: String? = nil, dates: NoteDates = .utc) {
        desk = NotesDesk(ScreenLayout(columns: columns, rows: rows), onlyNote: onlyNote, dates: dates)
    }

    var editor: NoteEditor? { desk.editor }
    var dialog: NotesDialog? { desk.dialog }
    var panes: NotePanes { desk.panes }
    var session: SessionClock { desk.session }
    /// Why the one note cannot be edited.
    var failure: NotesError? { desk.failure }
    /// Whether the bytes that are typed belong to a secret.
    var wantsSecret: Bool { desk.foot.wantsSecret }
    /// Whether the driver still needs the secrets that it holds.
    var holdsSecrets: Bool { desk.foot.holdsSecrets }
    /// Whether it is to be found out if a finger does in place of the passphrase that is asked for.
    var asksAboutFinger: Bool { desk.foot.asksAboutFinger }
    /// Whether the reader shall wait for one.
    var waitsForFinger: Bool { desk.foot.waitsForFinger }
    /// Whether keys go to a text now.
    var isTyping: Bool { desk.isTyping }

    /// Whether a text that is being typed vanishes with this event.
    func covers(_ event: NotesEvent) -> Bool { desk.writing.isCovered(by: event) }

    /// When the next ``Input/tick`` is needed, in milliseconds; besides, there is one each second.
    var deadline: UInt64? { [desk.deadline, held?.nextTry].compactMap(\.self).min() }

    static let reloadDelay = NotesDesk.reloadDelay

    func frame() -> Frame { NotesPicture(screen: self).frame() }

    mutating func handle(_ input: Input, at time: UInt64) -> [Effect] {
        desk.begin(input, at: time)
        return settled(respond(to: input))
    }

    private mutating func respond(to input: Input) -> [Effect] {
        switch input {
        case .started, .deviceUnlocked: return load()
        case .key(let key): return desk.touch() + press(key)
        case .resized(let columns, let rows): return desk.resize(columns, rows)
        case .event(let event): return react(to: event)
        case .answer(let reply, let body, let ask): return accept(reply, body, ask)
        case .refusal(let error, let ask): return refuse(error, ask)
        case .connectionLost: return desk.loseConnection(isTold: !isDaemonGone)
        case .tick: return passTime()
        case .lateKeys(let keys): desk.take(late: keys)
        case .lockSeen: return lockScreen()
        case .daemonEnded: return loseDaemon()
        case .daemonFound: findDaemon()
        case .held(let error, _): hold(error)
        case .heldHandedIn: return forgetHeld()
        case .stopRequested: return cover()
        case .ending: return desk.lastWords() + [.handInHeld]
        case .deviceUnlockRefused(let refusal): if isDeviceLocked { desk.message = ScreenWords.refusal(refusal) }
        default: return respondAtFoot(to: input)
        }
        return []
    }

    /// What was typed at the foot, and what became of it.
    private mutating func respondAtFoot(to input: Input) -> [Effect] {
        switch input {
        case .secretEntered: return desk.foot.sendSecret()
        case .secretCancelled: return cancelSecret()
        case .nothingEntered: return desk.foot.enterNothing()
        case .fingerFound(let isKept): desk.foot.setFinger(isKept ? .offered : .none)
        case .fingerCame: return desk.foot.fingerCame()
        case .fingerFailed(let reason): desk.foot.fingerFailed(reason)
        case .secretTyped(let count): desk.foot.showDots(count)
        case .secretsCompared(let comparison): desk.foot.compared(comparison)
        case .pathCompleted(let typed, let completion): desk.foot.completed(typed, completion)
        case .fileSaved(let wish): desk.message = ScreenWords.saved(wish)
        case .fileOpened: desk.message = ScreenWords.opened
        case .fileFailed(let failure, let wish): desk.foot.failed(failure, wish)
        default: break
        }
        return []
    }

    /// What the desk wants, but for what hangs on words that are held: they keep the program from ending, and where
    /// there are none, nothing is handed in.
    private mutating func settled(_ effects: [Effect]) -> [Effect] {
        if effects.contains(.forgetHeld) { held = nil }
        guard held != nil else { return effects.filter { $0 != .handInHeld } }
        guard effects.contains(.quit), failure == nil else { return effects }
        desk.dialog = .question(.discardHeld(quits: true))
        return effects.filter { $0 != .quit }
    }

    // MARK: Keys

    private mutating func press(_ key: Key) -> [Effect] {
        if isDeviceLocked { return pressAtLockScreen(key) }
        if key == .control("d"), held != nil, desk.takesKeys {
            desk.message = ""
            desk.dialog = .question(.discardHeld(quits: false))
            return []
        }
        let effects = desk.press(key)
        return effects == [.suspend] ? cover() : effects
    }

    private mutating func pressAtLockScreen(_ key: Key) -> [Effect] {
        if case .click = key { return [] }
        desk.message = ""
        guard let dialog else { return isDaemonGone && key.leaves && desk.foot.leaveLockScreen() ? [.quit] : [] }
        let effects = desk.press(key, in: dialog)
        // A question at the lock screen goes, and the prompt comes back.
        askForPasscode()
        return effects
    }

    private mutating func cancelSecret() -> [Effect] {
        switch desk.foot.cancelSecret() {
        case .stays: []
        case .closed: desk.onlyNote != nil && editor == nil ? [.quit] : []
        case .leaves: [.quit]
        }
    }

    // MARK: Answers

    private mutating func accept(_ reply: NotesReply, _ body: [UInt8], _ ask: Ask) -> [Effect] {
        if ask.isLastWords { return [] }
        switch reply {
        case .error(let error): return refuse(error, ask)
        case .status(let status) where isDeviceLocked:
            (isDeviceLocked, isDaemonGone) = (false, false)
            return desk.begin(status)
        // A lock may have come between the question and its answer.
        default: return isDeviceLocked ? [] : desk.accept(reply, body, ask)
        }
    }

    private mutating func refuse(_ error: NotesError, _ ask: Ask) -> [Effect] {
        desk.sendingFailed(ask)
        if error.code == .deviceLocked { return lockScreen() }
        return isDeviceLocked || ask.request == .handedIn ? [] : desk.refuse(error, ask)
    }

    /// Everything there is to show, from the start.
    private func load() -> [Effect] { isDeviceLocked ? [.ask(Ask(.status))] : desk.load() }

    /// Does what is due.
    private mutating func passTime() -> [Effect] {
        let effects = retryHeld()
        return isDeviceLocked ? effects : effects + desk.passTime()
    }

    // MARK: The device

    private mutating func react(to event: NotesEvent) -> [Effect] {
        switch event {
        case .deviceLocked: return lockScreen()
        case .deviceLocking: return lockScreen() + [Self.handedIn]
        case .deviceUnlocked: return (isDeviceLocked ? load() : []) + [.handInHeld]
        case .handInDrafts:
            if isDeviceLocked { return [] }
            return (desk.writing.isLocked ? desk.coverLockedNotes() : desk.handInDraft()) + [Self.handedIn]
        case .sessionChanged(let summary): return isDeviceLocked ? [] : desk.update(summary)
        case .noteChanged(let id): return isDeviceLocked ? [] : desk.noteChanged(id)
        }
    }

    /// Nothing is held back here any more.
    static let handedIn = Effect.ask(Ask(.handedIn))

    /// The device is locked: nothing of any note remains, in the state or on the terminal.
    ///
    /// First it is covered, then what was typed is handed in: that may take a moment.
    private mutating func lockScreen() -> [Effect] {
        guard !isDeviceLocked else { return [] }
        let words = desk.lastWords()
        desk = desk.emptied
        isDeviceLocked = true
        askForPasscode()
        return [.clear, .show] + words
    }

    /// The lock screen asks for the passcode, and for nothing else: letters that are typed there are its own.
    private mutating func askForPasscode() {
        if isDeviceLocked, !isDaemonGone, dialog == nil { desk.foot.prompt(.passcode) }
    }

    /// The device is locked, and tresord has to be started before it can be unlocked.
    private mutating func loseDaemon() -> [Effect] {
        let effects = lockScreen()
        isDaemonGone = true
        desk.message = ""
        // What was typed at the prompt goes with it: there is nobody to give it to.
        if case .secret = dialog { desk.dialog = nil }
        return effects
    }

    /// It runs again; how the device stands is asked for.
    private mutating func findDaemon() {
        guard isDaemonGone else { return }
        isDaemonGone = false
        desk.message = ""
        askForPasscode()
    }

    /// Gives the terminal away for a while: a stopped program can hand in nothing, so it holds nothing.
    ///
    /// What is typed becomes the note's text, as it does when a client goes away.
    private mutating func cover() -> [Effect] {
        let words = desk.writing.savedWords.map { [Effect.ask($0)] } ?? []
        return lockScreen().filter { if case .ask = $0 { false } else { true } } + words + [.suspend]
    }
}

extension Key {
    /// Whether it takes back what a prompt asks for, or leaves.
    fileprivate var leaves: Bool { self == .escape || self == .control("c") }
}
