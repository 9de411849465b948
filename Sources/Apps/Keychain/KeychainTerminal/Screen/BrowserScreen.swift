import Localization
import TerminalScreen
import Tresor

/// The viewer of the keychain as a value: what is known, what is shown, and what follows from each key and answer.
///
/// It does no I/O and knows no clock. A driver hands it what happens (``Input``) with the time, does what it returns
/// (``Effect``), draws ``frame()``, and writes the secret that it holds into ``secretArea``. No secret is ever in here.
struct BrowserScreen: Sendable {
    typealias Page = BrowserPage

    var columns: Int
    var rows: Int
    var now = Moment(uptime: 0, date: 0)
    /// Nil until it is known.
    var lockState: LockState?
    /// While tresord does not run; nil while it does.
    var absence: DaemonAbsence?
    var records = RecordList()
    var page = Page.list
    var dialog: BrowserDialog?
    var message = ""
    /// Whose secret is on its way to the screen.
    var wanted: (record: Record, isFromDetails: Bool)?
    var copied: CopiedSecret?
    var codes = CodeWatch()
    /// What was added or changed, and is selected once it is listed.
    var saved: PersistentReference?
    /// What a lock has left of a form.
    var waiting = WaitingForm.none
    /// Whether nothing may be drawn in colours.
    var isColorless = false
    /// How many characters are typed with dots.
    var typedCount = 0

    /// Milliseconds for which a secret is shown.
    static let showingTime: UInt64 = 30_000

    init(columns: Int, rows: Int, order: RecordOrder = .name) {
        self.columns = columns
        self.rows = rows
        records = RecordList(order: order)
    }

    /// What stands before the dots while a secret is typed; nil while none is.
    var prompt: String? { dialog?.prompt }

    /// Whether the bytes that are typed belong to a secret.
    var wantsPasscode: Bool { prompt != nil }

    /// When the next ``Input/tick`` is needed, in milliseconds of uptime; besides, there is one each second.
    var deadline: UInt64? {
        var due = [copied?.due, codes.shown?.until].compactMap(\.self)
        if case .secret(let shown) = page { due.append(shown.until) }
        return due.min()
    }

    mutating func handle(_ input: Input, at time: Moment) -> [Effect] {
        now = time
        let effects = react(to: input)
        // Whatever has led away from a code's page, the code goes, and a page that shows one asks for it.
        return effects + followCode() + FormOverLock.follow(&self)
    }

    private mutating func react(to input: Input) -> [Effect] {
        switch input {
        case .key(let key): return press(key)
        case .resized(let columns, let rows): return resize(columns, rows)
        case .lockState(let state): return enter(state)
        case .evicted: return wipe()
        case .listed(let listing): return accept(listing)
        case .systemListed(let keychain, let listing): return accept(listing, of: keychain)
        case .secretHeld(let reading): return show(reading)
        case .squareHeld(let reading, let side): return SquarePage.show(reading, side: side, in: &self)
        case .codeHeld(let reading, let until): return showCode(reading, until)
        case .isSeed(let reading): return makeCode(of: reading)
        case .measured(let rows): return measured(rows)
        case .copied(let way): return accept(way)
        case .notCopied(let reason): return refuse(reason)
        case .removed:
            message = localized("Done.")
            return leave() + [.list]
        case .saved(let draft, let reference, let words): return accept(draft, reference, words)
        case .refused(let error, let effect): return refuse(error, effect)
        case .typed(let count):
            typedCount = count
            return []
        case .passcodeEntered: return go(dialog?.entered(demanded))
        case .nothingEntered: return go(dialog?.enteredNothing(demanded))
        case .passcodeCancelled: return go(dialog?.cancelled)
        case .typedTwice(let isSame): return dialog == nil ? [.forgetTyped] : go(dialog?.compared(isSame: isSame))
        case .unlocked:
            closeUnlocking()
            return []
        case .notUnlocked(let error, let tries): return go(dialog?.refused(error, tries, at: now.uptime))
        case .formGiven(let held): return FormOverLock.reopen(held, in: &self)
        case .formLost:
            waiting = .dropped
            return []
        case .connectionLost: return WithoutDaemon.begin(&self)
        case .tick: return passTime()
        }
    }

    private mutating func resize(_ columns: Int, _ rows: Int) -> [Effect] {
        (self.columns, self.rows) = (columns, rows)
        guard case .secret(let shown) = page else { return [.clear] }
        guard let side = shown.side else { return [.clear, .measure] }
        return SquarePage.resize(side, in: &self)
    }

    /// Puts the secret that is shown back into the dark.
    ///
    /// The terminal is erased, not painted over: what it holds must not depend on what we think that it shows.
    mutating func hide() -> [Effect] {
        wanted = nil
        guard case .secret(let shown) = page else { return [] }
        page = shown.isFromDetails ? .details(shown.record, top: 0) : .list
        return [.forgetSecret, .clear]
    }

    /// Back to the list, from wherever.
    mutating func leave() -> [Effect] {
        let effects = hide()
        page = .list
        return effects
    }
}
