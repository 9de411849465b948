import NotesClient
import TerminalScreen
import Tresor

@testable import NotesTerminal

/// A screen in front of a ``NotesWorld``: what the driver does, without terminal and time.
struct Stage {
    var screen: NotesScreen
    var world: NotesWorld
    var now: UInt64 = 1000
    /// Everything that was asked, the latest at the end.
    private(set) var asked: [Ask] = []
    private(set) var clears = 0
    private(set) var hasQuit = false
    /// What stood on the screen whenever it was to be drawn at once.
    private(set) var shown: [String] = []
    /// What the driver holds, as it does.
    private(set) var held = HeldBox()

    final class HeldBox {
        var words = LastWords()
    }

    /// Files of this computer, by their paths.
    var files: [String: [UInt8]] = [:]
    /// Names of those that another program was given.
    private(set) var opened: [String] = []
    /// Which secrets the driver has held, and how the new one and the same again are to each other.
    private(set) var heldSecrets: [SecretSlot] = []
    var comparison = SecretComparison.same
    private(set) var newPassphrases = 0
    /// How often a finger was waited for.
    private(set) var fingerWaits = 0

    /// How many texts the driver holds.
    var heldCount: Int { held.words.count }

    init(_ world: NotesWorld, columns: Int = 80, rows: Int = 24, onlyNote: String? = nil) {
        self.world = world
        screen = NotesScreen(columns: columns, rows: rows, onlyNote: onlyNote)
        feed(.started)
    }

    var text: String { screen.frame().text }

    var requests: [NotesRequest] { asked.map(\.request) }

    mutating func forgetAsked() { asked = [] }

    /// Whether a word stands anywhere in the screen's state, also as single characters.
    func remembers(_ word: String) -> Bool {
        let state = "\(screen)"
        return state.contains(word) || state.contains(word.map { "\"\($0)\"" }.joined(separator: ", "))
    }

    mutating func feed(_ input: Input) {
        var queue = screen.handle(input, at: now)
        while !queue.isEmpty {
            switch queue.removeFirst() {
            case .ask(let ask):
                asked.append(ask)
                for input in answer(ask) { queue += screen.handle(input, at: now) }
            case .clear: clears += 1
            case .show: shown.append(text)
            case .handInHeld: queue += handInHeld()
            case .forgetHeld: held.words.forget()
            case .quit: hasQuit = true
            case .suspend: queue.append(.ask(Ask(.status)))
            case .unlockDevice: queue += unlockWithPasscode()
            case .waitForFinger: fingerWaits += 1
            case .holdSecret(let slot): heldSecrets.append(slot)
            case .compareSecrets: queue += screen.handle(.secretsCompared(comparison), at: now)
            case .passphraseIsNew: newPassphrases += 1
            case .completePath(let path): queue += screen.handle(.pathCompleted(path, complete(path)), at: now)
            case .attach(let note, let path): queue += attach(path, to: note)
            case .save(let wish): queue += save(wish)
            case .openAddress(let address): opened.append(address)
            case .open(let wish):
                opened.append(wish.name)
                queue += screen.handle(.fileOpened, at: now)
            }
        }
    }

    private func complete(_ path: String) -> TypedPath.Completion {
        let folder = TypedPath.Completion.split(path).folder
        let names = files.keys.filter { $0.hasPrefix(folder) }.map { String($0.dropFirst(folder.count)) }
        return TypedPath.Completion(path, among: names.map { (text: $0, isFolder: false) })
    }

    private mutating func attach(_ path: String, to note: String) -> [Effect] {
        guard let bytes = files[path] else { return screen.handle(.fileFailed(.absent, nil), at: now) }
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        var ask = Ask(.attach(id: note, NewAttachment(name: name, kind: .file, mediaType: "")))
        ask.body = bytes
        asked.append(ask)
        return answer(ask).flatMap { screen.handle($0, at: now) }
    }

    private mutating func save(_ wish: FileWish) -> [Effect] {
        if files[wish.path] != nil && !wish.replaces { return screen.handle(.fileFailed(.exists, wish), at: now) }
        guard case .answer(_, let bytes) = outcome(Ask(wish.request)) else { return [] }
        files[wish.path] = bytes
        return screen.handle(.fileSaved(wish), at: now)
    }

    private mutating func unlockWithPasscode() -> [Effect] {
        guard world.isPasscodeRight else {
            world.wrongPasscodes += 1
            let wait: UInt64 = world.wrongPasscodes > 4 ? 60 : 0
            let refusal = DeviceUnlock.Refusal(
                message: "wrong passcode", failures: world.wrongPasscodes, secondsToWait: wait)
            return screen.handle(.deviceUnlockRefused(refusal), at: now)
        }
        world.isDeviceLocked = false
        return screen.handle(.deviceUnlocked, at: now)
    }

    private mutating func answer(_ ask: Ask) -> [Input] {
        switch outcome(ask) {
        case .answer(let reply, let body): return [.answer(reply, body, to: ask)]
        case .refusal(let error): return [refusal(error, ask)]
        case .lost(let error): return [refusal(error, ask), .connectionLost]
        }
    }

    private func refusal(_ error: NotesError, _ ask: Ask) -> Input {
        guard ask.isLastWords else { return .refusal(error, to: ask) }
        held.words.hold(ask)
        return .held(error, count: held.words.count)
    }

    private mutating func outcome(_ ask: Ask) -> NotesLink.Outcome {
        guard !world.isGone else { return .lost(NotesError(.unavailable, "tresor-notes does not answer")) }
        do {
            let (reply, body) = try world.reply(
                to: ask.request, body: ask.body, hasPassphrase: ask.needsSecret || ask.takesHeldSecrets)
            return .answer(reply, body)
        } catch { return .refusal(error) }
    }

    private mutating func handInHeld() -> [Effect] {
        var world = world
        let isGone = world.isGone
        let error = held.words.handIn { ask in
            guard !isGone else { return .lost(NotesError(.unavailable, "tresor-notes does not answer")) }
            do {
                let (reply, body) = try world.reply(to: ask.request, body: ask.body, hasPassphrase: false)
                return .answer(reply, body)
            } catch let error as NotesError { return .refusal(error) } catch { return .lost(NotesError(.invalid, "")) }
        }
        self.world = world
        return screen.handle(error.map { .held($0, count: held.words.count) } ?? .heldHandedIn, at: now)
    }

    mutating func press(_ keys: Key...) { for key in keys { feed(.key(key)) } }

    mutating func type(_ text: String) {
        for scalar in text.unicodeScalars { feed(.key(scalar == "\n" ? .enter : .text(String(scalar)))) }
    }

    mutating func pass(milliseconds: UInt64) {
        now += milliseconds
        feed(.tick)
    }

    mutating func lockDevice() {
        world.isDeviceLocked = true
        feed(.event(.deviceLocked))
    }

    mutating func unlockDevice() {
        world.isDeviceLocked = false
        feed(.event(.deviceUnlocked))
    }

    mutating func endSession() {
        world.closeSession()
        feed(.event(.sessionChanged(world.session)))
    }
}
