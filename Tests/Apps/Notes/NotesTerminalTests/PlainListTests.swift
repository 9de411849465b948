import NotesClient
import Testing

@testable import NotesTerminal

/// The list that is said in pages, on its own.
@Suite struct PlainListTests {
    private static func note(_ number: Int, isLocked: Bool = false, isOlder: Bool = false) -> NoteSummary {
        var note = NoteSummary(id: "\(number)", title: "Note \(number)", created: 0, modified: 0, revision: 1)
        (note.isLocked, note.isOpen, note.hasOlderPassphrase) = (isLocked, !isLocked, isOlder ? true : nil)
        return note
    }

    private static func notes(_ numbers: ClosedRange<Int>) -> [NoteSummary] { numbers.map { note($0) } }

    @Test func `a page is said at a time, and the rest is asked for when all that came was said`() {
        var list = PlainList()
        let first = list.begin(NoteList(notes: Self.notes(1...25), total: 30))
        #expect(first.hasPrefix("All notes: 30 notes.\n1. Note 1\n"))
        #expect(first.hasSuffix("20. Note 20\nThere are 10 more; type more.") && !list.isReadToItsEnd)
        #expect(list.nextPage().hasSuffix("25. Note 25\nThere are 5 more; type more.") && list.isReadToItsEnd)
        #expect(list.requestForRest == Place.all.request(offset: 25))
        list.append(NoteList(notes: Self.notes(26...30), total: 30), isSought: false)
        #expect(list.requestForRest == nil && list.nextPage().hasPrefix("26. Note 26"))
        #expect(list.nextPage() == "That was all.")
    }

    @Test func `a list that has become shorter has its end where nothing more comes for a name`() {
        var list = PlainList()
        _ = list.begin(NoteList(notes: Self.notes(1...3), total: 9))
        list.append(NoteList(notes: [], total: 3), isSought: true)
        #expect(list.requestForRest == nil)
    }

    @Test func `the way back has every place once, and the list is empty until it comes`() {
        var list = PlainList()
        _ = list.begin(NoteList(notes: Self.notes(1...3), total: 3))
        list.enter(.trash)
        list.enter(.trash)
        #expect(list.notes.isEmpty && list.name == "Trash" && list.nextPage() == "That was all.")
        list.enter(.search("oats"))
        #expect(list.goBack() && list.place == .trash && list.goBack() && list.name == nil && !list.goBack())
    }

    @Test func `a search goes on while its pages are full, and has no rest before it came`() {
        let place = Place.search("oats")
        var list = PlainList()
        list.enter(place)
        #expect(list.requestForRest == nil, "it was refused, say, and a title is looked for")
        let first = list.begin(NoteList(notes: Self.notes(1...200), total: 200))
        #expect(first.hasPrefix("Search: oats: the first 200 notes; there may be more.\n1. Note 1\n"))
        #expect(first.hasSuffix("There are at least 180 more; type more."))
        for _ in 2...9 { _ = list.nextPage() }
        #expect(list.nextPage().hasSuffix("200. Note 200\nThere may be more; type more.") && list.isReadToItsEnd)
        #expect(list.requestForRest == place.request(offset: 200))
        list.append(NoteList(notes: Self.notes(201...205), total: 205), isSought: false)
        #expect(list.requestForRest == nil && list.nextPage().hasSuffix("\n205. Note 205"))
        _ = list.begin(NoteList(notes: Self.notes(1...200), total: 200))
        list.enter(.search("beans"))
        #expect(list.requestForRest == nil && list.nextPage() == "That was all.")
    }

    @Test func `a session opens the notes under its passphrase, and hides the titles of all at its end`() {
        var list = PlainList()
        let notes = [Self.note(1), Self.note(2, isLocked: true), Self.note(3, isLocked: true, isOlder: true)]
        _ = list.begin(NoteList(notes: notes, total: 3))
        list.sessionChanged(isOpen: true)
        #expect(list.notes.map(\.isOpen) == [true, true, false])
        list.change("3") { $0.isOpen = true }
        #expect(list.words(ofRow: 2) == "3. Note 3, locked, open now")
        list.sessionChanged(isOpen: false)
        #expect(list.notes.map(\.title) == ["Note 1", "", ""] && list.notes.map(\.isOpen) == [true, false, false])
    }

    @Test func `an editor of lines says what a line does`() {
        var editor = PlainEditor()
        if case .goesOn(nil) = editor.hear("One") {} else { Issue.record("a line is text") }
        if case .goesOn("Not understood. Type .help.") = editor.hear(".dance") {} else { Issue.record("no command") }
        if case .goesOn("1: One") = editor.hear(".list") {} else { Issue.record("a command") }
        if case .saves = editor.hear(".") {} else { Issue.record("a period saves") }
        if case .cancels = editor.hear(".cancel") {} else { Issue.record("it is cancelled") }
        #expect(editor.saving(in: "Home")?.request == .create(NewNote(folder: "Home")))
        #expect(editor.cancelling == nil && PlainEditor().saving(in: nil) == nil)
    }
}
