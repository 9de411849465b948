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
    /// What the screen has asked for and not used yet: the present passphrase or the passcode, and a new passphrase.
    private var heldPresent: SecretBytes?
    private var heldNew: SecretBytes?
    private var opened: [OpenedFile] = []
    private let finger: FingerPassword?
    private var fingerWait: FingerWait?
    /// The passphrase that a finger has opened, until the question takes it that it is for.
    private var fingered: SecretBytes?
    private let passphraseIsNew: () -> Void
    private var nextAttempt: UInt64 = 0
    /// Whether the watch told of a lock while an answer was waited for: nothing is shown until that is done.
    private var hasHeardLock = false

    private static let tickInterval = 1000
    /// Milliseconds between two attempts to reach tresor-notes.
    private static let attemptInterval: UInt64 = 2000

    /// - Parameters:
    ///   - finger: the passphrase where it is kept for a finger.
    ///   - passphraseIsNew: called when the passphrase of locked notes was changed or reset.
    ///   - ownerIsActive: called when a key was pressed, at most once a second.
    init(
        home: Home, onlyNote: String? = nil, finger: FingerPassword? = nil,
        passphraseIsNew: @escaping () -> Void = {},
        ownerIsActive: @escaping () -> Void
    ) throws {
        self.home = home
        self.finger = finger
        self.passphraseIsNew = passphraseIsNew
        link = try NotesLink(home: home)
        session = try ScreenSession(hearsMouse: true, drawsDots: false, ownerIsActive: ownerIsActive)
        watch = try? LockWatch(home)
        let size = session.size
        screen = NotesScreen(columns: size.columns, rows: size.rows, onlyNote: onlyNote, dates: .local)
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
        try session.wait(milliseconds: untilDue(), also: link.descriptor, watch?.descriptor, fingerWait?.descriptor)
        // First what may have to vanish, then what was typed.
        try readWatch()
        try readEvents()
        try readFinger()
        try session.hear(wantsSecret: { screen.wantsSecret }) { try hear($0) }
        if screen.wantsSecret { try feed(.secretTyped(count: session.secretLength)) }
        try feed(.tick)
        try reconnect()
    }

    /// tresord itself tells of a lock: tresor-notes may be busy for a moment.
    private func readWatch() throws {
        if hasHeardLock {
            hasHeardLock = false
            try takeLateKeys()
            try feed(watch == nil ? .daemonEnded : .lockSeen)
        }
        while let watch, session.takeReadable(watch.descriptor) || watch.hasWaiting {
            let state = try? watch.next()
            guard state != .unlocked else { continue }
            // Where tresord is gone, nobody vouches for an open device.
            if state == nil { (self.watch, nextAttempt) = (nil, 0) }
            try takeLateKeys()
            try feed(state == nil ? .daemonEnded : .lockSeen)
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
        case .secretEntered: try feed(session.secretLength == 0 ? .nothingEntered : .secretEntered)
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
        if watch == nil, let found = try? LockWatch(home) {
            watch = found
            try feed(.daemonFound)
        }
        // What tresor-notes says without a tresord is about a device that is none any more.
        guard link.descriptor == nil || watch != nil else { return }
        try perform([.ask(Ask(.status))])
    }

    // MARK: What goes out

    private func feed(_ input: Input) throws {
        try perform(screen.handle(input, at: SystemClock.bootMilliseconds()))
        // A prompt that went away takes with it what was typed.
        if !screen.wantsSecret { session.forgetSecret() }
        if !screen.holdsSecrets {
            heldPresent = nil
            heldNew = nil
        }
        if !screen.waitsForFinger {
            fingerWait = nil
            fingered = nil
        }
        if screen.asksAboutFinger { try feed(.fingerFound(finger?.isKept() == true)) }
        // What another program was given goes with what let it be seen.
        if screen.isDeviceLocked { opened = [] }
        if !screen.session.isOpen { opened.removeAll { $0.isLocked } }
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
            case .waitForFinger: queue += waitForFinger()
            case .holdSecret(.present): heldPresent = session.takeSecret()
            case .holdSecret(.new): heldNew = session.takeSecret()
            case .compareSecrets: queue += compareSecrets()
            case .passphraseIsNew: passphraseIsNew()
            case .completePath(let path): queue += handle(.pathCompleted(path, TypedPath.complete(path)))
            case .attach(let note, let path): queue += try attach(path, to: note)
            case .save(let wish): queue += try save(wish)
            case .open(let wish): queue += try open(wish)
            case .openAddress(let address): queue += open(address)
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

    private func waitForFinger() -> [Effect] {
        guard let finger else { return [] }
        do throws(TresorError) { fingerWait = try finger.ask() } catch {
            return handle(.fingerFailed(ScreenWords.fingerFailed(error)))
        }
        return []
    }

    private func readFinger() throws {
        guard let wait = fingerWait, session.takeReadable(wait.descriptor) else { return }
        fingerWait = nil
        do throws(TresorError) { fingered = try wait.finish() } catch {
            return try feed(.fingerFailed(ScreenWords.fingerFailed(error)))
        }
        try feed(.fingerCame)
    }

    private func compareSecrets() -> [Effect] {
        guard let again = session.takeSecret() else { return handle(.secretsCompared(.empty)) }
        var comparison = SecretComparison.different
        switch heldNew {
        case .some(let new): comparison = !new.equals(again) ? .different : again.count > 0 ? .same : .empty
        case .none: comparison = .empty
        }
        return handle(.secretsCompared(comparison))
    }

    // MARK: Files

    private func attach(_ path: String, to note: String) throws -> [Effect] {
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        let file: FileToSend
        do throws(PersonsFileFailure) { file = try FileToSend(path, partSize: MessageFrame.bodyPart) } catch {
            return handle(.fileFailed(error, nil))
        }
        // Its bytes say what it is.
        let ask = Ask(.attach(id: note, NewAttachment(name: name, kind: .file, mediaType: "")))
        return try hear(link.send(ask.request) { try file.next() }, of: ask)
    }

    private func save(_ wish: FileWish) throws -> [Effect] {
        let file: FileToKeep
        do throws(PersonsFileFailure) { file = try FileToKeep(wish.path, replaces: wish.replaces) } catch {
            return handle(.fileFailed(error, wish))
        }
        let outcome = link.fetch(wish.request) { file.append($0) }
        guard case .answer = outcome else { return try hear(outcome, of: Ask(wish.request)) }
        do throws(PersonsFileFailure) { try file.finish() } catch { return handle(.fileFailed(error, wish)) }
        return handle(.fileSaved(wish))
    }

    private func open(_ wish: FileWish) throws -> [Effect] {
        var bytes: [UInt8] = []
        let outcome = link.fetch(wish.request) { bytes += $0 }
        guard case .answer = outcome else { return try hear(outcome, of: Ask(wish.request)) }
        do { opened.append(try OpenedFile(bytes, as: wish.name, isLocked: wish.isLocked)) } catch {
            return handle(.fileFailed(.noOpener, nil))
        }
        return handle(.fileOpened)
    }

    private func open(_ address: String) -> [Effect] {
        do { try OpenedFile.open(address) } catch { return handle(.fileFailed(.noOpener, nil)) }
        return []
    }

    private func answer(_ ask: Ask) throws -> [Effect] {
        if ask.takesHeldSecrets {
            let new = heldNew.take()
            switch heldPresent.take() {
            case .some(let present): return try hear(link.ask(ask, passphrase: present, second: new), of: ask)
            case .none: return try hear(link.ask(ask, passphrase: new), of: ask)
            }
        }
        if ask.needsSecret, let passphrase = fingered.take() {
            return try hear(link.ask(ask, passphrase: passphrase), of: ask)
        }
        return try hear(link.ask(ask, passphrase: ask.needsSecret ? session.takeSecret() : nil), of: ask)
    }

    private func hear(_ outcome: NotesLink.Outcome, of ask: Ask) throws -> [Effect] {
        switch outcome {
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
