import DiaryClient
import Linux
import Localization
import ResidentClient
import Secrets
import TerminalScreen
import Tresor
import Wire

/// Where a person and the diary meet: a filled screen, or lines of words.
protocol DiaryFace: AnyObject {
    /// What was typed, once it has been entered.
    func takeSecret() -> SecretBytes?
    /// Wipes what was typed of a password that nobody waits for any more.
    func forgetSecret()
    /// Erases what is seen.
    func clear()
    /// Draws what is to be seen now.
    func show()
    /// What was typed before the entry vanishes; the screen is erased first.
    func takeLateInput() throws -> [Input]
    /// Gives the terminal to the shell until it continues this program.
    func suspend() throws
    func end()
}

/// Does what a ``DiaryScreen`` wants: asks tresor-diary, and holds what the screen must not, passwords and the recovery
/// key.
final class DiaryRunner {
    private let home: Home
    private let link: DiaryLink
    private var words = LastWords()
    /// Tells of a lock of the device at once, also while tresor-diary is busy; nil while there is no daemon.
    private var watch: LockWatch?
    private let deadline: BackgroundDeadline
    weak var face: (any DiaryFace)?
    private(set) var screen: DiaryScreen
    /// A new password after it was typed for the first time.
    private var kept: SecretBytes?
    private var recoveryKey: SecretBytes?
    private var nextAttempt: UInt64 = 0
    /// Whether the watch told of a lock while an answer was waited for: nothing is shown until that is done.
    private(set) var hasHeardLock = false

    /// Milliseconds between two attempts to reach tresor-diary.
    private static let attemptInterval: UInt64 = 2000
    /// A passcode takes a moment by design.
    private static let daemonPatience: Duration = .seconds(10)

    init(home: Home, screen: DiaryScreen) throws {
        self.home = home
        link = try DiaryLink(home: home)
        watch = try? LockWatch(home)
        deadline = try BackgroundDeadline()
        self.screen = screen
        link.attention = Attention(
            descriptor: { [weak self] in self?.hasHeardLock == false ? self?.watch?.descriptor : nil },
            hear: { [weak self] in self?.hearLock() ?? false })
    }

    /// To poll; nil while there is no connection.
    var descriptor: Int32? { link.descriptor }

    /// To poll, too; nil while there is no daemon.
    var watchDescriptor: Int32? { watch?.descriptor }

    /// - Throws: `DiaryError` where something that was typed could not be kept, and is lost at the end.
    func complain() throws { try words.complain() }

    /// Milliseconds until something is due without a key, at most so many.
    func untilDue(atMost limit: Int) -> Int {
        if hasHeardLock || link.hasWaitingEvent || watch?.hasWaiting == true { return 0 }
        guard let due = screen.deadline else { return limit }
        let now = SystemClock.bootMilliseconds()
        return due > now ? min(Int(clamping: due - now), limit) : 0
    }

    // MARK: What comes in

    func feed(_ input: Input) throws {
        try perform(screen.handle(input, at: now))
        // A prompt that went away takes with it what was typed.
        if !screen.wantsSecret { face?.forgetSecret() }
    }

    /// However it ends, the screen is covered, what was typed is handed in, and the diary is locked.
    func end() throws {
        try? takeLateInput()
        try feed(.lifecycle(.terminated))
    }

    /// Reads what tresor-diary tells without being asked; this comes before what was typed, because it may make
    /// something vanish.
    ///
    /// - Parameter isWatchReadable: whether the watch has something to say, too.
    func readEvents(isWatchReadable: Bool) throws {
        try readWatch(isReadable: isWatchReadable)
        while true {
            let event: DiaryEvent?
            do { event = try link.nextEvent() } catch {
                nextAttempt = 0
                try takeLateInput()
                return try feed(.connectionLost)
            }
            guard let event else { return }
            if screen.covers(event) { try takeLateInput() }
            try feed(.event(event))
        }
    }

