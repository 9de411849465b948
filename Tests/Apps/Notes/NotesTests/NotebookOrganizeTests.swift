import NotesClient
import Secrets
import Testing
import TextIndex

@testable import Notes

@Suite struct NotebookOrganizeTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    // MARK: Lists

    @Test func `a list has pinned notes first, then the last change first, page by page`() throws {
        let notes = try (1...5).map { try test.create("\($0)\n") }
        #expect(try test.titles() == ["5", "4", "3", "2", "1"])
        try notebook.filing.pin(notes[1], true)
        try notebook.filing.pin(notes[3], true)
        try test.edit(notes[0], "1\n\nmore\n")
        #expect(try test.titles() == ["4", "2", "1", "5", "3"])
        try notebook.filing.pin(notes[3], false)
        try notebook.filing.pin(notes[3], false)
        let expected = ["2", "1", "5", "4", "3"]
        #expect(try test.titles() == expected)
        #expect(try test.titles(NoteFilter(offset: 1, limit: 2)) == ["1", "5"])
        #expect(try test.titles(NoteFilter(offset: 4, limit: 2)) == ["3"])
        #expect(try notebook.lists.list(NoteFilter(offset: 9, limit: 2)) == NoteList(notes: [], total: 5))
        #expect(try notebook.lists.list(NoteFilter(limit: 0)).total == 5)
        #expect(try test.titles(NoteFilter(offset: .min, limit: .max)) == expected)
        #expect(try test.titles(NoteFilter(offset: .max, limit: .min)).isEmpty)
        try test.reopen()
        #expect(try test.titles() == expected)
    }

    @Test func `a list by title or by day has pinned notes first, page by page`() throws {
        let notes = try ["b", "C", "a"].map { try test.create("\($0)\n") }
        func titles(_ order: NoteOrder, offset: Int = 0, limit: Int = 10) throws -> [String] {
            var filter = NoteFilter(offset: offset, limit: limit)
            filter.order = order
            return try test.titles(filter)
        }
        #expect(try titles(.title) == ["a", "b", "C"])
        try test.edit(notes[0], "b\n\nmore\n")
        #expect(try titles(.created) == ["a", "C", "b"] && titles(.changed) == ["b", "a", "C"])
        try notebook.filing.pin(notes[1], true)
        #expect(try titles(.title) == ["C", "a", "b"])
        #expect(try titles(.title, offset: 1, limit: 1) == ["a"] && titles(.title, offset: 9).isEmpty)
    }

    @Test func `a search goes on where an answer has ended`() throws {
        for number in 1...5 { _ = try test.create("word \(number)\n") }
        try test.settle()
        let pages = try [0, 2, 4, 6].map { try notebook.lists.find("word", limit: 2, offset: $0).notes.map(\.title) }
        #expect(pages.map(\.count) == [2, 2, 1, 0] && Set(pages.joined()).count == 5)
    }

    @Test func `a list is complete before anything has been read in the background`() throws {
        _ = try (1...3).map { try test.create("\($0)\n") }
        try test.reopenUnread()
        #expect(notebook.isLoading && notebook.isBusy)
        #expect(try test.titles() == ["3", "2", "1"])
        #expect(try notebook.lists.find("3", limit: 10).isPartial)
        try test.settle()
        #expect(!notebook.isBusy)
        #expect(try !notebook.lists.find("3", limit: 10).isPartial && notebook.status(process: 7).indexed == 3)
    }

    @Test func `a list gives two hundred notes at most, and says how many there are`() throws {
        for number in 1...202 { _ = try test.create("\(number)\n", folder: number % 2 == 0 ? "Even" : nil) }
        let all = try notebook.lists.list(NoteFilter(limit: 1000))
        #expect(all.notes.count == 200 && all.total == 202)
        #expect(try test.titles(NoteFilter(offset: 200)) == ["2", "1"])
        let even = try notebook.lists.list(NoteFilter(folder: "Even", limit: 10))
        #expect(even.notes.count == 10 && even.total == 101)
        #expect(try notebook.lists.list(NoteFilter(isInTrash: true)).total == 0)
    }

    @Test func `notes that changed in the same moment keep one order`() throws {
        for number in 1...20 { try notebook.texts.create(NewNote(), markdown: "\(number)\n") }
        let titles = try test.titles()
        #expect(Set(titles).count == 20)
        try test.reopen()
        #expect(try test.titles() == titles)
    }

    // MARK: Folders and tags

    @Test func `a folder holds what lies below it, and no neighbour whose name begins so`() throws {
        _ = try test.create("a\n", folder: "Work")
        let moved = try test.create("b\n", folder: "Work/Plans/May")
        _ = try test.create("c\n", folder: "Workshop")
        _ = try test.create("d\n")
        #expect(try test.titles(NoteFilter(folder: "Work")) == ["b", "a"])
        #expect(try test.titles(NoteFilter(folder: "Work/Plans")) == ["b"])
        #expect(try notebook.lists.folders().map(\.path) == ["Work", "Work/Plans", "Work/Plans/May", "Workshop"])
        #expect(try notebook.lists.folders().map(\.count) == [1, 0, 1, 1])
        try notebook.filing.move(moved, to: "/Home//")
        #expect(try notebook.summary(of: moved).folder == "Home")
        try notebook.trash.delete(moved, forever: false)
        #expect(try notebook.lists.folders().map(\.path) == ["Work", "Workshop"])
        try notebook.trash.restore(moved)
        try notebook.filing.move(moved, to: "")
        #expect(try notebook.summary(of: moved).folder.isEmpty && test.titles().count == 4)
    }

    @Test func `paths and tags have limits`() throws {
        let note = try test.create("a\n")
        let deep = String(repeating: "x/", count: 33)
        let long = String(repeating: "x", count: 1025)
        for path in [deep, long] {
            #expect(refusal { try notebook.filing.move(note, to: path) } == .invalid)
            #expect(refusal { try test.create("b\n", folder: path) } == .invalid)
        }
        for tag in ["", " ", "#", String(repeating: "x", count: 257)] {
            #expect(refusal { try notebook.filing.tag(note, add: [tag], remove: []) } == .invalid)
            #expect(refusal { try test.create("b\n", tags: [tag]) } == .invalid)
        }
        #expect(try test.titles() == ["a"] && notebook.summary(of: note).tags.isEmpty)
    }

    @Test func `tags are added once, removed, and filtered by their whole name`() throws {
        let note = try test.create("a\n", tags: ["one"])
        _ = try test.create("b\n", tags: ["one-more"])
        try notebook.filing.tag(note, add: ["#two", "one", " three "], remove: ["none"])
        #expect(try notebook.summary(of: note).tags == ["one", "two", "three"])
        #expect(try test.titles(NoteFilter(tag: "one")) == ["a"] && test.found("#two") == ["a"])
        try notebook.filing.tag(note, add: [], remove: ["#one", "two"])
        #expect(try notebook.summary(of: note).tags == ["three"] && test.found("two").isEmpty)
        #expect(try notebook.texts.versions(of: note).count == 1)
        try test.reopen()
        #expect(try notebook.summary(of: note).tags == ["three"] && test.found("three") == ["a"])
    }

    @Test func `a tag that is given twice is there once`() throws {
        let note = try test.create("a\n", tags: ["one", "#one"])
        #expect(try notebook.summary(of: note).tags == ["one"])
        try notebook.filing.tag(note, add: ["two", "two"], remove: [])
        #expect(try notebook.summary(of: note).tags == ["one", "two"])
    }

    // MARK: Identities

    @Test func `a note is found by the beginning of its identity`() throws {
        let note = try test.create("a\n")
        let id = note.description
        for prefix in [id, id.uppercased(), String(id.prefix(4)), String(id.prefix(31))] {
            #expect(try notebook.find(prefix) == note)
        }
        for bad in ["", "abc", "zzzz", id + "0", "ab c1", "äöüß", "\u{0}\u{0}\u{0}\u{0}"] {
            #expect(refusal { try notebook.find(bad) } == .invalid)
        }
        let other = (id.first == "0" ? "1" : "0") + id.dropFirst()
        #expect(refusal { try notebook.find(other) } == .notFound)
    }

    @Test func `a beginning that two notes share is refused, with their number`() throws {
        let zone = notebook.records.zone
        let names = [Identifier(high: 0xABCD << 48, low: 1), Identifier(high: 0xABCD << 48, low: 2)]
        let body = try test.create("text\n")
        for name in names {
            let header = NoteHeader(
                title: "a", created: 1, body: try NoteHeader(from: notebook.records.content(body)).body)
            _ = try test.zones.write { try $0.put(name, type: RecordType.header, header.encoded, in: zone) }
        }
        try test.reopen()
        let error = #expect(throws: NotesError.self) { try notebook.find("abcd0000") }
        #expect(error?.code == .ambiguous && error?.message.hasPrefix("2 notes") == true)
        #expect(try notebook.find(names[1].description) == names[1])
    }

    // MARK: Search

    @Test func `a search takes beginnings of words, whole phrases, and no notice of case and accents`() throws {
        _ = try test.create("# Café Zürich\n\nThe quick brown fox.\n")
        _ = try test.create("# Other\n\nquick and brown, façade\n")
        #expect(try test.found("qui") == ["Café Zürich", "Other"])
        #expect(try test.found("\"quick brown\"") == ["Café Zürich"])
        #expect(try test.found("QUICK façade") == ["Other"] && test.found("facade") == ["Other"])
        #expect(try test.found("cafe zurich") == ["Café Zürich"])
        #expect(try test.found("quick missing").isEmpty && test.found("uick").isEmpty)
        #expect(try test.found("").isEmpty && test.found(" \" ").isEmpty && test.found("*").isEmpty)
    }

    @Test func `no text is an operator of the search`() throws {
        _ = try test.create("a OR b NEAR c\n")
        for query in [
            "a AND", "OR", "NOT a", "title:a", "a^2", "(a", "a\"", "\"\"", "a*b", "{a}", "-a", "NEAR(a b)", "\u{0}",
        ] {
            #expect(refusal { try test.found(query) } == nil)
        }
        #expect(try test.found("OR NEAR").count == 1)
    }

    @Test func `a search shows the words around its hit, and stops at its limit`() throws {
        let long = Array(repeating: "word", count: 60).joined(separator: " ")
        _ = try test.create("# Title\n\nfirst\n\nthe *needle* is here\n\n\(long) pin \(long)\n")
        let short = try #require(notebook.lists.find("needle", limit: 5).notes.first?.excerpt)
        #expect(short.contains("needle is here") && !short.contains("\n"))
        let excerpt = try #require(notebook.lists.find("pin", limit: 5).notes.first?.excerpt)
        #expect(excerpt.contains("pin") && excerpt.hasPrefix("…") && excerpt.hasSuffix("…"))
        #expect(excerpt.count <= 102)
        for number in 1...5 { _ = try test.create("needle \(number)\n") }
        #expect(try notebook.lists.find("needle", limit: 3).notes.count == 3)
    }

    @Test func `a search follows each change of a text`() throws {
        let note = try test.create("old words\n")
        try test.edit(note, "new words\n")
        #expect(try test.found("old").isEmpty && test.found("new").count == 1)
        try test.settle()
        #expect(try test.found("words").count == 1)
        try test.attach([1], as: "picture of a needle.png", to: note)
        #expect(try test.found("needle").count == 1)
        try test.reopen()
        #expect(try test.found("needle").count == 1)
        try notebook.attachments.detach("picture of a needle.png", from: note)
        #expect(try test.found("needle").isEmpty && test.found("new").count == 1)
    }

    /// Of which few words may stay that are no note's any more.
    private static var smallIndex: Notebook.Limits {
        Notebook.Limits(words: { try SearchTable(staleByteLimit: 40_000) })
    }

    @Test(arguments: [false, true])
    func `a note that is changed over and over has the index made anew, and is found by what it says`(
        isLocked: Bool
    ) throws {
        let test = try TestNotebook(suite: .tresor256, limits: Self.smallIndex)
        try test.openSession()
        let note = try test.create("# Log\n", isLocked: isLocked)
        try test.settle()
        let text = String(repeating: "a line of words ", count: 500)
        var edits = 0
        while !test.notebook.isBusy, edits < 20 {
            edits += 1
            try test.edit(note, "# Log\n\n\(text)edit\(edits)\n")
        }
        // Six times 8,000 bytes have stayed, and a little: no less than 40,000 and the seventh.
        #expect(edits == 7)
        _ = try test.notebook.work()
        edits += 1
        try test.edit(note, "# Log\n\n\(text)edit\(edits)\n")
        #expect(!test.notebook.search.isStale, "one renewal is enough")
        try test.settle()
        #expect(!test.notebook.isBusy)
        #expect(try test.found("edit\(edits)") == ["Log"] && test.found("edit7").isEmpty)
        // What had stayed is gone: the next change has nothing made anew.
        try test.edit(note, "# Log\n\n\(text)another\n")
        #expect(!test.notebook.isBusy)
        #expect(try test.found("another") == ["Log"] && test.found("edit").isEmpty)
    }

    @Test func `notes that are removed have the index made anew once they were most of it`() throws {
        let test = try TestNotebook(limits: Self.smallIndex)
        let notebook = test.notebook
        let text = String(repeating: "a line of words ", count: 500)
        let notes = try (1...6).map { try test.create("# \($0)\n\n\(text)") }
        try test.settle()
        for (number, note) in notes.enumerated() {
            #expect(!notebook.isBusy, "\(number)")
            try notebook.trash.delete(note, forever: false)
        }
        #expect(notebook.isBusy)
        try test.settle()
        #expect(try !notebook.isBusy && test.found("words").isEmpty)
    }

    @Test func `a locked note that is deleted for good leaves the index of its session`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let kept = try test.create("# Kept\n\nwords\n", isLocked: true)
        let gone = try test.create("# Gone\n\nwords\n", isLocked: true)
        try test.settle()
        try test.notebook.trash.delete(gone, forever: false)
        try test.notebook.trash.delete(gone, forever: true)
        #expect(test.notebook.search.isLockedStale)
        try test.settle()
        #expect(!test.notebook.search.isLockedStale)
        #expect(try test.found("words") == ["Kept"] && test.text(kept).contains("words"))
    }

    @Test func `lines around hits are read of a few megabytes, and all hits are named`() throws {
        let test = try TestNotebook(limits: Notebook.Limits(excerptByteCount: 40_000))
        let notebook = test.notebook
        let text = String(repeating: "a line of words ", count: 1000)
        for number in 1...4 { _ = try test.create("# \(number)\n\n\(text)") }
        try test.settle()
        let found = try notebook.lists.find("words", limit: 10).notes
        #expect(
            found.count == 4 && found.count { $0.excerpt?.contains("a line of words") == true } == 3,
            "\(found.map(\.excerpt))")
    }

    @Test func `locked notes are found by their texts while their session is open, else by titles that may be seen`()
        throws
    {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        _ = try test.create("# Diary\n\ndeep words\n", tags: ["mine"], isLocked: true)
        _ = try test.create("# Shop\n\ndeep freezer\n")
        #expect(try test.found("deep") == ["Diary", "Shop"] && test.found("mine") == ["Diary"])
        test.endSession()
        #expect(try test.found("deep") == ["Shop"] && test.found("diar") == ["Diary"] && test.found("mine").isEmpty)
        try test.reopen()
        #expect(try test.found("deep") == ["Shop"] && test.found("diar") == ["Diary"])
        try test.openSession()
        #expect(try test.found("deep") == ["Diary", "Shop"])
        try test.notebook.settings.change(NotesSettings(showsLockedTitles: false))
        test.endSession()
        #expect(try test.found("diar").isEmpty && test.found("deep") == ["Shop"])
    }

    @Test func `a note that is locked leaves the index of open ones, and comes back with its lock's end`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("# Diary\n\nwords\n")
        try test.notebook.locks.lock(note)
        #expect(try test.found("words") == ["Diary"])
        test.endSession()
        #expect(try test.found("words").isEmpty && test.found("diary") == ["Diary"])
        try test.openSession()
        try test.notebook.locks.removeLock(note)
        test.endSession()
        #expect(try test.found("words") == ["Diary"])
    }
}
