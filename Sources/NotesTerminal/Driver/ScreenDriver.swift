import Linux
import NotesClient
import Secrets
import Wire

/// Drives a ``NotesScreen``: keys, events, signals and the time go in, frames come out.
final class ScreenDriver {
    private let link: NotesLink
    private let terminal: ScreenTerminal
    private let signals: SignalDescriptor
    private var screen: NotesScreen
    private var painter = ScreenPainter()
    private var keys = KeyDecoder()
    private var secret: SecretEntry?
    private var isOver = false
    private var nextAttempt: UInt64 = 0

    /// Milliseconds that the rest of a key's sequence may take.
    private static let keyPatience = 50
    private static let tickInterval = 1000
    /// Milliseconds between two attempts to reach tresor-notes.
    private static let attemptInterval: UInt64 = 2000

    init(home: Home, onlyNote: String? = nil) throws {
        link = try NotesLink(home: home)
        terminal = try ScreenTerminal()
        signals = try SignalDescriptor()
        try signals.watchTerminal()
        let size = terminal.size()
        screen = NotesScreen(columns: size.columns, rows: size.rows, onlyNote: onlyNote)
    }

    /// Returns when the person quits, the terminal goes away, or a signal ends the program.
    func run() throws {
        try terminal.enter()
        defer { terminal.leave() }
        // However it ends, nothing that was typed is lost.
        defer { try? feed(.event(.handInDrafts)) }
        try feed(.started)
        while !isOver {
            guard try terminal.write(painter.paint(screen.frame())) else { break }
            try wait()
        }
        if let failure = screen.failure { throw failure }
    }

    // MARK: What comes in

    private func wait() throws {
        var poll = Poll()
        poll.add(terminal.descriptor, reading: true, writing: false)
        poll.add(signals.descriptor.raw, reading: true, writing: false)
        if let descriptor = link.descriptor { poll.add(descriptor, reading: true, writing: false) }
        let isUndecided = keys.isUndecided || (secret?.isUndecided ?? false)
        try poll.wait(milliseconds: isUndecided ? Self.keyPatience : untilDue())
        // First what may have to vanish, then what was typed.
        try readEvents()
        if poll.isReadable(1) { try readSignals() }
        if poll.isReadable(0) {
            try readKeys()
        } else if isUndecided {
            try decideEscape()
        }
        try feed(.tick)
        try reconnect()
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

    private func readSignals() throws {
        while let signal = signals.next() {
            switch signal {
            case .end: isOver = true
            case .other:
                try terminal.enter()
                painter.forget()
                let size = terminal.size()
                try feed(.resized(columns: size.columns, rows: size.rows))
            case .childEnded: break
            }
        }
    }

    private func readKeys() throws {
        var bytes = try LockedBuffer(capacity: 4096)
        guard case .moved = try terminal.read(into: &bytes) else {
            isOver = true
            return
        }
        var reader = ByteReader(bytes.bytes)
        while reader.remaining > 0, !isOver {
            let byte = try reader.uint8()
            if screen.wantsSecret {
                try typeSecret(byte)
            } else if let key = keys.decode(byte) {
                try feed(.key(key))
            }
        }
    }

    private func typeSecret(_ byte: UInt8) throws {
        if secret == nil { secret = try SecretEntry() }
        switch try secret?.type(byte) {
        case .entered: try feed(.secretEntered)
        case .cancelled: try cancelSecret()
        case .typing, nil: break
        }
    }

    private func decideEscape() throws {
        if screen.wantsSecret { return try cancelSecret() }
        if let key = keys.decide() { try feed(.key(key)) }
    }

    private func cancelSecret() throws {
        secret = nil
        try feed(.secretCancelled)
    }

    /// Without a connection no event can tell that the device was locked, so it is looked for again.
    private func reconnect() throws {
        let now = SystemClock.bootMilliseconds()
        guard link.descriptor == nil, now >= nextAttempt, !isOver else { return }
        nextAttempt = now + Self.attemptInterval
        try perform([.ask(Ask(.status))])
    }

    // MARK: What goes out

    private func feed(_ input: Input) throws {
        try perform(screen.handle(input, at: SystemClock.bootMilliseconds()))
        // A prompt that went away takes with it what was typed.
        if !screen.wantsSecret { secret = nil }
    }

    private func perform(_ effects: [Effect]) throws {
        var queue = effects
        while !queue.isEmpty {
            switch queue.removeFirst() {
            case .ask(let ask): queue += answer(ask)
            case .clear:
                painter.forget()
                _ = try terminal.write(ScreenPainter.clear)
            case .suspend:
                try terminal.suspend()
                painter.forget()
                queue.append(.ask(Ask(.status)))
            case .quit: isOver = true
            }
        }
    }

    private func answer(_ ask: Ask) -> [Effect] {
        let passphrase = ask.needsSecret ? secret.take()?.finish() : nil
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
