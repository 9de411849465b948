import Envelopes
import NotesClient
import ProcessorTime
import Secrets
import Testing

@testable import Notes

/// Locked notes whose head is lost: their locks say whose a text is.
@Suite struct NotebookHeadlessTests {
    private let test: TestNotebook
    private let open: Identifier
    private let locked: Identifier
    private let other: Identifier
    private var notebook: Notebook { test.notebook }

    init() throws {
        test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        open = try test.create("# Open\n\nopen words\n")
        locked = try test.create("# Locked\n\nfirst words\n", tags: ["blue"], isLocked: true)
        try test.edit(locked, "# Locked\n\nsecond words\n")
        try test.attach([1], as: "p.png", to: locked)
        other = try test.create("# Other\n\nother words\n", isLocked: true)
    }

    /// As a bad sector may do it: the row does not open, or is not there any more.
    enum Loss: CaseIterable { case damaged, gone }

    private func lose(_ note: Identifier, _ loss: Loss) throws {
        switch loss {
        case .damaged: try test.damage(note, RecordType.header)
        case .gone: try test.delete(note)
        }
    }

    /// What is left is its text, whose number nobody knows.
    private func loseHeadAndHistory(of note: Identifier) throws {
        let history = try #require(notebook.heads.header(note).history)
        try test.damage(note, RecordType.header)
        try test.damage(history, RecordType.history)
        try test.reopen()
        try test.openSession()
    }

    /// What a list names.
    private func headless() throws -> [Identifier] {
        try notebook.lists.list(NoteFilter()).notes.filter { $0.damage == [.head] }.compactMap { Identifier($0.id) }
    }

    @Test func `what cannot be read now is left out of no note that is put together`() throws {
        let text = try test.text(locked)
        try lose(locked, .damaged)
        try test.reopen()
        try test.openSession()
        test.vault.isOutOfMemory = true
        #expect(refusal { try notebook.trash.restore(locked) } == .unavailable)
        test.vault.isOutOfMemory = false
        for type in [RecordType.attachment, RecordType.history, RecordType.lock] {
            try test.failReads(of: type)
            #expect(refusal { try notebook.trash.restore(locked) } == .storage, "\(type)")
            try test.letReads()
            #expect(try headless() == [locked], "nothing was changed")
        }
        try notebook.trash.restore(locked)
        #expect(try test.text(locked) == text && test.text(locked, version: 1) == "# Locked\n\nfirst words\n")
        #expect(try test.file("p.png", of: locked) == [1])
    }

    @Test(arguments: Loss.allCases)
    func `with its passphrase a locked note gets all back that is left of it`(_ loss: Loss) throws {
        let text = try test.text(locked)
        try lose(locked, loss)
        try test.reopen()
        let lost = try #require(headless().first)
        #expect(try headless().count == 1 && (lost == locked) == (loss == .damaged))
        #expect(refusal { try notebook.trash.restore(lost) } == .noteLocked)
        #expect(try headless() == [lost], "nothing was changed")
        try test.openSession()
        #expect(try notebook.trash.restore(lost) == locked)
        for _ in 0..<2 {
            #expect(try test.text(locked) == text && headless().isEmpty && notebook.records.damaged.isEmpty)
            #expect(try notebook.texts.versions(of: locked).map(\.number) == [1, 2])
            #expect(try test.text(locked, version: 1) == "# Locked\n\nfirst words\n")
            #expect(try test.file("p.png", of: locked) == [1] && test.found("second") == ["Locked"])
            let header = try notebook.heads.header(locked)
            #expect(try header.isLocked && notebook.parts.body(of: locked, header).tags == ["blue"])
            try test.reopen()
            #expect(refusal { try test.text(locked) } == .noteLocked)
            try test.openSession()
        }
        try test.edit(locked, "# Locked\n\nthird words\n")
        #expect(try notebook.texts.versions(of: locked).map(\.number) == [1, 2, 3])
        try notebook.locks.removeLock(locked)
        #expect(try test.text(locked, version: 1) == "# Locked\n\nfirst words\n")
        #expect(try test.text(open) == "# Open\n\nopen words\n" && test.text(other) == "# Other\n\nother words\n")
    }

    @Test func `a locked text is found without the list of its former texts as well`() throws {
        let text = try test.text(locked)
        try loseHeadAndHistory(of: locked)
        #expect(try notebook.trash.restore(locked) == locked)
        #expect(try test.text(locked) == text && notebook.texts.versions(of: locked).map(\.number) == [2])
    }

