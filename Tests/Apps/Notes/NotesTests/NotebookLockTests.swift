import Envelopes
import Foundation
import KeyEnvelopes
import NotesClient
import Secrets
import Testing

@testable import Notes
@testable import Zones

@Suite struct NotebookLockTests {
    @Test func `a locked note without its session shows its title and nothing else`() throws {
        let test = try TestNotebook(suite: .tresor256) { _ in [1, 2, 3] }
        try test.openSession()
        let note = try test.create("# Diary\n\nfirst secret\n", tags: ["private"], isLocked: true)
        try test.edit(note, "# Diary\n\nsecond secret\n")
        try test.attach(content(10), as: "photo.png", to: note)
        #expect(try test.found("secret") == ["Diary"])
        test.endSession()
        try expectShut(note, in: test)
        try test.reopen()
        try expectShut(note, in: test)
    }

    private func expectShut(_ note: Identifier, in test: TestNotebook) throws {
        let notebook = test.notebook
        let base = try notebook.summary(of: note).revision
        let refusals = [
            refusal { try test.text(note) }, refusal { try test.text(note, version: 1) },
            refusal { try notebook.texts.versions(of: note) }, refusal { try notebook.edits.revert(note, to: 1) },
            refusal { try notebook.edits.edit(note, base: base, markdown: "mine") },
            refusal { try notebook.edits.keepDraft(of: note, base: base, markdown: "mine") },
            refusal { try notebook.filing.tag(note, add: ["more"], remove: []) },
            refusal { try notebook.attachments.list(of: note) }, refusal { try test.file("photo.png", of: note) },
            refusal { try test.file("photo.png", of: note, isThumbnail: true) },
            refusal { try notebook.attachments.detach("photo.png", from: note) },
            refusal { try test.attach([1], as: "more.png", to: note) }, refusal { try notebook.locks.removeLock(note) },
        ]
        #expect(refusals == Array(repeating: .noteLocked, count: refusals.count))
        let summary = try notebook.summary(of: note)
        #expect(summary.isLocked && !summary.isOpen && summary.title == "Diary" && summary.tags.isEmpty)
        #expect(try test.found("secret").isEmpty && test.found("private").isEmpty && test.found("photo").isEmpty)
        #expect(try notebook.lists.find("diary", limit: 10).notes.map(\.excerpt) == [nil])
        #expect(try test.titles(NoteFilter(tag: "private")).isEmpty)
    }

    @Test(arguments: LockSuite.allCases)
    func `locking seals texts, sizes, draft and files anew, and removing the lock brings all of it back`(
        _ suite: LockSuite
    ) throws {
        let test = try TestNotebook(suite: suite) { _ in [9] }
        let note = try test.create("one\n", tags: ["t"])
        try test.edit(note, "two\n")
        try test.attach(content(5), as: "p.png", to: note)
        try test.notebook.edits.keepDraft(
            of: note, base: try test.notebook.summary(of: note).revision, markdown: "three\n")
        let open = try Snapshot(test)
        let text = try test.text(note)
        try test.openSession()

        try test.notebook.locks.lock(note)
        let locked = try Snapshot(test)
        #expect(locked.names == open.names && locked.files.count == 2)
        #expect(open.sharesNothing(with: locked))
        for name in locked.parts {
            guard case .locked(suite, _, _) = try PartContent(from: test.notebook.records.content(name)) else {
                Issue.record("a part is not under the note's key")
                continue
            }
        }
        #expect(try test.text(note) == text && test.text(note, version: 1) == "one\n")
        #expect(try test.notebook.texts.versions(of: note).map(\.byteCount) == [0, text.utf8.count])
        #expect(try test.file("p.png", of: note) == content(5))
        #expect(try test.file("p.png", of: note, isThumbnail: true) == [9])
        #expect(try test.notebook.summary(of: note).tags.isEmpty)

        try test.notebook.locks.removeLock(note)
        let again = try Snapshot(test)
        #expect(again.names == open.names && again.files.count == 2 && locked.sharesNothing(with: again))
        #expect(open.files == locked.files && open.files == again.files)
        #expect(try test.sealed(RecordType.lock).isEmpty)
        test.endSession()
        #expect(try test.text(note) == text && test.text(note, version: 1) == "one\n")
        #expect(try test.notebook.texts.versions(of: note).map(\.byteCount) == [4, text.utf8.count])
        #expect(try test.file("p.png", of: note) == content(5))
        #expect(try test.notebook.summary(of: note).tags == ["t"])
        try test.reopen()
        #expect(try test.text(note) == "three\n")
    }

