import Localization
import TerminalScreen
import Tresor

/// What fills the screen.
enum BrowserPage: Equatable, Sendable {
    case list
    case details(Record, top: Int)
    case secret(ShownSecret)
    case form(ItemForm)

    var isDetails: Bool {
        if case .details = self { true } else { false }
    }

    var isForm: Bool {
        if case .form = self { true } else { false }
    }
}

/// A secret that is shown.
struct ShownSecret: Equatable, Sendable {
    let record: Record
    /// When it is hidden again, in milliseconds of uptime.
    let until: UInt64
    var top = 0
    /// Rows it takes; 0 until that is known.
    var rows = 0
    /// Where to go back to.
    let isFromDetails: Bool
    /// Modules of a side, where it is shown as a QR code; nil where it is text.
    var side: Int?
}

/// What stands in the last row until it is answered.
enum BrowserDialog: Sendable {
    /// The help, over what else is asked; that is there again when it closes.
    indirect case help(top: Int, over: BrowserDialog?)
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
    /// The same of a form that waits for the unlock, and ends with the program.
    case quitting

    var isHelp: Bool { if case .help = self { true } else { false } }

    /// What stands before the dots while a secret is typed; nil while none is.
    var prompt: String? {
        switch self {
        case .proof(let proof, _): proof.label
        case .unlock: TypedProof.passcode.label
        case .newSecret(_, isAgain: false): localized("New secret: ")
        case .newSecret(_, isAgain: true): localized("The same again: ")
        case .help, .search, .finger, .deletion, .leaving, .quitting: nil
        }
    }
}

/// A one-time code that is shown.
struct ShownCode: Equatable, Sendable {
    let reference: PersistentReference
    /// When the next takes its place, in milliseconds of uptime.
    let until: UInt64
}
