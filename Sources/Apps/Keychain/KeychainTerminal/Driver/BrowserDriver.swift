import Linux
import Localization
import Protection
import QRCodes
import Secrets
import TerminalScreen
import Tresor
import Wire

/// Drives a ``BrowserScreen``: keys, the lock state and the time go in, frames come out; and it holds what the screen
/// must not: the secret that is shown.
final class BrowserDriver {
    private let home: Home
    let link: KeychainLink
    private let keychains: () throws -> [String]
    let session: ScreenSession
    var screen: BrowserScreen
    /// Tells of a lock before the lock is reported to whoever asked for it; nil while there is no daemon.
    private var notices: LockNotices?
    private var firstState = LockState.locked
    private var nextAttempt: UInt64 = 0
    var shownSecret: SecretBytes?
    /// Where the secret was last written; nil when it has to be written again.
    var written: SecretArea?
    /// The QR code that is shown, and where it was last drawn.
    var shownSquare: QRCode?
    var drawnSquare: SquareArea?
    /// The digits of the one-time code that is shown.
    var shownCode: SecretBytes?
    var writtenCode: CodeArea?
    /// What was typed with dots, until the effect that it is for takes it.
    var typed: SecretBytes?
    /// A new secret, until it is saved or given up.
    var newSecret: SecretBytes?
    /// What was typed into a form before a lock; it waits for the unlock.
    var heldForm: SecretBytes?
    var loan: ClipboardLoan?
    /// What is being read; nil while nothing is.
    private var walk: ListingWalk?
    /// The label of the prompt that the bytes which are typed are for.
    private var prompt: String?

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
        session = try ScreenSession(hearsMouse: true, drawsDots: false, ownerIsActive: ownerIsActive)
        let size = session.size
        screen = BrowserScreen(columns: size.columns, rows: size.rows)
        screen.isColorless = TerminalLooks.here.isColorless
    }

    /// Returns when the person quits, the terminal goes away, or a signal ends the program.
    func run() throws {
        try session.enter()
        defer { session.leave() }
        // However it ends, nothing stays where it was copied to.
        defer { if screen.copied != nil { clearClipboard() } }
        try feed(.lockState(firstState))
        while !session.isOver {
            if screen.wantsPasscode { try feed(.typed(count: session.secretLength)) }
            guard try session.show(screen.frame()) else { break }
            try writeSecret()
            try writeCode()
            try drawSquare()
            try wait()
            if !session.isOver { try readOn() }
        }
        forgetSecrets()
        heldForm = nil
    }

    /// What is to be said once the terminal is the shell's again.
    var farewell: String? {
        FormOverLock.isLost(with: screen) ? localized("the form that was open was not saved; nothing was changed") : nil
    }

    private func forgetSecrets() {
        shownSecret = nil
        shownSquare = nil
        shownCode = nil
        newSecret = nil
        typed = nil
    }

    // MARK: What comes in

    private func wait() throws {
        try session.wait(milliseconds: walk == nil ? untilDue() : 0, also: notices?.descriptor)
        // First what must vanish, then what was typed.
        try readNotices()
        try session.hear(wantsSecret: { screen.wantsPasscode }) { try hear($0) }
        try feed(.tick)
        try reconnect()
    }

    private func hear(_ happening: ScreenSession.Happening) throws {
        switch happening {
        case .key(let key): try feed(.key(key))
        case .secretEntered:
            typed = session.takeSecret()
            try feed((typed?.count ?? 0) > 0 ? .passcodeEntered : .nothingEntered)
            typed = nil
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
                // Keys that were on their way were meant for what stood there, and are no part of a passcode.
                _ = try session.takeLateKeys()
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
        // A prompt that went away takes with it what was typed, also where another one stands in its place.
        guard screen.prompt != prompt else { return }
        prompt = screen.prompt
        session.forgetSecret()
    }

    var now: Moment {
        Moment(uptime: SystemClock.bootMilliseconds(), date: SystemClock.wallMicroseconds() / 1_000_000)
    }

    private func perform(_ effects: [Effect]) throws {
        var queue = effects
        while !queue.isEmpty {
            let effect = queue.removeFirst()
            switch effect {
            case .list: walk = ListingWalk(link, date: now.date)
            case .listSystem, .read, .remove, .save: queue += ask(effect)
            case .unlock, .holdTyped, .compareTyped, .forgetTyped: queue += take(effect)
            case .holdForm, .giveForm, .forgetForm: queue += keep(effect)
            case .copyShown:
                switch shownSecret {
                case .some(let secret): queue += screen.handle(copy(secret), at: now)
                case .none: break
                }
            case .forgetSecret:
                shownSecret = nil
                shownSquare = nil
                drawnSquare = nil
            case .forgetCode:
                shownCode = nil
                writtenCode = nil
            case .measure: queue += measure()
            case .clearClipboard: clearClipboard()
            case .clear: try clear()
            case .draw: _ = try session.show(screen.frame())
            case .suspend: try suspend()
            case .quit: session.end()
            }
        }
    }

    private func clear() throws {
        (written, writtenCode, drawnSquare) = (nil, nil, nil)
        try session.clear()
    }

    /// A stopped program cannot wipe, and would be ended for it at the next lock: so it holds nothing while it stands.
    private func suspend() throws {
        forgetSecrets()
        (notices, walk) = (nil, nil)
        try session.suspend()
        (written, writtenCode, drawnSquare) = (nil, nil, nil)
        nextAttempt = 0
    }

    /// Reads the next page of what is listed; what is on its first is shown at once.
    private func readOn() throws {
        guard let walk else { return }
        do throws(TresorError) {
            let isFirst = walk.listing.records.isEmpty
            let goesOn = try walk.goOn()
            guard !goesOn || isFirst && !screen.records.isKnown && !walk.listing.records.isEmpty else { return }
            var listing = walk.listing
            listing.isPartial = goesOn
            if !goesOn {
                self.walk = nil
                // Without their names the items are there all the same.
                listing.keychains = (try? keychains()) ?? []
            }
            try? feed(.listed(listing))
        } catch {
            self.walk = nil
            try feed(.refused(error, .list))
        }
    }

    private func ask(_ effect: Effect) -> [Effect] {
        do throws(TresorError) {
            switch effect {
            case .listSystem(let keychain):
                let listing = Listing(of: keychain, .local, date: now.date)
                return screen.handle(.systemListed(keychain, listing), at: now)
            case .read(let reading, let proof): return screen.handle(try read(reading, proof), at: now)
            case .save(let draft, let proof): return screen.handle(try save(draft, proof), at: now)
            case .remove(let references, let isForGood):
                try link.remove(references, isForGood: isForGood)
                return screen.handle(.removed, at: now)
            default: return []
            }
        } catch { return screen.handle(.refused(error, effect), at: now) }
    }
}
