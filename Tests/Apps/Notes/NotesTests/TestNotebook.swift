import Envelopes
import Foundation
import NotesClient
import SQLite
import Secrets
import Testing

@testable import Notes
@testable import Tresor
@testable import Zones

/// A notebook on a store of its own in a temporary folder, by clocks in the test's hand.
final class TestNotebook {
    let folder: String
    let clock = TestClock()
    let vault = InMemoryVault()
    let account: ZoneAccount
    let accountKey: SecretBytes
    private let makeThumbnail: ([UInt8]) -> [UInt8]?
    private let hasSpare: Bool
    private let limits: Notebook.Limits
    private(set) var notebook: Notebook
    /// The store underneath.
    private(set) var zones: ZoneStore

    /// - Parameters:
    ///   - suite: sets ``KnownPassphrase`` in this suite; no session is open.
    ///   - hasSpare: whether that on which notes hang lies twice, as it does in a home.
    ///   - limits: what the notebook keeps of words, and reads of texts.
    ///   - makeThumbnail: from an image's bytes.
    init(
        suite: LockSuite? = nil, hasSpare: Bool = false, limits: Notebook.Limits = Notebook.Limits(),
        makeThumbnail: @escaping ([UInt8]) -> [UInt8]? = { _ in nil }
    ) throws {
        folder = NSTemporaryDirectory() + "tresor-notebook-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let new = try NewAccount.make()
        account = new.account
        accountKey = try new.accountKey.copy()
        self.makeThumbnail = makeThumbnail
        self.hasSpare = hasSpare
        self.limits = limits
        let zones = try Self.makeStore(folder, hasSpare)
        self.zones = zones
        try zones.add(new, scope: "notes", zoneClass: .whenUnlocked, time: 1)
        if let suite {
            let zone = try zones.openZone(scope: "notes", of: new.account, with: .accountKey(try new.accountKey.copy()))
            try KnownPassphrase.install(suite, in: zones, zone)
        }
        notebook = try Self.open(zones, account, accountKey, vault, clock, limits, makeThumbnail)
    }

