import Localization
import NotesClient
import TerminalScreen

/// What lies open while the device is unlocked: panes, an editor, the session, and what is asked at the foot.
///
/// It is thrown away at a lock. Whether the device is locked, and what is held because nobody took it, ``NotesScreen``
/// knows; what is wanted here that hangs on that is an ``Effect`` as well, which the screen looks over.
struct NotesDesk: Sendable {
    private(set) var layout: ScreenLayout
    private(set) var now: UInt64
    var session = SessionClock()
    /// How many notes are locked, as far as is known.
    var lockedCount = 0
    /// Whether tresor-notes has not been heard of since the connection was lost.
    var isDisconnected = false
    var foot = NotesFoot()
    var panes: NotePanes
    var writing: NoteWriting
    /// The trash, while it is emptied.
    var emptying: TrashEmptying?
    /// In which time dates are shown.
    let dates: NoteDates
    /// Why the one note cannot be edited.
    var failure: NotesError?
    /// When lists are read anew; several changes in a row cause one reading.
    var reloadDue: UInt64?

    /// - Parameters:
    ///   - onlyNote: the one note to edit, where the screen is nothing but its editor.
    ///   - panes: empty.
    init(
        _ layout: ScreenLayout, onlyNote: String?, dates: NoteDates, panes: NotePanes = NotePanes(), now: UInt64 = 0
    ) {
        self.dates = dates
        self.layout = layout
        self.panes = panes
        self.now = now
        writing = NoteWriting(onlyNote: onlyNote)
    }

    /// A fresh one, which goes back to the same place as soon as it is filled; no text of any note is there.
    var emptied: NotesDesk {
        let former = panes.formerPlace(editor?.id)
        return NotesDesk(
            layout, onlyNote: onlyNote, dates: dates, panes: NotePanes(NoteShelf(goingBackTo: former)), now: now)
    }

    var onlyNote: String? { writing.onlyNote }
    var editor: NoteEditor? { writing.editor }
    var dialog: NotesDialog? {
        get { foot.dialog }
        set { foot.dialog = newValue }
    }
    var message: String {
        get { foot.message }
        set { foot.message = newValue }
    }

    /// When the next ``Input/tick`` is needed, in milliseconds.
    var deadline: UInt64? { [editor?.draftDue, reloadDue].compactMap(\.self).min() }

    /// Something happens at this time.
    mutating func begin(_ input: Input, at time: UInt64) {
        now = time
        // Emptying goes on from one answer to the next, and never from anything else.
        switch input {
        case .answer, .refusal: break
        default: emptying = nil
        }
    }

    /// Tells tresor-notes that somebody is there.
    mutating func touch() -> [Effect] { session.takesTouch(at: now) ? [.ask(Ask(.touch))] : [] }

    /// Everything there is to show, from the start.
    func load() -> [Effect] { [.ask(Ask(.status))] + reload() }

    /// Folders and the list as they are now.
    func reload() -> [Effect] {
        guard let onlyNote else { return [.ask(Ask(.folders)), .ask(Ask(panes.shelf.request()))] }
        return writing.wanted == nil ? [] : [.ask(Ask(.show(id: onlyNote)))]
    }

    static func ask(_ requests: [NotesRequest]) -> [Effect] { requests.map { .ask(Ask($0)) } }

    mutating func resize(_ columns: Int, _ rows: Int) -> [Effect] {
        layout = ScreenLayout(columns: columns, rows: rows)
        panes.resize(layout.note)
        let editor = layout.editor
        writing.resize(editor)
        dialog?.resize(editor)
        return [.clear]
    }

    // MARK: What happens without a key

    /// Milliseconds in which several changes are waited for.
    static let reloadDelay: UInt64 = 200

    mutating func noteChanged(_ id: String) -> [Effect] {
        writing.noteChanged(id)
        reloadDue = reloadDue ?? now + Self.reloadDelay
        // What nobody is writing in shows at once what others wrote; else the next saving is merged with it.
        return editor?.id == id && editor?.isChanged == false ? [.ask(Ask(.show(id: id)))] : []
    }

    /// tresor-notes does not answer, so its word that a session is open counts no more.
    ///
    /// - Parameter isTold: not where more is gone than tresor-notes.
    mutating func loseConnection(isTold: Bool) -> [Effect] {
        session.close()
        isDisconnected = true
        let effects = hideLockedNotes()
        if isTold { message = localized("tresor-notes does not answer. Trying again.") }
        return effects
    }

    /// Does what is due.
    mutating func passTime() -> [Effect] {
        var effects: [Effect] = []
        if let due = editor?.draftDue, due <= now { effects += handInDraft() }
        if let due = reloadDue, due <= now {
            reloadDue = nil
            effects += reload()
        }
        if session.takesQuestion(at: now) { effects.append(.ask(Ask(.status))) }
        return effects
    }
}
