import NotesClient
import TerminalScreen

/// The terminal interface of notes as a value: what is known, what is shown, and what follows from each key, answer
/// and event.
///
/// It does no I/O and knows no clock. A driver hands it what happens (``Input``) with the time, does what it returns
/// (``Effect``), and draws ``frame()``.
struct NotesScreen: Sendable {
    enum Pane: CaseIterable, Sendable { case folders, list, note }

    /// What stands in the last row, or over everything, until it is answered.
    enum Dialog: Sendable {
        case help(TextView)
        case search(TypedLine)
        case secret(SecretPrompt)
        case question(Question)
    }

    /// A passphrase is being typed, for this.
    struct SecretPrompt: Equatable, Sendable {
        var ask: Ask
        var label: String
    }

    enum Question: Equatable, Sendable {
        case discardEdit
        /// What the driver holds because it could not be handed in; then, perhaps, the end.
        case discardHeld(quits: Bool)
        case deleteForever(id: String)
        case removeLock(id: String)
    }

    /// The note in the note's pane.
    struct OpenNote: Sendable {
        var summary: NoteSummary
        var lines: [[Character]]
        var view: TextView
    }

    /// Where to go back to after the device was locked; no text of any note, folder or search.
    struct FormerPlace: Equatable, Sendable {
        var folderRow = 0
        var note: String?
    }

    var layout: ScreenLayout
    var now: UInt64 = 0
    var session = SessionClock()
    var isDeviceLocked = false
    /// Whether tresor-notes has not been heard of since the connection was lost.
    var isDisconnected = false
    var pane = Pane.list
    var dialog: Dialog?
    var message = ""

    var folders: [FolderSummary] = []
    var place = Place.all
    var notes: [NoteSummary] = []
    /// Beyond what has been loaded, too.
    var total = 0
    /// The selected note's row.
    var row = 0
    var open: OpenNote?
    var editor: NoteEditor?
    /// What `z` takes out of the trash again.
    var lastDeleted: String?
    var former: FormerPlace?
    /// What was typed and is kept nowhere but here.
    var held: HeldWords?

    /// The one note to edit, where the screen is nothing but its editor.
    let onlyNote: String?
    /// A note that is opened for editing as soon as its text is there.
    var wantedEdit: String?
    /// Why the one note cannot be edited.
    var failure: NotesError?
    var lastTouch: UInt64?
    var lastStatus: UInt64 = 0
    /// When lists are read anew; several changes in a row cause one reading.
    var reloadDue: UInt64?

    init(columns: Int, rows: Int, onlyNote: String? = nil) {
        layout = ScreenLayout(columns: columns, rows: rows)
        self.onlyNote = onlyNote
        wantedEdit = onlyNote
    }

    var selected: NoteSummary? { notes.indices.contains(row) ? notes[row] : nil }

    /// Whether the bytes that are typed belong to a passphrase.
    var wantsSecret: Bool {
        if case .secret = dialog { true } else { false }
    }

    /// When the next ``Input/tick`` is needed, in milliseconds; besides, there is one each second.
    var deadline: UInt64? { [editor?.draftDue, reloadDue, held?.nextTry].compactMap(\.self).min() }

    mutating func handle(_ input: Input, at time: UInt64) -> [Effect] {
        now = time
        switch input {
        case .started: return load()
        case .key(let key): return touch() + press(key)
        case .resized(let columns, let rows): return resize(columns, rows)
        case .event(let event): return react(to: event)
        case .answer(let reply, let body, let ask): return accept(reply, body, ask)
        case .refusal(let error, let ask): return refuse(error, ask)
        case .secretEntered: return sendSecret()
        case .secretCancelled: return cancelSecret()
        case .connectionLost: return loseConnection()
        case .tick: return passTime()
        case .lateKeys(let keys): return take(late: keys)
        case .lockSeen: return lockScreen()
        case .held(let error, let count): return hold(error, count)
        case .heldHandedIn: return forgetHeld()
        case .stopRequested: return cover()
        case .ending: return lastWords() + (held == nil ? [] : [.handInHeld])
        }
    }

    /// Everything there is to show, from the start.
    func load() -> [Effect] {
        let status = Effect.ask(Ask(.status))
        return isDeviceLocked ? [status] : [status] + reload()
    }

    /// Folders and the list as they are now.
    func reload() -> [Effect] {
        guard let onlyNote else { return [.ask(Ask(.folders)), .ask(Ask(place.request()))] }
        return wantedEdit == nil ? [] : [.ask(Ask(.show(id: onlyNote)))]
    }

    private mutating func resize(_ columns: Int, _ rows: Int) -> [Effect] {
        layout = ScreenLayout(columns: columns, rows: rows)
        open?.view.resize(width: layout.note.width, height: layout.note.height)
        editor?.resize(width: layout.editor.width, height: layout.editor.height)
        if case .help = dialog { dialog = .help(layout.editor) }
        return [.clear]
    }
}

/// What the list shows.
enum Place: Equatable, Sendable {
    case all
    case folder(String)
    case trash
    case search(String)

    static let pageSize = 200

    func request(offset: Int = 0) -> NotesRequest {
        switch self {
        case .all: .list(NoteFilter(offset: offset, limit: Self.pageSize))
        case .folder(let path): .list(NoteFilter(folder: path, offset: offset, limit: Self.pageSize))
        case .trash: .list(NoteFilter(isInTrash: true, offset: offset, limit: Self.pageSize))
        case .search(let text): .search(text: text, limit: Self.pageSize)
        }
    }

    var title: String {
        switch self {
        case .all: "All notes"
        case .folder(let path): path
        case .trash: "Trash"
        case .search(let text): "Search: " + text
        }
    }

    var isSearch: Bool {
        if case .search = self { true } else { false }
    }
}
