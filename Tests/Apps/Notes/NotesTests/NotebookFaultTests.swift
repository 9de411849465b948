import Envelopes
import NotesClient
import Secrets
import Testing

@testable import Notes

/// A store that cannot write, and texts that nobody would type.
@Suite struct NotebookFaultTests {
    /// No page more than there are.
    private static let full = "PRAGMA max_page_count = 1"
    private static let roomy = "PRAGMA max_page_count = 1073741823"

    private func stop(_ type: UInt16, in test: TestNotebook) throws {
        try test.execute(
            """
            CREATE TRIGGER stop BEFORE INSERT ON record WHEN NEW.type = \(type)
            BEGIN SELECT RAISE(ABORT, 'stop'); END
            """)
    }

    @Test func `a full disk changes nothing, neither there nor in memory, and goes by`() throws {
        let test = try TestNotebook()
        let note = try test.create("# One\n\nsmall words\n")
        let summary = try test.notebook.summary(of: note)
        let large = "# Large\n\n" + String(repeating: "large words ", count: 50_000)
        try test.execute(Self.full)
        #expect(refusal { try test.create(large) } == .cannotWrite)
        #expect(refusal { try test.edit(note, large) } == .cannotWrite)
        #expect(refusal { try test.notebook.edits.keepDraft(of: note, base: 1, markdown: large) } == .cannotWrite)
        #expect(try test.titles() == ["One"] && test.found("large").isEmpty && test.found("small") == ["One"])
        #expect(try test.notebook.summary(of: note) == summary && test.text(note) == "# One\n\nsmall words\n")
        #expect(try test.notebook.texts.versions(of: note).count == 1)
        try test.execute(Self.roomy)
        try test.edit(note, large)
        try test.reopen()
        #expect(try test.titles() == ["Large"] && test.notebook.texts.versions(of: note).count == 2)
    }

    @Test func `notes are listed and found on a full disk though a draft cannot be taken up`() throws {
        let test = try TestNotebook()
        let note = try test.create("# One\n\nwords\n")
        let large = "# Large\n\n" + String(repeating: "large words ", count: 50_000)
        try test.notebook.edits.keepDraft(of: note, base: 1, markdown: large)
        try test.reopenUnread()
        try test.execute(Self.full)
        #expect(refusal { try test.notebook.lists.list(NoteFilter()) } == nil)
        #expect(refusal { try test.settle() } == nil)
        #expect(try test.titles() == ["One"] && test.found("words") == ["One"])
        try test.execute(Self.roomy)
        try test.reopen()
        #expect(try test.titles() == ["Large"])
    }

    @Test(arguments: [false, true])
    func `a draft that could not be taken up gives way to no other text`(isDraft: Bool) throws {
        let test = try TestNotebook()
        let note = try test.create("# One\n\nwords\n")
        let large = "# One\n\nwords\n\n" + String(repeating: "large words ", count: 50_000) + "\n"
        try test.notebook.edits.keepDraft(of: note, base: 1, markdown: large)
        try test.reopenUnread()
        try test.execute(Self.full)
        #expect(try test.titles() == ["One"])
        try test.execute(Self.roomy)
        let other = "# One\n\nwords\n\nothers\n"
        if isDraft {
            try test.notebook.edits.keepDraft(of: note, base: 1, markdown: other)
            try test.reopen()
        } else {
            try test.notebook.edits.edit(note, base: 1, markdown: other)
        }
        let text = try test.text(note)
        #expect(text.contains("large words") && text.contains("others"))
    }

    @Test func `a draft that was thrown away is no earlier one`() throws {
        let test = try TestNotebook()
        let note = try test.create("# One\n\nwords\n")
        let large = "# One\n\nwords\n\n" + String(repeating: "large words ", count: 50_000) + "\n"
        try test.notebook.edits.keepDraft(of: note, base: 1, markdown: large)
        try test.reopenUnread()
        try test.execute(Self.full)
        #expect(try test.titles() == ["One"])
        try test.execute(Self.roomy)
        try test.notebook.edits.discardDraft(of: note)
        for text in ["# One\n\nwords, mine\n", "# One\n\nwords, mine and more\n"] {
            try test.notebook.edits.keepDraft(of: note, base: 1, markdown: text)
            #expect(try test.text(note) == "# One\n\nwords\n", "what is being written is no text yet")
        }
    }