    @Test func `an attachment that no locked note may hold is named, and nothing changes`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        for kind in TestFile.kinds where !kind.isLockable {
            let note = try test.create("\(kind)\n")
            try test.attach([1], as: "photo.png", to: note)
            try test.attach([2], as: "other.\(kind)", kind, to: note)
            let before = try Snapshot(test)
            let error = #expect(throws: NotesError.self) { try test.notebook.locks.lock(note) }
            #expect(error?.code == .refused && error?.message.contains("'other.\(kind)'") == true)
            #expect(try Snapshot(test) == before)
            #expect(try !test.notebook.summary(of: note).isLocked && test.file("photo.png", of: note) == [1])
        }
    }

    @Test func `a locked note takes only the kinds that it may hold`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("a\n", isLocked: true)
        for kind in TestFile.kinds {
            let refused = refusal { try test.attachAsItIs(TestFile.whole(kind), as: "\(kind)", kind, to: note) }
            #expect(refused == (kind.isLockable ? nil : .refused))
        }
        #expect(try test.notebook.attachments.list(of: note).map(\.kind) == [.image, .sketch, .map, .website])
        #expect(test.files.count == 4)
    }

    @Test func `a file that was on its way when its note was locked is refused by the lock's rule`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("a\n")
        do {
            let description = NewAttachment(name: "talk", kind: .audio, mediaType: "")
            let incoming = try test.notebook.attachments.begin(to: note, description)
            try incoming.append([1])
            try test.notebook.locks.lock(note)
            #expect(refusal { try test.notebook.attachments.finish(incoming) } == .refused)
        }
        #expect(test.files.isEmpty)
        #expect(try test.notebook.attachments.list(of: note).isEmpty)
    }

    @Test func `a lock needs a passphrase, then its session, and a note that has none yet`() throws {
        let bare = try TestNotebook()
        let open = try bare.create("a\n")
        #expect(refusal { try bare.notebook.locks.lock(open) } == .noPassphrase)
        #expect(refusal { try bare.create("b\n", isLocked: true) } == .noPassphrase)
        let test = try TestNotebook(suite: .tresor256)
        let note = try test.create("a\n")
        #expect(refusal { try test.notebook.locks.lock(note) } == .noteLocked)
        #expect(refusal { try test.create("b\n", isLocked: true) } == .noteLocked)
        #expect(refusal { try test.notebook.locks.removeLock(note) } == .refused)
        try test.openSession()
        try test.notebook.locks.lock(note)
        #expect(refusal { try test.notebook.locks.lock(note) } == .refused)
        #expect(try test.titles().count == 1)
    }

    @Test func `a lock that fails half-way leaves the note open and no file of its own behind`() throws {
        let test = try TestNotebook(suite: .tresor256)
        let note = try test.create("text\n")
        try test.attach(content(5), as: "p.png", to: note)
        try test.openSession()
        let before = try Snapshot(test)
        try test.execute(
            "CREATE TRIGGER stop BEFORE INSERT ON record WHEN NEW.type = 1 BEGIN SELECT RAISE(ABORT, 'stop'); END")
        #expect(refusal { try test.notebook.locks.lock(note) } == .storage)
        #expect(try Snapshot(test) == before)
        test.endSession()
        #expect(try test.text(note).hasPrefix("text\n") && !test.notebook.summary(of: note).isLocked)
        #expect(try test.sealed(RecordType.lock).isEmpty)
        try test.execute("DROP TRIGGER stop")
        try test.openSession()
        try test.notebook.locks.lock(note)
        #expect(try test.notebook.summary(of: note).isLocked && test.file("p.png", of: note) == content(5))
    }

    @Test func `tags of a locked note are sealed with its text and come back with it`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("a\n", tags: ["one"], isLocked: true)
        try test.notebook.filing.tag(note, add: ["two"], remove: ["one"])
        #expect(try test.titles(NoteFilter(tag: "two")).isEmpty)
        try test.notebook.locks.removeLock(note)
        #expect(try test.notebook.summary(of: note).tags == ["two"])
        #expect(try test.titles(NoteFilter(tag: "two")) == ["a"])
    }

    // MARK: Titles

    @Test func `hidden titles leave the headers, and shown ones come back from the sealed texts`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("# Diary\n\ntext\n", isLocked: true)
        let open = try test.create("Plain\n")
        try test.notebook.settings.change(NotesSettings(showsLockedTitles: false))
        #expect(try NoteHeader(from: test.notebook.records.content(note)).title.isEmpty)
        #expect(try NoteHeader(from: test.notebook.records.content(open)).title == "Plain")
        #expect(try test.titles() == ["Plain", ""])
        test.endSession()
        #expect(try test.found("diary").isEmpty)
        try test.openSession()
        try test.edit(note, "# Journal\n\ntext\n")
        #expect(try test.notebook.summary(of: note).title.isEmpty)
        #expect(try NoteHeader(from: test.notebook.records.content(note)).title.isEmpty, "nor is it written anew")
        try test.notebook.settings.change(NotesSettings(showsLockedTitles: true))
        test.endSession()
        #expect(try test.notebook.summary(of: note).title == "Journal" && test.found("journal") == ["Journal"])
    }

    @Test func `titles that are to be shown again come back when their session opens`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("# Diary\n", isLocked: true)
        try test.notebook.settings.change(NotesSettings(showsLockedTitles: false))
        test.endSession()
        try test.notebook.settings.change(NotesSettings(showsLockedTitles: true))
        #expect(try test.notebook.summary(of: note).title.isEmpty)
        try test.openSession()
        #expect(try test.notebook.summary(of: note).title == "Diary")
    }

    @Test(arguments: LockSuite.allCases)
    func `who holds the zone and not the passphrase cannot bring a former text back`(_ suite: LockSuite) throws {
        let test = try TestNotebook(suite: suite)
        try test.openSession()
        let note = try test.create("one\n", isLocked: true)
        let former = try test.notebook.records.content(try test.notebook.heads.header(note).body)
        try test.notebook.edits.edit(note, base: 1, markdown: "two\n")
        try test.notebook.edits.edit(note, base: 2, markdown: "three\n")
        let header = try test.notebook.heads.header(note)
        let history = try test.notebook.parts.history(header)
        let present = try test.notebook.records.content(header.body)
        let zone = test.notebook.records.zone
        func put(_ content: [UInt8], as name: Identifier, _ type: UInt16) throws {
            _ = try test.notebook.heads.change { try $0.put(name, type: type, content, in: zone) }
        }
        try put(former, as: header.body, RecordType.body)
        #expect(throws: NotesError.self) { try test.text(note) }
        try put(present, as: header.body, RecordType.body)
        #expect(try test.text(note) == "three\n")
        // A version in the place of another.
        let names = history.entries.map(\.version)
        let first = try test.notebook.records.content(names[0])
        let second = try test.notebook.records.content(names[1])
        try put(first, as: names[1], RecordType.version)
        #expect(throws: NotesError.self) { try test.text(note, version: 2) }
        try put(second, as: names[1], RecordType.version)
        #expect(try test.text(note, version: 1) == "one\n" && test.text(note, version: 2) == "two\n")
        // Called unbound, it is no part that 0.1 sealed.
        try put([1] + present.dropFirst(), as: header.body, RecordType.body)
        #expect(throws: NotesError.self) { try test.text(note) }
        // What 0.1 sealed opens, and is bound when the text is written next.
        let key = try #require(try test.notebook.keys.key(of: note, header))
        let plain = FormerEncoding.body(Markdown.blocks(from: "as 0.1\n"), title: "as 0.1")
        let sealed = try plain.withSpan {
            try NoteLockEnvelope.seal($0, under: key.bytes, of: LockPart(note: note, kind: .body), suite: suite)
        }
        try put(PartContent.locked(suite, sealed: sealed, isBound: false).encoded, as: header.body, RecordType.body)
        #expect(try test.text(note) == "as 0.1\n")
        try test.notebook.edits.edit(note, base: header.textRevision, markdown: "four\n")
        #expect(try test.notebook.records.content(header.body).first == 2)
        #expect(try test.text(note) == "four\n" && test.text(note, version: 3) == "as 0.1\n")
    }

    @Test(arguments: LockSuite.allCases)
    func `the keys of account and zone open no locked note`(_ suite: LockSuite) throws {
        let test = try TestNotebook(suite: suite)
        try test.openSession()
        let note = try test.create("heron and bittern\n", isLocked: true)
        test.endSession()
        let zone = test.notebook.records.zone
        let header = try test.notebook.heads.header(note)
        let (body, lock) = try test.zones.read { reader in
            (try #require(try reader.record(header.body, in: zone)), try reader.record(#require(header.lock), in: zone))
        }
        // The zone opens its record; what is in it is sealed once more.
        guard case .locked(suite, let sealed, let isBound) = try PartContent(from: body.content) else {
            Issue.record("the body stands open in its record")
            return
        }
        #expect(isBound)
        for content in [body.content, sealed] {
            #expect(!String(decoding: content, as: UTF8.self).contains("heron"))
        }
        let wrapped = try NoteLock(from: #require(lock).content).wrappedKey
        let count = suite == .documented128 ? 16 : 32
        for isZoneKey in [false, true] {
            let key = isZoneKey ? try #require(zone.keys[1]).bytes.copy() : try test.accountKey.copy()
            let kek = try key.withBytes { (bytes) throws in try SecretBytes(copying: bytes.extracting(0..<count)) }
            #expect(throws: EnvelopeError.self) { _ = try NoteLockEnvelope.unwrap(wrapped, under: kek) }
        }
    }

    @Test func `once a note is locked its former records stand neither in the database nor in its log`() throws {
        let test = try TestNotebook(suite: .tresor256)
        let note = try test.create("one\n")
        try test.edit(note, "two\n")
        let former = try [RecordType.body, RecordType.version].flatMap { try test.sealed($0).values }
        #expect(former.count == 2)
        let left = {
            ["notes.sqlite", "notes.sqlite-wal"].reduce(0) { count, name in
                let bytes = (try? Data(contentsOf: URL(fileURLWithPath: test.folder + "/" + name))) ?? Data()
                return count + former.count { bytes.range(of: Data($0)) != nil }
            }
        }
        try test.openSession()
        #expect(left() >= former.count, "the control")
        try test.notebook.locks.lock(note)
        #expect(left() == 0)
    }

    @Test func `what a crash left in the log of the database is gone once the notes are opened`() throws {
        let test = try TestNotebook()
        let note = try test.create("a text\n")
        let former = Data(try #require(try test.sealed(RecordType.body).values.first))
        // As a lock does it, cut short between its commit and the scrubbing.
        try test.execute("UPDATE record SET sealed = zeroblob(200) WHERE type = ?", [Int(RecordType.body)])
        let copy = test.folder + "-crashed"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try FileManager.default.copyItem(atPath: test.folder, toPath: copy)
        let holds = { (name: String) in
            (try? Data(contentsOf: URL(fileURLWithPath: copy + "/" + name)))?.range(of: former) != nil
        }
        #expect(holds("notes.sqlite-wal"), "the control: the log has what was replaced")
        let store = try ZoneStore(folder: copy, file: "notes.sqlite")
        let zone = try store.openZone(
            scope: "notes", of: test.account, with: .accountKey(try test.accountKey.copy()))
        let opened = try Notebook(
            store: store, zone: zone, vault: InMemoryVault(), clock: { test.clock.instant }, makeThumbnail: { _ in nil }
        )
        #expect(!holds("notes.sqlite-wal") && !holds("notes.sqlite"))
        #expect(try opened.lists.list(NoteFilter()).notes.map(\.id) == [note.description])
        opened.close()
    }
}

/// The records and files of a notebook with one note at a moment.
private struct Snapshot: Equatable {
    private static let partTypes = [RecordType.body, RecordType.version, RecordType.draft, RecordType.attachment]
    private let records: [UInt16: [Identifier: [UInt8]]]
    let files: Set<String>

    init(_ test: TestNotebook) throws {
        var records: [UInt16: [Identifier: [UInt8]]] = [:]
        for type in Self.partTypes + [RecordType.history, RecordType.header] { records[type] = try test.sealed(type) }
        self.records = records
        files = test.files
    }

    /// Names of each type: a record keeps its name when it is sealed anew.
    var names: [UInt16: Set<Identifier>] { records.mapValues { Set($0.keys) } }

    /// The parts that a lock seals.
    var parts: [Identifier] { Self.partTypes.flatMap { records[$0].map { Array($0.keys) } ?? [] } }

    func sharesNothing(with other: Snapshot) -> Bool {
        let mine = Set(records.values.flatMap(\.values))
        return mine.isDisjoint(with: other.records.values.flatMap(\.values))
    }
}
