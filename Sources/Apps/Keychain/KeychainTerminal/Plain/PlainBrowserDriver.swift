import FoundationEssentials
import Linux
import Localization
import Protection
import Secrets
import TerminalScreen
import Tresor
import Wire

/// Drives a ``PlainBrowser`` over standard input and output, which need not be a terminal.
final class PlainBrowserDriver {
    private let home: Home
    let link: KeychainLink
    private let signals: SignalDescriptor
    private let input: LineInput
    private var browser = PlainBrowser()
    /// A new secret, until it is saved or given up.
    var newSecret: SecretBytes?
    /// What was typed into a form before a lock; it waits for the unlock.
    private var heldForm: SecretBytes?
    /// Tells of a lock before the lock is reported to whoever asked for it; nil while there is no daemon.
    private var notices: LockNotices?
    private var firstState = LockState.locked
    private var clipboard = PlainClipboard()
    private var isOver = false
    private var isPrompted = false

    /// Milliseconds between two looks at the daemon and at the clipboard's time.
    private static let interval = 2000

    /// - Parameter ownerIsActive: called when a line was typed, at most once a second.
    init(home: Home, ownerIsActive: @escaping () -> Void) throws {
        self.home = home
        link = KeychainLink(SharedTransport(SharedTransport.Source { try SocketTransport(home) }))
        signals = try SignalDescriptor()
        input = try LineInput(ownerIsActive: ownerIsActive)
        notices = try LockNotices(home, state: &firstState)
    }

    /// Returns when the person quits, the input ends, or a signal ends the program.
    func run() throws {
        // However it ends, nothing stays where it was copied to.
        defer { clipboard.clear() }
        try feed(.started(isLocked: firstState != .unlocked))
        while !isOver {
            try prompt()
            try wait()
        }
        guard browser.losesForm else { return }
        _ = try? say(localized("What was typed of an item was not saved; nothing was changed."))
    }

    private func wait() throws {
        Stack.wipe()
        var poll = Poll()
        let typed = poll.add(input.descriptor, reading: true, writing: false)
        poll.add(signals.descriptor.raw, reading: true, writing: false)
        let told = notices.map { poll.add($0.descriptor, reading: true, writing: false) }
        let isWaiting = notices?.hasWaiting == true
        let isIdle = notices != nil && clipboard.due == nil
        try poll.wait(milliseconds: isWaiting ? 0 : isIdle ? nil : Self.interval)
        // First what must vanish, then what was typed.
        try readNotices(isReadable: poll.isReadable(told))
        if clipboard.clear(at: SystemClock.bootMilliseconds()) { try say(PlainSaying.cleared) }
        while let signal = signals.next() {
            if case .end = signal { isOver = true }
        }
        if notices == nil, !isOver { try reconnect() }
        if poll.isReadable(typed), !isOver { try readLines() }
    }

    private func readNotices(isReadable: Bool) throws {
        var isReadable = isReadable
        while let notices, isReadable || notices.hasWaiting {
            isReadable = false
            let notice: LockNotices.Notice
            do { notice = try notices.next() } catch {
                self.notices = nil
                clipboard.clear()
                return try feed(.connectionLost)
            }
            switch notice {
            case .state(.unlocked): try feed(.unlocked)
            case .state: try lock()
            case .evict:
                // Wiped before the connection ends: that end is what the lock waits for.
                try lock()
                self.notices = nil
                return try reconnect()
            }
        }
    }

    private func lock() throws {
        clipboard.clear()
        try feed(.locked)
    }

    private func reconnect() throws {
        var state = LockState.locked
        guard let fresh = try? LockNotices(home, state: &state) else { return try feed(.connectionLost) }
        notices = fresh
        try feed(state == .unlocked ? .unlocked : .locked)
    }

    // MARK: Lines

    private func prompt() throws {
        input.isHidden = browser.wantsSecret
        guard !isPrompted, !isOver else { return }
        isPrompted = true
        _ = try StandardStream.output.write(browser.prompt)
    }

    private func readLines() throws {
        try input.read { end in
            isPrompted = false
            if browser.wantsSecret {
                let secret = try input.takeSecret(end)
                let word = browser.isInForm ? try word(in: secret) : nil
                try feed(end == 0 ? .line("") : word.map { .line($0) } ?? .secretEntered, secret: secret)
            } else {
                try feed(.line(try input.takeLine(end)))
            }
            try prompt()
            return !isOver
        }
        if input.isOver || input.isTooLong { isOver = true }
    }

    private func say(_ words: String) throws {
        // Behind a prompt that nobody has answered, a line of its own.
        let start = isPrompted ? "\n" : ""
        isPrompted = false
        _ = try StandardStream.output.write(start + SafeText.text(words) + "\n")
    }

    // MARK: What goes out