    @Test func `what cannot be read now is no damage, and is there again`() throws {
        let test = try TestNotebook()
        let note = try test.create("one\n")
        try test.edit(note, "two needle\n")
        try test.reopen()
        try test.failReads(of: RecordType.version)
        #expect(refusal { try test.text(note, version: 1) } == .storage)
        #expect(try test.notebook.texts.versions(of: note).map(\.isDamaged) == [nil, nil])
        try test.letReads()
        #expect(try test.text(note, version: 1) == "one\n" && test.notebook.records.damaged.isEmpty)
        try test.notebook.trash.delete(note, forever: false)
        try test.failReads(of: RecordType.history)
        #expect(refusal { try test.notebook.trash.delete(note, forever: true) } == .storage)
        try test.letReads()
        try test.notebook.trash.delete(note, forever: true)
        #expect(try test.sealed(RecordType.version).isEmpty && test.sealed(RecordType.history).isEmpty)
    }

    @Test func `where what no head names cannot be looked for, everything else is there`() throws {
        let test = try TestNotebook()
        let note = try test.create("one needle\n")
        try test.notebook.edits.keepDraft(of: note, base: 1, markdown: "one needle, and a draft\n")
        try test.reopenUnread()
        try test.failReads(of: RecordType.body)
        #expect(refusal { try test.notebook.lists.list(NoteFilter()) } == .storage)
        try test.letReads()
        try test.settle()
        #expect(try test.found("needle").count == 1 && test.notebook.heads.strayTexts.isEmpty)
        try test.notebook.edits.edit(note, base: 1, markdown: "one needle, and an edit\n")
        let text = try test.text(note)
        #expect(text.contains("draft") && text.contains("edit"))
    }

    @Test func `a change that fails at its very end is not in memory either`() throws {
        let test = try TestNotebook()
        let note = try test.create("one\n")
        let summary = try test.notebook.summary(of: note)
        // All records are written by then.
        try test.execute("CREATE TRIGGER last BEFORE UPDATE ON zone BEGIN SELECT RAISE(ABORT, 'last'); END")
        #expect(refusal { try test.notebook.filing.pin(note, true) } == .storage)
        #expect(refusal { try test.edit(note, "two\n") } == .storage)
        #expect(refusal { try test.create("three\n") } == .storage)
        #expect(try test.notebook.summary(of: note) == summary && test.titles() == ["one"])
        #expect(try test.text(note) == "one\n")
        try test.execute("DROP TRIGGER last")
        try test.edit(note, "two\n")
        #expect(try test.text(note) == "two\n" && test.titles() == ["two"])
    }

    @Test func `an edit that fails at its last record leaves no trace of its first ones`() throws {
        let test = try TestNotebook()
        let note = try test.create("one\n", tags: ["t"])
        let bodies = try test.sealed(RecordType.body)
        try stop(RecordType.header, in: test)
        #expect(refusal { try test.edit(note, "two\n") } == .storage)
        #expect(refusal { try test.create("three\n") } == .storage)
        #expect(refusal { try test.notebook.filing.tag(note, add: ["u"], remove: []) } == .storage)
        #expect(refusal { try test.notebook.filing.pin(note, true) } == .storage)
        #expect(refusal { try test.attach([1], as: "p.png", to: note) } == .storage)
        #expect(refusal { try test.notebook.trash.delete(note, forever: false) } == .storage)
        #expect(try test.sealed(RecordType.body) == bodies && test.sealed(RecordType.version).isEmpty)
        #expect(try test.text(note) == "one\n" && test.titles() == ["one"] && test.files.isEmpty)
        let summary = try test.notebook.summary(of: note)
        #expect(summary.tags == ["t"] && !summary.isPinned && summary.deleted == nil && summary.revision == 1)
        try test.execute("DROP TRIGGER stop")
        try test.edit(note, "two\n")
        #expect(try test.text(note) == "two\n" && test.text(note, version: 1) == "one\n")
    }

