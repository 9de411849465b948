import Linux
import NotesClient
import ResidentClient
import TerminalScreen
import Tresor
import Wire

/// Drives a ``NotesScreen``: keys, events, signals and the time go in, frames come out.
final class ScreenDriver {
    private let home: Home
    private let link: NotesLink
    private let session: ScreenSession
    private var screen: NotesScreen
    private var words = LastWords()
    /// Tells of a lock at once, also while tresor-notes is busy; nil while there is no daemon.
    private var watch: LockWatch?
    private var nextAttempt: UInt64 = 0
    /// Whether the watch told of a lock while an answer was waited for: nothing is shown until that is done.
    private var hasHeardLock = false

    private static let tickInterval = 1000
    /// Milliseconds between two attempts to reach tresor-notes.
    private static let attemptInterval: UInt64 = 2000

    /// - Parameter ownerIsActive: called when a key was pressed, at most once a second.
    init(home: Home, onlyNote: String? = nil, ownerIsActive: @escaping () -> Void) throws {
        self.home = home
        link = try NotesLink(home: home)
        session = try ScreenSession(ownerIsActive: ownerIsActive)
        watch = try? LockWatch(home)
        let size = session.size
        screen = NotesScreen(columns: size.columns, rows: size.rows, onlyNote: onlyNote)
        link.attention = Attention(
            descriptor: { [weak self] in self?.hasHeardLock == false ? self?.watch?.descriptor : nil },
            hear: { [weak self] in self?.hearLock() ?? false })
    }

    /// Returns when the person quits, the terminal goes away, or a signal ends the program.
    ///
    /// - Throws: `NotesError` where what was typed could not be kept.
    func run() throws {
        try showUntilOver()
        try words.complain()
        if let failure = screen.failure { throw failure }
    }

    private func showUntilOver() throws {
        try session.enter()
        defer { session.leave() }
        // However it ends, what was typed is handed in.
        defer {
            try? takeLateKeys()
            try? feed(.ending)
        }
        try feed(.started)
        while !session.isOver {
            guard try show() else { break }
            try wait()
        }
    }

    // MARK: What comes in

    private func wait() throws {
        try session.wait(milliseconds: untilDue(), also: link.descriptor, watch?.descriptor)
        // First what may have to vanish, then what was typed.
        try readWatch()
        try readEvents()
        try session.hear(wantsSecret: { screen.wantsSecret }) { try hear($0) }
        try feed(.tick)
        try reconnect()
    }

    /// tresord itself tells of a lock: tresor-notes may be busy for a moment.
    private func readWatch() throws {
        if hasHeardLock {
            hasHeardLock = false
            try takeLateKeys()
            try feed(.lockSeen)
        }
        while let watch, session.takeReadable(watch.descriptor) || watch.hasWaiting {
            let state = try? watch.next()
            guard state != .unlocked else { continue }
            // Where tresord is gone, nobody vouches for an open device.
            if state == nil { (self.watch, nextAttempt) = (nil, 0) }
            try takeLateKeys()
            try feed(.lockSeen)
        }
    }

    /// The watch has something to tell while an answer is waited for: what a lock shuts leaves the terminal at once.
    private func hearLock() -> Bool {
        let state = try? watch?.next()
        guard state != .unlocked else { return false }
        if state == nil { (watch, nextAttempt) = (nil, 0) }
        hasHeardLock = true
        try? session.clear()
        return true
    }

    /// - Returns: false when the terminal is gone.
    private func show() throws -> Bool { try hasHeardLock || session.show(screen.frame()) }

    /// What was typed before the text vanishes belongs to it.
    private func takeLateKeys() throws {
        guard screen.isTyping else { return }
        try feed(.lateKeys(try session.takeLateKeys()))
    }

    private func hear(_ happening: ScreenSession.Happening) throws {
        switch happening {
        case .key(let key): try feed(.key(key))
        case .secretEntered: try feed(.secretEntered)
        case .secretCancelled: try feed(.secretCancelled)
        case .resized(let columns, let rows): try feed(.resized(columns: columns, rows: rows))
        // From wherever it is asked: a stop that is not Ctrl-Z must leave no more on the terminal than one that is.
        case .stopRequested: try feed(.stopRequested)
        case .focus: break
        }
    }

    private func untilDue() -> Int {
        if hasHeardLock || link.hasWaitingEvent || watch?.hasWaiting == true { return 0 }
        guard let deadline = screen.deadline else { return Self.tickInterval }
        let now = SystemClock.bootMilliseconds()
        return deadline > now ? min(Int(clamping: deadline - now), Self.tickInterval) : 0
    }

    private func readEvents() throws {
        while true {
            let event: NotesEvent?
            do { event = try link.nextEvent() } catch {
                if screen.editor?.isLocked == true { try takeLateKeys() }
                return try feed(.connectionLost)
            }
            guard let event else { return }
            if screen.covers(event) { try takeLateKeys() }
            try feed(.event(event))
        }
    }

    /// Without a connection no event can tell that the device was locked, so it is looked for again.
    private func reconnect() throws {
        let now = SystemClock.bootMilliseconds()
        guard link.descriptor == nil || watch == nil, now >= nextAttempt, !session.isOver else { return }
        nextAttempt = now + Self.attemptInterval
        if watch == nil { watch = try? LockWatch(home) }
        // What tresor-notes says without a tresord is about a device that is none any more.
        guard link.descriptor == nil || watch != nil else { return }
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
            case .ask(let ask): queue += try answer(ask)
            case .clear: try session.clear()
            case .show: _ = try show()
            case .handInHeld: queue += handInHeld()
            case .forgetHeld: words.forget()
            case .unlockDevice: queue += unlockDevice()
            case .suspend:
                try session.suspend()
                queue.append(.ask(Ask(.status)))
            case .quit: session.end()
            }
        }
    }

    /// Tries the passcode that was typed; a line without anything is none.
    private func unlockDevice() -> [Effect] {
        guard let passcode = session.takeSecret(), passcode.count > 0 else { return handle(.secretTyped(count: 0)) }
        do throws(DeviceUnlock.Refusal) {
            try DeviceUnlock.unlock(home, passcode: passcode)
            return handle(.deviceUnlocked)
        } catch { return handle(.deviceUnlockRefused(error)) }
    }

    private func answer(_ ask: Ask) throws -> [Effect] {
        let passphrase = ask.needsSecret ? session.takeSecret() : nil
        switch link.ask(ask, passphrase: passphrase) {
        case .answer(let reply, let body): return handle(.answer(reply, body, to: ask))
        case .refusal(let error): return try refuse(error, ask)
        case .lost(let error):
            // First what is here alone again, then what vanishes for it.
            let effects = try refuse(error, ask)
            if screen.editor?.isLocked == true { try takeLateKeys() }
            return effects + handle(.connectionLost)
        }
    }

    private func refuse(_ error: NotesError, _ ask: Ask) throws -> [Effect] {
        guard ask.isLastWords else {
            if error.code == .deviceLocked { try takeLateKeys() }
            return handle(.refusal(error, to: ask))
        }
        words.hold(ask)
        return handle(.held(error, count: words.count))
    }

    private func handInHeld() -> [Effect] {
        let error = words.handIn { link.ask($0, passphrase: nil) }
        return handle(error.map { .held($0, count: words.count) } ?? .heldHandedIn)
    }

    private func handle(_ input: Input) -> [Effect] { screen.handle(input, at: SystemClock.bootMilliseconds()) }
}