    deinit {
        notebook.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func makeStore(_ folder: String, _ hasSpare: Bool) throws -> ZoneStore {
        try ZoneStore(folder: folder, file: "notes.sqlite", keystones: hasSpare ? RecordType.keystones : [])
    }

    private static func open(
        _ store: ZoneStore, _ account: ZoneAccount, _ accountKey: borrowing SecretBytes, _ vault: InMemoryVault,
        _ clock: TestClock, _ limits: Notebook.Limits, _ makeThumbnail: @escaping ([UInt8]) -> [UInt8]?
    ) throws -> Notebook {
        let zone = try store.openZone(scope: "notes", of: account, with: .accountKey(try accountKey.copy()))
        return try Notebook(
            store: store, zone: zone, vault: vault, limits: limits, clock: { clock.instant },
            makeThumbnail: makeThumbnail)
    }

    /// What a restart does: the sessions are gone, and nothing has been read yet.
    func reopenUnread() throws {
        notebook.close()
        vault.forgetSessions()
        zones = try Self.makeStore(folder, hasSpare)
        notebook = try Self.open(zones, account, accountKey, vault, clock, limits, makeThumbnail)
    }

    /// A restart, and time enough to read everything.
    func reopen() throws {
        try reopenUnread()
        try settle()
    }

    /// Lets background work come to its end.
    func settle() throws { while try notebook.work() {} }

    // MARK: Sessions

    /// Does what ``Passphrases/unlock(_:with:)`` does for the right passphrase, without the time that PBKDF2 takes.
    func openSession() throws {
        let lockKey = try #require(notebook.keyring.settings.currentLockKey)
        let suite = try #require(notebook.keyring.lockKeys[lockKey]).suite
        try notebook.sessions.open(lockKey, try KnownPassphrase.kek(suite))
        try settle()
    }

    func endSession() { _ = notebook.handle(.lockNow) }

    // MARK: Notes

    func create(
        _ text: String, folder: String? = nil, tags: [String] = [], isPinned: Bool = false, isLocked: Bool = false
    ) throws -> Identifier {
        clock.advance(seconds: 1)
        let new = NewNote(folder: folder, tags: tags, isPinned: isPinned, isLocked: isLocked)
        return try notebook.texts.create(new, markdown: text)
    }

    func text(_ note: Identifier, version: Int? = nil) throws -> String {
        try notebook.texts.markdown(of: note, version: version)
    }

    /// Replaces the text, from the one that is there.
    func edit(_ note: Identifier, _ text: String) throws {
        clock.advance(seconds: 1)
        try notebook.edits.edit(note, base: try notebook.summary(of: note).revision, markdown: text)
    }

    func titles(_ filter: NoteFilter = NoteFilter()) throws -> [String] {
        try notebook.lists.list(filter).notes.filter { $0.damage == nil }.map(\.title)
    }

    func found(_ text: String) throws -> [String] {
        try notebook.lists.find(text, limit: 100).notes.map(\.title).sorted()
    }

    // MARK: Attachments

    /// Attaches a file of a kind: what is given stands behind the bytes by which a file of that kind is known.
    func attach(_ bytes: [UInt8], as name: String, _ kind: AttachmentKind = .image, to note: Identifier) throws {
        try attachAsItIs(TestFile.beginning(kind) + bytes, as: name, kind, to: note)
    }

    /// Attaches a file that is what its bytes are, whatever is said of it.
    func attachAsItIs(_ bytes: [UInt8], as name: String, _ kind: AttachmentKind, to note: Identifier) throws {
        let incoming = try notebook.attachments.begin(to: note, NewAttachment(name: name, kind: kind, mediaType: "a/b"))
        try incoming.append(inPieces: bytes)
        try notebook.attachments.finish(incoming)
    }

    /// What was given to ``attach(_:as:_:to:)``, or all of a file of no such kind.
    func file(_ name: String, of note: Identifier, isThumbnail: Bool = false) throws -> [UInt8] {
        let reader = try notebook.attachments.read(name, of: note, isThumbnail: isThumbnail).reader
        return TestFile.content(try (0..<reader.chunkCount).flatMap { try reader.chunk($0) })
    }

    /// The names of the files on the disk.
    var files: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder + "/assets")) ?? []).subtracting(["unnamed"])
    }

    /// Those that no note names.
    var filesAside: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder + "/assets/unnamed")) ?? [])
            .subtracting(["days"])
    }

    // MARK: The database underneath

    func execute(_ sql: String, _ arguments: [any DatabaseValueConvertible] = []) throws {
        try zones.database.execute(sql, arguments)
    }

    /// Lets each reading of records of a type fail, in a way that is no damage; nothing can be written meanwhile.
    func failReads(of type: UInt16) throws {
        let names = try zones.database.rows("PRAGMA main.table_info(record)").compactMap { $0.text(1) }
        let columns = names.map { name in
            // A number that has no negative fails the statement.
            name == "tombstone"
                ? "CASE WHEN type = \(type) THEN abs(-9223372036854775807 - 1) ELSE 0 END AS tombstone" : name
        }
        try execute("CREATE TEMP VIEW record AS SELECT \(columns.joined(separator: ", ")) FROM main.record")
    }

    func letReads() throws { try execute("DROP VIEW temp.record") }

    /// Takes the database's file from under its name meanwhile, as if another were put there: before the next start
    /// nobody can tell whether a change was kept, and none is made any more.
    func replaced(_ body: () -> Void) throws {
        let path = folder + "/notes.sqlite"
        try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
        body()
        try FileManager.default.moveItem(atPath: path + ".moved", toPath: path)
    }

    /// The sealed content of the records of a type, by name, tombstones left out.
    func sealed(_ type: UInt16) throws -> [Identifier: [UInt8]] {
        let sql = "SELECT name, sealed FROM record WHERE type = ? AND tombstone = 0"
        let rows = try zones.database.rows(sql, [Int(type)])
        return try Dictionary(
            uniqueKeysWithValues: rows.map { row in
                (try #require(row.bytes(0).flatMap { Identifier($0) }), try #require(row.bytes(1)))
            })
    }

    /// Flips a bit in the sealed content of the only record of a type.
    @discardableResult
    func damage(_ type: UInt16) throws -> Identifier {
        let records = try sealed(type)
        #expect(records.count == 1)
        let name = try #require(records.keys.first)
        try damage(name, type)
        return name
    }

    func damage(_ name: Identifier, _ type: UInt16) throws {
        var bytes = try #require(sealed(type)[name])
        bytes[bytes.count / 2] ^= 1
        try replace(name, by: bytes)
    }

    /// Takes a record's row away, as a bad sector may.
    func delete(_ name: Identifier) throws { try execute("DELETE FROM record WHERE name = ?", [name.bytes]) }

    /// Puts other bytes in the place of a record's sealed content.
    func replace(_ name: Identifier, by sealed: [UInt8]) throws {
        try execute("UPDATE record SET sealed = ? WHERE name = ?", [sealed, name.bytes])
    }
}

/// Both clocks, which stand still until the test turns them.
final class TestClock {
    var instant = SecureSession.Instant(boot: 1_000_000, wall: 1_700_000_000_000_000)

    func advance(seconds: UInt64) {
        instant.boot += seconds * 1000
        instant.wall += Int64(seconds) * 1_000_000
    }
}

/// Keeps the keys of sessions as the daemon does, and forgets them when the test says so.
final class InMemoryVault: SessionVault {
    private final class Session {
        let key: SecretBytes

        init(_ key: consuming SecretBytes) { self.key = key }
    }