    @Test func `a file stays where nobody can tell whether its note was stored, and goes where it was not`() throws {
        let test = try TestNotebook { _ in [9] }
        let note = try test.create("one\n")
        func bring(_ source: String, _ text: String, files: Int) throws {
            var head = ImportedNoteHead(source: source)
            head.attachmentCount = files
            let staged = try (0..<files).map { number -> StagedAttachment in
                let new = NewAttachment(name: "\(number)", kind: .image, mediaType: "")
                let incoming = try test.notebook.attachments.stage(new)
                try incoming.append(inPieces: TestFile.png)
                return try test.notebook.attachments.complete(incoming)
            }
            _ = try test.notebook.imports.take(head, markdown: text, staged: staged)
        }
        try bring("app:1", "two\n", files: 0)
        let changes: [() throws -> Void] = [
            { try test.attach([1], as: "p.png", to: note) },
            { try bring("app:2", "![0](attachment:0)\n", files: 1) },
            { try bring("app:1", "two\n\n![0](attachment:0)\n", files: 1) },
        ]
        try stop(RecordType.header, in: test)
        for change in changes { #expect(refusal { try change() } == .storage) }
        #expect(test.files.isEmpty, "nothing was changed")
        try test.execute("DROP TRIGGER stop")
        // A file, and its thumbnail.
        for (number, change) in changes.enumerated() {
            try test.replaced { #expect(refusal { try change() } == .storage) }
            #expect(test.files.count == 2 * (number + 1), "change \(number)")
        }
        // Of these nothing was kept: they go aside.
        try test.reopen()
        #expect(test.files.isEmpty && test.filesAside.count == 6)
    }

    @Test func `settings and passphrases that could not be stored do not hold`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("# Diary\n", isLocked: true)
        let lockKeys = test.notebook.keyring.lockKeys
        try stop(RecordType.settings, in: test)
        #expect(refusal { try test.notebook.passphrases.reset(secret("new"), hint: nil) } == .storage)
        #expect(refusal { try test.notebook.settings.change(NotesSettings(sessionMinutes: 3)) } == .storage)
        #expect(test.notebook.keyring.lockKeys == lockKeys && test.notebook.settings.shown.sessionMinutes == 8)
        try test.execute("DROP TRIGGER stop")
        try stop(RecordType.header, in: test)
        #expect(refusal { try test.notebook.settings.change(NotesSettings(showsLockedTitles: false)) } == .storage)
        #expect(test.notebook.settings.shown.showsLockedTitles == true)
        #expect(try test.text(note) == "# Diary\n" && test.titles() == ["Diary"])
        #expect(try test.sealed(RecordType.lockKey).count == 1)
    }

    @Test func `a passphrase is another together with the count of wrong ones, or it is the old one`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("# Diary\n", isLocked: true)
        #expect(refusal { try test.notebook.passphrases.unlock(nil, with: secret("wrong")) } == .wrongPassphrase)
        try stop(RecordType.tries, in: test)
        let change = refusal {
            try test.notebook.passphrases.change(from: KnownPassphrase.secret(), to: secret("new"), hint: nil)
        }
        #expect(change == .storage)
        #expect(refusal { try test.notebook.passphrases.reset(secret("new"), hint: nil) } == .storage)
        try test.execute("DROP TRIGGER stop")
        #expect(test.notebook.keyring.tries == 1 && test.notebook.keyring.lockKeys.count == 1)
        try test.reopen()
        #expect(test.notebook.keyring.tries == 1 && test.notebook.keyring.lockKeys.count == 1)
        try test.notebook.passphrases.change(from: KnownPassphrase.secret(), to: secret("new"), hint: nil)
        #expect(try test.notebook.keyring.tries == 0 && test.text(note) == "# Diary\n")
        try test.reopen()
        #expect(test.notebook.keyring.tries == 0)
    }

