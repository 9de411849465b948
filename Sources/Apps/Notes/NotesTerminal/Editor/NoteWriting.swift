import NotesClient
import TerminalScreen

/// The note that is written, or is to be: its editor, and what of that is to be handed in to tresor-notes.
struct NoteWriting: Sendable {
    /// The one note to edit, where the screen is nothing but its editor.
    let onlyNote: String?
    private(set) var editor: NoteEditor?
    /// A note that is opened for editing as soon as its text is there.
    private(set) var wanted: String?

    init(onlyNote: String?) {
        self.onlyNote = onlyNote
        wanted = onlyNote
    }

    var isLocked: Bool { editor?.isLocked == true }

    mutating func resize(_ view: TextView) { editor?.resize(width: view.width, height: view.height) }

    // MARK: Opening and closing

    mutating func begin(in folder: String?, _ view: TextView) { editor = NoteEditor(folder: folder, view: view) }

    /// - Returns: false where nothing waits for this note.
    mutating func begin(_ note: NoteSummary, _ text: String, asked id: String, _ view: TextView) -> Bool {
        guard wanted == id else { return false }
        wanted = nil
        editor = NoteEditor(
            id: note.id, base: note.revision, title: note.title, isLocked: note.isLocked, text: text, view: view)
        return true
    }

    /// The note is edited as soon as its text is there.
    mutating func want(_ id: String) { wanted = id }

    /// It cannot be.
    mutating func miss(_ id: String) { if wanted == id { wanted = nil } }

    /// - Returns: the note that was edited.
    mutating func close() -> String? {
        defer { editor = nil }
        return editor?.id
    }

    /// The editor vanishes; where it is all there is, it comes back with the note's text.
    mutating func cover() { (editor, wanted) = (nil, onlyNote) }

    // MARK: Keys

    /// - Returns: false where the key means nothing to an editor, or there is none.
    @discardableResult mutating func type(_ key: Key, at now: UInt64) -> Bool {
        editor?.handle(key, at: now) ?? false
    }

    /// Keys that were pressed before the text went: they belong to it, up to the first that does something else.
    mutating func take(late keys: [Key], at now: UInt64) {
        for key in keys { guard self.type(key, at: now) else { break } }
    }

    // MARK: What tresor-notes has

    /// The text becomes the note's; nil where there is nothing that could.
    mutating func save() -> Ask? {
        guard let editor, !editor.isUnmade else { return nil }
        self.editor?.saveSent()
        if let id = editor.id { return Ask(.edit(id: id, base: editor.base), body: editor.bytes) }
        return Ask(.create(NewNote(folder: editor.folder)), body: editor.bytes)
    }

    /// The same, after which the editor closes; nil where it can close at once.
    mutating func saveAndLeave() -> Ask? {
        guard let editor, editor.isChanged, !editor.isUnmade else { return nil }
        self.editor?.isLeaving = true
        return save()
    }

    /// What is not saved goes to tresor-notes, which seals it.
    ///
    /// A new note is made with it instead: there is nothing yet that it could be a draft of.
    mutating func handInDraft() -> Ask? {
        guard let editor, editor.draftDue != nil else { return nil }
        guard let id = editor.id else { return save() }
        self.editor?.draftSent()
        return Ask(.keepDraft(id: id, base: editor.base), body: editor.bytes)
    }

    /// What lets go of the edit; nil where nothing was made for it.
    var discarding: Ask? {
        guard let editor, let id = editor.id else { return nil }
        // What was made for this edit alone goes to the trash with it.
        return Ask(editor.isNew ? .delete(id: id, forever: false) : .discardDraft(id: id))
    }

    /// What the editor holds and tresor-notes has not said to have.
    var lastWords: Ask? {
        guard let editor, editor.hasUnkeptWords else { return nil }
        guard let id = editor.id else {
            return Ask(.create(NewNote(folder: editor.folder)), body: editor.bytes, isLastWords: true)
        }
        return Ask(.keepDraft(id: id, base: editor.base), body: editor.bytes, isLastWords: true)
    }

    /// The same, as the note's text, which it becomes when a client goes away.
    var savedWords: Ask? {
        guard let editor, editor.isChanged, !editor.isUnmade else { return nil }
        guard let id = editor.id else { return lastWords }
        return Ask(.edit(id: id, base: editor.base), body: editor.bytes, isLastWords: true)
    }

    /// Whether a text that is being typed vanishes with this event.
    func isCovered(by event: NotesEvent) -> Bool {
        guard let editor else { return false }
        switch event {
        case .deviceLocked, .deviceLocking: return true
        case .handInDrafts: return editor.isLocked
        case .sessionChanged(let session): return editor.isLocked && !session.isOpen
        case .deviceUnlocked, .noteChanged: return false
        }
    }

    // MARK: Answers

    /// What follows where tresor-notes has the text.
    enum Saved: Equatable, Sendable {
        /// There is no editor any more.
        case closed
        /// The editor closes now.
        case leaves
        case stays
        /// Another one's text came between: this one was merged with it, and is not what stands here.
        case merged(id: String)
    }

    mutating func saved(_ note: NoteSummary?) -> Saved {
        self.editor?.sendingSucceeded()
        guard let editor else { return .closed }
        let isMerged = editor.id != nil && note?.isMerged ?? (note == nil)
        if let note {
            self.editor?.id = note.id
            if !isMerged { self.editor?.base = note.revision }
            self.editor?.title = note.title
        }
        if editor.isLeaving { return .leaves }
        guard isMerged, let id = editor.id else { return .stays }
        return .merged(id: id)
    }

    mutating func draftKept() { editor?.sendingSucceeded() }

    mutating func sendingFailed(at now: UInt64) { editor?.sendingFailed(at: now) }

    /// Somebody else has changed a note.
    mutating func noteChanged(_ id: String) { if editor?.id == id { editor?.noteChanged() } }

    /// The text of a note as it is by now.
    ///
    /// - Returns: false where that is not the one that is edited.
    mutating func take(_ note: NoteSummary, _ text: String) -> Bool {
        guard let editor, editor.id == note.id else { return false }
        self.editor?.take(text, base: note.revision)
        self.editor?.title = note.title
        return true
    }
}
