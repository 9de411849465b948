import NotesClient

/// The same notes in lines of words, for screen readers: what is said, what is asked, and what follows from each line.
///
/// Like ``NotesScreen`` it does no I/O.
struct PlainConversation: Sendable {
    enum Input: Sendable {
        case started
        /// What was typed, without its line feed.
        case line(String)
        case secretEntered
        case event(NotesEvent)
        case answer(NotesReply, [UInt8], to: Ask)
        case refusal(NotesError, to: Ask)
        case connectionLost
        /// Lines that were typed into a text before it went.
        case lateLines([String])
        /// What was typed could not be handed in; the driver holds it.
        case held(NotesError)
        /// What the driver held has been handed in.
        case heldHandedIn
        /// The program ends, however that came.
        case ending
    }

    enum Effect: Equatable, Sendable {
        case ask(Ask)
        /// Lines to print.
        case say(String)
        /// Try to hand in what the driver holds.
        case handInHeld
        /// Wipe what the driver holds.
        case forgetHeld
        case quit
    }

    /// What the next line is.
    enum Expectation: Sendable {
        case command
        case secret(Ask)
        case confirmation(Ask)
        /// Whether to leave, though what was written is kept nowhere else.
        case leaving
        case text(PlainEditor)
    }

    var expectation = Expectation.command
    /// The list that was read last.
    ///
    /// Its numbers stay as they are until a list is read again: a number must not come to mean another note while
    /// somebody has it in mind.
    var notes: [NoteSummary] = []
    /// How many of them have been read.
    var readCount = 0
    var total = 0
    var place = Place.all
    var session = SessionClock()
    var lastDeleted: String?
    /// Whether the driver holds what could not be handed in.
    var isHolding = false
    /// Whether everything was forgotten for a lock, and nothing was read since.
    var isForgotten = false
    var now: UInt64 = 0

    init() {}

    /// What stands before the caret.
    var prompt: String {
        switch expectation {
        case .command: "Command, or help: "
        case .secret: "Passphrase for notes, not shown; an empty line cancels: "
        case .confirmation, .leaving: "Type yes or no: "
        case .text: "Text, or .help: "
        }
    }

    /// Whether the next line is a passphrase, which must be neither shown nor made a string.
    var wantsSecret: Bool {
        if case .secret = expectation { true } else { false }
    }

    mutating func handle(_ input: Input, at time: UInt64) -> [Effect] {
        now = time
        switch input {
        case .started: return [.ask(Ask(.status)), .ask(Ask(place.request()))]
        case .line(let line): return touch() + hear(line)
        case .secretEntered: return sendSecret()
        case .event(let event): return react(to: event)
        case .answer(let reply, let body, let ask): return accept(reply, body, ask)
        case .refusal(let error, let ask): return refuse(error, ask)
        case .connectionLost: return loseConnection()
        case .lateLines(let lines): return take(late: lines)
        case .held(let error): return hold(error)
        case .heldHandedIn:
            guard isHolding else { return [] }
            isHolding = false
            return [.say("What you wrote has been handed in, and is kept.")]
        case .ending: return lastWords() + (isHolding ? [.handInHeld] : [])
        }
    }

    private mutating func touch() -> [Effect] {
        session.takesTouch(at: now) ? [.ask(Ask(.touch))] : []
    }

    private mutating func hear(_ line: String) -> [Effect] {
        switch expectation {
        case .command: return obey(line)
        case .confirmation(let ask):
            expectation = .command
            return line.lowercased() == "yes" ? send(ask.request) : [.say("Nothing was changed.")]
        case .leaving:
            expectation = .command
            return line.lowercased() == "yes" ? [.forgetHeld, .quit] : [.say("It is still held here.")]
        case .text(let editor): return write(line, in: editor)
        case .secret:
            expectation = .command
            return [.say("Cancelled.")]
        }
    }

    private mutating func sendSecret() -> [Effect] {
        guard case .secret(let ask) = expectation else { return [] }
        expectation = .command
        return [.ask(ask)]
    }

    /// Asks at once where no passphrase is needed, else after it.
    mutating func send(_ request: NotesRequest) -> [Effect] {
        session.isOpen || !Self.needsSession(request) ? [.ask(Ask(request))] : askForSecret(request)
    }

    mutating func askForSecret(_ request: NotesRequest) -> [Effect] {
        expectation = .secret(Ask(request, needsSecret: true))
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
        case .deviceLocked: return isForgotten ? [] : forget(Self.lockWords)
        case .deviceLocking: return forget(Self.lockWords) + [.ask(Ask(.handedIn))]
        case .deviceUnlocked:
            return [.say("The device is unlocked."), .ask(Ask(.status)), .ask(Ask(place.request()))]
                + (isHolding ? [.handInHeld] : [])
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
        for index in notes.indices where notes[index].isLocked {
            notes[index].isOpen = summary.isOpen
            if !summary.isOpen { notes[index].title = "" }
        }
        if summary.isOpen { return [.say("Locked notes are open.")] }
        if editor?.isLocked == true {
            let words = lastWords()
            expectation = .command
            return [.say("Locked notes are closed.")] + words
        }
        return [.say("Locked notes are closed.")]
    }

    /// Without tresor-notes nobody vouches for the session.
    private mutating func loseConnection() -> [Effect] {
        let closed = SessionSummary(isOpen: false, endsIn: nil, hasPassphrase: session.hasPassphrase)
        return update(closed) + [.say("tresor-notes does not answer. The next command tries again.")]
    }

    /// Nothing of any note remains here; what was printed before is the terminal's.
    mutating func forget(_ words: String) -> [Effect] {
        let (last, time, isHolding) = (lastWords(), now, isHolding)
        self = PlainConversation()
        (now, self.isHolding, isForgotten) = (time, isHolding, true)
        return [.say(words)] + last
    }

    static let lockWords = "The device is locked. Unlock it with tresor unlock."
}
