import DesktopSession
import EventLoop
import KeychainStore
import Linux
import Logging
import Protection
import Secrets
import Wire

/// Why the device locks.
enum LockCause: Equatable {
    case command, idle, sleep, end
    /// The device's files do not stand under their names any more.
    case replaced
    case session(SessionLockCause)

    /// For the log.
    var name: String {
        switch self {
        case .command: "command"
        case .idle: "idle"
        case .sleep: "sleep"
        case .end: "end"
        case .replaced: "replaced files"
        case .session(let cause): cause.rawValue
        }
    }
}

// The one way to lock, and what follows from it, whatever the cause.
extension DaemonLoop {
    /// Wipes the keys, has every holder wipe what it holds, and tells who watches.
    ///
    /// It is over when ``isLocking`` is false: then nobody holds anything.
    ///
    /// - Throws: what the enclave said, `noPasscodeSet` where there is nothing to lock with; what could be wiped is
    ///   wiped all the same.
    func lock(for cause: LockCause) throws {
        log.info("locking", metadata: ["cause": "\(cause.name)"])
        defer { follow() }
        try device.lock()
    }

    /// The same for causes that nobody waits for.
    func lockUnasked(for cause: LockCause) {
        do { try lock(for: cause) } catch let error as KeychainError where error.reason == .noPasscodeSet {
            // Keychains with a passcode of their own are shut now; without one of the device that is all.
        } catch { log.error("could not lock", metadata: ["error": "\(error)"]) }
    }

    /// Everybody hears of what has happened to the keys, by a request, a lock or the enclave's end: holders first.
    func follow() {
        evictHolders()
        tellState()
    }

    /// Whether somebody has still to wipe what it holds.
    var isLocking: Bool { eviction.isUnderWay }

    /// What the desktop says.
    func hearSession() {
        defer {
            if session.isListening != isSessionHeard {
                isSessionHeard = session.isListening
                log.info("logind is \(isSessionHeard ? "heard" : "not heard any more")")
            }
        }
        for notice in session.process(at: SystemClock.bootMilliseconds()) {
            switch notice {
            case .lock(let cause): lockUnasked(for: .session(cause))
            case .sleepComing:
                lockUnasked(for: .sleep)
                (isSleepWaiting, isSleepKnown) = (true, true)
            case .awake:
                // It slept while logind could not be heard.
                if !isSleepKnown { lockUnasked(for: .sleep) }
                (isSleepWaiting, isSleepKnown) = (false, false)
            }
        }
    }

    /// A machine that slept without a word from logind: what was open is shut before anybody is answered.
    func lockAfterSleep() {
        let before = suspended
        suspended = suspensionClock()
        guard suspended >= before + Limit.suspension.wholeMilliseconds, !isSleepKnown else { return }
        lockUnasked(for: .sleep)
    }

    /// The machine sleeps once nobody holds anything any more.
    func letSleep() {
        guard isSleepWaiting && !isLocking else { return }
        isSleepWaiting = false
        session.allowSleep()
    }

    /// Nothing is kept any more of what is written now: all is wiped, and from here on all but the end is refused.
    func lockReplaced() {
        guard device.isReplaced && !isReplacementTold else { return }
        isReplacementTold = true
        log.error("files of this device were replaced or removed while it ran; end it, and start it on what is there")
        lockUnasked(for: .replaced)
    }

    /// Nobody keeps keys or plaintext beyond the daemon's end.
    func beginEnd() {
        guard !isStopping else { return }
        isStopping = true
        removeSocket()
        lockUnasked(for: .end)
    }

    /// Systemd's stays: it starts the next one when somebody connects.
    private func removeSocket() {
        guard !isSocketPassed else { return }
        do { try FileSystem.remove(home.socket) } catch {
            log.error("the socket could not be removed", metadata: ["error": "\(error)"])
        }
    }

    /// The enclave has ended, and with it what was open.
    func replaceEnclave() throws {
        device.forgetEnclave()
        // A fresh one takes its time, and may not come up.
        follow()
        defer { follow() }
        try device.replaceEnclave()
    }

    // MARK: the owner's idle time

