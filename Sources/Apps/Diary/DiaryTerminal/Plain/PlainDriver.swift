import DiaryViews
import Linux
import Secrets
import TerminalScreen
import Tresor
import Wire

/// The diary in lines, over standard input and output, which need not be a terminal.
final class PlainDriver: DiaryFace {
    /// How the device stands as far as lines go.
    private enum Gate { case open, locked, passcode }

    private let home: Home
    private let runner: DiaryRunner
    private let signals: SignalDescriptor
    private let language: DiaryLanguage
    private var reader = PlainReader()
    private let input: LineInput
    private var entered: SecretBytes?
    private var isOver = false
    private var isPrompted = false
    /// Whether what the last poll has seen was read with the late lines.
    private var tookLate = false
    private var saidHeld = ""
    private var gate = Gate.open
    /// Whether it was said that tresord does not run.
    private var saidGone = false
    private var clipboard = PlainClipboard()

    private static let longestWait = 2000
    /// Nothing is drawn; this is only what pages of a list go by.
    private static let size = (columns: 80, rows: 24)
    /// Milliseconds after which tresor-diary has heard of an unlock.
    private static let hearingTime: UInt32 = 200
    /// How long tresord may take to say how the device stands; it is silent while it locks.
    private static let patience = Duration.milliseconds(200)

    /// - Parameter ownerIsActive: called when a line was typed, at most once a second.
    init(home: Home, language: DiaryLanguage, ownerIsActive: @escaping () -> Void) throws {
        (self.home, self.language) = (home, language)
        signals = try SignalDescriptor()
        try signals.watchJobControl()
        input = try LineInput(ownerIsActive: ownerIsActive)
        runner = try DiaryRunner(
            home: home,
            screen: DiaryScreen(
                columns: Self.size.columns, rows: Self.size.rows, language: language,
                zone: .current, isSpoken: true))
        runner.face = self
    }

    /// Returns when the person quits, the input ends, or a signal ends the program.
    ///
    /// - Throws: `DiaryError` where what was typed could not be kept.
    func run() throws {
        try talkUntilOver()
        try runner.complain()
    }

    private func talkUntilOver() throws {
        defer {
            try? runner.end()
            clipboard.clear()
        }
        // Before anything else is asked.
        if try DeviceUnlock.isLocked(home) {
            gate = .passcode
            try say(ScreenPhrase.plainDeviceLocked.text(in: language))
        } else {
            try begin()
        }
        while !isOver {
            try prompt()
            try wait()
        }
    }

    private func begin() throws {
        gate = .open
        try runner.feed(.started)
        reader.settle(runner.screen)
        try say(reader.words(runner.screen))
    }

    private func wait() throws {
        // Short texts lie in the frames of the calls that said them; a lock may come while this waits.
        Stack.wipe()
        var poll = Poll()
        let typed = poll.add(input.descriptor, reading: true, writing: false)
        poll.add(signals.descriptor.raw, reading: true, writing: false)
        let watch = runner.watchDescriptor.map { poll.add($0, reading: true, writing: false) }
        if let descriptor = runner.descriptor { poll.add(descriptor, reading: true, writing: false) }
        try poll.wait(milliseconds: runner.untilDue(atMost: Self.longestWait))
        let wasOpen = runner.screen.diary != nil
        try runner.readEvents(isWatchReadable: poll.isReadable(watch))
        try readSignals()
        try runner.feed(.tick)
        try runner.reconnect()
        if wasOpen && runner.screen.diary == nil {
            clipboard.clear()
            if !runner.screen.isDaemonGone { try lookAtDevice() }
            if gate == .open, !runner.screen.isDaemonGone { try settle() }
        }
        try followDaemon()
        // The door asks for the passcode then; what is typed for something else must not be taken for it.
        if isDoorOfDevice { try lookAtDevice() }
        if gate == .locked, (try? DeviceUnlock.isLocked(home, within: Self.patience)) == false { try begin() }
        if clipboard.clear(at: SystemClock.bootMilliseconds()) { try say(PlainSaying.cleared) }
        sayHeld()
        if poll.isReadable(typed) || tookLate, !isOver { try readLines() }
    }

    /// Words that are kept nowhere else are told of once.
    private func sayHeld() {
        let words = runner.screen.heldWords
        if words != saidHeld, !words.isEmpty { try? say(words) }
        saidHeld = words
    }

    private func readSignals() throws {
        while let signal = signals.nextLifecycleSignal() {
            switch signal {
            case .stopRequested: try runner.feed(.lifecycle(.suspended))
            case .hungUp, .endRequested: isOver = true
            case .continued, .windowChanged: break
            }
        }
    }

