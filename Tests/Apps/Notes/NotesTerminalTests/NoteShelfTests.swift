import NotesClient
import TerminalScreen
import Testing

@testable import NotesTerminal

/// What there is to choose from, and what is done about what is chosen.
@Suite struct NoteShelfTests {
    private static func note(_ id: String, isLocked: Bool = false, isOpen: Bool = true) -> NoteSummary {
        var note = NoteSummary(id: id, title: "Title of \(id)", created: 0, modified: 0, revision: 1)
        (note.isLocked, note.isOpen) = (isLocked, isOpen)
        return note
    }

    /// With these notes in it, and two folders.
    private static func shelf(_ notes: [NoteSummary], total: Int? = nil) -> NoteShelf {
        var shelf = NoteShelf()
        shelf.accept([FolderSummary(path: "Home", count: 1), FolderSummary(path: "Work", count: 1)])
        _ = shelf.accept(NoteList(notes: notes, total: total ?? notes.count), Place.all.request())
        return shelf
    }

    private static func session(isOpen: Bool, hasPassphrase: Bool = true) -> SessionClock {
        var session = SessionClock()
        session.set(SessionSummary(isOpen: isOpen, endsIn: 60, hasPassphrase: hasPassphrase), at: 0)
        return session
    }

    @Test func `folders go from all notes to the trash, and not beyond`() {
        let shelf = Self.shelf([])
        let places = [-1, 0, 1, 2, 3, 9].map { shelf.folder(by: $0) }
        #expect(places == [.all, .all, .folder("Home"), .folder("Work"), .trash, .trash])
    }

    @Test func `a list keeps the note that is selected, wherever that stands then`() {
        var shelf = Self.shelf(["one", "two", "three"].map { Self.note($0) })
        shelf.move(by: 1)
        let moved = NoteList(notes: ["four", "one", "three", "two"].map { Self.note($0) }, total: 4)
        #expect(shelf.selected?.id == "two")
        _ = shelf.accept(moved, Place.all.request())
        #expect(shelf.selected?.id == "two" && shelf.row == 3)
        _ = shelf.accept(NoteList(notes: [Self.note("four")], total: 1), Place.all.request())
        #expect(shelf.selected?.id == "four", "the nearest where it is gone")
    }

    @Test func `a list of another place is not taken, nor a page that does not follow`() {
        var shelf = Self.shelf([Self.note("one")], total: 3)
        let list = NoteList(notes: [Self.note("two")], total: 3)
        let readings = [
            shelf.accept(list, Place.trash.request()), shelf.accept(list, Place.all.request(offset: 2)),
            shelf.accept(list, Place.all.request(offset: 1)),
        ]
        #expect(
            readings == [.ofAnother, .ofAnother, .continued(isCaughtUp: false)]
                && shelf.notes.map(\.id) == ["one", "two"])
        #expect(shelf.requestForMore(near: 10) == Place.all.request(offset: 2))
        #expect(shelf.requestForMore(near: 1) == nil, "what is loaded reaches far enough")
    }

    @Test func `after a lock the folder of before is listed again, once`() {
        var shelf = NoteShelf(goingBackTo: NoteShelf.FormerPlace(folderRow: 2, note: "two"))
        shelf.accept([FolderSummary(path: "Home", count: 1), FolderSummary(path: "Work", count: 1)])
        let folders = [shelf.takeFormerFolder(), shelf.takeFormerFolder()]
        #expect(folders == [.folder("Work"), nil])
    }

    @Test func `of locked notes nothing is left when the session is over`() {
        var open = Self.note("two", isLocked: true)
        open.excerpt = "PIN 4711"
        var shelf = Self.shelf([Self.note("one"), open])
        shelf.hideLocked()
        #expect(shelf.notes[1].title.isEmpty && shelf.notes[1].excerpt == nil && !shelf.notes[1].isOpen)
        #expect(shelf.notes[0] == Self.note("one"))
    }

    @Test func `what keys do follows from the note, the place and the session`() {
        let closed = Self.session(isOpen: false)
        let locked = Self.shelf([Self.note("one", isLocked: true, isOpen: false)])
        #expect(locked.action(.text("u"), closed) == .withPassphrase(.unlock(id: "one")))
        for key in ["L", "e", "p", "d"] as [String] {
            #expect(locked.action(.text(key), closed) == .say(ScreenWords.lettersAtLockedNote))
        }
        #expect(locked.action(.delete, closed) == .ask(.delete(id: "one", forever: false)))
        let inSession = Self.shelf([Self.note("one", isLocked: true)])
        #expect(inSession.action(.text("L"), Self.session(isOpen: true)) == .question(.removeLock(id: "one")))
        let open = Self.shelf([Self.note("one")])
        #expect(open.action(.text("L"), closed) == .withSession(.lock(id: "one")))
        #expect(open.action(.text("e"), closed) == .edit(id: "one"))
        #expect(open.action(.text("u"), Self.session(isOpen: true)) == .say("Locked notes are open already."))
        #expect(open.action(.text("d"), closed) == .ask(.delete(id: "one", forever: false)))
        #expect(open.action(.text("z"), closed) == .say("Nothing to take back."))
        #expect(open.action(.text("X"), closed) == nil)
        #expect(Self.shelf([]).action(.text("p"), closed) == .say("No note is selected."))
    }

    @Test func `what was deleted is taken back, and in the trash it is deleted for good`() {
        let session = Self.session(isOpen: false)
        var shelf = Self.shelf([Self.note("one")])
        let told = shelf.done(.delete(id: "two", forever: false))
        #expect(told?.contains("in the trash") == true)
        #expect(shelf.action(.text("z"), session) == .ask(.restore(id: "two")))
        _ = shelf.done(.delete(id: "two", forever: true))
        #expect(shelf.lastDeleted == nil)
        let hasEntered = shelf.enter(.trash)
        _ = shelf.accept(NoteList(notes: [Self.note("three")], total: 1), Place.trash.request())
        #expect(hasEntered && shelf.action(.text("d"), session) == .question(.deleteForever(id: "three")))
        #expect(shelf.action(.text("z"), session) == .ask(.restore(id: "three")))
    }

    @Test func `tresor-notes is told of a person at most once in two seconds, and only in a session`() {
        var session = Self.session(isOpen: true)
        let told = [0, 1999, 2000, 3999, 4000].map { session.takesTouch(at: $0) }
        #expect(told == [true, false, true, false, true])
        var closed = Self.session(isOpen: false)
        let isTold = closed.takesTouch(at: 0)
        #expect(!isTold)
    }
}