    @Test func `titles are shown together with the setting, or stay hidden with it`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        _ = try test.create("# Diary\n", isLocked: true)
        try test.notebook.settings.change(NotesSettings(showsLockedTitles: false))
        try stop(RecordType.header, in: test)
        #expect(refusal { try test.notebook.settings.change(NotesSettings(showsLockedTitles: true)) } == .storage)
        #expect(test.notebook.settings.shown.showsLockedTitles == false)
        try test.execute("DROP TRIGGER stop")
        try test.reopen()
        #expect(test.notebook.settings.shown.showsLockedTitles == false)
        try test.openSession()
        try test.notebook.settings.change(NotesSettings(showsLockedTitles: true))
        try test.reopen()
        #expect(try test.titles() == ["Diary"])
    }

    @Test func `a note that could not be erased is still in the trash, with its files`() throws {
        let test = try TestNotebook()
        let note = try test.create("one\n")
        try test.attach([1], as: "p.png", to: note)
        try test.notebook.trash.delete(note, forever: false)
        try stop(RecordType.header, in: test)
        #expect(refusal { try test.notebook.trash.delete(note, forever: true) } == .storage)
        #expect(try test.titles(NoteFilter(isInTrash: true)) == ["one"] && test.file("p.png", of: note) == [1])
        try test.execute("DROP TRIGGER stop")
        try test.notebook.trash.restore(note)
        #expect(try test.text(note).hasPrefix("one\n"))
    }

    // MARK: Texts

    @Test func `an empty text is a note without a title`() throws {
        let test = try TestNotebook()
        let note = try test.create("")
        #expect(try test.text(note).isEmpty && test.titles() == [""])
        try test.edit(note, "\n \n\t\n")
        #expect(try test.text(note) == "\n \n\t\n" && test.titles() == [""])
    }

    @Test func `null characters are kept, and visible in lists`() throws {
        let test = try TestNotebook()
        let note = try test.create("a\u{0}b needle\n\n```\n\u{0}\n```\n")
        try test.reopen()
        #expect(try test.text(note) == "a\u{0}b needle\n\n```\n\u{0}\n```\n")
        #expect(try test.titles() == ["a\u{FFFD}b needle"] && test.found("needle").count == 1)
    }

    @Test func `a title turns no line around and moves no cursor`() throws {
        let test = try TestNotebook()
        for text in ["\u{202E}gpj.exe", "\u{2066}a\u{2069}", "\u{1B}[2Ja", "a\u{7}b\u{8}", "\u{200F}a\u{61C}"] {
            _ = try test.create(text)
        }
        for title in try test.titles() {
            #expect(title.contains("\u{FFFD}"))
            let isBad = title.unicodeScalars.contains {
                $0.properties.isBidiControl || $0.properties.generalCategory == .control
            }
            #expect(!isBad)
        }
    }

    @Test func `a title is cut before it fills the screen`() throws {
        let test = try TestNotebook()
        let accents = "a" + String(repeating: "\u{301}", count: 100_000)
        for text in [String(repeating: "x", count: 10_000), accents] { _ = try test.create(text) }
        for title in try test.titles() { #expect(title.count <= 120 && title.unicodeScalars.count <= 1000) }
    }

    @Test func `a paragraph of ten megabytes is a note like any other`() throws {
        let test = try TestNotebook()
        let text = String(repeating: "word ", count: 2_000_000) + "needle\n"
        let note = try test.create(text)
        #expect(try test.text(note) == text && test.found("needle").count == 1)
        #expect(try test.notebook.summary(of: note).title.count <= 120)
    }

    @Test func `a note of a hundred thousand blocks is edited like any other`() throws {
        let test = try TestNotebook()
        let text = (0..<100_000).map { "p\($0)\n" }.joined(separator: "\n")
        let note = try test.create(text)
        let changed = text.replacing("p50000\n", with: "middle\n")
        try test.edit(note, changed)
        #expect(try test.text(note) == changed && test.text(note, version: 1) == text)
    }
}
