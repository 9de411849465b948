import Linux
import NotesClient
import Secrets
import TerminalScreen
import Wire

/// Drives a ``PlainConversation`` over standard input and output, which need not be a terminal.
final class PlainDriver {
    private let link: NotesLink
    private let signals: SignalDescriptor
    private var conversation = PlainConversation()
    private let input: LineInput
    private var isOver = false
    private var isPrompted = false

    init(home: Home) throws {
        link = try NotesLink(home: home)
        signals = try SignalDescriptor()
        input = try LineInput()
    }

    /// Returns when the person quits, the input ends, or a signal ends the program.
    func run() throws {
        defer { try? feed(.event(.handInDrafts)) }
        try feed(.started)
        while !isOver {
            try prompt()
            try wait()
        }
    }

    private func prompt() throws {
        input.isHidden = conversation.wantsSecret
        guard !isPrompted, !isOver else { return }
        isPrompted = true
        _ = try StandardStream.output.write(conversation.prompt)
    }

    private func wait() throws {
        var poll = Poll()
        poll.add(input.descriptor, reading: true, writing: false)
        poll.add(signals.descriptor.raw, reading: true, writing: false)
        if let descriptor = link.descriptor { poll.add(descriptor, reading: true, writing: false) }
        try poll.wait(milliseconds: nil)
        try readEvents()
        while let signal = signals.next() {
            if case .end = signal { isOver = true }
        }
        if poll.isReadable(0), !isOver { try readLines() }
    }

    private func readEvents() throws {
        while true {
            let event: NotesEvent?
            do { event = try link.nextEvent() } catch { return try feed(.connectionLost) }
            guard let event else { return }
            try feed(.event(event))
        }
    }

    private func readLines() throws {
        try input.read { end in
            isPrompted = false
            try hear(end)
            try prompt()
            return !isOver
        }
        if input.isOver { isOver = true }
        guard !input.isTooLong else { throw NotesError(.tooLarge, "a line has more than 1 MiB") }
    }

    private func hear(_ end: Int) throws {
        if conversation.wantsSecret {
            try feed(end == 0 ? .line("") : .secretEntered, secret: try input.takeSecret(end))
        } else {
            try feed(.line(try input.takeLine(end)))
        }
    }

    private func feed(_ input: PlainConversation.Input, secret: consuming SecretBytes? = nil) throws {
        var secret = secret
        var queue = conversation.handle(input, at: SystemClock.bootMilliseconds())
        while !queue.isEmpty {
            switch queue.removeFirst() {
            case .ask(let ask):
                let outcome = link.ask(ask, passphrase: ask.needsSecret ? secret.take() : nil)
                queue += hear(outcome, of: ask)
            case .say(let words):
                // Behind a prompt that nobody has answered, a line of its own.
                let start = isPrompted ? "\n" : ""
                isPrompted = false
                _ = try StandardStream.output.write(start + SafeText.text(words) + "\n")
            case .quit: isOver = true
            }
        }
    }

    private func hear(_ outcome: NotesLink.Outcome, of ask: Ask) -> [PlainConversation.Effect] {
        let now = SystemClock.bootMilliseconds()
        switch outcome {
        case .answer(let reply, let body): return conversation.handle(.answer(reply, body, to: ask), at: now)
        case .refusal(let error), .lost(let error): return conversation.handle(.refusal(error, to: ask), at: now)
        }
    }
}
