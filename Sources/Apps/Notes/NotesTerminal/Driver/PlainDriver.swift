import Linux
import Localization
import NotesClient
import Secrets
import TerminalScreen
import Tresor
import Wire

/// Drives a ``PlainConversation`` over standard input and output, which need not be a terminal.
final class PlainDriver {
    private let home: Home
    private let link: NotesLink
    private let signals: SignalDescriptor
    private var conversation = PlainConversation()
    private let input: LineInput
    private var words = LastWords()
    private var clipboard = PlainClipboard()
    private let finger: FingerPassword?
    private var fingerWait: FingerWait?
    private var isOver = false
    private var isPrompted = false
    /// Whether what the last poll has seen was read with the late lines.
    private var tookLate = false

    /// Milliseconds between two attempts to hand in what could not be.
    private static let retryInterval = 2000
    /// So often it is asked whether tresor-notes knows of an unlock.
    private static let patience = 100

    /// - Parameters:
    ///   - finger: the passphrase of locked notes where it is kept for a finger.
    ///   - ownerIsActive: called when a line was typed, at most once a second.
    init(home: Home, finger: FingerPassword? = nil, ownerIsActive: @escaping () -> Void) throws {
        self.home = home
        self.finger = finger
        link = try NotesLink(home: home)
        signals = try SignalDescriptor()
        input = try LineInput(ownerIsActive: ownerIsActive)
    }

    /// Returns when the person quits, the input ends, or a signal ends the program.
    ///
    /// - Throws: `NotesError` where what was typed could not be kept.
    func run() throws {
        try talkUntilOver()
        try words.complain()
    }

    private func talkUntilOver() throws {
        defer {
            try? takeLateLines()
            try? feed(.ending)
            clipboard.clear()
        }
        // Before anything else is asked.
        try feed(DeviceUnlock.isLocked(home) ? .beganLocked : .started)
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
        // Short texts lie in the frames of the calls that said them; a lock may come while this waits.
        Stack.wipe()
        var poll = Poll()
        let typed = poll.add(input.descriptor, reading: true, writing: false)
        poll.add(signals.descriptor.raw, reading: true, writing: false)
        if let descriptor = link.descriptor { poll.add(descriptor, reading: true, writing: false) }
        let touched = fingerWait.map { poll.add($0.descriptor, reading: true, writing: false) }
        let isIdle = words.isEmpty && clipboard.due == nil
        try poll.wait(milliseconds: link.hasWaitingEvent ? 0 : isIdle ? nil : Self.retryInterval)
        try readEvents()
        if let touched, poll.isReadable(touched) { try readFinger() }
        if clipboard.clear(at: SystemClock.bootMilliseconds()) { try say(PlainSaying.cleared) }
        if !words.isEmpty { try perform([.handInHeld]) }
        while let signal = signals.next() {
            if case .end = signal { isOver = true }
        }
        if poll.isReadable(typed) || tookLate, !isOver { try readLines() }
    }

    private func readEvents() throws {
        while true {
            let event: NotesEvent?
            // tresor-notes ends with tresord, and may have no time to tell.
            do { event = try link.nextEvent() } catch {
                return try feed(isDaemonGone ? .daemonEnded : .connectionLost)
            }
            guard let event else { return }
            if conversation.covers(event) { try takeLateLines() }
            if event == .deviceLocked || event == .deviceLocking { clipboard.clear() }
            // The end of tresord is told as a lock too.
            try feed(event == .deviceLocked && isDaemonGone ? .daemonEnded : .event(event))
        }
    }

    private var isDaemonGone: Bool { DeviceUnlock.isDaemonGone(home, within: .milliseconds(Self.retryInterval)) }

    /// What was typed before the text vanishes belongs to it, also a line that was not ended.
    private func takeLateLines() throws {
        guard conversation.editor != nil else { return }
        tookLate = true
        let lines = input.takeLateLines(PlainEditor.isText)
        if !lines.isEmpty { try feed(.lateLines(lines)) }
    }

    private func readLines() throws {
        func hearLine(_ end: Int) throws -> Bool {
            isPrompted = false
            try hear(end)
            try prompt()
            return !isOver
        }
        // What the poll has seen may have been taken meanwhile, and a read would wait for more.
        if tookLate { try input.readWaiting(hearLine) } else { try input.read(hearLine) }
        tookLate = false
        if input.isOver { isOver = true }
        guard !input.isTooLong else { throw NotesError(.tooLarge, localized("a line has more than 1 MiB")) }
    }

