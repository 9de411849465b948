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
    }

    enum Effect: Equatable, Sendable {
        case ask(Ask)
        /// Lines to print.
        case say(String)
        case quit
    }

    /// What the next line is.
    enum Expectation: Sendable {
        case command
        case secret(Ask)
        case confirmation(Ask)
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
    var now: UInt64 = 0
    private var lastTouch: UInt64?

    init() {}

    /// What stands before the caret.
    var prompt: String {
        switch expectation {
        case .command: "Command, or help: "
        case .secret: "Passphrase for notes, not shown; an empty line cancels: "
        case .confirmation: "Type yes or no: "
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
        }
    }

    private mutating func touch() -> [Effect] {
        guard session.isOpen, lastTouch.map({ now >= $0 + NotesScreen.touchInterval }) ?? true else { return [] }
        lastTouch = now
        return [.ask(Ask(.touch))]
    }

    private mutating func hear(_ line: String) -> [Effect] {
        switch expectation {
        case .command: return obey(line)
        case .confirmation(let ask):
            expectation = .command
            return line.lowercased() == "yes" ? send(ask.request) : [.say("Nothing was changed.")]
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
        case .deviceLocked: return forget("The device is locked. Unlock it with tresor unlock.")
        case .deviceUnlocked: return [.say("The device is unlocked."), .ask(Ask(.status)), .ask(Ask(place.request()))]
        case .handInDrafts:
            guard case .text(let editor) = expectation else { return [] }
            return handIn(editor)
        case .sessionChanged(let summary): return update(summary)
        case .noteChanged: return []
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
        if case .text(let editor) = expectation, editor.isLocked {
            expectation = .command
            return [.say("Locked notes are closed. What you wrote is kept as a sealed draft.")]
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
        self = PlainConversation()
        return [.say(words)]
    }
}