    // MARK: Lines

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
        if input.isOver || input.isTooLong { isOver = true }
    }

    /// Says that the device is locked, where it is: nothing else is asked then.
    ///
    /// What is typed on blindly must not become a try of the passcode: that is asked for by the word unlock.
    private func lookAtDevice() throws {
        guard gate == .open, (try? DeviceUnlock.isLocked(home, within: Self.patience)) ?? true else { return }
        gate = .locked
        try say(ScreenPhrase.plainDeviceLocked.text(in: language))
    }

    /// Says once that tresord does not run: no passcode is asked for then; and later how the device stands.
    private func followDaemon() throws {
        let isGone = runner.screen.isDaemonGone
        guard isGone != saidGone else { return }
        saidGone = isGone
        guard isGone else {
            // Of a device that is unlocked, what follows tells.
            if gate == .locked, runner.screen.isDeviceLocked {
                try say(ScreenPhrase.plainDeviceLocked.text(in: language))
            }
            return
        }
        gate = .locked
        clipboard.clear()
        try say(language.speaking { DaemonAbsence.plainWords })
    }

    private var isDoorOfDevice: Bool {
        if case .deviceLocked = runner.screen.door { runner.screen.diary == nil } else { false }
    }

    private func hearLocked(_ end: Int) throws {
        guard gate == .passcode else {
            switch PlainReader.grammar.parse(try input.takeLine(end)) {
            case .nothing: return
            case .word(.unlock, _):
                // It may have been started a moment ago.
                if saidGone, (try? DeviceUnlock.isLocked(home, within: Self.patience)) == nil {
                    return try say(language.speaking { DaemonAbsence.plainWords })
                }
                gate = .passcode
            case .word(.quit, _): isOver = true
            default: try say(ScreenPhrase.plainLockedHelp.text(in: language))
            }
            return
        }
        let passcode = try input.takeSecret(end)
        guard end > 0 else {
            gate = .locked
            return
        }
        do throws(DeviceUnlock.Refusal) { try DeviceUnlock.unlock(home, passcode: passcode) } catch {
            return try say(error.sentence)
        }
        // It hears of that by itself.
        SystemClock.sleep(milliseconds: Self.hearingTime)
        try begin()
    }

    private func hear(_ end: Int) throws {
        guard gate == .open else { return try hearLocked(end) }
        if runner.screen.wantsSecret {
            entered = try input.takeSecret(end)
            // At the sign-in an empty line is a slip, and none that should be counted.
            let isSlip = end == 0 && runner.screen.door == .locked(isAsking: true)
            if !isSlip, !isDoorOfDevice { try runner.feed(.secretEntered) }
            if runner.screen.diary == nil { try lookAtDevice() }
            if gate == .open { try settle() }
            return
        }
        let line = try input.takeLine(end)
        if runner.screen.discarding != nil { return try answerHeld(line) }
        if line.trimmed == "!", runner.screen.held != nil { return try answerHeld("") }
        for step in reader.hear(line, runner.screen.diary) { try perform(step) }
        try settle()
    }

    /// To whether what is held is to go: an empty line asks it.
    private func answerHeld(_ line: String) throws {
        try runner.feed(.key(line.first.map { .text(String($0)) } ?? .control("b")))
        sayHeld()
    }

    private func perform(_ step: PlainReader.Step) throws {
        switch step {
        case .press(let key): try runner.feed(.key(key))
        case .choose(let number, let isOnlySelected):
            try runner.feed(.choose(number, isOnlySelected: isOnlySelected))
        case .write(let step): try runner.feed(.write(step))
        case .act(let act): try runner.feed(.act(act))
        case .say(let words): try say(words)
        case .copy: try copyWhatIsOpen()
        case .more: try runner.feed(.more(from: reader.first))
        case .quit where runner.screen.held != nil:
            try runner.feed(.key(.control("b")))
            sayHeld()
        case .quit: isOver = true
        }
    }

    private func copyWhatIsOpen() throws {
        guard case .entry(let entry) = runner.screen.diary?.page, let text = entry.text else {
            return try say(ScreenPhrase.plainOpenFirst.text(in: language))
        }
        let secret = try Array(text.utf8).withSpan { try SecretBytes(copying: $0) }
        let isCopied = clipboard.copy(secret, at: SystemClock.bootMilliseconds())
        try say((isCopied ? ScreenPhrase.plainCopied : .plainNotCopied).text(in: language))
    }

    /// Says what has become of it.
    private func settle() throws {
        guard !isOver else { return }
        let former = reader.expectation
        reader.settle(runner.screen)
        if runner.screen.door == .recoveryKey, runner.screen.diary == nil { try sayRecoveryKey() }
        // While an entry is typed, nothing interrupts but what there is to be told.
        if former == .command || reader.expectation != former || runner.screen.diary?.message.isEmpty == false {
            try say(reader.words(runner.screen))
        }
    }

    private func sayRecoveryKey() throws {
        try say(
            ScreenPhrase.recoveryKey.text(in: language) + ". " + ScreenPhrase.recoveryAdvice.text(in: language))
        var output = try SecretBuffer(capacity: 128)
        if try runner.appendRecoveryKey(to: &output) {
            try output.append(byte: 0x0A)
            _ = try output.withBytes { try StandardStream.output.write($0) }
        }
        try runner.feed(.key(.enter))
    }

    // MARK: Words

    private func prompt() throws {
        input.isHidden = gate == .open ? runner.screen.wantsSecret : gate == .passcode
        guard !isPrompted, !isOver else { return }
        isPrompted = true
        switch gate {
        case .open: _ = try StandardStream.output.write(reader.prompt(runner.screen))
        case .locked:
            _ = try StandardStream.output.write(ScreenPhrase.plainLockedPrompt.text(in: language) + ": ")
        case .passcode: _ = try StandardStream.output.write(ScreenPhrase.plainPasscode.text(in: language) + ": ")
        }
    }

    private func say(_ words: String) throws {
        guard !words.isEmpty else { return }
        // Behind a prompt that nobody has answered, a line of its own.
        let start = isPrompted ? "\n" : ""
        isPrompted = false
        _ = try StandardStream.output.write(start + SafeText.text(words) + "\n")
    }

    // MARK: The face

    func takeSecret() -> SecretBytes? { entered.take() }
    func forgetSecret() { entered = nil }
    /// What was printed is the terminal's.
    func clear() {}
    func show() {}

    func takeLateInput() throws -> [Input] {
        tookLate = true
        let lines = input.takeLateLines { !$0.hasPrefix(".") || $0.hasPrefix("..") }
        return lines.map { .write(.line($0.hasPrefix("..") ? String($0.dropFirst()) : $0)) }
    }

    func suspend() throws { CurrentProcess.stop() }
    func end() { isOver = true }
}
