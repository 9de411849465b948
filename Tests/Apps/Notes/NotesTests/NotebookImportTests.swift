import Envelopes
import NotesClient
import Secrets
import Testing

@testable import Notes

@Suite struct NotebookImportTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook(suite: .tresor256) { _ in [9] } }

    private func head(_ source: String, attachments: Int = 0, isLocked: Bool = false) -> ImportedNoteHead {
        var head = ImportedNoteHead(source: source)
        head.created = 1_000
        head.modified = 2_000
        head.attachmentCount = attachments
        head.isLocked = isLocked
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

    @Test func `an imported note keeps its dates, folder, tags, pin and place in the trash`() throws {
        var head = head("app:1")
        head.folder = "From/There"
        head.tags = ["#old"]
        head.isPinned = true
        let note = try bring(head, "# Title\n\ntext\n").note
        let summary = try notebook.summary(of: note)
        #expect(summary.created == 1_000 && summary.modified == 2_000 && summary.folder == "From/There")
        #expect(summary.tags == ["old"] && summary.isPinned && summary.title == "Title" && summary.deleted == nil)
        var gone = ImportedNoteHead(source: "app:2")
        gone.isDeleted = true
        gone.title = "*Not* emphasis"
        let trashed = try notebook.summary(of: try bring(gone, "").note)
        #expect(trashed.deleted == test.clock.instant.wall && trashed.created == test.clock.instant.wall)
        #expect(trashed.title == "*Not* emphasis")
        #expect(try test.found("emphasis").isEmpty && test.found("title") == ["Title"])
    }

    @Test func `what comes in a group is found when it has had its turn, and until then an answer is partial`() throws {
        try bring(head("app:1"), "a heron\n")
        try test.settle()
        try notebook.beginBatch()
        try bring(head("app:2"), "another heron\n")
        let changed = try bring(head("app:3"), "a third heron\n").note
        try bring(head("app:1"), "an egret\n")
        try notebook.endBatch()
        #expect(try notebook.lists.find("heron", limit: 9).isPartial)
        // It waits twice, and is there once.
        try test.edit(changed, "a fourth heron\n")
        try notebook.beginBatch()
        try bring(head("app:4"), "a fifth heron\n")
        try notebook.endBatch()
        try test.settle()
        let found = try notebook.lists.find("heron", limit: 9)
        #expect(found.notes.map(\.title).sorted() == ["a fifth heron", "a fourth heron", "another heron"])
        #expect(try !found.isPartial && test.found("egret") == ["an egret"] && test.found("third").isEmpty)
    }

    @Test func `words of a note that is locked during an import go before what still waits is read`() throws {
        let notes = try (1...200).map { try test.create("a heron \($0)\n\nfeather\($0)end\n") }
        try test.settle()
        try test.openSession()
        try notebook.beginBatch()
        for number in 1...600 { try bring(head("app:\(number)"), "an egret \(number)\n") }
        try notebook.endBatch()
        try notebook.locks.lock(notes[7])
        // Another follows while the words of the first are on their way out.
        _ = try notebook.work()
        try notebook.locks.lock(notes[8])
        #expect(notebook.isIndexing)
        var turns = 0
        while notebook.search.isStale || notebook.search.isRenewing {
            if turns < 8 { #expect(try notebook.lists.find("egret", limit: 9).isPartial) }
            _ = try notebook.work()
            turns += 1
        }
        // Two renewals of 798 texts, nine turns each, and nothing else.
        #expect(turns < 25, "\(turns)")
        test.endSession()
        try test.settle()
        for word in ["feather8end", "feather9end"] { #expect(try test.found(word).isEmpty) }
        for number in [1, 10, 200] { #expect(try test.found("feather\(number)end") == ["a heron \(number)"]) }
        for number in [1, 600] { #expect(try test.found("\"egret \(number)\"") == ["an egret \(number)"]) }
    }

    @Test func `words of a group that was not done are not found, and those of before are`() throws {
        let note = try bring(head("app:1"), "a heron\n").note
        try test.settle()
        try notebook.beginBatch()
        try bring(head("app:1"), "an egret\n")
        try bring(head("app:2"), "another egret\n")
        // As where the disk has taken nothing.
        try test.execute("ROLLBACK")
        #expect(refusal { try notebook.endBatch() } != nil)
        notebook.undoBatch()
        try test.settle()
        #expect(try test.notebook.heads.header(note).textRevision == 1 && test.titles() == ["a heron"])
        #expect(try notebook.lists.find("egret", limit: 9).notes.isEmpty)
    }

    @Test func `a second import of the same source changes nothing, after a restart too`() throws {
        let first = try bring(head("app:1"), "text\n")
        #expect(first.change == .added)
        try test.edit(first.note, "my text\n")
        let records = try test.sealed(RecordType.body)
        for _ in 1...2 {
            let again = try bring(head("app:1"), "text\n")
            #expect(again.note == first.note && again.change == .unchanged)
            try test.reopen()
        }
        #expect(try test.sealed(RecordType.body) == records && test.text(first.note) == "my text\n")
        #expect(try bring(head("app:2"), "text\n").change == .added)
    }

    @Test func `a locked note takes nothing from its source while its session is shut`() throws {
        #expect(refusal { try bring(head("app:1", isLocked: true), "text\n") } == .noteLocked)
        try test.openSession()
        let note = try bring(head("app:1", isLocked: true), "text\n").note
        #expect(try notebook.summary(of: note).isLocked)
        test.endSession()
        var later = head("app:1", isLocked: true)
        later.modified = .max
        #expect(refusal { try bring(later, "their text\n") } == .noteLocked)
        try test.openSession()
        #expect(try test.text(note) == "text\n" && bring(later, "their text\n").change == .updated)
    }

    @Test func `a note that is locked at its source since, and open here, takes nothing from it`() throws {
        let note = try bring(head("app:1"), "open\n").note
        var later = head("app:1", isLocked: true)
        later.modified = test.clock.instant.wall + 1
        try test.openSession()
        #expect(refusal { try bring(later, "a secret by now\n") } == .refused)
        #expect(try test.text(note) == "open\n" && !notebook.summary(of: note).isLocked)
        #expect(try notebook.texts.versions(of: note).count == 1 && test.found("secret").isEmpty)
    }

    @Test func `attachments come to stand where the text names them, and the others at its end`() throws {
        let staged = try [stage([1], "one.png"), stage([2], "two.pdf", .pdf), stage([3], "three.png")]
        let text = "# A\n\n![x](attachment:1)\n\n![y](attachment:0)\n\ninline ![z](attachment:2)\n"
        let note = try bring(head("app:1", attachments: 3), text, staged).note
        let ids = try notebook.attachments.list(of: note).map(\.id)
        #expect(
            try test.text(note) == """
                # A

                ![x](attachment:\(ids[1]))

                ![y](attachment:\(ids[0]))

                inline ![z](attachment:2)

                ![three\\.png](attachment:\(ids[2]))

                """)
        #expect(try test.file("two.pdf", of: note) == [2] && test.file("three.png", of: note, isThumbnail: true) == [9])
        #expect(test.files.count == 5)
        try test.reopenUnread()
        try notebook.heads.loadAll()
        #expect(test.files.count == 5)
    }

    @Test func `a line that is nothing but an attachment keeps its place in a paragraph, a quote and a list`() throws {
        let staged = try (1...4).map { try stage([$0], "\($0).png") }
        let text = """
            Look
            ![a](attachment:0)
            there

            > ![b](attachment:1)

            - ![c](attachment:2)

            ```
            ![d](attachment:3)
            ```

            """
        let note = try bring(head("app:1", attachments: 4), text, staged).note
        let ids = try notebook.attachments.list(of: note).map(\.id)
        let stored = try test.text(note)
        #expect(
            stored.hasPrefix("Look\n![a](attachment:\(ids[0]))\nthere\n\n> ![b](attachment:\(ids[1]))\n"), "\(stored)")
        #expect(stored.contains("- ![c](attachment:\(ids[2]))"), "\(stored)")
        // Code says what it says, and its file stands at the end.
        #expect(
            stored.contains("```\n![d](attachment:3)\n```\n") && stored.contains("attachment:\(ids[3]))"), "\(stored)")
        #expect(ids.allSatisfy { stored.split(separator: $0).count == 2 }, "\(stored)")
    }

    @Test func `a locked note comes in with its files under its key, or not at all`() throws {
        try test.openSession()
        do {
            let staged = try [stage([1], "one.png"), stage([2], "two.pdf", .pdf)]
            let error = #expect(throws: NotesError.self) {
                try bring(head("app:1", attachments: 2, isLocked: true), "text\n", staged)
            }
            #expect(error?.code == .refused && error?.message.contains("two.pdf") == true)
        }
        #expect(try test.files.isEmpty && test.titles().isEmpty)
        let staged = try [stage([1], "one.png")]
        let note = try bring(head("app:1", attachments: 1, isLocked: true), "text\n", staged).note
        #expect(try test.file("one.png", of: note) == [1])
        test.endSession()
        #expect(refusal { try test.file("one.png", of: note) } == .noteLocked)
    }

    @Test func `a note that cannot be stored leaves none of its files behind`() throws {
        try test.execute(
            "CREATE TRIGGER stop BEFORE INSERT ON record WHEN NEW.type = 1 BEGIN SELECT RAISE(ABORT, 'stop'); END")
        do {
            let staged = try [stage([1], "one.png"), stage([2], "two.png")]
            #expect(refusal { try bring(head("app:1", attachments: 2), "text\n", staged) } == .storage)
        }
        #expect(try test.files.isEmpty && test.titles().isEmpty && test.sealed(RecordType.attachment).isEmpty)
        try test.execute("DROP TRIGGER stop")
        #expect(try bring(head("app:1", attachments: 1), "text\n", [stage([1], "one.png")]).change == .added)
    }

    @Test func `a source needs a name, and all of its files`() throws {
        for source in ["", String(repeating: "x", count: 4097)] {
            #expect(refusal { try bring(head(source), "text\n") } == .invalid)
        }
        for count in [0, 2, -1, .max] {
            let head = head("app:1", attachments: count)
            #expect(refusal { try bring(head, "text\n", [stage([1], "p.png")]) } == .invalid)
        }
        var bad = head("app:1")
        bad.tags = [""]
        #expect(refusal { try bring(bad, "text\n") } == .invalid)
        #expect(try test.titles().isEmpty && test.files.isEmpty)
        let lone = try notebook.attachments.stage(NewAttachment(name: "p", kind: .image, mediaType: ""))
        #expect(refusal { try notebook.attachments.finish(lone) } == .invalid)
    }
}
