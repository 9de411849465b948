import DiaryClient
import DiaryViews
import TerminalScreen
import Tresor

@testable import DiaryTerminal

/// A screen in front of a ``DiaryWorld``: what the driver does, without terminal and time.
struct Stage {
    var screen: DiaryScreen
    var world: DiaryWorld
    var now: Moment
    /// Everything that was wanted, the latest at the end.
    private(set) var effects: [Effect] = []
    /// What stood on the screen whenever it was to be drawn at once.
    private(set) var shown: [String] = []
    private(set) var hasQuit = false
    /// What the driver would say of two passwords.
    var comparison = SecretComparison.same
    /// What the driver holds, as it does.
    private(set) var held = HeldBox()

    final class HeldBox {
        var words = LastWords()
    }

    /// How many texts the driver holds.
    var heldCount: Int { held.words.count }

    init(
        _ world: DiaryWorld = .sample, _ language: DiaryLanguage = .english, columns: Int = 80, rows: Int = 24,
        drawsPictures: Bool = false, isSpoken: Bool = false
    ) {
        self.world = world
        // Sunday, 22 November 2026, 14:05 in Oslo.
        now = Moment(uptime: 1_000_000, date: 1_795_352_700_000_000)
        screen = DiaryScreen(
            columns: columns, rows: rows, language: language, zone: DiaryZone("Europe/Oslo"),
            drawsPictures: drawsPictures, isSpoken: isSpoken)
        feed(.started)
    }

    /// One with the diary open.
    static func open(
        _ world: DiaryWorld = .sample, _ language: DiaryLanguage = .english, columns: Int = 80, rows: Int = 24,
        drawsPictures: Bool = false, isSpoken: Bool = false
    ) -> Stage {
        var stage = Stage(
            world, language, columns: columns, rows: rows, drawsPictures: drawsPictures, isSpoken: isSpoken)
        stage.feed(.secretEntered)
        stage.forgetEffects()
        return stage
    }

    var text: String { screen.frame().text }

    var asks: [Ask] { effects.compactMap { if case .ask(let ask) = $0 { ask } else { nil } } }

    var requests: [DiaryRequest] { asks.map(\.request) }

    mutating func forgetEffects() { (effects, shown) = ([], []) }

    /// Whether a word stands anywhere in the screen's state, also as single characters.
    func remembers(_ word: String) -> Bool {
        let state = "\(screen)"
        return state.contains(word) || state.contains(word.map { "\"\($0)\"" }.joined(separator: ", "))
    }

    mutating func feed(_ input: Input) {
        var queue = screen.handle(input, at: now)
        while !queue.isEmpty {
            let effect = queue.removeFirst()
            effects.append(effect)
            let following = perform(effect)
            if following.first == .beginClearing {
                queue = following + queue.filter { if case .ask(let ask) = $0 { ask.isLastWords } else { true } }
            } else {
                queue += following
            }
        }
    }

    private mutating func perform(_ effect: Effect) -> [Effect] {
        switch effect {
        case .ask(let ask): return answer(ask).flatMap { screen.handle($0, at: now) }
        case .handInHeld: return handInHeld()
        case .forgetHeld: held.words.forget()
        case .completePath(let typed):
            return screen.handle(
                .pathCompleted(TypedPath.Completion(typed, among: world.names(beside: typed)), of: typed), at: now)
        case .lookAtDevice: return screen.handle(.deviceLooked(isLocked: world.isDeviceLocked), at: now)
        case .unlockDevice: return screen.handle(.unlockEnded(world.unlockDevice()), at: now)
        case .compareSecrets: return screen.handle(.secretsCompared(comparison), at: now)
        case .show: shown.append(text)
        case .suspend: return screen.handle(.lifecycle(.continued), at: now)
        case .reconnect: world.staged = []
        case .quit: hasQuit = true
        case .keepSecret, .forgetSecrets, .clear, .beginClearing, .endClearing: break
        }
        return []
    }

    private mutating func answer(_ ask: Ask) -> [Input] {
        if let failure = world.failure(of: ask) { return [.fileFailed(failure, to: ask)] }
        guard !world.isGone else {
            return [refusal(DiaryError(.unavailable, "tresor-diary does not answer"), ask), .connectionLost]
        }
        do {
            let (reply, body) = try world.reply(to: ask)
            if case .register = ask.request { return [.recoveryKeyHeld] }
            return [.answer(reply, body, to: ask)]
        } catch { return [refusal(error, ask)] }
    }

    private func refusal(_ error: DiaryError, _ ask: Ask) -> Input {
        guard ask.isLastWords else { return .refusal(error, to: ask) }
        held.words.hold(ask)
        return .held(error, count: held.words.count)
    }

    private mutating func handInHeld() -> [Effect] {
        var world = world
        var last: EntrySummary?
        let error = held.words.handIn(last: &last) { ask, last in
            guard !world.isGone else { return DiaryError(.unavailable, "tresor-diary does not answer") }
            do {
                if case .entry(let entry) = try world.reply(to: ask).0 { last = entry }
                return nil
            } catch { return error as? DiaryError ?? DiaryError(.invalid, "") }
        }
        self.world = world
        return screen.handle(error.map { .held($0, count: held.words.count) } ?? .heldHandedIn(last), at: now)
    }

    mutating func press(_ keys: Key...) { for key in keys { feed(.key(key)) } }

    mutating func type(_ text: String) {
        for scalar in text.unicodeScalars { feed(.key(scalar == "\n" ? .enter : .text(String(scalar)))) }
    }

    mutating func pass(milliseconds: UInt64) {
        now.uptime += milliseconds
        now.date += Int64(milliseconds) * 1000
        feed(.tick)
    }
}
