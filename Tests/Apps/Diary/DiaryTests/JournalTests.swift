import DiaryClient
import Envelopes
import Foundation
import ImageSandbox
import SQLite
import Secrets
import Testing

@testable import Diary
@testable import Zones

/// A diary on a store of its own in a temporary folder, by a clock in the test's hand.
final class TestJournal {
    let folder: String
    private(set) var journal: Journal
    private let account: ZoneAccount
    private let accountKey: SecretBytes
    private let clock = Clock()

    private final class Clock { var microseconds: Int64 = 1_700_000_000_000_000 }

    init() throws {
        folder = NSTemporaryDirectory() + "tresor-journal-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let new = try NewAccount.make()
        account = new.account
        accountKey = try new.accountKey.copy()
        let store = try ZoneStore(folder: folder, file: "diary.sqlite", keystones: RecordType.keystones)
        try store.add(new, scope: Door.scope, zoneClass: .whenUnlocked, time: 1)
        store.close()
        journal = try Self.open(folder, account, accountKey, clock)
    }

    deinit {
        journal.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func open(
        _ folder: String, _ account: ZoneAccount, _ accountKey: borrowing SecretBytes, _ clock: Clock
    ) throws -> Journal {
        let store = try ZoneStore(folder: folder, file: "diary.sqlite", keystones: RecordType.keystones)
        let zone = try store.openZone(scope: Door.scope, of: account, with: .accountKey(try accountKey.copy()))
        return try Journal(store: store, zone: zone, clock: { clock.microseconds })
    }

    /// What a sign-in does: nothing has been read yet.
    func reopen() throws {
        journal.close()
        journal = try Self.open(folder, account, accountKey, clock)
    }

    /// A journal on a copy of the files as they are now: what a kill leaves.
    func openKilled() throws -> (folder: String, journal: Journal) {
        let copy = folder + "/copy"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        for name in ["/diary.sqlite", "/diary.sqlite-wal"] {
            try FileManager.default.copyItem(atPath: folder + name, toPath: copy + name)
        }
        return (folder: copy, journal: try Self.open(copy, account, accountKey, clock))
    }

    func advance(seconds: Int64) { clock.microseconds += seconds * 1_000_000 }

    /// Lets background work come to its end.
    func settle() throws { while journal.isBusy { try journal.work() } }

    private var head: EntryHead { EntryHead(date: clock.microseconds, timeZone: "UTC") }

    func create(_ text: String) throws -> Identifier {
        try journal.entries.create(NewEntry(head: head), text: text, staged: [])
    }

    func edit(_ entry: Identifier, _ text: String) throws {
        let base = try journal.heads.header(entry).revision
        try journal.entries.edit(entry, base: base, head: head, media: [], isDraft: false, text: text, staged: [])
    }

    /// An entry with a photo of one byte.
    func createWithPhoto() throws -> Identifier {
        let incoming = try IncomingMedia(NewMedia(kind: .photo, name: "a.png", mediaType: "image/png"), journal)
        try incoming.append([1])
        let staged = try incoming.finish(journal)
        return try journal.entries.create(NewEntry(head: head, mediaCount: 1), text: "", staged: [staged])
    }

    /// The names of the files on the disk.
    var files: Set<String> {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder + "/assets")
        return Set(names ?? []).subtracting(["unnamed"])
    }

    /// Takes the database's file from under its name meanwhile, as if another were put there: before the next start
    /// nobody can tell whether a change was kept, and none is made any more.
    func replaced(_ body: () -> Void) throws {
        let path = folder + "/diary.sqlite"
        try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
        body()
        try FileManager.default.moveItem(atPath: path + ".moved", toPath: path)
    }

    func found(_ text: String) throws -> Int { try journal.lists.find(text, limit: 9).total }

    func execute(_ sql: String) throws { try journal.store.database.execute(sql) }

    /// The sealed contents of the records of a type.
    func sealed(_ type: UInt16) throws -> [Data] {
        let sql = "SELECT sealed FROM record WHERE type = \(type) AND tombstone = 0"
        return try journal.store.database.rows(sql).compactMap { $0.bytes(0).map { Data($0) } }
    }

    /// Whether one of the files has some bytes.
    static func holds(_ bytes: Data, in folder: String) throws -> Bool {
        try ["/diary.sqlite", "/diary.sqlite-wal"].contains { name in
            guard FileManager.default.fileExists(atPath: folder + name) else { return false }
            return try Data(contentsOf: URL(fileURLWithPath: folder + name)).range(of: bytes) != nil
        }
    }
}

/// What the diary leaves on the disk, and what it does where the disk does not give a text.
@Suite struct JournalTests {
    private let test: TestJournal

    init() throws { test = try TestJournal() }

