import DiaryViews
import FoundationEssentials
import Linux
import Secrets
import TerminalScreen
import Tresor
import Wire

/// The diary in lines, over standard input and output, which need not be a terminal.
final class PlainDriver: DiaryFace {
    private let runner: DiaryRunner
    private let signals: SignalDescriptor
    private let language: DiaryLanguage
    private var reader = PlainReader()
    private let input: LineInput
    private var entered: SecretBytes?
    private var isOver = false
    private var isPrompted = false

    private static let longestWait = 2000
    /// Nothing is drawn; this is only what pages of a list go by.
    private static let size = (columns: 80, rows: 24)

    init(home: Home, language: DiaryLanguage) throws {
        self.language = language
        signals = try SignalDescriptor()
        try signals.watchJobControl()
        input = try LineInput()
        runner = try DiaryRunner(
            home: home,
            screen: DiaryScreen(
                columns: Self.size.columns, rows: Self.size.rows, language: language,
                zone: DiaryZone(TimeZone.current.identifier), isSpoken: true))
        runner.face = self
    }

    /// Returns when the person quits, the input ends, or a signal ends the program.
    func run() throws {
        defer { try? runner.feed(.lifecycle(.terminated)) }
        try runner.feed(.started)
        try say(reader.words(runner.screen))
        while !isOver {
            try prompt()
            try wait()
        }
    }

    private func wait() throws {
        var poll = Poll()
        poll.add(input.descriptor, reading: true, writing: false)
        poll.add(signals.descriptor.raw, reading: true, writing: false)
        if let descriptor = runner.descriptor { poll.add(descriptor, reading: true, writing: false) }
        try poll.wait(milliseconds: runner.untilDue(atMost: Self.longestWait))
        let wasOpen = runner.screen.diary != nil
        try runner.readEvents()
        try readSignals()
        try runner.feed(.tick)
        try runner.reconnect()
        if wasOpen && runner.screen.diary == nil { try settle() }
        if poll.isReadable(0), !isOver { try readLines() }
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
        try input.read { end in
            isPrompted = false
            try hear(end)
            try prompt()
            return !isOver
        }
        if input.isOver || input.isTooLong { isOver = true }
    }

    private func hear(_ end: Int) throws {
        if runner.screen.wantsSecret {
            entered = try input.takeSecret(end)
            // At the sign-in an empty line is a slip, and none that should be counted.
            if end > 0 || runner.screen.door != .locked(isAsking: true) { try runner.feed(.secretEntered) }
            return try settle()
        }
        let line = try input.takeLine(end)
        if line.trimmed == "?", reader.expectation == .command {
            return try say(ScreenPhrase.plainHelp.text(in: language))
        }
        for step in reader.hear(line, runner.screen.diary) { try perform(step) }
        try settle()
    }

    private func perform(_ step: PlainReader.Step) throws {
        switch step {
        case .press(let key): try runner.feed(.key(key))
        case .choose(let number, let isOnlySelected):
            try runner.feed(.choose(number, isOnlySelected: isOnlySelected))
        case .write(let step): try runner.feed(.write(step))
        case .act(let act): try runner.feed(.act(act))
        case .say(let words): try say(words)
        case .more: try runner.feed(.more(from: reader.first))
        case .quit: isOver = true
        }
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
        input.isHidden = runner.screen.wantsSecret
        guard !isPrompted, !isOver else { return }
        isPrompted = true
        _ = try StandardStream.output.write(reader.prompt(runner.screen))
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
    func suspend() throws { CurrentProcess.stop() }
    func end() { isOver = true }
}
