import Envelopes
import NotesClient
import Secrets
import Testing

@testable import Notes
import Zones

/// What was typed comes back byte for byte, on each path that a text takes.
@Suite struct NotebookTypedTextTests {
    static let texts = [
        "", "\n", "no end", "# T\r\n\r\nCRLF\r\n", "mixed\nends\r\nand\rmore", "\u{FEFF}# After a mark\n",
        "nul \u{0} here\n",
        "\ttab\n  \n\n trailing  \t\n\n\n", "[Anna]: 0171-1234567\n\n[wifi]: secret", "[a][b]\n\n[b]: /u 'x'\n",
        "| a | b |\n|---|---|\n| 1 | 2 | extra |\n", "Text[^1].\n\n[^1]: A note.\n", "7. seven\n3. three\n  * odd\n",
        "Setext\n======\n\n+ plus\n\n***\n\n~~~\ntilde\n~~~\n", "```\nnot closed\n\n", "<!-- not closed\n\ntext\n",
        "Cafe\u{301} Caf\u{E9} 👩‍👩‍👧\n", "![p](attachment:00112233445566778899aabbccddeeff \"title\")\n",
        "&amp; \\* &copy; http://a.b/c_d_e me@x.org\n", "---\ntitle: front matter\n---\n\ntext\n",
    ]

    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook(suite: .tresor256) { _ in [9] } }

    private func isKept(_ note: Identifier, _ text: String, version: Int? = nil) throws -> Bool {
        try test.text(note, version: version).utf8.elementsEqual(text.utf8)
    }

    @Test func `made, read after a restart, saved again as it is`() throws {
        for text in Self.texts {
            let note = try test.create(text)
            #expect(try isKept(note, text))
            try test.edit(note, text)
            #expect(try notebook.texts.versions(of: note).count == 1, "nothing was changed, so nothing was saved")
            try test.reopen()
            #expect(try isKept(note, text), "\(text)")
        }
    }

    @Test func `edited, as a version, brought back`() throws {
        let note = try test.create("first\n")
        for (number, text) in Self.texts.enumerated() {
            try test.edit(note, text)
            #expect(try isKept(note, text))
            #expect(try notebook.texts.versions(of: note).last?.byteCount == text.utf8.count)
            if number > 0 { #expect(try isKept(note, Self.texts[number - 1], version: number + 1)) }
        }
        try notebook.edits.revert(note, to: 4)
        #expect(try isKept(note, Self.texts[2]))
    }

    @Test func `as a draft that a restart takes up`() throws {
        for text in Self.texts {
            let note = try test.create("was\n")
            try notebook.edits.keepDraft(of: note, base: 1, markdown: text)
            try test.reopen()
            #expect(try isKept(note, text) && !notebook.summary(of: note).hasDraft)
        }
    }

    @Test func `locked, read in a session, and unlocked for good`() throws {
        try test.openSession()
        for text in Self.texts {
            let note = try test.create(text)
            try test.edit(note, text + "x")
            try notebook.locks.lock(note)
            #expect(try isKept(note, text + "x") && isKept(note, text, version: 1))
            try notebook.edits.keepDraft(of: note, base: 2, markdown: text + "y")
            try notebook.locks.removeLock(note)
            #expect(try isKept(note, text + "x") && isKept(note, text, version: 1))
            try test.reopen()
            try test.openSession()
            #expect(try isKept(note, text + "y"))
        }
    }

    @Test func `imported, and imported again later`() throws {
        for (number, text) in Self.texts.enumerated() {
            var head = ImportedNoteHead(source: "app:\(number)")
            let outcome = try notebook.imports.take(head, markdown: text, staged: [])
            let note = try #require(Identifier(outcome.id))
            #expect(try isKept(note, text))
            head.modified = try notebook.summary(of: note).modified + 1
            #expect(try notebook.imports.take(head, markdown: text + "\nmore", staged: []).change == .updated)
            #expect(try isKept(note, text + "\nmore"))
        }
    }

    @Test func `an attachment comes and goes, and leaves the text as it was`() throws {
        for text in Self.texts where !text.isEmpty {
            let note = try test.create(text)
            try test.attach([1], as: "p.png", to: note)
            let id = try #require(try notebook.attachments.list(of: note).first?.id)
            let longer = try test.text(note)
            #expect(longer.contains("](attachment:\(id))") && longer.utf8.count > text.utf8.count)
            let shown = AttachmentText.attachments(in: Markdown.split(Array(longer.utf8)))
            #expect(shown.contains(try #require(Identifier(id))), "\(longer)")
            try notebook.attachments.detach("p.png", from: note)
            #expect(try isKept(note, text), "\(text)")
        }
    }

    @Test func `an edit that changes bytes and no letters is one`() throws {
        let note = try test.create("Caf\u{E9}\n")
        try test.edit(note, "Cafe\u{301}\n")
        #expect(try isKept(note, "Cafe\u{301}\n") && isKept(note, "Caf\u{E9}\n", version: 1))
    }

    @Test func `a definition beside an attachment stays when the attachment goes`() throws {
        let note = try test.create("a\n")
        try test.attach([1], as: "p.png", to: note)
        let id = try #require(try notebook.attachments.list(of: note).first?.id)
        try test.edit(note, "[wifi]: secret\n![p](attachment:\(id))\n\nb [link](attachment:\(id))\n")
        try notebook.attachments.detach("p.png", from: note)
        #expect(try test.text(note) == "[wifi]: secret\n\nb [link](attachment:\(id))\n")
    }

    @Test func `two edits of one text lose nothing that was typed`() throws {
        let note = try test.create("[wifi]: old\r\n\r\n| a |\r\n|---|\r\n| 1 | x |\r\n\r\nend")
        let base = try notebook.summary(of: note).revision
        try notebook.edits.edit(note, base: base, markdown: "[wifi]: new\r\n\r\n| a |\r\n|---|\r\n| 1 | x |\r\n\r\nend")
        try notebook.edits.edit(
            note, base: base, markdown: "[wifi]: old\r\n\r\n| a |\r\n|---|\r\n| 1 | y |\r\n\r\nthe end")
        #expect(try isKept(note, "[wifi]: new\r\n\r\n| a |\r\n|---|\r\n| 1 | y |\r\n\r\nthe end"))
        #expect(try !notebook.summary(of: note).hasConflict)
    }

    @Test func `a text that is no UTF-8 is refused, and nothing changes`() throws {
        let note = try test.create("kept\n")
        let requests: [NotesRequest] = [
            .create(NewNote()), .edit(id: note.description, base: 1), .keepDraft(id: note.description, base: 1),
        ]
        for request in requests {
            #expect(refusal { try notebook.answer(request, secrets: .none, body: [0x61, 0xE9]) } == .invalid)
        }
        #expect(try test.text(note) == "kept\n" && notebook.status(process: 1).notes == 1)
    }

    // MARK: Notes that version 0.1 wrote

    @Test func `a note of the former layout reads as it did, and is stored as typed with the next edit`() throws {
        let text = "# Plan\n\n- [x] one\n- [ ] two\n\n> wise *words*\n\n| a | b |\n| --- | :-: |\n| 1 | 2 |\n\n___\n"
        let note = try test.create("first\n")
        try store(former: Markdown.blocks(from: text), in: note)
        try test.reopen()
        #expect(try isKept(note, text) && test.found("wise") == ["first"])
        try test.edit(note, text)
        #expect(
            try notebook.texts.versions(of: note).count == 1 && layout(of: note) == 1, "an edit that changes nothing")
        try test.edit(note, text + "\n[wifi]: secret")
        #expect(try isKept(note, text + "\n[wifi]: secret") && isKept(note, text, version: 1) && layout(of: note) == 2)
        try notebook.edits.edit(note, base: 1, markdown: text.replacing("one", with: "one and a half"))
        let both = text.replacing("one", with: "one and a half") + "\n[wifi]: secret"
        #expect(try isKept(note, both) && !notebook.summary(of: note).hasConflict)
    }

    @Test func `samples that version 0.1 stored open with the text that it showed`() throws {
        for document in MarkdownSamples.documents + MarkdownSamples.normalized {
            let blocks = Markdown.blocks(from: document)
            let body = try NoteBody(from: FormerEncoding.body(blocks))
            #expect(body.markdown.utf8.elementsEqual(Markdown.render(blocks).utf8))
            #expect(Set(body.blocks.map(\.id)).count == body.blocks.count)
            #expect(try NoteBody(from: FormerEncoding.body(blocks)) == body, "the same identities each time")
            if body.blocks.count == blocks.count { #expect(body.blocks.map(\.id) == blocks.map(\.id)) }
        }
    }

    private func store(former blocks: [Block], in note: Identifier) throws {
        let header = try notebook.heads.header(note)
        try notebook.heads.change { writer in
            try notebook.parts.store(
                FormerEncoding.body(blocks), in: header.body, type: RecordType.body,
                as: LockPart(note: note, kind: .body), nil, writer)
        }
    }

    private func layout(of note: Identifier) throws -> UInt8? {
        let header = try notebook.heads.header(note)
        return try notebook.parts.open(header.body, as: LockPart(note: note, kind: .body), nil).first
    }
}