    @Test func `nothing of a text that was replaced, removed or taken from a template is left`() throws {
        let entry = try test.create("first words")
        let first = try #require(test.sealed(RecordType.body).first)
        #expect(try TestJournal.holds(first, in: test.folder), "the control")
        try test.edit(entry, "second words")
        #expect(try !TestJournal.holds(first, in: test.folder))
        let second = try #require(test.sealed(RecordType.body).first)
        try test.journal.entries.delete(entry, forever: false)
        try test.journal.entries.delete(entry, forever: true)
        #expect(try !TestJournal.holds(second, in: test.folder))
        try test.journal.templates.set(DiaryTemplate(name: "Evening"), text: "one")
        let one = try #require(test.sealed(RecordType.template).first)
        try test.journal.templates.set(DiaryTemplate(name: "Evening"), text: "two")
        #expect(try !TestJournal.holds(one, in: test.folder))
        let two = try #require(test.sealed(RecordType.template).first)
        try test.journal.templates.remove("Evening")
        #expect(try !TestJournal.holds(two, in: test.folder))
    }

    @Test func `what was changed since it was looked at is not deleted`() throws {
        let test = try TestJournal()
        let entry = try test.create("words")
        let base = try #require(test.journal.heads[entry]).revision
        try test.edit(entry, "words, and theirs")
        for isForever in [false, true] {
            #expect(throws: DiaryError.self) { try test.journal.entries.delete(entry, forever: isForever, base: base) }
        }
        #expect(try #require(test.journal.heads[entry]).deleted == nil)
        try test.journal.entries.delete(entry, forever: false, base: base + 1)
        #expect(throws: DiaryError.self) { try test.journal.entries.delete(entry, forever: true, base: base) }
        try test.journal.entries.delete(entry, forever: true, base: base + 1)
        #expect(test.journal.heads[entry] == nil)
    }

    @Test func `what a kill left in the log goes at the next sign-in`() throws {
        let entry = try test.create("first words")
        let first = try #require(test.sealed(RecordType.body).first)
        // As an edit does, up to the kill.
        let body = try test.journal.heads.header(entry).body
        _ = try test.journal.store.write { writer in
            try writer.put(
                body, type: RecordType.body, EntryBody(text: "second words").encoded, in: test.journal.records.zone)
        }
        let killed = try test.openKilled()
        defer { killed.journal.close() }
        #expect(try TestJournal.holds(first, in: test.folder), "the control")
        #expect(try !TestJournal.holds(first, in: killed.folder))
    }

    @Test func `an answer about tags reads as it did before it could name what is damaged`() throws {
        let whole = DiaryReply.tags([TagCount(tag: "sea", count: 2)])
        let former = Data(#"{"tags":{"_0":[{"tag":"sea","count":2}]}}"#.utf8)
        #expect(try JSONDecoder().decode(DiaryReply.self, from: former) == whole)
        let sent = String(decoding: try JSONEncoder().encode(whole), as: UTF8.self)
        #expect(!sent.contains("unread"), "\(sent)")
        let lacking = DiaryReply.tags([], unread: [UnreadEntry(id: "one", part: .head)])
        #expect(try JSONDecoder().decode(DiaryReply.self, from: JSONEncoder().encode(lacking)) == lacking)
    }

    @Test func `a file stays where nobody can tell whether its entry was stored, and goes where it was not`() throws {
        try test.execute("CREATE TRIGGER stop BEFORE INSERT ON record BEGIN SELECT RAISE(ABORT, 'stop'); END")
        #expect(throws: ZoneError.self) { try test.createWithPhoto() }
        #expect(test.files.isEmpty, "nothing was changed")
        try test.execute("DROP TRIGGER stop")
        let entry = try test.createWithPhoto()
        let photo = try #require(test.journal.heads.header(entry).media.first).id
        try test.replaced { #expect(throws: ZoneError.replaced) { try test.createWithPhoto() } }
        #expect(test.files.count == 2, "the photo of an entry that may be there")
        let look = PhotoLook(.success(.pictures(ImageFacts(width: 1, height: 1), thumbnail: [9], preview: nil)))
        try test.replaced {
            #expect(throws: ZoneError.replaced) { try test.journal.entries.take(look, of: photo, in: entry) }
        }
        #expect(test.files.count == 3, "the small picture, too")
    }

    @Test func `a search with an offset says how many there are in all, and goes on behind it`() throws {
        let made = try (1...5).map { try test.create("a needle, number \($0)") }
        try test.settle()
        func page(_ offset: Int?) throws -> EntryList {
            try test.journal.lists.find("needle", limit: 2, offset: offset)
        }
        let pages = try [0, 2, 4, 6].map(page)
        #expect(pages.map(\.entries.count) == [2, 2, 1, 0] && pages.allSatisfy { $0.total == 5 })
        #expect(Set(pages.flatMap { $0.entries.map(\.id) }) == Set(made.map(\.description)))
        // Without one, as it always was.
        let first = try page(nil)
        #expect(first.total == 2 && first.entries.map(\.id) == pages[0].entries.map(\.id))
        #expect(throws: DiaryError.self) { try page(-1) }
    }

    @Test func `a text that the disk does not give is named, and found when it does`() throws {
        _ = try test.create("a needle")
        try test.reopen()
        _ = try test.found("needle")
        try test.execute("ALTER TABLE record RENAME TO gone")
        try test.settle()
        try test.execute("ALTER TABLE gone RENAME TO record")
        #expect(try test.journal.lists.find("needle", limit: 9).unread?.count == 1)
        test.advance(seconds: 11)
        _ = try test.found("needle")
        try test.settle()
        let found = try test.journal.lists.find("needle", limit: 9)
        #expect(found.total == 1 && found.unread == nil)
    }
}
