import Linux
import Protection
import Secrets
import TerminalScreen
import Tresor
import Wire

/// Drives a ``BrowserScreen``: keys, the lock state and the time go in, frames come out; and it holds what the screen
/// must not: the secret that is shown.
final class BrowserDriver {
    private let home: Home
    private let link: KeychainLink
    private let keychains: () throws -> [String]
    private let session: ScreenSession
    private var screen: BrowserScreen
    /// Tells of a lock before the lock is reported to whoever asked for it; nil while there is no daemon.
    private var notices: LockNotices?
    private var firstState = LockState.locked
    private var nextAttempt: UInt64 = 0
    private var shownSecret: SecretBytes?
    /// Where the secret was last written; nil when it has to be written again.
    private var written: SecretArea?
    private var loan: ClipboardLoan?

    private static let tickInterval = 1000
    /// Milliseconds between two attempts to reach the daemon.
    private static let attemptInterval: UInt64 = 2000

    init(
        home: Home, keychains: @escaping () throws -> [String], ownerIsActive: @escaping () -> Void
    ) throws {
        self.home = home
        self.keychains = keychains
        let source = SharedTransport.Source { try SocketTransport(home) }
        link = KeychainLink(SharedTransport(source))
        notices = try LockNotices(home, state: &firstState)
        session = try ScreenSession(ownerIsActive: ownerIsActive)
        let size = session.size
        screen = BrowserScreen(columns: size.columns, rows: size.rows)
    }

    /// Returns when the person quits, the terminal goes away, or a signal ends the program.
    func run() throws {
        try session.enter()
        defer { session.leave() }
        // However it ends, nothing stays where it was copied to.
        defer { if screen.copied != nil { clearClipboard() } }
        try feed(.lockState(firstState))
        while !session.isOver {
            guard try session.show(screen.frame()) else { break }
            try writeSecret()
            try wait()
        }
        shownSecret = nil
    }

    // MARK: What comes in

    private func wait() throws {
        try session.wait(milliseconds: untilDue(), also: notices?.descriptor)
        // First what must vanish, then what was typed.
        try readNotices()
        try session.hear(wantsSecret: { screen.wantsPasscode }) { try hear($0) }
        try feed(.tick)
        try reconnect()
    }

    private func hear(_ happening: ScreenSession.Happening) throws {
        switch happening {
        case .key(let key): try feed(.key(key))
        case .secretEntered: try feed(.passcodeEntered)
        case .secretCancelled: try feed(.passcodeCancelled)
        case .resized(let columns, let rows): try feed(.resized(columns: columns, rows: rows))
        // From wherever it is asked: a stop that is not Ctrl-Z must leave no more on the terminal than one that is.
        case .stopRequested: try perform([.suspend])
        case .focus: break
        }
    }

    private func untilDue() -> Int {
        guard let deadline = screen.deadline else { return Self.tickInterval }
        let now = SystemClock.bootMilliseconds()
        return deadline > now ? min(Int(clamping: deadline - now), Self.tickInterval) : 0
    }

    private func readNotices() throws {
        while let notices, session.takeReadable(notices.descriptor) || notices.hasWaiting {
            let notice: LockNotices.Notice
            do { notice = try notices.next() } catch {
                self.notices = nil
                return try feed(.connectionLost)
            }
            switch notice {
            case .state(let state): try feed(.lockState(state))
            case .evict:
                // Wiped and drawn before the connection ends: that end is what the lock waits for.
                try feed(.evicted)
                _ = try session.show(screen.frame())
                self.notices = nil
                nextAttempt = 0
                return
            }
        }
    }

    /// Without a connection nothing tells that the device was locked, so nothing is shown, and it is looked for again.
    private func reconnect() throws {
        let now = SystemClock.bootMilliseconds()
        guard notices == nil, now >= nextAttempt, !session.isOver else { return }
        nextAttempt = now + Self.attemptInterval
        var state = LockState.locked
        do { notices = try LockNotices(home, state: &state) } catch { return try feed(.connectionLost) }
        try feed(.lockState(state))
    }

