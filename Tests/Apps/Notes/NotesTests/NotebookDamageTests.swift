import Envelopes
import NotesClient
import Secrets
import Testing

@testable import Notes

/// One bit of one record flips on the disk: what it belongs to says so, all else works, and the record stays as it is.
@Suite struct NotebookDamageTests {
    private let test: TestNotebook
    private let victim: Identifier
    private let open: Identifier
    private let locked: Identifier
    private var notebook: Notebook { test.notebook }

    init() throws {
        test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        open = try test.create("# Open\n\nopen words\n")
        locked = try test.create("# Locked\n\nlocked words\n", isLocked: true)
        victim = try test.create("# Victim\n\nfirst words\n", isLocked: true)
        try test.edit(victim, "# Victim\n\nsecond words\n")
        try test.attach([1], as: "p.png", to: victim)
    }

    /// A record of the victim, and what is refused once it is damaged.
    enum Part: CaseIterable { case header, body, lock, history, version, attachment }

    private func record(_ part: Part) throws -> (name: Identifier, type: UInt16) {
        let header = try notebook.heads.header(victim)
        switch part {
        case .header: return (victim, RecordType.header)
        case .body: return (header.body, RecordType.body)
        case .lock: return (try #require(header.lock), RecordType.lock)
        case .history: return (try #require(header.history), RecordType.history)
        case .version: return (try #require(notebook.parts.history(header).entries.first).version, RecordType.version)
        case .attachment: return (try #require(header.attachments.first), RecordType.attachment)
        }
    }

    private func refusals() throws -> [Part: NotesError.Code?] {
        [
            .body: refusal { try test.text(victim) },
            .version: refusal { try test.text(victim, version: 1) },
            .attachment: refusal { try test.file("p.png", of: victim) },
        ]
    }

    private func expectOthersToWork() throws {
        #expect(try test.text(open) == "# Open\n\nopen words\n" && test.text(locked) == "# Locked\n\nlocked words\n")
        #expect(try test.found("words").filter { $0 != "Victim" } == ["Locked", "Open"])
        try test.edit(open, "# Open\n\nopen words\n\nmore\n")
        try test.edit(locked, "# Locked\n\nlocked words\n\nmore\n")
        try test.notebook.locks.removeLock(locked)
        #expect(try test.text(open, version: 1) == "# Open\n\nopen words\n")
        #expect(try test.titles().filter { $0 != "Victim" } == ["Locked", "Open"])
    }

    @Test(arguments: Part.allCases) func `a note with a damaged record says so, and nothing touches it`(
        _ part: Part
    ) throws {
        let (name, type) = try record(part)
        try test.damage(name, type)
        let damaged = try test.sealed(type)[name]
        try test.reopen()
        try test.openSession()
        let codes = try refusals().compactMapValues(\.self)
        switch part {
        case .header: #expect(codes.count == 3 && Set(codes.values) == [.damaged])
        case .lock:
            #expect(codes.count == 3 && Set(codes.values) == [.damaged], "damage, and no lock")
            #expect(try notebook.summary(of: victim).damage == [.lock])
            #expect(try notebook.lists.list(NoteFilter()).notes.filter { $0.damage != nil }.map(\.title) == ["Victim"])
        case .body: #expect(codes[.body] == .damaged && codes[.version] == nil && codes[.attachment] == nil)
        case .history: #expect(codes == [.version: .damaged])
        case .version: #expect(codes == [.version: .damaged])
        case .attachment: #expect(codes == [.attachment: .damaged])
        }
        #expect(try notebook.status(process: 1).damaged == [name.description])
        // Whatever is tried with the note, its damaged record is still there for whoever can mend it.
        _ = refusal { try test.edit(victim, "# Victim\n\nthird words\n") }
        _ = refusal { try test.attach([2], as: "q.png", to: victim) }
        _ = refusal { try notebook.filing.tag(victim, add: ["t"], remove: []) }
        _ = refusal { try notebook.locks.removeLock(victim) }
        try expectOthersToWork()
        try test.reopen()
        #expect(try test.sealed(type)[name] == damaged)
    }

    @Test func `a note whose list of former texts does not open is changed, and its former texts are not forgotten`()
        throws
    {
        let (name, type) = try record(.history)
        try test.damage(name, type)
        let damaged = try test.sealed(type)[name]
        try test.reopen()
        try test.openSession()
        #expect(try notebook.texts.versions(of: victim).map(\.isDamaged) == [true, nil])
        #expect(
            try test.text(victim, version: 2).contains("second words"), "the number of the present text is the same")
        try test.edit(victim, "# Victim\n\nthird words\n")
        try test.attach([2], as: "q.png", to: victim)
        try notebook.attachments.detach("q.png", from: victim)
        try test.edit(victim, "# Victim\n\nfourth words\n")
        for _ in 0..<2 {
            #expect(try notebook.texts.versions(of: victim).map(\.isDamaged) == [true, nil, nil, nil])
            #expect(try notebook.texts.versions(of: victim).map(\.number) == [0, 2, 3, 4])
            #expect(try test.text(victim, version: 2).contains("second words"))
            #expect(try test.text(victim, version: 3).contains("third words"))
            #expect(try test.text(victim).contains("fourth words"))
            for lost in 0...1 { #expect(refusal { try test.text(victim, version: lost) } == .damaged) }
            #expect(refusal { try test.text(victim, version: 5) } == .notFound)
            // Its former texts could not be taken out of the lock.
            #expect(refusal { try notebook.locks.removeLock(victim) } == .damaged)
            #expect(try test.sealed(type)[name] == damaged)
            try test.reopen()
            try test.openSession()
        }
        for number in 0..<(NoteTexts.mostVersions + 3) {
            try test.edit(victim, "# Victim\n\nword \(number)\n")
        }
        let versions = try notebook.texts.versions(of: victim)
        #expect(versions.count == NoteTexts.mostVersions + 1 && versions.first?.isDamaged == true)
        try notebook.trash.delete(victim, forever: false)
        try notebook.trash.delete(victim, forever: true)
        #expect(try test.sealed(type)[name] == nil)
    }

    @Test(arguments: [false, true])
    func `a list that opens again is one with its successor`(isErased: Bool) throws {
        let (name, type) = try record(.history)
        let whole = try test.sealed(type)[name]
        try test.damage(name, type)
        try test.reopen()
        try test.openSession()
        try test.edit(victim, "# Victim\n\nthird words\n")
        try test.replace(name, by: try #require(whole))
        try test.reopen()
        try test.openSession()
        for _ in 0..<2 {
            #expect(try notebook.texts.versions(of: victim).map(\.number) == [1, 2, 3])
            #expect(try notebook.texts.versions(of: victim).map(\.isDamaged) == [nil, nil, nil])
            #expect(try test.text(victim, version: 1).contains("first words"))
            try test.reopen()
            try test.openSession()
        }
        if isErased {
            try notebook.trash.delete(victim, forever: false)
            try notebook.trash.delete(victim, forever: true)
            return #expect(try test.sealed(type)[name] == nil)
        }
        try test.edit(victim, "# Victim\n\nfourth words\n")
        #expect(try notebook.texts.versions(of: victim).map(\.number) == [1, 2, 3, 4])
        #expect(try test.sealed(type)[name] == nil, "what it had is in its successor")
        try notebook.locks.removeLock(victim)
        #expect(try test.text(victim, version: 1).contains("first words"))
    }

    @Test func `where several heads are damaged, no note takes another's place`() throws {
        let other = try test.create("# Other\n\nother words\n")
        for note in [open, other] { try test.damage(note, RecordType.header) }
        let before = try [open, other].map { try test.sealed(RecordType.header)[$0] }
        try test.reopen()
        try test.openSession()
        let notes = try [notebook.trash.restore(open), notebook.trash.restore(open)]
        #expect(Set(notes + [open, other]).count == 4)
        #expect(try Set(notes.map { try test.text($0) }) == ["# Open\n\nopen words\n", "# Other\n\nother words\n"])
        #expect(refusal { try notebook.trash.restore(other) } == .damaged)
        #expect(try [open, other].map { try test.sealed(RecordType.header)[$0] } == before)
    }

    @Test func `what names a lost list is dropped for no number of versions`() {
        var history = NoteHistory.lost(victim, created: 7)
        for revision in 1...4 as ClosedRange<UInt64> {
            history.entries.append(
                NoteHistory.Entry(version: .makeRandom(), modified: 8, revision: revision, byteCount: 1))
        }
        #expect(history.trim(to: 2, keeping: 3).map(\.revision) == [1, 2, 4])
        #expect(history.entries.map(\.revision) == [0, 3])
    }

    @Test func `an edit that began from a text which does not open is kept beside what came since`() throws {
        let base = try notebook.heads.header(open).textRevision
        try test.edit(open, "# Open\n\nopen words\n\nfrom here\n")
        let version = try #require(notebook.parts.history(notebook.heads.header(open)).entries.first).version
        try test.damage(version, RecordType.version)
        try test.reopen()
        try notebook.edits.edit(open, base: base, markdown: "# Open\n\nfrom there\n")
        #expect(try test.text(open).contains("from there") && test.text(open, version: 2).contains("from here"))
        #expect(try notebook.summary(of: open).hasConflict)
        #expect(try notebook.texts.versions(of: open).map(\.isDamaged) == [true, nil, nil])
    }

    @Test func `a note without its head is in every list but the trash, and no search is silent about it`() throws {
        try test.damage(victim, RecordType.header)
        try test.reopen()
        let list = try notebook.lists.list(NoteFilter())
        #expect(list.total == 3 && list.notes.map(\.damage) == [nil, nil, [.head]])
        #expect(list.notes[2].id == victim.description && list.notes[2].title.isEmpty)
        #expect(try notebook.lists.list(NoteFilter(offset: 2, limit: 1)).notes.map(\.id) == [victim.description])
        #expect(try notebook.lists.list(NoteFilter(folder: "Work")).notes.map(\.damage) == [[.head]])
        #expect(try notebook.lists.list(NoteFilter(isInTrash: true)).notes.isEmpty)
        #expect(try notebook.lists.find("open", limit: 9).unread?.map(\.id) == [victim.description])
        let beginning = String(victim.description.prefix(6))
        let found = try notebook.find(beginning)
        #expect(found == victim && refusal { try notebook.summary(of: victim) } == .damaged)
    }

    @Test func `a text that does not open is named by every search`() throws {
        let (name, type) = (try notebook.heads.header(open).body, RecordType.body)
        try test.damage(name, type)
        try test.reopen()
        let found = try notebook.lists.find("words", limit: 9)
        #expect(found.unread?.map(\.id) == [open.description] && found.unread?.first?.damage == [.text])
        #expect(found.unread?.first?.title == "Open")
    }

    @Test func `an attachment whose record does not open is listed, and hides no other`() throws {
        try test.attach([7], as: "q.png", to: victim)
        let (name, type) = try record(.attachment)
        try test.damage(name, type)
        try test.reopen()
        try test.openSession()
        let all = try notebook.attachments.list(of: victim)
        #expect(all.map(\.name) == ["", "q.png"] && all.map(\.isDamaged) == [true, nil])
        #expect(try test.file("q.png", of: victim).last == 7)
    }

    @Test func `a damaged lock or body is mended by putting its bytes back`() throws {
        for part in [Part.body, .lock] {
            let (name, type) = try record(part)
            try test.damage(name, type)
            try test.reopen()
            try test.openSession()
            #expect(refusal { try test.text(victim) } == .damaged)
            // The same bit once more.
            try test.damage(name, type)
            try test.reopen()
            try test.openSession()
            #expect(try test.text(victim).hasPrefix("# Victim\n\nsecond words\n") && notebook.records.damaged.isEmpty)
        }
    }

    @Test func `settings that cannot be read are kept, and others are chosen beside them`() throws {
        try test.damage(RecordType.settings)
        let damaged = try test.sealed(RecordType.settings)
        try test.reopen()
        #expect(notebook.records.damaged == Set(damaged.keys))
        #expect(try test.text(open) == "# Open\n\nopen words\n" && test.titles() == ["Victim", "Locked", "Open"])
        #expect(notebook.session.hasPassphrase, "the newest that is known is in force")
        try notebook.settings.change(NotesSettings(sessionMinutes: 3))
        try test.reopen()
        #expect(notebook.settings.shown.sessionMinutes == 3)
        for (name, sealed) in damaged { #expect(try test.sealed(RecordType.settings)[name] == sealed) }
    }

    @Test func `a locked note opens with its passphrase though the settings cannot be read`() throws {
        try test.damage(RecordType.settings)
        try test.reopen()
        try notebook.passphrases.unlock(locked, with: KnownPassphrase.secret())
        #expect(try test.text(locked) == "# Locked\n\nlocked words\n")
    }

    @Test func `a passphrase whose record cannot be read is kept, and its notes say so`() throws {
        let name = try test.damage(RecordType.lockKey)
        let damaged = try test.sealed(RecordType.lockKey)[name]
        try test.reopen()
        #expect(refusal { try notebook.passphrases.unlock(locked, with: KnownPassphrase.secret()) } == .damaged)
        #expect(try notebook.status(process: 1).damaged.contains(name.description))
        #expect(try test.text(open) == "# Open\n\nopen words\n")
        #expect(refusal { try notebook.passphrases.set(secret("new"), hint: nil) } == .passphraseExists)
        try notebook.passphrases.reset(secret("new"), hint: nil)
        let fresh = try test.create("fresh\n", isLocked: true)
        #expect(try test.text(fresh) == "fresh\n" && test.sealed(RecordType.lockKey)[name] == damaged)
        test.endSession()
        #expect(
            refusal { try notebook.passphrases.unlock(nil, with: KnownPassphrase.secret()) } == .damaged,
            "not a wrong one")
        #expect(notebook.keyring.tries == 0)
        #expect(try notebook.summary(of: locked).damage == [.lock] && notebook.summary(of: fresh).damage == nil)
    }

    @Test func `a count of tries that cannot be read is kept, and counted anew`() throws {
        #expect(refusal { try notebook.passphrases.unlock(locked, with: secret("wrong")) } == .wrongPassphrase)
        let name = try test.damage(RecordType.tries)
        let damaged = try test.sealed(RecordType.tries)[name]
        try test.reopen()
        #expect(refusal { try notebook.passphrases.unlock(locked, with: secret("wrong")) } == .wrongPassphrase)
        #expect(try test.sealed(RecordType.tries)[name] == damaged && test.sealed(RecordType.tries).count == 2)
        #expect(notebook.keyring.tries == 1)
    }

    @Test func `a draft that cannot be read is kept, and other drafts are taken up`() throws {
        try notebook.edits.keepDraft(of: open, base: 1, markdown: "# Open\n\nlost words\n")
        let name = try test.damage(RecordType.draft)
        let damaged = try test.sealed(RecordType.draft)[name]
        let other = try test.create("one\n")
        try notebook.edits.keepDraft(of: other, base: 1, markdown: "two\n")
        try test.reopen()
        #expect(try test.text(other) == "two\n" && test.text(open) == "# Open\n\nopen words\n")
        #expect(try test.sealed(RecordType.draft) == [name: #require(damaged)] && notebook.records.damaged == [name])
    }

    @Test(arguments: [
        RecordType.header, RecordType.lock, RecordType.lockKey, RecordType.settings, RecordType.tries,
    ])
    func `a record of a layout that nobody knows counts as damaged, and the others are read`(_ type: UInt16) throws {
        let name = Identifier.makeRandom()
        let zone = notebook.records.zone
        _ = try test.zones.write { try $0.put(name, type: type, [99, 1, 2, 3], in: zone) }
        try test.reopen()
        #expect(notebook.records.damaged == [name])
        try test.openSession()
        #expect(try test.text(open) == "# Open\n\nopen words\n" && test.text(locked) == "# Locked\n\nlocked words\n")
    }

    @Test func `titles come back to lists though one of the notes cannot be read`() throws {
        try notebook.settings.change(NotesSettings(showsLockedTitles: false))
        try test.damage(notebook.heads.header(victim).body, RecordType.body)
        try test.reopen()
        try notebook.settings.change(NotesSettings(showsLockedTitles: true))
        #expect(refusal { try test.openSession() } == nil)
        #expect(try notebook.summary(of: locked).title == "Locked")
        try notebook.settings.change(NotesSettings(showsLockedTitles: false))
        #expect(refusal { try notebook.settings.change(NotesSettings(showsLockedTitles: true)) } == nil)
        #expect(try notebook.summary(of: locked).title == "Locked")
    }

    @Test func `a part that was moved to another note does not open there`() throws {
        let (mine, its) = (try notebook.heads.header(locked).body, try notebook.heads.header(victim).body)
        let zone = notebook.records.zone
        let content = try notebook.records.content(its)
        _ = try test.zones.write { try $0.put(mine, type: RecordType.body, content, in: zone) }
        #expect(refusal { try test.text(locked) } == .damaged)
        #expect(try test.text(victim).hasPrefix("# Victim"))
    }

    @Test func `a lock of another note does not open this one`() throws {
        let zone = notebook.records.zone
        let lock = try #require(notebook.heads.header(locked).lock)
        let content = try notebook.records.content(try #require(notebook.heads.header(victim).lock))
        _ = try test.zones.write { try $0.put(lock, type: RecordType.lock, content, in: zone) }
        #expect(refusal { try test.text(locked) } == .damaged)
    }
}
