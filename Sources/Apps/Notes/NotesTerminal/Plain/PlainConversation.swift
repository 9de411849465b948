import Localization
import NotesClient
import TerminalScreen

/// The same notes in lines of words, for screen readers: what is said, what is asked, and what follows from each line.
///
/// Like ``NotesScreen`` it does no I/O.
struct PlainConversation: Sendable {
    typealias Input = PlainInput
    typealias Effect = PlainEffect

    var expectation = PlainExpectation.command
    /// Whether a finger does in place of the passphrase that is asked for.
    var finger = SecretPrompt.Finger.unknown
    /// The list that was read last.
    var list = PlainList()
    /// The note that was opened last, which a word without a number is about.
    var opened: NoteSummary?
    /// What is to be done to a note whose name may stand further down, while the rest of the list is read.
    var pending: (deed: PlainDeed, name: String, isAlone: Bool)?
    /// What is to be done when locked notes are open, for which the passphrase was asked.
    var awaited: (deed: PlainDeed, note: NoteSummary)?
    /// The note whose text is to be copied.
    var copying: String?
    /// Whether the device is locked.
    var isDeviceLocked = false
    /// Whether the next status is only taken in: nobody asked to hear it.
    var isStatusQuiet = false
    var session = SessionClock()
    var lastDeleted: String?
    /// Whether the driver holds what could not be handed in.
    var isHolding = false
    /// Whether everything was forgotten for a lock, and nothing was read since.
    var isForgotten = false
    /// Whether it was said that tresord does not run; its end is often told as a lock first.
    private var isWithoutDaemon = false
    var now: UInt64 = 0

    init() {}

    /// What stands before the caret.
    var prompt: String {
        switch expectation {
        case .command: isDeviceLocked ? PlainSaying.lockedPrompt : commandPrompt
        case .secret: passphrasePrompt
        case .passcode: PlainSaying.passcodePrompt
        case .confirmation, .agreement, .leaving: PlainSaying.yesOrNo
        case .text: localized("Text, or .help: ")
        }
    }

    /// Where another list than that of all notes was read last, numbers are of that one, and so it is said.
    private var commandPrompt: String {
        guard let list = list.name else { return localized("Command, or help: ") }
        return localized("\(list); command, or help: ")
    }

    /// Whether the next line is a passphrase or the passcode, which must be neither shown nor made a string.
    var wantsSecret: Bool {
        switch expectation {
        case .secret, .passcode: true
        default: false
        }
    }

    mutating func handle(_ input: Input, at time: UInt64) -> [Effect] {
        now = time
        switch input {
        case .started: return [.ask(Ask(.status)), .ask(Ask(list.request))]
        case .line(let line): return touch() + hear(line)
        case .secretEntered: return sendSecret()
        case .fingerFound(let isKept):
            finger = isKept ? .offered : .none
            return []
        case .fingerCame: return fingerCame()
        case .fingerFailed(let reason): return fingerFailed(reason)
        case .event(let event): return react(to: event)
        case .answer(let reply, let body, let ask): return accept(reply, body, ask)
        case .refusal(let error, let ask): return refuse(error, ask)
        case .connectionLost: return loseConnection()
        case .daemonEnded:
            defer { isWithoutDaemon = true }
            let words = DaemonAbsence.plainWords
            return isWithoutDaemon ? [] : isForgotten ? [.say(words)] : forget(words)
        case .daemonLooked(let isGone): return isGone ? [.say(DaemonAbsence.plainWords)] : askForPasscode()
        case .lateLines(let lines): return take(late: lines)
        case .held(let error): return hold(error)
        case .heldHandedIn:
            guard isHolding else { return [] }
            isHolding = false
            return [.say(localized("What you wrote has been handed in, and is kept."))]
        case .beganLocked: return forget(PlainSaying.deviceLocked) + askForPasscode()
        case .deviceUnlocked: return enter()
        case .passcodeRefused(let reason): return [.say(reason)] + askForPasscode()
        case .copied(let isDone): return [.say(isDone ? PlainSaying.copied : PlainSaying.notCopied)]
        case .ending: return lastWords() + (isHolding ? [.handInHeld] : [])
        }
    }

    private mutating func touch() -> [Effect] { session.takesTouch(at: now) ? [.ask(Ask(.touch))] : [] }

