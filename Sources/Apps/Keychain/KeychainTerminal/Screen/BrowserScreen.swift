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
        case form(ItemForm)
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
        case proof(TypedProof, Pending)
        /// Enter begins to wait for a finger.
        case finger(Pending)
        case deletion(Record)
        /// The same, for the passcode; the next try is possible at that uptime, if one has to wait.
        case unlock(after: UInt64)
        /// The same, for a new secret, which is typed twice.
        case newSecret(Draft, isAgain: Bool)
        /// Whether a form may be left whose texts nobody has saved.
        case leaving
    }

    /// A one-time code that is shown.
    struct ShownCode: Equatable, Sendable {
        let reference: PersistentReference
        /// When the next takes its place, in milliseconds of uptime.
        let until: UInt64
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
    var code: ShownCode?
    /// Whose code was asked for since its page was opened.
    var askedCode: PersistentReference?
    /// What was added or changed, and is selected once it is listed.
    var saved: PersistentReference?
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
    var prompt: String? {
        switch dialog {
        case .proof(let proof, _): proof.label
        case .unlock: TypedProof.passcode.label
        case .newSecret(_, isAgain: false): "New secret: "
        case .newSecret(_, isAgain: true): "The same again: "
        case .search, .finger, .deletion, .leaving, nil: nil
        }
    }

    /// Whether the bytes that are typed belong to a secret.
    var wantsPasscode: Bool { prompt != nil }

    /// When the next ``Input/tick`` is needed, in milliseconds of uptime; besides, there is one each second.
    var deadline: UInt64? {
        var due = [copied?.due, code?.until].compactMap(\.self)
        if case .secret(let shown) = page { due.append(shown.until) }
        return due.min()
    }

    mutating func handle(_ input: Input, at time: Moment) -> [Effect] {
        now = time
        let effects = react(to: input)
        // Whatever has led away from a code's page, the code goes, and a page that shows one asks for it.
        return effects + followCode()
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
        case .codeHeld(let reading, let until): return showCode(reading, until)
        case .isSeed(let reading): return makeCode(of: reading)
        case .measured(let rows): return measured(rows)
        case .copied(let way): return accept(way)
        case .notCopied(let reason): return refuse(reason)
        case .removed:
            message = "Deleted."
            return leave() + [.list]
        case .saved(let draft, let reference, let words): return accept(draft, reference, words)
        case .refused(let error, let effect): return refuse(error, effect)
        case .typed(let count):
            typedCount = count
            return []
        case .passcodeEntered: return takeTyped()
        case .nothingEntered: return takeNothing()
        case .passcodeCancelled: return cancelTyped()
        case .typedTwice(let isSame): return compared(isSame)
        case .unlocked:
            closeUnlocking()
            return []
        case .notUnlocked(let error, let tries): return refuseUnlocking(error, tries)
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
