import Linux
import NotesClient
import TerminalScreen
import Wire

/// Drives a ``NotesScreen``: keys, events, signals and the time go in, frames come out.
final class ScreenDriver {
    private let link: NotesLink
    private let session: ScreenSession
    private var screen: NotesScreen
    private var nextAttempt: UInt64 = 0

    private static let tickInterval = 1000
    /// Milliseconds between two attempts to reach tresor-notes.
    private static let attemptInterval: UInt64 = 2000

    init(home: Home, onlyNote: String? = nil) throws {
        link = try NotesLink(home: home)
        session = try ScreenSession()
        let size = session.size
        screen = NotesScreen(columns: size.columns, rows: size.rows, onlyNote: onlyNote)
    }

    /// Returns when the person quits, the terminal goes away, or a signal ends the program.
    func run() throws {
        try session.enter()
        defer { session.leave() }
        // However it ends, nothing that was typed is lost.
        defer { try? feed(.event(.handInDrafts)) }
        try feed(.started)
        while !session.isOver {
            guard try session.show(screen.frame()) else { break }
            try wait()
        }
        if let failure = screen.failure { throw failure }
    }

    // MARK: What comes in

    private func wait() throws {
        try session.wait(milliseconds: untilDue(), also: link.descriptor)
        // First what may have to vanish, then what was typed.
        try readEvents()
        try session.hear(wantsSecret: { screen.wantsSecret }) { try hear($0) }
        try feed(.tick)
        try reconnect()
    }

    private func hear(_ happening: ScreenSession.Happening) throws {
        switch happening {
        case .key(let key): try feed(.key(key))
        case .secretEntered: try feed(.secretEntered)
        case .secretCancelled: try feed(.secretCancelled)
        case .resized(let columns, let rows): try feed(.resized(columns: columns, rows: rows))
        // From wherever it is asked: a stop that is not Ctrl-Z must leave no more on the terminal than one that is.
        case .stopRequested: try perform([.suspend])
        case .focus: break
        }
    }

    private func untilDue() -> Int {
        guard let deadline = screen.deadline else { return Self.tickInterval }
        let now = SystemClock.bootMilliseconds()
        return deadline > now ? min(Int(clamping: deadline - now), Self.tickInterval) : 0
    }

    private func readEvents() throws {
        while true {
            let event: NotesEvent?
            do { event = try link.nextEvent() } catch { return try feed(.connectionLost) }
            guard let event else { return }
            try feed(.event(event))
        }
    }

    /// Without a connection no event can tell that the device was locked, so it is looked for again.
    private func reconnect() throws {
        let now = SystemClock.bootMilliseconds()
        guard link.descriptor == nil, now >= nextAttempt, !session.isOver else { return }
        nextAttempt = now + Self.attemptInterval
        try perform([.ask(Ask(.status))])
    }

    // MARK: What goes out

    private func feed(_ input: Input) throws {
        try perform(screen.handle(input, at: SystemClock.bootMilliseconds()))
        // A prompt that went away takes with it what was typed.
        if !screen.wantsSecret { session.forgetSecret() }
    }

    private func perform(_ effects: [Effect]) throws {
        var queue = effects
        while !queue.isEmpty {
            switch queue.removeFirst() {
            case .ask(let ask): queue += answer(ask)
            case .clear: try session.clear()
            case .suspend:
                try session.suspend()
                queue.append(.ask(Ask(.status)))
            case .quit: session.end()
            }
        }
    }

    private func answer(_ ask: Ask) -> [Effect] {
        let passphrase = ask.needsSecret ? session.takeSecret() : nil
        let outcome = link.ask(ask, passphrase: passphrase)
        let now = SystemClock.bootMilliseconds()
        switch outcome {
        case .answer(let reply, let body): return screen.handle(.answer(reply, body, to: ask), at: now)
        case .refusal(let error): return screen.handle(.refusal(error, to: ask), at: now)
        case .lost(let error):
            return screen.handle(.connectionLost, at: now) + screen.handle(.refusal(error, to: ask), at: now)
        }
    }
}