    private mutating func hear(_ line: String) -> [Effect] {
        switch expectation {
        case .command: return obey(line)
        case .confirmation(let ask):
            expectation = .command
            return PlainSaying.isYes(line) ? send(ask.request) : [.say(PlainSaying.unchanged)]
        case .agreement(let deed, let note):
            expectation = .command
            return PlainSaying.isYes(line) ? perform(deed, on: note) : [.say(PlainSaying.unchanged)]
        case .leaving:
            expectation = .command
            return PlainSaying.isYes(line) ? [.forgetHeld, .quit] : [.say(localized("It is still held here."))]
        case .text(let editor): return write(line, in: editor)
        case .secret where finger == .offered: return waitForFinger()
        case .secret where finger == .awaited:
            finger = .none
            return []
        case .secret, .passcode:
            (expectation, awaited) = (.command, nil)
            return [.say(PlainSaying.cancelled)]
        }
    }

    private mutating func sendSecret() -> [Effect] {
        defer { expectation = .command }
        switch expectation {
        case .secret(let ask): return [.ask(ask)]
        case .passcode: return [.unlockDevice]
        default: return []
        }
    }

    /// Asks at once where no passphrase is needed, else after it.
    mutating func send(_ request: NotesRequest) -> [Effect] {
        session.isOpen || !Self.needsSession(request) ? [.ask(Ask(request))] : askForSecret(request)
    }

    mutating func askForSecret(_ request: NotesRequest) -> [Effect] {
        expectation = .secret(Ask(request, needsSecret: true))
        finger = .unknown
        return []
    }

    private static func needsSession(_ request: NotesRequest) -> Bool {
        switch request {
        case .lock, .removeLock, .unlock: true
        default: false
        }
    }

    private mutating func react(to event: NotesEvent) -> [Effect] {
        switch event {
        case .deviceLocked: return isForgotten ? [] : forget(PlainSaying.deviceLocked)
        case .deviceLocking: return forget(PlainSaying.deviceLocked) + [.ask(Ask(.handedIn))]
        case .deviceUnlocked: return unlockedElsewhere()
        case .handInDrafts: return (editor.map { handIn($0) } ?? []) + (isForgotten ? [] : [.ask(Ask(.handedIn))])
        case .sessionChanged(let summary): return update(summary)
        case .noteChanged(let id):
            noteChanged(id)
            return []
        }
    }

    mutating func update(_ summary: SessionSummary) -> [Effect] {
        let wasOpen = session.isOpen
        session.set(summary, at: now)
        guard wasOpen != summary.isOpen else { return [] }
        list.sessionChanged(isOpen: summary.isOpen)
        if summary.isOpen {
            let isOlder = awaited?.note.hasOlderPassphrase == true
            return [.say(localized("Locked notes are open."))] + (isOlder ? [] : goOn())
        }
        if editor?.isLocked == true {
            let words = lastWords()
            expectation = .command
            return [.say(localized("Locked notes are closed."))] + words
        }
        return [.say(localized("Locked notes are closed."))]
    }

    /// Without tresor-notes nobody vouches for the session.
    private mutating func loseConnection() -> [Effect] {
        let closed = SessionSummary(isOpen: false, endsIn: nil, hasPassphrase: session.hasPassphrase)
        guard !isForgotten else { return update(closed) }
        return update(closed) + [.say(localized("tresor-notes does not answer. The next command tries again."))]
    }

    /// Nothing of any note remains here; what was printed before is the terminal's.
    mutating func forget(_ words: String) -> [Effect] {
        let (last, time, isHolding) = (lastWords(), now, isHolding)
        self = PlainConversation()
        (now, self.isHolding, isForgotten, isDeviceLocked) = (time, isHolding, true, true)
        return [.say(words)] + last
    }

    mutating func askForPasscode() -> [Effect] {
        expectation = .passcode
        return []
    }

    /// Unlocked here: what is to be seen first is read.
    private mutating func enter() -> [Effect] {
        (isDeviceLocked, isWithoutDaemon) = (false, false)
        return [.ask(Ask(.status)), .ask(Ask(list.request))] + (isHolding ? [.handInHeld] : [])
    }

    /// Unlocked by something else: nothing is read that nobody has asked for.
    private mutating func unlockedElsewhere() -> [Effect] {
        guard isDeviceLocked else { return [] }
        (isDeviceLocked, isWithoutDaemon) = (false, false)
        isStatusQuiet = true
        if case .passcode = expectation { expectation = .command }
        return [.say(localized("The device is unlocked. Type list for the notes.")), .ask(Ask(.status))]
            + (isHolding ? [.handInHeld] : [])
    }
}
