import ArgumentParser
import Linux
import Localization
import Protection
import Secrets
import TerminalScreen
import Tresor
import Wire

/// Lends a secret that comes over standard input to the clipboard, and takes it away: after its time, when the device
/// locks, and when somebody asks this process to end.
///
/// It is a holder: a lock waits until it has cleared the clipboard. It asks for no item, and starts no device.
struct KeepClipboard: ParsableCommand, AsksForNoItems {
    static let name = "keep-clipboard"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: localized("Keep a secret on the clipboard for a while. 'copy' and --clip start this."),
        shouldDisplay: false)

    @Flag(help: ArgumentHelp(localized("The secret was read while the device was unlocked.")))
    var readWhileUnlocked = false
    @Flag(help: ArgumentHelp(localized("The secret was read while the device was locked.")))
    var readWhileLocked = false

    func run() throws {
        // Whoever started this says it in words.
        do { try lend() } catch { try? say(.failed) }
    }

    private func lend() throws {
        // Whoever may look at this process can't any more: it hides since before it runs this.
        try say(.ready)
        // From now on nothing ends it before the clipboard is cleared; the end of its terminal does not concern it.
        let signals = try SignalDescriptor()
        let secret = SecretBytes(try SecretInput.readAll(0, limit: StreamFrame.keychainLimit))
        guard secret.count > 0 else { return }
        let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        var state = LockState.locked
        let notices = try lockNotices(home, &state)
        if readWhileUnlocked && (notices == nil || state != .unlocked) { return try say(.locked) }
        guard let clipboard = try DesktopClipboard.find() else { return try say(.failed) }
        try keep(secret, on: clipboard, LoanMark(home), notices, signals)
    }

    private func keep(
        _ secret: borrowing SecretBytes, on clipboard: DesktopClipboard, _ mark: LoanMark, _ notices: LockNotices?,
        _ signals: borrowing SignalDescriptor
    ) throws {
        let lent = mark.whileAlone { () -> ClipboardLoan? in
            guard let loan = try? clipboard.lend(secret) else { return nil }
            mark.set()
            return loan
        }
        guard let loan = lent else { return try say(.failed) }
        try? say(.copied)
        wait(notices, signals)
        mark.whileAlone {
            if mark.isStillSet { loan.end() } else { loan.endBehindAnother() }
        }
    }

    /// Nil where no device runs; none is started.
    private func lockNotices(_ home: Home, _ state: inout LockState) throws -> LockNotices? {
        guard RunningDaemon.isThere(home) else { return nil }
        return try LockNotices(home, introduces: false, state: &state)
    }

    private func wait(_ notices: LockNotices?, _ signals: borrowing SignalDescriptor) {
        let end = SystemClock.bootMilliseconds() + UInt64(ClipboardKeeper.seconds) * 1000
        while true {
            let now = SystemClock.bootMilliseconds()
            guard now < end else { return }
            var poll = Poll()
            let heard = poll.add(signals.descriptor.raw, reading: true, writing: false)
            let noticed = notices.map { poll.add($0.descriptor, reading: true, writing: false) }
            guard let outcome = try? poll.wait(milliseconds: Int(end - now)) else { return }
            if outcome == .ready, poll.isReadable(heard) {
                while let signal = signals.nextLifecycleSignal() { if signal == .endRequested { return } }
            }
            guard let notices else { continue }
            var isOver = false
            let isThere = notices.takeAll(isReadable: outcome == .ready && poll.isReadable(noticed)) { notice in
                if notice != .state(.unlocked) { isOver = isOver || notice == .evict || readWhileUnlocked }
            }
            // A device that has ended is locked.
            if isOver || !isThere { return }
        }
    }

    private func say(_ answer: ClipboardKeeper.Answer) throws {
        let byte = [answer.rawValue]
        _ = try StandardStream.output.write(unsafe byte.span.bytes)
    }
}

/// Whose loan is the latest: a file that the latest one has written its name to.
///
/// Where the folder of sockets is not there, nobody keeps one from the other.
private struct LoanMark {
    private let path: String
    private let name = Array(Identifier.makeRandom().description.utf8)

    init(_ home: Home) { path = home.clipboardMark }

    func set() {
        guard let file = try? FileDescriptor.open(path, FileFlags.readWriteOrCreate, mode: 0o600) else { return }
        try? file.truncate()
        try? file.write(name, at: 0)
    }

    var isStillSet: Bool {
        guard let file = try? FileDescriptor.open(path, FileFlags.read),
            let last = try? file.read(count: name.count, at: 0)
        else { return true }
        return last.isEmpty || last == name
    }

    /// One loan begins or ends at a time, so that none takes away what another has just put there.
    func whileAlone<Result>(_ body: () throws -> Result) rethrows -> Result {
        let file = try? FileDescriptor.open(path, FileFlags.readWriteOrCreate, mode: 0o600)
        switch file {
        case .some(let file):
            _ = try? file.lockExclusively(within: .seconds(1))
            return try body()
        case .none: return try body()
        }
    }
}