    /// tresord itself tells of the device's lock: tresor-diary may be busy for a moment.
    private func readWatch(isReadable: Bool) throws {
        var isReadable = isReadable
        if hasHeardLock {
            hasHeardLock = false
            try takeLateInput()
            try feed(watch == nil ? .daemonEnded : .lockSeen)
            if watch != nil { try perform([.lookAtDevice]) }
        }
        while let watch, isReadable || watch.hasWaiting {
            isReadable = false
            let state = try? watch.next()
            guard state != .unlocked else {
                try feed(.deviceLooked(isLocked: false))
                continue
            }
            // Where tresord is gone, nobody vouches for an open device.
            if state == nil { (self.watch, nextAttempt) = (nil, 0) }
            try takeLateInput()
            try feed(state == nil ? .daemonEnded : .lockSeen)
            if state != nil { try feed(.deviceLooked(isLocked: true)) }
        }
    }

    /// The watch has something to tell while an answer is waited for: what a lock shuts is erased at once.
    private func hearLock() -> Bool {
        let state = try? watch?.next()
        guard state != .unlocked else { return false }
        if state == nil { (watch, nextAttempt) = (nil, 0) }
        hasHeardLock = true
        face?.clear()
        return true
    }

    /// What was typed before the entry vanishes belongs to it.
    private func takeLateInput() throws {
        guard screen.diary?.isTyping == true, let face else { return }
        for input in try face.takeLateInput() { _ = screen.handle(input, at: now) }
    }

    /// Without a connection no event can tell that the diary was locked, so nothing of it is shown, and it is looked
    /// for again.
    func reconnect() throws {
        let now = SystemClock.bootMilliseconds()
        guard link.descriptor == nil || watch == nil || screen.isDaemonGone, now >= nextAttempt else { return }
        nextAttempt = now + Self.attemptInterval
        let hadWatch = watch != nil
        if !hadWatch { watch = try? LockWatch(home) }
        if watch != nil, !hadWatch || screen.isDaemonGone { try perform([.lookAtDevice]) }
        // Without tresord there is no tresor-diary, nor does one start.
        guard link.descriptor == nil, !screen.isDaemonGone else { return }
        try perform([.ask(Ask(.status))])
    }

    // MARK: What goes out

    private var now: Moment {
        Moment(uptime: SystemClock.bootMilliseconds(), date: SystemClock.wallMicroseconds())
    }

    private func perform(_ effects: [Effect]) throws {
        var queue = effects
        while !queue.isEmpty {
            let following = try perform(queue.removeFirst())
            if following.first == .beginClearing {
                // Covering comes before whatever was still to be asked, which is refused by then anyway.
                queue = following + queue.filter { if case .ask(let ask) = $0 { ask.isLastWords } else { true } }
            } else {
                queue += following
            }
        }
    }

    /// - Returns: what follows.
    private func perform(_ effect: Effect) throws -> [Effect] {
        switch effect {
        case .ask(let ask): return try answer(ask)
        case .handInHeld: return handInHeld()
        case .forgetHeld: words.forget()
        case .completePath(let typed):
            return screen.handle(.pathCompleted(TypedPath.complete(typed), of: typed), at: now)
        case .lookAtDevice: return lookAtDevice()
        case .unlockDevice: return screen.handle(.unlockEnded(unlockDevice()), at: now)
        case .keepSecret: kept = face?.takeSecret()
        case .compareSecrets: return screen.handle(.secretsCompared(compareSecrets()), at: now)
        case .forgetSecrets:
            kept = nil
            recoveryKey = nil
            face?.forgetSecret()
        case .clear: face?.clear()
        case .show: if !hasHeardLock { face?.show() }
        case .beginClearing: try deadline.start()
        case .endClearing: try deadline.stop()
        case .reconnect:
            link.drop()
            nextAttempt = 0
        case .suspend:
            try face?.suspend()
            return screen.handle(.lifecycle(.continued), at: now)
        case .quit: face?.end()
        }
        return []
    }

    // MARK: The device

    /// Where tresord does not answer, nothing is said of it.
    private func lookAtDevice() -> [Effect] {
        guard let state = try? DaemonLink(home, within: Self.daemonPatience).lockState() else { return [] }
        return screen.handle(.deviceLooked(isLocked: state != .unlocked), at: now)
    }