    private func hear(_ end: Int) throws {
        if conversation.wantsSecret {
            try feed(end == 0 ? .line("") : .secretEntered, secret: try input.takeSecret(end))
        } else {
            try feed(.line(try input.takeLine(end)))
        }
    }

    private func feed(_ input: PlainConversation.Input, secret: consuming SecretBytes? = nil) throws {
        try perform(conversation.handle(input, at: SystemClock.bootMilliseconds()), secret: secret)
        if !conversation.waitsForFinger { fingerWait = nil }
        if conversation.asksAboutFinger { try feed(.fingerFound(finger?.isKept() == true)) }
    }

    /// Taken up by the question that the passphrase is for.
    private func readFinger() throws {
        guard let wait = fingerWait.take() else { return }
        let passphrase: SecretBytes
        do throws(TresorError) { passphrase = try wait.finish() } catch {
            return try feed(.fingerFailed(ScreenWords.fingerFailed(error)))
        }
        try feed(.fingerCame, secret: passphrase)
    }

    private func waitForFinger() -> [PlainConversation.Effect] {
        guard let finger else { return [] }
        do throws(TresorError) { fingerWait = try finger.ask() } catch {
            return handle(.fingerFailed(ScreenWords.fingerFailed(error)))
        }
        return []
    }

    private func perform(_ effects: [PlainConversation.Effect], secret: consuming SecretBytes? = nil) throws {
        var secret = secret
        var queue = effects
        while !queue.isEmpty {
            switch queue.removeFirst() {
            case .ask(let ask):
                let outcome = link.ask(ask, passphrase: ask.needsSecret ? secret.take() : nil)
                queue += try hear(outcome, of: ask)
            case .say(let words): try say(words)
            case .lookForDaemon: queue += handle(.daemonLooked(isGone: isDaemonGone))
            case .unlockDevice: if let passcode = secret.take() { queue += unlock(passcode) }
            case .waitForFinger: queue += waitForFinger()
            case .copy(let text): queue += copy(text)
            case .handInHeld:
                let error = words.handIn { link.ask($0, passphrase: nil) }
                queue += handle(error.map { .held($0) } ?? .heldHandedIn)
            case .forgetHeld: words.forget()
            case .quit: isOver = true
            }
        }
    }

    private func say(_ words: String) throws {
        // Behind a prompt that nobody has answered, a line of its own.
        let start = isPrompted ? "\n" : ""
        isPrompted = false
        _ = try StandardStream.output.write(start + SafeText.text(words) + "\n")
    }

    private func unlock(_ passcode: consuming SecretBytes) -> [PlainConversation.Effect] {
        do throws(DeviceUnlock.Refusal) { try DeviceUnlock.unlock(home, passcode: passcode) } catch {
            return handle(.passcodeRefused(error.sentence))
        }
        awaitNotes()
        return handle(.deviceUnlocked)
    }

    /// tresor-notes hears of the unlock by itself, a moment later perhaps.
    private func awaitNotes() {
        for _ in 0..<Self.patience {
            let answer = link.ask(Ask(.list(NoteFilter(limit: 1))), passphrase: nil)
            if case .refusal(let error) = answer, error.code == .deviceLocked {
                SystemClock.sleep(milliseconds: 20)
                continue
            }
            // What it has told of the lock meanwhile is no news any more.
            while (try? link.nextEvent()) != nil {}
            return
        }
    }

    private func copy(_ text: [UInt8]) -> [PlainConversation.Effect] {
        let secret = try? text.withSpan { try SecretBytes(copying: $0) }
        guard let secret else { return handle(.copied(false)) }
        return handle(.copied(clipboard.copy(secret, at: SystemClock.bootMilliseconds())))
    }

    private func hear(_ outcome: NotesLink.Outcome, of ask: Ask) throws -> [PlainConversation.Effect] {
        switch outcome {
        case .answer(let reply, let body): return handle(.answer(reply, body, to: ask))
        case .refusal(let error), .lost(let error):
            if ask.isLastWords {
                words.hold(ask)
                return handle(.held(error))
            }
            if error.code == .deviceLocked { try takeLateLines() }
            return handle(.refusal(error, to: ask))
        }
    }

    private func handle(_ input: PlainConversation.Input) -> [PlainConversation.Effect] {
        conversation.handle(input, at: SystemClock.bootMilliseconds())
    }
}
