import DiaryClient
import DiaryViews
import TerminalScreen
import Tresor

/// The terminal interface of the diary as a value: the door, and behind it ``OpenDiary``.
///
/// It does no I/O and knows no clock. A driver hands it what happens (``Input``) with the time, does what it returns
/// (``Effect``), and draws ``frame()``. Everything that comes from the diary lies in ``diary`` alone, so that locking
/// is to drop that one value.
struct DiaryScreen: Sendable {
    typealias Door = DiaryDoor

    let language: DiaryLanguage
    let zone: DiaryZone
    /// Whether the driver can draw thumbnails, so that they are worth asking for.
    var drawsPictures: Bool
    /// Whether it is read out, and commands take the place of keys.
    let isSpoken: Bool
    var columns: Int
    var rows: Int
    var now = Moment(uptime: 0, date: 0)
    var door = Door.arriving
    var diary: OpenDiary?
    /// Below the password's field; nothing of the diary.
    var message = ""
    /// Uptime before which no password may be tried.
    var retryAt: UInt64?
    var isSigningIn = false
    /// Whether the device was locked when it was looked at last.
    var isDeviceLocked = false
    /// Whether tresord has ended, and has not been heard of since.
    var isDaemonGone = false
    /// Whether a password is being looked at, which takes a moment by design.
    var isBusy = false
    var isDisconnected = false
    var lifecycle = AppLifecycle(locksOn: .background)
    /// What was being written when the diary was locked, to be gone on with.
    var unfinished: Unfinished?
    /// What was typed and is kept nowhere but here.
    var held: HeldWords?
    /// Whether it is asked if what is held is to go; then, perhaps, the program ends.
    var discarding: Discarding?
    private var lastTouch: UInt64?

    /// At most one touch in so many milliseconds.
    static let touchInterval: UInt64 = 1000

    init(
        columns: Int, rows: Int, language: DiaryLanguage, zone: DiaryZone, drawsPictures: Bool = false,
        isSpoken: Bool = false
    ) {
        self.columns = columns
        self.rows = rows
        self.language = language
        self.zone = zone
        self.drawsPictures = drawsPictures
        self.isSpoken = isSpoken
    }

    /// Whether the bytes that are typed belong to a password.
    var wantsSecret: Bool {
        guard diary == nil, !isSigningIn, discarding == nil else { return false }
        return door.wantsSecret(isBusy: isBusy)
    }

    /// When the next ``Input/tick`` is needed, in milliseconds of uptime; besides, there is one each second.
    var deadline: UInt64? { [diary?.deadline, held?.nextTry].compactMap(\.self).min() }

    mutating func handle(_ input: Input, at time: Moment) -> [Effect] {
        now = time
        diary?.setTime(time)
        let effects = react(to: input)
        diary?.followSelection()
        return effects
    }

    private mutating func react(to input: Input) -> [Effect] {
        switch input {
        case .started: return [.lookAtDevice, .ask(Ask(.status))]
        case .deviceLooked(let isLocked): return findDaemon(isDeviceLocked: isLocked)
        case .unlockEnded(let outcome): return endUnlock(outcome)
        case .key(let key): return press(key)
        case .resized(let columns, let rows): return resize(columns, rows)
        case .event(let event): return react(to: event)
        case .lifecycle(let event): return live(event)
        case .answer(let reply, let body, let ask): return accept(reply, body, ask)
        case .refusal(let error, let ask): return refuse(error, ask)
        case .secretEntered: return takeSecret()
        case .secretCancelled: return cancelSecret()
        case .secretsCompared(let comparison): return compare(comparison)
        case .recoveryKeyHeld:
            (door, isBusy) = (.recoveryKey, false)
            message = DiaryPhrase.registered.text(in: language)
            return [.clear]
        case .connectionLost: return loseConnection()
        case .choose(let number, let isOnlySelected):
            return touch() + (diary?.choose(number, isOnlySelected: isOnlySelected) ?? [])
        case .fileFailed(let failure, let ask): return diary?.fail(failure, ask) ?? []
        case .pathCompleted(let completion, let typed): return diary?.complete(completion, of: typed) ?? []
        case .write(let step): return touch() + (diary?.write(step) ?? [])
        case .act(let act): return touch() + (diary?.act(act) ?? [])
        case .more(let first): return touch() + (diary?.more(from: first) ?? [])
        case .tick: return (diary?.passTime() ?? []) + retryHeld()
        case .lateKeys(let keys):
            diary?.take(late: keys)
            return []
        case .showsPictures(let isSo):
            drawsPictures = isSo
            return diary?.drawPictures(isSo) ?? []
        case .lockSeen: return diary == nil ? [] : cover() + [.endClearing]
        case .daemonEnded: return loseDaemon()
        case .held(let error, let count): return hold(error, count)
        case .heldHandedIn(let entry): return handedIn(entry)
        }
    }

    private mutating func resize(_ columns: Int, _ rows: Int) -> [Effect] {
        (self.columns, self.rows) = (columns, rows)
        diary?.resize(ScreenSize(columns: columns, rows: rows))
        return [.clear]
    }

    private mutating func press(_ key: Key) -> [Effect] {
        if let discarding { return press(key, in: discarding) }
        if key == .control("z") { return live(.suspended) }
        if key == .control("b"), held != nil {
            discarding = Discarding(quits: false)
            return []
        }
        guard diary != nil else { return pressAtDoor(key) }
        // Whoever types has the focus, also where a report of it was lost while a password was typed.
        _ = lifecycle.handle(.focusGained)
        let touched = touch()
        switch key {
        case .control("l"): return lockNow()
        default: return touched + inside(diary?.press(key) ?? [])
        }
    }

    /// What the diary wants when it is left for good is done here.
    private mutating func inside(_ effects: [Effect]) -> [Effect] {
        guard let index = effects.firstIndex(of: .quit) else { return effects }
        if held != nil {
            discarding = Discarding(quits: true)
            return Array(effects[..<index])
        }
        return Array(effects[..<index]) + leave()
    }

    /// Tells tresor-diary that somebody is there.
    private mutating func touch() -> [Effect] {
        guard diary != nil, lastTouch.map({ now.uptime >= $0 + Self.touchInterval }) ?? true else { return [] }
        lastTouch = now.uptime
        return [.ask(Ask(.touch))]
    }

    private mutating func react(to event: DiaryEvent) -> [Effect] {
        switch event {
        case .locked: return diary == nil ? [] : cover() + [.endClearing]
        case .handInDrafts:
            let isOpen = diary != nil
            return (isOpen ? cover() : []) + [.ask(Ask(.handedIn))] + (isOpen ? [.endClearing] : [])
        // Somebody signed in elsewhere: here the password is asked for all the same.
        case .signedIn: return []
        case .changed: return diary?.changedElsewhere() ?? []
        }
    }

    /// tresor-diary does not answer, and nobody vouches for the diary being open.
    private mutating func loseConnection() -> [Effect] {
        isDisconnected = true
        let effects = diary == nil ? [] : cover() + [.endClearing]
        (isSigningIn, isBusy) = (false, false)
        return effects
    }
}
