/// Where an app stands between its user and the system, and what it has to do when that changes: a value without I/O.
///
/// The threat: somebody else looks at a screen, a snapshot of it or a stopped process, after the user has turned away.
/// Two turns are told apart, as on an iPhone: an app that *resigns being active* is still seen (another window has the
/// focus), one that is *in the background* is not (it is stopped, the session is locked, the machine goes to sleep, the
/// terminal is gone). The app chooses by ``LockPoint`` where it locks; in the background it is locked in any case, and
/// the lock screen is drawn before anything that may take long, so that every snapshot from then on holds it alone.
///
/// Feed it with ``handle(_:)`` and do what it returns, in that order; ``LifecycleDriver`` does so under the deadline of
/// five seconds. Source: the book, chapter 7.4, and features D5 and D6.
///
///     var lifecycle = AppLifecycle(locksOn: .background)
///     lifecycle.handle(.focusLost)  // [.willResignActive]
///     lifecycle.handle(.suspended)  // [.coverScreen, .lockNow, .didEnterBackground, .stop]
///     lifecycle.handle(.continued)  // [.willEnterForeground, .didBecomeActive]
public struct AppLifecycle: Equatable, Sendable {
    /// Where the app stands.
    public enum State: Equatable, Sendable {
        /// It is seen, and its user types into it.
        case active
        /// It may be seen, and its user types elsewhere.
        case inactive
        /// Nobody sees it.
        case background
    }

    /// Where an app locks.
    public enum LockPoint: Equatable, Sendable {
        /// As soon as its user turns to something else: the strictest.
        case resignActive
        /// Only in the background: a glance at another window, or a call that is declined, costs no password.
        case background
    }

    /// What happened.
    public enum Event: Equatable, Sendable, CaseIterable {
        /// Another window has the keyboard (terminal: `CSI O`).
        case focusLost
        /// This window has it again (terminal: `CSI I`).
        case focusGained
        /// Somebody wants the app to stop, and it has not yet (SIGTSTP, or the key for it).
        case suspended
        /// The shell has continued it (SIGCONT).
        case continued
        /// The terminal is gone (SIGHUP).
        case hungUp
        /// Somebody wants the app to end (SIGTERM, SIGINT).
        case terminated
        /// The desktop's session was locked (logind: `Lock`).
        case sessionLocked
        /// The desktop's session was unlocked (logind: `Unlock`).
        case sessionUnlocked
        /// The machine is about to sleep (logind: `PrepareForSleep`).
        case sleepComing
        /// The machine is awake again.
        case sleepOver
    }

    /// What the app has to do now.
    public enum Action: Equatable, Sendable {
        /// Its user turns to something else; pause what needs them.
        case willResignActive
        /// Draw the lock screen, and nothing else, at once; its terminal's scrollback and title count.
        case coverScreen
        /// Forget what was decrypted: keys, texts, pictures, what lies on the clipboard, the user's authentication.
        ///
        /// May come although the app is locked already.
        case lockNow
        /// Put away the rest: seal drafts, close connections, release inhibitors.
        case didEnterBackground
        /// It will be seen again; it shows its lock screen until its user has authenticated.
        case willEnterForeground
        /// Its user types into it again.
        case didBecomeActive
        /// Stop the process, as was asked (``TerminalLifecycle/stop()``).
        case stop
        /// Let the machine sleep: release the delay.
        case allowSleep
        /// End the process.
        case end
    }

    /// Why the app is in the background; more than one may hold at a time.
    private enum Reason: Hashable, Sendable { case stopped, sessionLocked, sleeping, ended }

    /// Where the app locks.
    public let locksOn: LockPoint
    private var hasFocus = true
    private var reasons: Set<Reason> = []

    /// An app that is active.
    ///
    /// A terminal that does not report its focus never makes it inactive; the background is told apart without.
    ///
    /// - Parameter locksOn: where it locks.
    public init(locksOn: LockPoint = .resignActive) { self.locksOn = locksOn }

    /// Where the app stands now.
    public var state: State { reasons.isEmpty ? (hasFocus ? .active : .inactive) : .background }

    /// Takes note of what happened.
    ///
    /// - Parameter event: what happened.
    /// - Returns: what is to be done, in this order; empty when nothing has changed. After ``Action/end`` always empty.
    public mutating func handle(_ event: Event) -> [Action] {
        if reasons.contains(.ended) { return [] }
        let former = state
        switch event {
        case .focusLost: hasFocus = false
        case .focusGained: hasFocus = true
        case .suspended: reasons.insert(.stopped)
        case .continued:
            // It was continued from this terminal, which reports its focus only when that changes.
            if reasons.remove(.stopped) != nil { hasFocus = true }
        case .sessionLocked: reasons.insert(.sessionLocked)
        case .sessionUnlocked: reasons.remove(.sessionLocked)
        case .sleepComing: reasons.insert(.sleeping)
        case .sleepOver: reasons.remove(.sleeping)
        case .hungUp, .terminated: reasons.insert(.ended)
        }
        return actions(from: former) + answer(to: event)
    }

    private func actions(from former: State) -> [Action] {
        switch (former, state) {
        case (.active, .inactive): [.willResignActive] + (locksOn == .resignActive ? [.coverScreen, .lockNow] : [])
        // Locked already or not: what was opened by mistake meanwhile must not stay.
        case (.active, .background): [.willResignActive, .coverScreen, .lockNow, .didEnterBackground]
        case (.inactive, .background): [.coverScreen, .lockNow, .didEnterBackground]
        case (.background, .inactive): [.willEnterForeground]
        case (.background, .active): [.willEnterForeground, .didBecomeActive]
        case (.inactive, .active): [.didBecomeActive]
        case (.active, .active), (.inactive, .inactive), (.background, .background): []
        }
    }

    /// What whoever told the event waits for, once everything is put away.
    private func answer(to event: Event) -> [Action] {
        switch event {
        case .suspended: [.stop]
        case .sleepComing: [.allowSleep]
        case .hungUp, .terminated: [.end]
        default: []
        }
    }
}
