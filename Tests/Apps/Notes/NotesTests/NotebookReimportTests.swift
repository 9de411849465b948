import Envelopes
import NotesClient
import Secrets
import Testing

@testable import Notes
import Zones

/// A second import of what is here already: what was changed at the source, here, or on both sides.
@Suite struct NotebookReimportTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }
    private static let vault = "0123456789abcdef0123456789abcdef"

    init() throws { test = try TestNotebook(suite: .tresor256) { _ in [9] } }

    /// A file of a folder, whose front matter never changes its date.
    private func head(_ path: String = "a.md", origin: String? = vault, attachments: Int = 0) -> ImportedNoteHead {
        var head = ImportedNoteHead(source: path)
        head.origin = origin
        head.formerSource = "markdown:" + path
        (head.created, head.modified) = (1_000, 2_000)
        head.attachmentCount = attachments
        return head
    }

    private func stage(_ bytes: [UInt8], _ name: String, _ kind: AttachmentKind = .image) throws -> StagedAttachment {
        let incoming = try notebook.attachments.stage(NewAttachment(name: name, kind: kind, mediaType: ""))
        try incoming.append(inPieces: TestFile.beginning(kind) + bytes)
        return try notebook.attachments.complete(incoming)
    }

    @discardableResult
    private func bring(
        _ head: ImportedNoteHead, _ text: String, _ staged: [StagedAttachment] = []
    ) throws -> (note: Identifier, change: ImportOutcome.Change) {
        let outcome = try notebook.imports.take(head, markdown: text, staged: staged)
        return (note: try #require(Identifier(outcome.id)), change: outcome.change)
    }

    // MARK: The table

    @Test func `edited at the source: its text is the text, by whatever date it comes`() throws {
        let note = try bring(head(), "one\n").note
        #expect(try bring(head(), "one\n").change == .unchanged)
        #expect(try bring(head(), "two\n").change == .updated)
        #expect(try test.text(note) == "two\n" && test.text(note, version: 1) == "one\n")
        var older = head()
        older.modified = 1
        #expect(try bring(older, "three\n").change == .updated && test.text(note) == "three\n")
        #expect(try bring(head(), "three\n").change == .unchanged)
    }

    @Test func `edited here: nothing is changed, and no version made`() throws {
        let note = try bring(head(), "one\n").note
        try test.edit(note, "mine\n")
        let records = try test.sealed(RecordType.body)
        var later = head()
        later.modified = .max
        #expect(try bring(later, "one\n").change == .unchanged)
        #expect(try test.text(note) == "mine\n" && notebook.texts.versions(of: note).count == 2)
        #expect(try test.sealed(RecordType.body) == records)
    }

    @Test func `edited on both sides: both are in the text, and the source's own is a version`() throws {
        let note = try bring(head(), "one\n\ntwo\n\nthree\n").note
        try test.edit(note, "one, mine\n\ntwo\n\nthree\n")
        #expect(try bring(head(), "one\n\ntwo\n\nthree, theirs\n").change == .merged)
        #expect(try test.text(note) == "one, mine\n\ntwo\n\nthree, theirs\n")
        #expect(try test.text(note, version: 2) == "one, mine\n\ntwo\n\nthree\n")
        #expect(try test.text(note, version: 3) == "one\n\ntwo\n\nthree, theirs\n")
        #expect(try !notebook.summary(of: note).hasConflict)
        // The next change begins from what the source said last, not from what it said first.
        #expect(try bring(head(), "one\n\ntwo\n\nthree, theirs\n").change == .unchanged)
        try test.edit(note, "one, mine\n\ntwo, mine\n\nthree, theirs\n")
        #expect(try bring(head(), "one\n\ntwo\n").change == .merged)
        #expect(try test.text(note) == "one, mine\n\ntwo, mine\n")
        try test.reopen()
        #expect(try bring(head(), "one\n\ntwo\n\nfour\n").change == .merged)
        #expect(try test.text(note) == "one, mine\n\ntwo, mine\n\nfour\n")
    }

    @Test func `edited on both sides in one place: both are kept, until their owner says that all is well`() throws {
        let note = try bring(head(), "one\n").note
        try test.edit(note, "mine\n")
        #expect(try bring(head(), "theirs\n").change == .conflicting)
        let text = try test.text(note)
        #expect(text.contains("mine\n") && text.contains("theirs\n"))
        #expect(try notebook.summary(of: note).hasConflict)
        #expect(try bring(head(), "theirs\n").change == .unchanged)
        try notebook.filing.resolve(note)
        try test.reopen()
        #expect(try !notebook.summary(of: note).hasConflict && test.text(note) == text)
    }

    @Test func `the same edit on both sides is no change, and the next one begins from it`() throws {
        let note = try bring(head(), "one\n\ntwo\n").note
        try test.edit(note, "one, same\n\ntwo\n\nmine\n")
        #expect(try bring(head(), "one, same\n\ntwo\n").change != .conflicting)
        #expect(try test.text(note) == "one, same\n\ntwo\n\nmine\n")
        #expect(try bring(head(), "one\n\ntwo\n").change == .merged)
        #expect(try test.text(note) == "one\n\ntwo\n\nmine\n")
    }

    @Test func `an attachment that was added comes, though the text is the same`() throws {
        let note = try bring(head(attachments: 1), "![a](attachment:0)\n", [stage([1], "a.png")]).note
        let again = try bring(head(attachments: 1), "![a](attachment:0)\n", [stage([1], "a.png")])
        #expect(again.change == .unchanged && test.files.count == 2)
        let more = head(attachments: 2)
        #expect(
            try bring(more, "![a](attachment:0)\n", [stage([1], "a.png"), stage([2], "b.png")]).change == .updated)
        #expect(try test.file("a.png", of: note) == [1] && test.file("b.png", of: note) == [2])
        #expect(try notebook.attachments.list(of: note).count == 2 && test.files.count == 4)
        // What it holds counts, not its name.
        #expect(
            try bring(more, "![a](attachment:0)\n", [stage([7], "a.png"), stage([2], "b.png")]).change == .updated)
        #expect(try notebook.attachments.list(of: note).count == 3)
        try test.reopen()
        #expect(test.files.count == 6)
    }

    @Test func `an attachment that was taken out here stays out, and the text follows its source`() throws {
        let text = "one\n\n![a](attachment:0)\n"
        let note = try bring(head(attachments: 1), text, [stage([1], "a.png")]).note
        try notebook.attachments.detach("a.png", from: note)
        #expect(try bring(head(attachments: 1), "two\n\n![a](attachment:0)\n", [stage([1], "a.png")]).change == .merged)
        #expect(try test.text(note) == "two\n" && notebook.attachments.list(of: note).isEmpty && test.files.isEmpty)
    }

    @Test func `an attachment that was added here stays where it is`() throws {
        let note = try bring(head(), "one\n").note
        let incoming = try notebook.attachments.begin(
            to: note, NewAttachment(name: "mine.png", kind: .image, mediaType: ""))
        try incoming.append(inPieces: [5])
        try notebook.attachments.finish(incoming)
        #expect(try bring(head(), "two\n").change == .merged)
        #expect(try test.text(note).hasPrefix("two\n\n![mine") && test.file("mine.png", of: note) == [5])
    }

    @Test func `a path that two folders share is two notes`() throws {
        let one = try bring(head(), "one\n").note
        let other = try bring(head(origin: "fedcba9876543210fedcba9876543210"), "other\n")
        #expect(try other.change == .added && other.note != one && test.text(one) == "one\n")
        #expect(try bring(head(), "one, later\n").change == .updated && test.text(other.note) == "other\n")
    }

    @Test func `folder, tags and pin follow the source where nothing else was chosen here`() throws {
        var head = head()
        (head.folder, head.tags) = ("A", ["one", "two"])
        let note = try bring(head, "text\n").note
        try notebook.filing.tag(note, add: ["mine"], remove: ["one"])
        (head.folder, head.tags, head.isPinned) = ("B", ["one", "three"], true)
        #expect(try bring(head, "text\n").change != .unchanged)
        let summary = try notebook.summary(of: note)
        #expect(summary.folder == "B" && summary.tags == ["mine", "three"] && summary.isPinned)
        try notebook.filing.move(note, to: "Mine")
        head.folder = "C"
        _ = try bring(head, "text\n")
        #expect(try notebook.summary(of: note).folder == "Mine")
    }

    @Test func `front matter that means nothing here is kept`() throws {
        var head = head()
        head.frontMatter = "aliases: [x]\n"
        let note = try bring(head, "text\n").note
        #expect(try notebook.imports.frontMatter(of: note) == "aliases: [x]\n")
        head.frontMatter = "aliases: [y]\n"
        #expect(try bring(head, "text\n").note == note)
        #expect(try notebook.imports.frontMatter(of: note) == "aliases: [y]\n" && test.text(note) == "text\n")
    }

    // MARK: What keeps a note from being updated

    @Test func `a note in the trash is named, unless it was there at its source`() throws {
        let note = try bring(head(), "one\n").note
        try notebook.trash.delete(note, forever: false)
        #expect(try bring(head(), "one\n").change == .unchanged)
        #expect(refusal { try bring(head(), "two\n") } == .refused)
        var gone = head("gone.md")
        gone.isDeleted = true
        let other = try bring(gone, "one\n").note
        gone.isDeleted = false
        #expect(try bring(gone, "two\n").change == .updated)
        #expect(try notebook.summary(of: other).deleted == nil && test.text(other) == "two\n")
    }

    @Test func `a file that no locked note may hold keeps the change out, by name`() throws {
        try test.openSession()
        var locked = head()
        locked.isLocked = true
        let note = try bring(locked, "one\n").note
        locked.attachmentCount = 1
        let error = #expect(throws: NotesError.self) { try bring(locked, "two\n", [stage([1], "a.pdf", .pdf)]) }
        #expect(error?.code == .refused && error?.message.contains("a.pdf") == true)
        #expect(try test.text(note) == "one\n" && test.files.isEmpty)
        #expect(try bring(locked, "two\n", [stage([1], "a.png")]).change == .updated)
        test.endSession()
        #expect(refusal { try bring(locked, "three\n", [stage([1], "a.png")]) } == .noteLocked)
    }

    @Test func `an update that cannot be stored changes nothing, and leaves no file`() throws {
        let note = try bring(head(), "one\n").note
        try test.execute(
            "CREATE TRIGGER stop BEFORE INSERT ON record WHEN NEW.type = 1 BEGIN SELECT RAISE(ABORT, 'stop'); END")
        #expect(refusal { try bring(head(attachments: 1), "two\n", [stage([1], "a.png")]) } != nil)
        #expect(try test.text(note) == "one\n" && test.files.isEmpty)
        try test.execute("DROP TRIGGER stop")
        #expect(try bring(head(attachments: 1), "two\n", [stage([1], "a.png")]).change == .updated)
    }

    // MARK: What is known of it

    @Test func `what a lock hides is not told by a header: names and texts are marked under a key`() throws {
        try test.openSession()
        var secret = head("My diary/Divorce.md")
        secret.isLocked = true
        let note = try bring(secret, "one\n").note
        let header = try notebook.heads.header(note)
        for name in [secret.source, "markdown:" + secret.source] {
            let plain = Digest.sha256(Array("tresor import source v1".utf8) + Array(name.utf8))
            #expect(header.source != Hexadecimal.encode(plain))
        }
        let other = try TestNotebook(suite: .tresor256)
        try other.openSession()
        let outcome = try other.notebook.imports.take(secret, markdown: "one\n", staged: [])
        let elsewhere = try other.notebook.heads.header(#require(Identifier(outcome.id)))
        #expect(header.source.count == 64 && header.source != elsewhere.source)
        // What it said at its source is under the note's own key.
        let origin = try #require(header.origin)
        #expect(throws: NotesError.self) { try notebook.parts.origin(of: note, header, nil) }
        try notebook.locks.removeLock(note)
        #expect(try notebook.parts.origin(of: note, notebook.heads.header(note), nil)?.note == note)
        try notebook.locks.lock(note)
        #expect(try notebook.heads.header(note).origin == origin && bring(secret, "one\n").change == .unchanged)
    }

    @Test func `where what is known of its source is damaged the note is shown, and says so`() throws {
        var imported = head()
        imported.frontMatter = "weather: rain"
        let note = try bring(imported, "one\n").note
        func shown() throws -> NoteSummary {
            let answer = try notebook.answer(.show(id: note.description), secrets: .none, body: [])
            guard case .text(.note(let summary), let text) = answer else { throw NotesError(.invalid, "no text") }
            #expect(text == Array("one\n".utf8))
            return summary
        }
        #expect(try shown().frontMatter == "weather: rain" && shown().damage == nil)
        _ = try test.damage(RecordType.origin)
        #expect(try shown().frontMatter == nil && shown().damage == [.origin])
    }

    @Test func `a note deleted for good takes along what was known of its source`() throws {
        let note = try bring(head(), "one\n").note
        #expect(try test.sealed(RecordType.origin).count == 1)
        try notebook.trash.delete(note, forever: false)
        try notebook.trash.delete(note, forever: true)
        #expect(try test.sealed(RecordType.origin).isEmpty && bring(head(), "one\n").change == .added)
    }

    @Test func `after many edits here the source is still compared with what it said`() throws {
        let note = try bring(head(), "one\n\ntwo\n").note
        for number in 1...210 { try test.edit(note, "one\n\ntwo\n\n\(number)\n") }
        #expect(try notebook.texts.versions(of: note).count == 201)
        #expect(try bring(head(), "one\n\ntwo, theirs\n").change == .merged)
        #expect(try test.text(note) == "one\n\ntwo, theirs\n\n210\n")
    }

    @Test func `the key of imports outlives another class, and is not made anew where it is damaged`() throws {
        let note = try bring(head(), "one\n").note
        try notebook.settings.changeClass(to: "afterFirstUnlock", of: test.account, with: test.accountKey)
        try test.reopen()
        #expect(try bring(head(), "two\n").note == note)
        try test.execute("UPDATE record SET sealed = zeroblob(length(sealed)) WHERE type = \(RecordType.importKey)")
        try test.reopen()
        #expect(refusal { try bring(head(), "three\n") } == .damaged)
        #expect(try test.titles().count == 1)
    }

    @Test func `sources are remembered with their last place`() throws {
        try notebook.sources.begin(ImportSourceHead(id: Self.vault, kind: "markdown", place: "/one"))
        test.clock.advance(seconds: 5)
        try notebook.sources.begin(ImportSourceHead(id: Self.vault, kind: "markdown", place: "/two"))
        try test.reopen()
        let sources = try notebook.sources.list()
        #expect(sources.map(\.place) == ["/two"] && sources[0].first < sources[0].last)
        #expect(refusal { try notebook.sources.begin(ImportSourceHead(id: "x", kind: "", place: "")) } == .invalid)
        let note = try test.create("x\n")
        let taken = ImportSourceHead(id: note.description, kind: "markdown", place: "/")
        #expect(refusal { try notebook.sources.begin(taken) } == .invalid)
        #expect(try test.text(note) == "x\n")
    }

    // MARK: What version 0.1 imported

    /// Makes a note look as version 0.1 stored it.
    private func age(_ note: Identifier, _ source: String) throws {
        var header = try notebook.heads.header(note)
        let origin = try #require(header.origin)
        (header.origin, header.sourceRevision) = (nil, 0)
        header.source = Hexadecimal.encode(
            Digest.sha256(Array("tresor import source v1".utf8) + Array(source.utf8)))
        try notebook.heads.change { writer in
            try writer.remove(origin, in: notebook.records.zone)
            try notebook.heads.put(header, of: note, writer)
        }
        #expect(header.encoded.first == 1)
        try test.reopen()
    }

    @Test func `a note that version 0.1 imported is known, and from then on as others are`() throws {
        let note = try bring(head(attachments: 1), "one\n\n![a](attachment:0)\n", [stage([1], "a.png")]).note
        try age(note, "markdown:a.md")
        try test.edit(note, try test.text(note) + "\nmine\n")
        let text = "one, theirs\n\n![a](attachment:0)\n"
        let again = try bring(head(attachments: 1), text, [stage([1], "a.png")])
        #expect(again.note == note && again.change == .merged && test.files.count == 2)
        #expect(try test.text(note).hasPrefix("one, theirs\n") && test.text(note).hasSuffix("mine\n"))
        #expect(try notebook.heads.header(note).origin != nil && notebook.attachments.list(of: note).count == 1)
        #expect(try bring(head(attachments: 1), text, [stage([1], "a.png")]).change == .unchanged)
    }

    @Test func `a note of version 0.1 is not taken for one of another folder with the same path`() throws {
        let note = try bring(head(), "one\n").note
        try age(note, "markdown:a.md")
        var other = head(origin: "fedcba9876543210fedcba9876543210")
        (other.created, other.modified) = (77_000, 77_000)
        #expect(try bring(other, "quite another\n").change == .added && test.text(note) == "one\n")
        // Its owner may know better.
        var known = head()
        (known.created, known.isFormerCertain) = (88_000, true)
        #expect(try bring(known, "one, later\n").note == note && test.text(note) == "one, later\n")
    }

    @Test func `a note of Apple's that version 0.1 imported is known by its name alone`() throws {
        let apple = head("apple:account/note", origin: nil)
        let note = try bring(apple, "one\n").note
        try age(note, "apple:account/note")
        var later = ImportedNoteHead(source: "apple:account/note")
        later.created = 5
        #expect(try bring(later, "two\n").note == note && test.text(note) == "two\n")
    }

    // MARK: Exported and changed there

    @Test func `folder, tags and pin of an exported note follow its file, unless it was touched here since`() throws {
        let note = try test.create("one\n")
        var head = head("Note.md")
        head.id = note.description
        head.modified = try notebook.summary(of: note).modified
        head.folder = "Moved"
        head.tags = ["new"]
        head.isPinned = true
        #expect(try bring(head, "one\n").change == .updated)
        var summary = try notebook.summary(of: note)
        #expect(summary.folder == "Moved" && summary.tags == ["new"] && summary.isPinned)
        let other = try test.create("two\n")
        head.id = other.description
        head.modified = try notebook.summary(of: other).modified
        try test.edit(other, "two, mine\n")
        head.source = "Other.md"
        _ = try bring(head, "two\n")
        summary = try notebook.summary(of: other)
        #expect(summary.folder == "" && summary.tags == [] && !summary.isPinned)
    }

    @Test func `a tag that another format spells otherwise stays as it is`() throws {
        let note = try test.create("one\n")
        try notebook.filing.tag(note, add: ["one, two", "gone"], remove: [])
        var head = head("Note.md")
        head.id = note.description
        head.modified = try notebook.summary(of: note).modified
        head.tags = ["one  two", "more"]
        _ = try bring(head, "one\n")
        #expect(try Set(notebook.summary(of: note).tags) == ["one, two", "more"])
    }

    @Test func `an exported note that was edited outside is joined with what came here since`() throws {
        let note = try test.create("one\n\ntwo\n")
        var head = head("Note.md")
        head.id = note.description
        head.modified = try notebook.summary(of: note).modified
        #expect(try bring(head, "one\n\ntwo\n").change == .unchanged)
        try test.edit(note, "one, mine\n\ntwo\n")
        #expect(try bring(head, "one\n\ntwo, theirs\n").change == .merged)
        #expect(try test.text(note) == "one, mine\n\ntwo, theirs\n")
        #expect(try bring(head, "one\n\ntwo, theirs\n").change == .unchanged)
    }
}
