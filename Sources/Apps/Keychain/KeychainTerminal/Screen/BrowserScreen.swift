import TerminalScreen
import Tresor

/// The viewer of the keychain as a value: what is known, what is shown, and what follows from each key and answer.
///
/// It does no I/O and knows no clock. A driver hands it what happens (``Input``) with the time, does what it returns
/// (``Effect``), draws ``frame()``, and writes the secret that it holds into ``secretArea``. No secret is ever in here.
struct BrowserScreen: Sendable {
    /// What fills the screen.
    enum Page: Equatable, Sendable {
        case list
        case details(Record, top: Int)
        case secret(Shown)
        case help(top: Int)
    }

    /// A secret that is shown.
    struct Shown: Equatable, Sendable {
        let record: Record
        /// When it is hidden again, in milliseconds of uptime.
        let until: UInt64
        var top = 0
        /// Rows it takes; 0 until that is known.
        var rows = 0
        /// Where to go back to.
        let isFromDetails: Bool
    }

    /// What stands in the last row until it is answered.
    enum Dialog: Sendable {
        case search(TypedLine, before: String)
        /// The driver takes what is typed.
        case proof(TypedProof, Reading)
        case deletion(Record)
    }

    var columns: Int
    var rows: Int
    var now = Moment(uptime: 0, date: 0)
    /// Nil until it is known.
    var lockState: LockState?
    var isDisconnected = false
    var records = RecordList()
    var page = Page.list
    var dialog: Dialog?
    var message = ""
    /// Whose secret is on its way to the screen.
    var wanted: (record: Record, isFromDetails: Bool)?
    var copied: CopiedSecret?

    /// Milliseconds for which a secret is shown.
    static let showingTime: UInt64 = 30_000

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// Whether the bytes that are typed belong to a passcode, or to an item's own password.
    var wantsPasscode: Bool {
        if case .proof = dialog { true } else { false }
    }

    /// When the next ``Input/tick`` is needed, in milliseconds of uptime; besides, there is one each second.
    var deadline: UInt64? {
        var due = copied?.due
        if case .secret(let shown) = page { due = min(due ?? shown.until, shown.until) }
        return due
    }

    mutating func handle(_ input: Input, at time: Moment) -> [Effect] {
        now = time
        switch input {
        case .key(let key): return press(key)
        case .resized(let columns, let rows): return resize(columns, rows)
        case .lockState(let state): return enter(state)
        case .evicted: return wipe()
        case .listed(let listing): return accept(listing)
        case .systemListed(let keychain, let listing): return accept(listing, of: keychain)
        case .secretHeld(let reading): return show(reading)
        case .measured(let rows): return measured(rows)
        case .copied(let way): return accept(way)
        case .notCopied(let reason): return refuse(reason)
        case .removed:
            message = "Deleted."
            return leave() + [.list]
        case .refused(let error, let effect): return refuse(error, effect)
        case .passcodeEntered: return sendPasscode()
        case .passcodeCancelled: return cancelPasscode()
        case .connectionLost: return loseConnection()
        case .tick: return passTime()
        }
    }

    private mutating func resize(_ columns: Int, _ rows: Int) -> [Effect] {
        (self.columns, self.rows) = (columns, rows)
        if case .secret = page { return [.clear, .measure] }
        return [.clear]
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