    /// When the device locks for want of its owner; nil where it does not.
    var idleDeadline: UInt64? {
        guard device.idleLock > .zero, device.lockState == .unlocked,
            device.enclave.hasPasscode || device.hasOpenKeychains, let last = lastOwnerActivity
        else { return nil }
        return last + device.idleLock.wholeMilliseconds
    }

    /// When the owner last did something, in milliseconds of the boot clock; nil where logind says that they are at it.
    ///
    /// What programs ask for is nobody's activity.
    private var lastOwnerActivity: UInt64? {
        switch session.activity {
        case nil: return lastOwnerInput
        case .now: return nil
        case .last(let microseconds):
            let ago = SystemClock.monotonicNanoseconds() / 1_000_000 &- microseconds / 1000
            let now = SystemClock.bootMilliseconds()
            // A time to come is a clock's fault, and no reason to stay open.
            return max(lastOwnerInput, ago <= now ? now - ago : 0)
        }
    }

    func lockWhenIdle() {
        let now = SystemClock.bootMilliseconds()
        guard let idleDeadline, now >= max(idleDeadline, nextIdleLock), session.isActivityFresh(at: now) else { return }
        nextIdleLock = now + 1000
        lockUnasked(for: .idle)
    }

    // MARK: holders

    /// Tells every holder to wipe, where a lock or the end of class keys demands it.
    ///
    /// - Returns: whether somebody has still to do so.
    @discardableResult
    func evictHolders() -> Bool {
        guard device.mustEvictHolders else { return isLocking }
        device.mustEvictHolders = false
        cancelFingers()
        // Who holds nothing is not waited for, and may take its replies as slowly as it likes.
        for connection in connections where !connection.isHolder { connection.dropOutput() }
        let holders = connections.filter { $0.isHolder && !$0.isClosed }.map(\.id)
        carryOut(eviction.begin(holders, at: SystemClock.bootMilliseconds()))
        endEviction()
        return isLocking
    }

    /// Does to holders what is due.
    func carryOut(_ actions: [Eviction<UInt64>.Action]) {
        for action in actions {
            switch action {
            case .tell(let id): if let holder = holder(id) { tellToWipe(holder) }
            case .kill(let id):
                log.warning("a holder did not wipe in time and was killed")
                // One that waits for its disk ends when that answers. So the end of its socket is waited for, which it
                // has until its memory is gone, but not for ever.
                holder(id)?.killProcess()
            case .giveUp(let id):
                if let holder = holder(id) { close(holder, "a holder that was killed has not ended", "eviction") }
            }
        }
    }

    private func holder(_ id: UInt64) -> Connection? { connections.first { $0.id == id && !$0.isClosed } }

    private func tellToWipe(_ connection: Connection) {
        do {
            var event = try SecretBuffer(capacity: 64)
            StreamFrame.end(try KeychainReply.begin(id: 0, .evict, in: &event), in: &event)
            try connection.send(event.bytes)
        } catch {
            // Without memory for a word to it: its own goes with it.
            log.warning("could not tell a holder to wipe", metadata: ["error": "\(error)"])
            connection.killProcess()
            eviction.wasKilled(connection.id)
        }
    }

    /// Answers those who wait for a lock, once nobody holds anything any more.
    func endEviction() {
        for connection in connections where connection.isClosed { eviction.left(connection.id) }
        guard eviction.takeEnd() else { return }
        let answers = lockAnswers
        lockAnswers = []
        for (connection, reply) in answers where !connection.isClosed {
            do { try reply.withSpan { try connection.send($0) } } catch {
                close(connection, "could not answer", "\(error)")
            }
        }
    }

    /// Tells subscribers of a lock state that they have not heard of, and again where a keychain was shut.
    func tellState() {
        let state = device.lockState
        guard state != toldState || device.mustTellState else { return }
        device.mustTellState = false
        toldState = state
        for connection in connections where connection.isSubscribed && !connection.isClosed {
            do {
                var event = try SecretBuffer(capacity: 64)
                let frame = try KeychainReply.begin(id: 0, .lockState, in: &event)
                try event.uint8(state.rawValue)
                StreamFrame.end(frame, in: &event)
                try connection.send(event.bytes)
            } catch { close(connection, "could not tell the lock state", "\(error)") }
        }
    }
}