    // MARK: What goes out

    private func feed(_ input: Input) throws {
        try perform(screen.handle(input, at: now))
        // A prompt that went away takes with it what was typed.
        if !screen.wantsPasscode { session.forgetSecret() }
    }

    private var now: Moment {
        Moment(uptime: SystemClock.bootMilliseconds(), date: SystemClock.wallMicroseconds() / 1_000_000)
    }

    private func perform(_ effects: [Effect]) throws {
        var queue = effects
        while !queue.isEmpty {
            let effect = queue.removeFirst()
            switch effect {
            case .list, .listSystem, .read, .remove: queue += ask(effect)
            case .copyShown:
                switch shownSecret {
                case .some(let secret): queue += screen.handle(copy(secret), at: now)
                case .none: break
                }
            case .forgetSecret: shownSecret = nil
            case .measure: queue += measure()
            case .clearClipboard: clearClipboard()
            case .clear:
                written = nil
                try session.clear()
            case .suspend: try suspend()
            case .quit: session.end()
            }
        }
    }

    /// A stopped program cannot wipe, and would be ended for it at the next lock: so it holds nothing while it stands.
    private func suspend() throws {
        shownSecret = nil
        notices = nil
        try session.suspend()
        written = nil
        nextAttempt = 0
    }

    private func ask(_ effect: Effect) -> [Effect] {
        do throws(TresorError) {
            switch effect {
            case .list:
                var listing = try link.listing(date: now.date)
                // Without their names the items are there all the same.
                listing.keychains = (try? keychains()) ?? []
                return screen.handle(.listed(listing), at: now)
            case .listSystem(let keychain):
                let listing = Listing(of: keychain, .local, date: now.date)
                return screen.handle(.systemListed(keychain, listing), at: now)
            case .read(let reading, let typed):
                let secret = try link.read(
                    reading.reference, passcode: typed == .passcode ? session.takeSecret() : nil,
                    itemPassword: typed == .itemPassword ? session.takeSecret() : nil)
                guard reading.purpose == .show else { return screen.handle(copy(secret), at: now) }
                shownSecret = consume secret
                return screen.handle(.secretHeld(reading), at: now)
            case .remove(let references):
                try link.remove(references)
                return screen.handle(.removed, at: now)
            default: return []
            }
        } catch { return screen.handle(.refused(error, effect), at: now) }
    }

    // MARK: The secret

    private func measure() -> [Effect] {
        guard let area = screen.secretArea else { return [] }
        written = nil
        let layout = SecretLayout(width: area.width)
        let rows =
            switch shownSecret {
            case .some(let secret): secret.withBytes { layout.rowCount($0) }
            case .none: 0
            }
        return screen.handle(.measured(rows: rows), at: now)
    }

    private func writeSecret() throws {
        guard let area = screen.secretArea, area != written else { return }
        var output = try SecretBuffer(capacity: 4096)
        switch shownSecret {
        case .some(let secret):
            try secret.withBytes { try SecretLayout(width: area.width).draw($0, in: area, into: &output) }
        case .none: return
        }
        _ = try session.write(output)
        written = area
    }

    private func copy(_ secret: borrowing SecretBytes) -> Input {
        guard secret.count > 0 else { return .notCopied(.isEmpty) }
        guard secret.withBytes({ SecretLayout.isText($0) }) else { return .notCopied(.isNoText) }
        do {
            if let desktop = try DesktopClipboard.find() {
                let former = loan
                loan = try desktop.lend(secret)
                former?.endBehindAnother()
                return .copied(.desktop)
            }
            guard secret.count <= TerminalClipboard.limit else { return .notCopied(.isTooLong) }
            _ = try session.write(try TerminalClipboard.sequence(copying: secret))
            return .copied(.terminal)
        } catch { return .notCopied(.failed) }
    }

    private func clearClipboard() {
        if let loan {
            loan.end()
            self.loan = nil
        } else if let clearing = try? TerminalClipboard.clearing() {
            _ = try? session.write(clearing)
        }
    }
}
