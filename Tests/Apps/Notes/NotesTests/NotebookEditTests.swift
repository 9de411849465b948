import Envelopes
import NotesClient
import Secrets
import Testing

@testable import Notes

@Suite struct NotebookEditTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    @Test func `a note is what was written, with its dates, and the same after a restart`() throws {
        let note = try test.create("# Plan\n\n- [ ] milk\n", folder: " Work / Plans ", tags: ["#now"], isPinned: true)
        let summary = try notebook.summary(of: note)
        #expect(summary.title == "Plan" && summary.folder == "Work/Plans" && summary.tags == ["now"])
        #expect(summary.isPinned && summary.isOpen && !summary.isLocked && summary.revision == 1)
        #expect(summary.created == test.clock.instant.wall && summary.modified == summary.created)
        try test.reopen()
        #expect(try notebook.summary(of: note) == summary && test.text(note) == "# Plan\n\n- [ ] milk\n")
        #expect(refusal { try test.text(.makeRandom()) } == .notFound)
    }

    @Test func `each edit makes the former text a version, and equal text none`() throws {
        let note = try test.create("one\n")
        let created = try notebook.summary(of: note).created
        try test.edit(note, "two\n")
        try test.edit(note, "two\n")
        try test.edit(note, "three!\n")
        #expect(try notebook.texts.versions(of: note).map(\.byteCount) == [4, 4, 7])
        #expect(try notebook.texts.versions(of: note).map(\.number) == [1, 2, 3])
        #expect(try (1...3).map { try test.text(note, version: $0) } == ["one\n", "two\n", "three!\n"])
        for number in [0, 4, -1, .max, .min + 1] {
            #expect(refusal { try test.text(note, version: number) } == .notFound)
        }
        let summary = try notebook.summary(of: note)
        #expect(summary.revision == 3 && summary.created == created && summary.modified > created)
        #expect(summary.title == "three!" && !summary.hasConflict)
    }

    @Test func `an edit says whether the text is another than came`() throws {
        let note = try test.create("one\n\ntwo\n")
        #expect(try !notebook.edits.edit(note, base: 1, markdown: "one!\n\ntwo\n"))
        #expect(try !notebook.edits.edit(note, base: 2, markdown: "one!\n\ntwo\n"), "the same once more")
        #expect(try notebook.edits.edit(note, base: 1, markdown: "one\n\ntwo\n"), "nothing was changed since the first")
        #expect(try test.text(note) == "one!\n\ntwo\n")
        #expect(try notebook.edits.edit(note, base: 1, markdown: "one\n\ntwo!\n"))
        #expect(try test.text(note) == "one!\n\ntwo!\n")
    }

    @Test(arguments: [false, true])
    func `an editor that began before a file came or went undoes neither`(isEditedMeanwhile: Bool) throws {
        let note = try test.create("one\n\ntwo\n\nthree\n")
        try test.attach([1], as: "oldfile", to: note)
        let seen = try notebook.attachments.files(of: note)
        let begun = try test.text(note)
        let base = try notebook.summary(of: note).revision
        func written(_ text: String, seen: [Identifier]) throws -> String {
            let bytes = Array(text.utf8)
            return String(
                decoding: try notebook.attachments.withPresentFiles(bytes, of: note, seen: seen) ?? bytes, as: UTF8.self
            )
        }
        #expect(try written("anything", seen: seen) == "anything")
        try test.attach([2], as: "newfile", to: note)
        try notebook.attachments.detach("oldfile", from: note)
        if isEditedMeanwhile { try test.edit(note, try test.text(note).replacing("three", with: "three!")) }
        try notebook.edits.edit(note, base: base, markdown: written(begun.replacing("one", with: "one!"), seen: seen))
        let text = try test.text(note)
        #expect(text.contains("newfile") && !text.contains("oldfile") && text.hasPrefix("one!"), "\(text)")
        #expect(text.contains("three!") == isEditedMeanwhile && text.split(separator: "newfile").count == 2, "\(text)")
        #expect(try notebook.texts.versions(of: note).count == (isEditedMeanwhile ? 3 : 2))
        // Who has seen it may take it out of the text.
        let now = try notebook.attachments.files(of: note)
        let without = "one!\n"
        #expect(try written(without, seen: now) == without)
        try test.edit(note, without)
        #expect(try written(without, seen: seen) == without, "nor does it come back for who has not")
    }

    @Test func `a former text becomes the present one, and what it replaced a version`() throws {
        let note = try test.create("one\n")
        try test.edit(note, "two\n")
        try notebook.edits.revert(note, to: 1)
        #expect(try test.text(note) == "one\n" && test.text(note, version: 2) == "two\n")
        #expect(refusal { try notebook.edits.revert(note, to: 9) } == .notFound)
        try test.reopen()
        #expect(try test.text(note) == "one\n" && notebook.texts.versions(of: note).count == 3)
    }

    @Test func `the last two hundred versions are kept`() throws {
        let note = try test.create("0\n")
        for number in 1...203 { try test.edit(note, "\(number)\n") }
        // A number stays that of its text.
        #expect(try notebook.texts.versions(of: note).map(\.number) == Array(4...204))
        #expect(try test.text(note, version: 4) == "3\n" && test.text(note, version: 204) == "203\n")
        #expect(refusal { try test.text(note, version: 3) } == .notFound)
        #expect(try test.sealed(RecordType.version).count == 200)
    }

    @Test func `two edits from one text come together`() throws {
        let note = try test.create("The quick fox.\n\nEnd.\n")
        let base = try notebook.summary(of: note).revision
        try notebook.edits.edit(note, base: base, markdown: "The slow fox.\n\nEnd.\n")
        try notebook.edits.edit(note, base: base, markdown: "The quick fox.\n\nThe very end.\n")
        #expect(try test.text(note) == "The slow fox.\n\nThe very end.\n")
        #expect(try !notebook.summary(of: note).hasConflict)
        try notebook.edits.edit(note, base: base, markdown: "The red fox.\n\nEnd.\n")
        let text = try test.text(note)
        #expect(text.contains("slow fox") && text.contains("red fox") && text.contains("The very end."))
        #expect(try notebook.summary(of: note).hasConflict)
    }

    @Test func `an edit of an unknown text is taken, and the present one kept as a version`() throws {
        let note = try test.create("one\n")
        try notebook.edits.edit(note, base: 77, markdown: "other\n")
        #expect(try test.text(note) == "other\n" && test.text(note, version: 1) == "one\n")
        #expect(try notebook.summary(of: note).hasConflict)
    }

    @Test func `a note goes to the trash, comes back, and goes for good from there alone`() throws {
        let note = try test.create("# Gone\n\nwords\n")
        try test.edit(note, "# Gone\n\nother words\n")
        try test.attach([1], as: "p.png", to: note)
        #expect(refusal { try notebook.trash.delete(note, forever: true) } == .refused)
        try notebook.trash.delete(note, forever: false)
        #expect(try test.titles().isEmpty && test.titles(NoteFilter(isInTrash: true)) == ["Gone"])
        #expect(try test.found("words").isEmpty && notebook.status(process: 1).trashed == 1)
        #expect(try notebook.summary(of: note).deleted == test.clock.instant.wall)
        try test.reopen()
        #expect(try test.found("words").isEmpty)
        try notebook.trash.restore(note)
        #expect(try test.titles() == ["Gone"] && test.found("words") == ["Gone"])

        try notebook.trash.delete(note, forever: false)
        try notebook.trash.delete(note, forever: true)
        #expect(try test.titles(NoteFilter(isInTrash: true)).isEmpty && test.files.isEmpty)
        #expect(refusal { try test.text(note) } == .notFound)
        for type in RecordType.header...RecordType.history { #expect(try test.sealed(type).isEmpty) }
        try test.reopen()
        #expect(try notebook.status(process: 1).notes == 0 && notebook.status(process: 1).trashed == 0)
        #expect(refusal { try notebook.trash.restore(note) } == .notFound)
    }

    @Test func `a locked note goes for good without its session`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("a\n", isLocked: true)
        try test.attach([1], as: "p.png", to: note)
        test.endSession()
        try test.notebook.trash.delete(note, forever: false)
        try test.notebook.trash.delete(note, forever: true)
        #expect(test.files.isEmpty)
        for type in [RecordType.header, RecordType.body, RecordType.lock, RecordType.attachment] {
            #expect(try test.sealed(type).isEmpty)
        }
    }

    // MARK: Drafts

    @Test func `what an editor held is the text after a restart`() throws {
        let note = try test.create("one\n\nend\n")
        let base = try notebook.summary(of: note).revision
        try notebook.edits.keepDraft(of: note, base: base, markdown: "one more\n\nend\n")
        #expect(try test.text(note) == "one\n\nend\n" && notebook.summary(of: note).hasDraft)
        try notebook.edits.keepDraft(of: note, base: base, markdown: "one more thing\n\nend\n")
        #expect(try test.sealed(RecordType.draft).count == 1)
        try test.reopen()
        #expect(try test.text(note) == "one more thing\n\nend\n" && !notebook.summary(of: note).hasDraft)
        #expect(try test.text(note, version: 1) == "one\n\nend\n" && test.sealed(RecordType.draft).isEmpty)
    }

    @Test func `a draft is merged with what came since it began`() throws {
        let note = try test.create("one\n\nend\n")
        let base = try notebook.summary(of: note).revision
        try test.edit(note, "one\n\nthe end\n")
        try notebook.edits.keepDraft(of: note, base: base, markdown: "one more\n\nend\n")
        try test.reopen()
        #expect(try test.text(note) == "one more\n\nthe end\n" && !notebook.summary(of: note).hasConflict)
    }

    @Test func `a draft goes when it is discarded, and when the edit is saved`() throws {
        let note = try test.create("one\n")
        try notebook.edits.keepDraft(of: note, base: 1, markdown: "two\n")
        try notebook.edits.discardDraft(of: note)
        #expect(try test.sealed(RecordType.draft).isEmpty && !notebook.summary(of: note).hasDraft)
        try notebook.edits.discardDraft(of: note)
        try notebook.edits.keepDraft(of: note, base: 1, markdown: "two\n")
        try notebook.edits.edit(note, base: 1, markdown: "one\n")
        #expect(try test.sealed(RecordType.draft).isEmpty)
        try notebook.edits.keepDraft(of: note, base: 1, markdown: "two\n")
        try notebook.edits.edit(note, base: 1, markdown: "two\n")
        #expect(try test.sealed(RecordType.draft).isEmpty)
        try test.reopen()
        #expect(try test.text(note) == "two\n" && notebook.texts.versions(of: note).count == 2)
    }

    @Test func `a locked note's draft waits, sealed, for its session`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("one\n", isLocked: true)
        try test.notebook.edits.keepDraft(of: note, base: 1, markdown: "two\n")
        let draft = try #require(test.sealed(RecordType.draft).keys.first)
        guard case .locked = try PartContent(from: test.notebook.records.content(draft)) else {
            Issue.record("the draft is not under the note's key")
            return
        }
        try test.reopen()
        #expect(try test.notebook.summary(of: note).hasDraft && test.sealed(RecordType.draft).count == 1)
        try test.openSession()
        #expect(try test.text(note) == "two\n" && !test.notebook.summary(of: note).hasDraft)
    }

    @Test func `what an editor holds when the session ends can still be sealed, until the key goes`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("one\n", isLocked: true)
        test.notebook.keys.holdKey(of: note)
        test.endSession()
        try test.notebook.edits.keepDraft(of: note, base: 1, markdown: "two\n")
        test.notebook.keys.forgetEditKeys()
        #expect(refusal { try test.notebook.edits.keepDraft(of: note, base: 1, markdown: "three\n") } == .noteLocked)
        #expect(refusal { try test.text(note) } == .noteLocked)
        try test.openSession()
        #expect(try test.text(note) == "two\n")
    }

    @Test func `a draft follows its note when the lock goes and comes while somebody writes`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("one\n", isLocked: true)
        try test.notebook.edits.keepDraft(of: note, base: 1, markdown: "two\n")
        try test.notebook.locks.removeLock(note)
        try test.notebook.edits.keepDraft(of: note, base: 1, markdown: "three\n")
        try test.reopen()
        #expect(try test.text(note) == "three\n" && test.notebook.records.damaged.isEmpty)

        try test.openSession()
        try test.notebook.locks.lock(note)
        let base = try test.notebook.summary(of: note).revision
        try test.notebook.edits.keepDraft(of: note, base: base, markdown: "four\n")
        try test.notebook.locks.removeLock(note)
        try test.notebook.locks.lock(note)
        try test.notebook.edits.keepDraft(of: note, base: base, markdown: "five\n")
        try test.reopen()
        try test.openSession()
        #expect(try test.text(note) == "five\n" && test.notebook.records.damaged.isEmpty)
    }
}
