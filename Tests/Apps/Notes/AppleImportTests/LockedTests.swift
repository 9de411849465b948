import Foundation
import Testing

@testable import AppleImport

/// Locked notes of every format, and what stays shut.
@Suite struct LockedNotes {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func reason(_ note: ImportedNote) -> String? {
        guard case .closed(let reason, _) = note.lock else { return nil }
        return reason
    }

    @Test func `the published V1 chain opens with its passphrase and no other`() throws {
        typealias Published = LockFixture.Published
        let sealed = LockFixture.Sealed(
            wrappedKey: Published.wrappedKey, iv: Published.iv, tag: Published.tag, ciphertext: Published.ciphertext)
        try fixture.addLocked(20, sealed, salt: Published.salt, rounds: 20_000, hint: "the usual")
        let store = try fixture.open()
        let group = try #require(store.lockGroups.first)
        #expect(store.lockGroups.count == 1)
        #expect(group.id == "1165106b6b288bda1e6ecb18e65c7876")
        #expect(group.format == .v1 && group.rounds == 20_000 && group.hint == "the usual" && group.noteCount == 1)
        #expect(
            try store.note(at: 0).lock == .closed(reason: "its passphrase was not given", hint: "the usual"))
        #expect(try store.note(at: 0).title == "Locked")
        #expect(try !store.unlock(group, with: LockFixture.secret("Password")))
        #expect(try reason(store.note(at: 0))?.hasPrefix("the passphrase that was given does not open it") == true)
        #expect(try store.unlock(group, with: LockFixture.secret("password")))
        let note = try store.note(at: 0)
        #expect(note.lock == .opened && note.problems == [])
        #expect(note.markdown.contains("Encrypted title") && note.markdown.contains("Encrypted body"))
    }

    @Test func `a V1 Neo archive opens, and one key serves its salt`() throws {
        let lock = LockFixture("pass", format: .v1Neo)
        for key: Int64 in [20, 21] {
            let body = BodyFixture.body([.plain("secret \(key)")])
            try fixture.addNote(
                key, body: lock.archive(body, identifier: "NOTE-\(key)", hint: "h"), ["ZISPASSWORDPROTECTED": 1])
        }
        let store = try fixture.open()
        #expect(store.lockGroups.map(\.noteCount) == [2])
        #expect(store.lockGroups.map(\.format) == [.v1Neo])
        #expect(store.lockGroups.map(\.hint) == ["h"])
        #expect(try store.unlock(store.lockGroups[0], with: LockFixture.secret("pass")))
        #expect(try store.note(at: 0).markdown == "secret 20\n")
        #expect(try store.note(at: 1).markdown == "secret 21\n")
    }

    @Test func `two passphrases are two groups`() throws {
        for (key, passphrase) in [(20, "one"), (21, "two")] as [(Int64, String)] {
            let lock = LockFixture(passphrase, format: .v1, salt: Array(repeating: UInt8(key), count: 16))
            let sealed = try lock.seal(BodyFixture.body([.plain(passphrase)]))
            try fixture.addLocked(key, sealed, salt: lock.salt, rounds: lock.rounds)
        }
        let store = try fixture.open()
        #expect(store.lockGroups.count == 2)
        #expect(try store.unlock(store.lockGroups[1], with: LockFixture.secret("two")))
        #expect(reason(try store.note(at: 0)) != nil)
        #expect(try store.note(at: 1).markdown == "two\n")
    }

    @Test func `a note of an earlier passphrase under the same salt says so`() throws {
        for (key, passphrase) in [(20, "new"), (21, "old")] as [(Int64, String)] {
            let lock = LockFixture(passphrase, format: .v1)
            try fixture.addLocked(
                key, lock.seal(BodyFixture.body([.plain("x")])), salt: lock.salt, rounds: lock.rounds)
        }
        let store = try fixture.open()
        #expect(try store.unlock(store.lockGroups[0], with: LockFixture.secret("new")))
        #expect(try store.note(at: 0).lock == .opened)
        #expect(reason(try store.note(at: 1)) == "it is locked with another passphrase")
    }

    @Test func `a changed byte is damage and never text`() throws {
        let lock = LockFixture("pass", format: .v1)
        var sealed = try lock.seal(BodyFixture.body([.plain("x")]))
        sealed.ciphertext[3] ^= 1
        try fixture.addLocked(20, sealed, salt: lock.salt, rounds: lock.rounds)
        let store = try fixture.open()
        #expect(try store.unlock(store.lockGroups[0], with: LockFixture.secret("pass")))
        let note = try store.note(at: 0)
        #expect(reason(note)?.contains("damaged") == true && note.markdown == "")
    }

    @Test func `a note under the device passcode says what to do`() throws {
        try fixture.addNote(20, body: LockFixture.deviceArchive, ["ZISPASSWORDPROTECTED": 1, "ZTITLE1": "T"])
        let store = try fixture.open()
        #expect(store.lockGroups == [])
        #expect(reason(try store.note(at: 0))?.contains("device passcode") == true)
    }

    @Test func `a database of many salts at many rounds does not keep the computer busy`() throws {
        let sealed = try LockFixture("p", format: .v1).seal(BodyFixture.body([.plain("x")]))
        // Ten of ten million would be a minute for each trial; two of them are tried.
        for key in 20..<30 as Range<Int64> {
            let salt = [UInt8](repeating: UInt8(key), count: 16)
            try fixture.addLocked(key, sealed, salt: salt, rounds: 9_900_000)
        }
        let lock = LockFixture("mine", format: .v1)
        try fixture.addLocked(30, lock.seal(BodyFixture.body([.plain("x")])), salt: lock.salt, rounds: lock.rounds)
        let store = try fixture.open()
        #expect(store.lockGroups.map(\.rounds).sorted() == [lock.rounds, 9_900_000, 9_900_000])
        #expect(store.lockGroups.reduce(0) { $0 + UInt64($1.rounds) } <= 20_000_000)
        let mine = try #require(store.lockGroups.first { $0.rounds == lock.rounds })
        #expect(try store.unlock(mine, with: LockFixture.secret("mine")))
        let reasons = try (0..<11).compactMap { reason(try store.note(at: $0)) }
        #expect(reasons.filter { $0.contains("far more computing") }.count == 8)
        #expect(reasons.filter { $0.contains("was not given") }.count == 2)
    }

    @Test func `locks that make no sense are told as damage`() throws {
        try fixture.addNote(20, body: [1, 2, 3], ["ZISPASSWORDPROTECTED": 1])
        try fixture.addNote(21, body: Array("bplist00 and then nothing of use".utf8), ["ZISPASSWORDPROTECTED": 1])
        try fixture.addNote(22, body: nil, ["ZISPASSWORDPROTECTED": 1])
        let endless = LockFixture("p", format: .v1)
        try fixture.addLocked(23, endless.seal([1]), salt: endless.salt, rounds: 4_000_000_000)
        let store = try fixture.open()
        #expect(store.lockGroups == [])
        #expect(try (0..<4).allSatisfy { reason(try store.note(at: $0)) != nil })
    }

    @Test func `a pending record's settings open what the row's do not`() throws {
        let lock = LockFixture("pass", format: .v1)
        let sealed = try lock.seal(BodyFixture.body([.plain("pending")]))
        let names = [
            "CryptoSalt", "CryptoIterationCount", "CryptoWrappedKey", "CryptoInitializationVector", "CryptoTag",
        ]
        let values: [PropertyListWriter] = [
            .data(lock.salt), .integer(Int(lock.rounds)), .data(sealed.wrappedKey), .data(sealed.iv), .data(sealed.tag),
        ]
        // Objects 2 and 3 are the fields of the root; names and values follow.
        let record = PropertyListWriter.archive(
            [("ValueStore", .dictionary([("RecordValues", .uid(3))]))]
                + [
                    (
                        "values",
                        .dictionary([
                            ("NS.keys", .array((0..<5).map { .uid(4 + $0) })),
                            ("NS.objects", .array((0..<5).map { .uid(9 + $0) })),
                        ])
                    )
                ] + names.map { ($0, .string($0)) } + values.enumerated().map { ("v\($0.offset)", $0.element) })
        var stale = sealed
        stale.wrappedKey = Array(repeating: 7, count: 24)
        try fixture.addLocked(20, stale, salt: lock.salt, rounds: lock.rounds)
        try fixture.set(20, "ZUNAPPLIEDENCRYPTEDRECORD", record)
        let store = try fixture.open()
        #expect(try store.unlock(store.lockGroups[0], with: LockFixture.secret("pass")))
        #expect(try store.note(at: 0).markdown == "pending\n")
    }

    @Test func `attachments of a locked note are opened`() throws {
        let lock = LockFixture("pass", format: .v1)
        let body = BodyFixture.body([
            .attachment("ATT", "public.png"), .attachment("TAB", "com.apple.notes.table"),
        ])
        try fixture.addLocked(20, lock.seal(body), salt: lock.salt, rounds: lock.rounds)
        let table = Data(TableFixture.packed([["A"], ["1"]])).base64EncodedString()
        let tableValues = try lock.seal(Array(#"{"mergeableData":"\#(table)"}"#.utf8))
        try fixture.add(
            30, StoreFixture.attachments,
            lock.columns(tableValues, ["ZIDENTIFIER": "TAB", "ZTYPEUTI": "com.apple.notes.table"]))
        try fixture.add(31, StoreFixture.attachments, ["ZIDENTIFIER": "ATT", "ZTYPEUTI": "public.png", "ZMEDIA": 32])
        // The file and the values of a medium share its key; each has its own vector and tag.
        let mediaValues = try lock.seal(Array(#"{"filename":"cat.png"}"#.utf8))
        try fixture.add(32, StoreFixture.media, lock.columns(mediaValues, ["ZIDENTIFIER": "MED"]))
        try fixture.addFile("Media/MED/MED", lock.archive([9, 9, 9], identifier: "MED"))
        let store = try fixture.open()
        #expect(try store.unlock(store.lockGroups[0], with: LockFixture.secret("pass")))
        let note = try store.note(at: 0)
        #expect(note.markdown.contains("| A |\n| --- |\n| 1 |"))
        #expect(note.problems.count == 1)
    }

    @Test func `a locked file in format V1 is opened with its own vector and tag`() throws {
        let lock = LockFixture("pass", format: .v1)
        let body = BodyFixture.body([.attachment("ATT", "public.png")])
        try fixture.addLocked(20, lock.seal(body), salt: lock.salt, rounds: lock.rounds)
        try fixture.add(31, StoreFixture.attachments, ["ZIDENTIFIER": "ATT", "ZTYPEUTI": "public.png", "ZMEDIA": 32])
        let file = try lock.seal([9, 9, 9])
        var columns = lock.columns(file, ["ZIDENTIFIER": "MED", "ZFILENAME": "cat.png"])
        columns["ZENCRYPTEDVALUESJSON"] = nil
        columns["ZASSETCRYPTOINITIALIZATIONVECTOR"] = file.iv
        columns["ZASSETCRYPTOTAG"] = file.tag
        try fixture.add(32, StoreFixture.media, columns)
        try fixture.addFile("Media/MED/MED", file.ciphertext)
        let store = try fixture.open()
        #expect(try store.unlock(store.lockGroups[0], with: LockFixture.secret("pass")))
        let note = try store.note(at: 0)
        #expect(
            note.attachments == [
                ImportedAttachment(name: "cat.png", kind: .image, mediaType: "image/png", content: .bytes([9, 9, 9]))
            ])
        #expect(note.problems == [])
    }
}