    private func feed(_ input: PlainBrowser.Input, secret: consuming SecretBytes? = nil) throws {
        var secret = secret
        var queue = browser.handle(input)
        while !queue.isEmpty {
            let effect = queue.removeFirst()
            switch effect {
            case .say(let words): try say(words)
            case .quit: isOver = true
            case .unlockDevice: if let passcode = secret.take() { queue += unlock(passcode) }
            case .lockDevice: queue += try lockDevice()
            case .read(let reading, let typed): queue += try read(reading, typed, secret.take())
            case .holdTyped: newSecret = secret.take()
            case .compareTyped: queue += browser.handle(.typedTwice(isSame: isSame(secret.take())))
            case .save(let draft, let typed): queue += browser.handle(save(draft, typed, secret.take()))
            case .holdForm(let form):
                do { heldForm = try form.held() } catch { queue += browser.handle(.formLost) }
            case .giveForm: queue += browser.handle(takeForm())
            case .list, .remove: queue += browser.handle(answer(effect))
            }
        }
        if !browser.holdsSecret { newSecret = nil }
    }

    private func takeForm() -> PlainBrowser.Input {
        guard let held = heldForm.take(), let form = try? HeldForm(held) else { return .formLost }
        return .formGiven(form)
    }

    private func answer(_ effect: PlainBrowser.Effect) -> PlainBrowser.Input {
        do throws(TresorError) {
            guard case .remove(let references, let isForGood) = effect else {
                return .listed(try link.listing(date: SystemClock.wallMicroseconds() / 1_000_000))
            }
            try link.remove(references, isForGood: isForGood)
            return .removed
        } catch { return .refused(error, effect) }
    }

    private func read(
        _ reading: Reading, _ typed: TypedProof?, _ typedSecret: consuming SecretBytes?
    ) throws -> [PlainBrowser.Effect] {
        var typedSecret = typedSecret
        do throws(TresorError) {
            let secret = try link.read(
                reading.reference, passcode: typed == .passcode ? typedSecret.take() : nil,
                itemPassword: typed == .itemPassword ? typedSecret.take() : nil)
            return browser.handle(try give(secret, for: reading))
        } catch { return browser.handle(.refused(error, .read(reading, typed: typed))) }
    }

    private func give(_ secret: borrowing SecretBytes, for reading: Reading) throws(TresorError) -> PlainBrowser.Input {
        switch reading.purpose {
        case .show, .copy, .showSquare:
            // It is no use to anybody but to who makes codes for ever.
            guard !secret.withBytes({ CodeSeed.isAddress($0) }) else { return .isSeed(reading) }
            return reading.purpose == .show ? speak(secret) : copy(secret)
        case .showCode, .copyCode:
            let date = Date()
            let code = try OneTimeCode(secret, at: date)
            return reading.purpose == .showCode ? speak(code, at: date) : copy(code.digits)
        }
    }

    private func speak(_ code: borrowing OneTimeCode, at date: Date) -> PlainBrowser.Input {
        let left = code.secondsLeft(at: date)
        do {
            var output = try SecretBuffer(capacity: 160)
            try CodeDigits.append(code.digits, to: &output)
            let words = localized(left, one: ", good for \(left) more second", many: ", good for \(left) more seconds")
            try output.append(Array((words + ".\n").utf8))
            _ = try output.withBytes { try StandardStream.output.write($0) }
            return .said
        } catch { return .notCopied(.failed) }
    }

    private func speak(_ secret: borrowing SecretBytes) -> PlainBrowser.Input {
        do {
            var output = try SecretBuffer(capacity: 4096)
            try secret.withBytes { try SecretLayout(width: 1 << 20).spell($0, into: &output) }
            try output.append(byte: 0x0A)
            _ = try output.withBytes { try StandardStream.output.write($0) }
            return .said
        } catch { return .notCopied(.failed) }
    }

    private func copy(_ secret: borrowing SecretBytes) -> PlainBrowser.Input {
        guard secret.count > 0 else { return .notCopied(.isEmpty) }
        guard secret.withBytes({ SecretLayout.isText($0) }) else { return .notCopied(.isNoText) }
        return .copied(clipboard.copy(secret, at: SystemClock.bootMilliseconds()))
    }

    // MARK: The device

    private func unlock(_ passcode: consuming SecretBytes) -> [PlainBrowser.Effect] {
        do throws(DeviceUnlock.Refusal) { try DeviceUnlock.unlock(home, passcode: passcode) } catch {
            return browser.handle(.passcodeRefused(error.sentence))
        }
        return browser.handle(.deviceUnlocked)
    }

    private func lockDevice() throws -> [PlainBrowser.Effect] {
        // Whoever holds keys is waited for by a lock, and this program is one.
        notices = nil
        clipboard.clear()
        do { _ = try DeviceLock.lock(home) } catch {
            let words = (error as? TresorError)?.sentence ?? localized("tresord does not answer.")
            return [.say(words)]
        }
        return browser.handle(.locked)
    }
}