    private var sessions: [UInt64: Session] = [:]
    private var last: UInt64 = 0
    /// What was last said of how long each session may last.
    private(set) var lifetimes: [UInt64: Duration] = [:]

    var count: Int { sessions.count }

    /// Whether no key can be given just now.
    var isOutOfMemory = false
    /// How many keys are given before all sessions are forgotten; nil for any number.
    var keysUntilLoss: Int?

    /// What a restart of the daemon does.
    func forgetSessions() { sessions.removeAll() }

    func openSession(_ key: borrowing SecretBytes, lifetime: Duration) throws -> UInt64 {
        last += 1
        sessions[last] = Session(try key.copy())
        lifetimes[last] = lifetime
        return last
    }

    func makeSessionKey(_ session: UInt64) throws -> WrappedSessionKey {
        let kek = try find(session)
        let key = try SecretBytes.makeRandom(count: kek.key.count)
        let wrapped = try NoteLockEnvelope.wrap(key, under: kek.key)
        return WrappedSessionKey(key: key, wrapped: wrapped)
    }

    func unwrap(_ wrapped: [UInt8], session: UInt64) throws -> SecretBytes {
        if isOutOfMemory { throw SecretMemoryError() }
        if keysUntilLoss == 0 { forgetSessions() }
        keysUntilLoss = keysUntilLoss.map { $0 - 1 }
        let kek = try find(session)
        do { return try NoteLockEnvelope.unwrap(wrapped, under: kek.key) } catch {
            throw TresorError(.damaged, "wrapped under another key")
        }
    }

    func extendSession(_ session: UInt64, lifetime: Duration) throws {
        _ = try find(session)
        lifetimes[session] = lifetime
    }

    func closeSession(_ session: UInt64) throws {
        _ = try find(session)
        sessions[session] = nil
        lifetimes[session] = nil
    }

    private func find(_ session: UInt64) throws -> Session {
        guard let found = sessions[session] else { throw TresorError(.notFound, "no such session") }
        return found
    }
}

/// A passphrase whose keys are known, so that tests about something else need not wait for PBKDF2.
///
/// From vectors/note-lock: tresor_256_kek_good.txt, documented_128_kek_good.txt.
enum KnownPassphrase {
    private static let rounds: UInt32 = 600_000

    static func secret() throws -> SecretBytes { try secretBytes("c3856e67737472c3b66d20e1ba9bcca320eab081") }

    static func kek(_ suite: LockSuite) throws -> SecretBytes {
        switch suite {
        case .documented128: try secretBytes("5165020a48e5073f3dfcd44767414c6e")
        case .tresor256: try secretBytes("ed76356c62aa81d4573efb2ccd37e367a556c1ce2566486e0b25f0d1bcae37b5")
        }
    }

    private static func salt(_ suite: LockSuite) -> String {
        switch suite {
        case .documented128: "c4827f4b07ab06060d0b6df3a68ce0e2"
        case .tresor256: "9bcb434559a5991688cb95b906bcefa655e0cefd4e8c25695019dee096c3ed1e"
        }
    }

    /// Stores it as the passphrase in force, with the hint `a hint`.
    static func install(_ suite: LockSuite, in store: ZoneStore, _ zone: OpenZone) throws {
        let verifier = try NoteLockEnvelope.wrap(try NoteLockEnvelope.makeKey(suite), under: try kek(suite))
        let lockKey = LockKey(
            id: .makeRandom(), suite: suite, rounds: rounds, salt: try #require(Hexadecimal.decode(salt(suite))),
            verifier: verifier, hint: "a hint", created: 1)
        var settings = AccountSettings()
        settings.suite = suite
        settings.currentLockKey = lockKey.id
        try store.write { writer in
            try writer.put(lockKey.id, type: RecordType.lockKey, lockKey.encoded, in: zone)
            try writer.put(.makeRandom(), type: RecordType.settings, settings.encoded, in: zone)
        }
    }

    private static func secretBytes(_ digits: String) throws -> SecretBytes {
        try #require(Hexadecimal.decode(digits)).withSpan { (span) throws in try SecretBytes(copying: span) }
    }
}

extension IncomingAttachment {
    /// Pieces of a size that does not fit the chunks of the file.
    func append(inPieces bytes: [UInt8]) throws {
        for start in stride(from: 0, to: bytes.count, by: 300_007) {
            try append(Array(bytes[start..<min(start + 300_007, bytes.count)]))
        }
    }
}

func secret(_ text: String) throws -> SecretBytes {
    try Array(text.utf8).withSpan { (span) throws in try SecretBytes(copying: span) }
}

/// Bytes of which no stretch is like another.
func content(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8 ^ $0 >> 16) } }

/// With which code a client would be refused; nil where it was not.
func refusal<Result>(_ body: () throws -> Result) -> NotesError.Code? {
    do {
        _ = try body()
        return nil
    } catch { return NotesError(error).code }
}