    @Test func `texts that open for nobody leave the others their turn, and cost a bounded time`() throws {
        let long = String(repeating: "heron ", count: 333_333) + "\n"
        for number in 0..<6 {
            let note = try test.create("# \(number)\n\n" + long, isLocked: true)
            // Head and lock are lost: nobody has a key for what is left.
            let lock = try #require(notebook.heads.header(note).lock)
            try test.delete(note)
            try test.delete(lock)
        }
        let text = try test.text(locked)
        try loseHeadAndHistory(of: locked)
        #expect(try notebook.trash.restore(locked) == locked)
        #expect(try test.text(locked) == text)
        // Now that its text is found no more, all that is left is tried in vain.
        try test.delete(try notebook.heads.header(locked).body)
        try test.damage(locked, RecordType.header)
        try test.reopen()
        try test.openSession()
        var error: NotesError.Code?
        let time = ProcessorTime.of { error = refusal { try notebook.trash.restore(locked) } }
        #expect(error == .damaged && time < .seconds(5), "\(time)")
    }

    @Test func `one former text that does not open loses none of the others`() throws {
        try test.edit(locked, "# Locked\n\nthird words\n")
        let history = try notebook.parts.history(notebook.heads.header(locked))
        let last = try #require(history.entries.last)
        try test.damage(locked, RecordType.header)
        try test.damage(last.version, RecordType.version)
        try test.reopen()
        try test.openSession()
        #expect(try notebook.trash.restore(locked) == locked)
        #expect(try notebook.texts.versions(of: locked).map(\.number) == [1, 2, 3])
        #expect(try test.text(locked, version: 1) == "# Locked\n\nfirst words\n")
    }

    @Test func `files that its text does not show stay its own`() throws {
        for note in [open, locked] {
            try test.attach([7], as: "shown.png", to: note)
            try test.attach([8], as: "hidden.png", to: note)
            let lines = try test.text(note).split(separator: "\n", omittingEmptySubsequences: false)
            try test.edit(note, lines.filter { !$0.contains("hidden") }.joined(separator: "\n"))
            let text = try test.text(note)
            #expect(!text.contains("hidden"), "\(text) \(lines)")
            #expect(try test.file("hidden.png", of: note) == [8])
            try test.damage(note, RecordType.header)
            try test.reopen()
            try test.openSession()
            #expect(try notebook.trash.restore(note) == note)
            try test.reopen()
            try test.openSession()
            #expect(try test.file("shown.png", of: note) == [7] && test.file("hidden.png", of: note) == [8])
        }
    }

    @Test func `what was typed and not saved is taken up with the text`() throws {
        let base = try notebook.heads.header(locked).textRevision
        try notebook.edits.keepDraft(of: locked, base: base, markdown: "# Locked\n\nsecond words, and more\n")
        try test.damage(locked, RecordType.header)
        try test.reopen()
        try test.openSession()
        #expect(try notebook.trash.restore(locked) == locked)
        #expect(try test.text(locked).contains("second words, and more"))
    }

    @Test func `of several that are lost each gets its own text, and an open one none of theirs`() throws {
        let texts = try [locked, other].map { try test.text($0) }
        for note in [open, locked, other] { try test.damage(note, RecordType.header) }
        try test.reopen()
        try test.openSession()
        let found = try notebook.trash.restore(open)
        #expect(try found != open && test.text(found) == "# Open\n\nopen words\n")
        #expect(refusal { try notebook.trash.restore(open) } == .damaged)
        for (note, text) in zip([other, locked], texts.reversed()) {
            #expect(try notebook.trash.restore(note) == note)
            #expect(try test.text(note) == text)
        }
        // What was tried for one of them, and was the other's, is no damage.
        #expect(try notebook.texts.versions(of: locked).allSatisfy { $0.isDamaged == nil })
        #expect(notebook.records.damaged == [open])
        #expect(try headless() == [open])
    }

    @Test func `a locked note whose text is lost, too, takes no open text`() throws {
        let body = try notebook.heads.header(locked).body
        try test.damage(locked, RecordType.header)
        try test.delete(body)
        try test.damage(open, RecordType.header)
        try test.reopen()
        try test.openSession()
        #expect(refusal { try notebook.trash.restore(locked) } == .damaged)
        #expect(try Set(headless()) == [locked, open])
    }

    @Test func `titles that are hidden stay hidden`() throws {
        try notebook.settings.change(NotesSettings(showsLockedTitles: false))
        try test.damage(locked, RecordType.header)
        try test.reopen()
        try test.openSession()
        try notebook.trash.restore(locked)
        test.endSession()
        #expect(try test.titles().sorted() == ["", "", "Open"])
    }
}
