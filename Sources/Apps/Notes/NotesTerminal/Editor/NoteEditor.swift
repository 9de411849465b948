import Localization
import TerminalScreen

/// The editor of one note: its text, what of it is saved, and when a draft is due.
struct NoteEditor: Sendable {
    /// Nil until the note has been made.
    var id: String?
    /// The revision that the text began from.
    var base: UInt64
    var title: String
    var isLocked: Bool
    /// Where a note without an identity will be made.
    var folder: String?
    /// Whether this editor made the note.
    let isNew: Bool
    private(set) var area: TextArea
    /// Of the text that the note had: what is handed in has them again.
    private var lineEnds: LineEnds
    /// Closes as soon as what it holds is saved.
    var isLeaving = false

    /// The buffer's revisions that were sent to tresor-notes as the note and as its draft, and the one that it has.
    private var savedRevision = 0
    private var draftRevision = 0
    private var keptRevision = 0
    private var firstChange: UInt64?
    private var lastChange: UInt64 = 0

    /// Milliseconds without a key, and milliseconds of typing, after which a draft is handed in.
    static let pause: UInt64 = 500
    static let longestTyping: UInt64 = 2000

    /// A new note.
    init(folder: String?, view: TextView) {
        (base, title, isLocked, isNew) = (0, localized("New note"), false, true)
        self.folder = folder
        area = TextArea(view: view)
        lineEnds = LineEnds()
    }

    init(id: String, base: UInt64, title: String, isLocked: Bool, text: String, view: TextView) {
        self.id = id
        self.base = base
        self.title = title
        self.isLocked = isLocked
        isNew = false
        area = TextArea(text, view: view)
        lineEnds = LineEnds(text)
    }

    var buffer: TextBuffer { area.buffer }

    mutating func resize(width: Int, height: Int) { area.resize(width: width, height: height) }

    /// Whether something would be lost if it closed now.
    var isChanged: Bool { buffer.revision != savedRevision }
    /// Whether there is something to discard: unsaved words, a draft, or the note itself that was made here.
    var isDiscardable: Bool { isChanged || draftRevision > savedRevision || isNew && id != nil }
    var bytes: [UInt8] { lineEnds.restored(buffer.text) }

    /// When the draft is to be handed in, in milliseconds; nil when there is nothing new.
    var draftDue: UInt64? {
        guard let firstChange, buffer.revision != draftRevision, !isUnmade else { return nil }
        return min(lastChange + Self.pause, firstChange + Self.longestTyping)
    }

    /// Whether anything was typed here, saved or not.
    var hasWords: Bool { buffer.revision > 0 }

    /// Whether tresor-notes has not said of everything that is here that it has it.
    var hasUnkeptWords: Bool { buffer.revision != keptRevision && !isUnmade }

    /// A new note without a word is not made.
    var isUnmade: Bool { id == nil && buffer.isEmpty }

    /// The draft is on its way.
    mutating func draftSent() {
        draftRevision = buffer.revision
        firstChange = nil
    }

    /// The text is on its way to become the note's.
    mutating func saveSent() {
        draftSent()
        savedRevision = buffer.revision
    }

    /// What was sent was taken.
    mutating func sendingSucceeded() { keptRevision = draftRevision }

    /// The note's text as it is by now, which others may have written in.
    ///
    /// Where more was typed here since, it stays as it is, and so does the revision that it began from: the next saving
    /// is merged with what the others wrote.
    mutating func take(_ text: String, base: UInt64) {
        guard !isChanged else { return }
        if bytes != Array(text.utf8) {
            area.replace(with: text)
            lineEnds = LineEnds(text)
            saveSent()
            sendingSucceeded()
        }
        self.base = base
    }

    /// Somebody else has changed the note: a draft that was taken may have gone with it.
    ///
    /// It is handed in once more at the end.
    mutating func noteChanged() {
        if isChanged { keptRevision = -1 }
    }

    /// What was sent was not taken.
    mutating func sendingFailed(at now: UInt64) {
        savedRevision = -1
        draftRevision = -1
        keptRevision = -1
        isLeaving = false
        (firstChange, lastChange) = (now, now + Self.longestTyping)
    }

    /// False when the key means nothing to an editor.
    mutating func handle(_ key: Key, at now: UInt64) -> Bool {
        let revision = buffer.revision
        switch key {
        case .control("z"): area.undo()
        case .control("y"): area.redo()
        default: guard area.type(key) else { return false }
        }
        if buffer.revision != revision {
            if firstChange == nil { firstChange = now }
            lastChange = now
        }
        return true
    }
}