    private func unlockDevice() -> UnlockOutcome {
        guard let passcode = face?.takeSecret() else { return .wrongPasscode(retryAfter: nil) }
        do {
            try DaemonLink(home, within: Self.daemonPatience).unlock(passcode: passcode)
            return .unlocked
        } catch let error as TresorError where error.code == .authenticationFailed {
            return .wrongPasscode(retryAfter: error.retryAfter.map { Int($0.components.seconds) })
        } catch let error as TresorError {
            return .failed(DiaryError(.unavailable, error.message).sentence(in: screen.language))
        } catch {
            return .failed(DiaryError(.unavailable, marked("tresord does not answer")).sentence(in: screen.language))
        }
    }

    private func answer(_ ask: Ask) throws -> [Effect] {
        var password: SecretBytes?
        if ask.hasSecret { password = kept.take() ?? face?.takeSecret() }
        if ask.request == .lock { nextAttempt = 0 }
        switch link.ask(ask, password: password) {
        case .answer(let reply, let body): return screen.handle(.answer(reply, body, to: ask), at: now)
        case .secret(let key):
            recoveryKey = consume key
            return screen.handle(.recoveryKeyHeld, at: now)
        case .refusal(let error): return try refuse(error, ask)
        case .fileFailure(let failure): return screen.handle(.fileFailed(failure, to: ask), at: now)
        case .lost(let error):
            // First what is here alone again, then what vanishes for it.
            let effects = try refuse(error, ask)
            try takeLateInput()
            let following = screen.handle(.connectionLost, at: now)
            // Covering stays in front.
            return following + effects
        }
    }

    private func refuse(_ error: DiaryError, _ ask: Ask) throws -> [Effect] {
        guard ask.isLastWords else {
            if [.signedOut, .deviceLocked, .notRegistered].contains(error.code) { try takeLateInput() }
            return screen.handle(.refusal(error, to: ask), at: now)
        }
        words.hold(ask)
        return screen.handle(.held(error, count: words.count), at: now)
    }

    private func handInHeld() -> [Effect] {
        var last: EntrySummary?
        let error = words.handIn(last: &last) { ask, last in
            switch link.ask(ask, password: nil) {
            case .answer(let reply, _):
                if case .entry(let entry) = reply { last = entry }
                return nil
            case .refusal(let error): return error
            case .lost(let error): return error
            default: return DiaryError(.unavailable, marked("tresor-diary gave another answer"))
            }
        }
        return screen.handle(error.map { .held($0, count: words.count) } ?? .heldHandedIn(last), at: now)
    }

    // MARK: Secrets

    /// What was kept stays where both are the same, and goes with the next question.
    private func compareSecrets() -> SecretComparison {
        guard let second = face?.takeSecret() else { return .empty }
        switch kept {
        case .some(let first):
            if first.count == 0 { return .empty }
            return first.equals(second) ? .same : .different
        case .none: return .different
        }
    }

    /// Appends the recovery key where one is to be seen.
    ///
    /// - Parameters:
    ///   - first: so many of its characters stand before `next`.
    ///   - next: what leads to where the rest of it stands.
    /// - Returns: whether there was one.
    func appendRecoveryKey(
        to output: inout SecretBuffer, first: Int = .max, then next: [UInt8] = []
    ) throws -> Bool {
        switch recoveryKey {
        case .some(let key):
            // Digits and hyphens; what a terminal would obey is no recovery key.
            let isPlain = key.withBytes { bytes in
                (0..<bytes.byteCount).allSatisfy { (0x20...0x7E).contains(bytes.byte(at: $0)) }
            }
            guard isPlain else { return false }
            try key.withBytes { bytes in
                let end = min(first, bytes.byteCount)
                try output.append(bytes.extracting(0..<end))
                if end < bytes.byteCount { try output.append(next) }
                try output.append(bytes.extracting(end..<bytes.byteCount))
            }
            return true
        case .none: return false
        }
    }
}
