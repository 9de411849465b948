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
    /// What was read and is not a whole line yet; it may be a passphrase.
    private var typed: SecretBuffer
    private var hidden: HiddenInput?
    private var isOver = false
    private var isPrompted = false

    private static let input: Int32 = 0
    private static let longestLine = 1024 * 1024

    init(home: Home) throws {
        link = try NotesLink(home: home)
        signals = try SignalDescriptor()
        typed = try SecretBuffer(capacity: 4096)
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
        if !conversation.wantsSecret {
            hidden = nil
        } else if hidden == nil {
            hidden = HiddenInput(Self.input)
        }
        guard !isPrompted, !isOver else { return }
        isPrompted = true
        _ = try StandardStream.output.write(conversation.prompt)
    }

    private func wait() throws {
        var poll = Poll()
        poll.add(Self.input, reading: true, writing: false)
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
        let input = FileDescriptor(owning: Self.input)
        let transfer = Result { try input.read(into: &typed.storage, room: 4096) }
        _ = input.release()
        guard case .moved = try transfer.get() else {
            isOver = true
            return
        }
        while !isOver, let end = try lineEnd() {
            isPrompted = false
            try hear(end)
            try prompt()
        }
        guard typed.count < Self.longestLine else { throw NotesError(.tooLarge, "a line has more than 1 MiB") }
    }

    private func lineEnd() throws -> Int? {
        try typed.withBytes { bytes in
            var reader = ByteReader(bytes)
            while reader.remaining > 0 {
                let at = bytes.byteCount - reader.remaining
                if try reader.uint8() == 0x0A { return at }
            }
            return nil
        }
    }

    private func hear(_ end: Int) throws {
        if conversation.wantsSecret {
            try feed(end == 0 ? .line("") : .secretEntered, secret: try take(end))
        } else {
            let line = try typed.withBytes { bytes in
                var reader = ByteReader(bytes)
                return String(decoding: try reader.bytes(end), as: UTF8.self)
            }
            typed.removeFirst(end + 1)
            try feed(.line(line))
        }
    }

    /// The first bytes as a secret; their line feed goes with them.
    private func take(_ count: Int) throws -> SecretBytes {
        let secret = try typed.withBytes { bytes in try SecretBytes(copying: bytes.extracting(first: count)) }
        typed.removeFirst(count + 1)
        return secret
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
