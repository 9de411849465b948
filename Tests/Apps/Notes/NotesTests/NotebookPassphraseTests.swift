import Envelopes
import NotesClient
import Secrets
import Testing

@testable import Notes

@Suite struct NotebookPassphraseTests {
    @Test func `the first passphrase opens a session, and no second one is set beside it`() throws {
        let test = try TestNotebook()
        let notebook = test.notebook
        #expect(refusal { try notebook.passphrases.unlock(nil, with: secret("any")) } == .noPassphrase)
        let change = refusal { try notebook.passphrases.change(from: secret("a"), to: secret("b"), hint: nil) }
        #expect(change == .noPassphrase)
        #expect(refusal { try notebook.passphrases.hint() } == .noPassphrase)
        #expect(refusal { try notebook.passphrases.set(secret(""), hint: nil) } == .invalid)
        let long = String(repeating: "a", count: 1025)
        #expect(refusal { try notebook.passphrases.set(secret(long), hint: nil) } == .invalid)
        let bytes = try [0xFF, 0xFE].withSpan { (span) throws in try SecretBytes(copying: span) }
        #expect(refusal { try notebook.passphrases.set(bytes, hint: nil) } == .invalid)
        #expect(!notebook.session.hasPassphrase && !notebook.session.isOpen && notebook.keyring.lockKeys.isEmpty)

        try notebook.passphrases.set(secret("correct horse"), hint: nil)
        #expect(notebook.session.hasPassphrase && notebook.session.isOpen && notebook.session.endsIn == 480)
        #expect(refusal { try notebook.passphrases.set(secret("other"), hint: nil) } == .passphraseExists)
        let lockKey = try #require(notebook.keyring.lockKeys.values.first)
        #expect(lockKey.suite == .tresor256 && lockKey.rounds >= 600_000 && lockKey.hint == nil)
        #expect(notebook.keyring.lockKeys.count == 1)
    }

    @Test func `a passphrase is the same in whatever way a keyboard composes it`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.notebook.passphrases.unlock(
            nil, with: secret("A\u{30A}ngstro\u{308}m \u{1E9B}\u{323} \u{1100}\u{1161}\u{11A8}"))
        #expect(test.notebook.session.isOpen)
    }

    @Test func `the hint comes with the third wrong try in a row, over restarts; a right one forgets them`() throws {
        let test = try TestNotebook(suite: .tresor256)
        #expect(try tryWrong(test) == NotesError(.wrongPassphrase, "wrong passphrase"))
        #expect(try tryWrong(test)?.hint == nil)
        #expect(refusal { try test.notebook.passphrases.hint() } == .refused)
        try test.reopen()
        #expect(try tryWrong(test)?.hint == "a hint")
        #expect(try test.notebook.passphrases.hint() == "a hint")
        try test.reopen()
        #expect(try test.notebook.passphrases.hint() == "a hint")
        try test.notebook.passphrases.unlock(nil, with: KnownPassphrase.secret())
        #expect(test.notebook.session.isOpen && refusal { try test.notebook.passphrases.hint() } == .refused)
        try test.reopen()
        #expect(refusal { try test.notebook.passphrases.hint() } == .refused)
        #expect(!test.notebook.session.isOpen)
    }

    private func tryWrong(_ test: TestNotebook) throws -> NotesError? {
        #expect(throws: NotesError.self) { try test.notebook.passphrases.unlock(nil, with: secret("wrong")) }
    }

    @Test(arguments: LockSuite.allCases)
    func `a change wraps the keys of notes anew and touches nothing else of them`(_ suite: LockSuite) throws {
        let test = try TestNotebook(suite: suite)
        try test.openSession()
        let notes = try ["one\n", "two\n"].map { try test.create($0, isLocked: true) }
        try test.edit(notes[0], "one more\n")
        try test.attach([1], as: "p.png", to: notes[1])
        let open = try test.create("open\n")
        let before = try RawNotebook(test)
        #expect(
            refusal { try test.notebook.passphrases.change(from: secret("wrong"), to: secret("new"), hint: nil) }
                == .wrongPassphrase)
        #expect(try RawNotebook(test) == before)

        try test.notebook.passphrases.change(from: KnownPassphrase.secret(), to: secret("new"), hint: "another")
        let after = try RawNotebook(test)
        #expect(after.content == before.content && after.files == before.files)
        #expect(after.locks.keys == before.locks.keys && Set(after.locks.values).isDisjoint(with: before.locks.values))
        #expect(Set(after.lockKeys.keys).isDisjoint(with: before.lockKeys.keys) && after.lockKeys.count == 1)
        for name in after.locks.keys {
            let lock = try NoteLock(from: test.notebook.records.content(name))
            #expect(lock.suite == suite && lock.wrappedKey.count == suite.wrappedByteCount)
            #expect(after.lockKeys.keys.contains(lock.lockKey))
        }
        #expect(try test.text(notes[0]) == "one more\n" && test.text(notes[0], version: 1) == "one\n")

        try test.reopen()
        #expect(
            refusal { try test.notebook.passphrases.unlock(nil, with: KnownPassphrase.secret()) } == .wrongPassphrase)
        try test.notebook.passphrases.unlock(notes[1], with: secret("new"))
        #expect(try test.text(notes[1]).hasPrefix("two\n") && test.file("p.png", of: notes[1]) == [1])
        #expect(refusal { try test.notebook.passphrases.unlock(open, with: secret("new")) } == .refused)
    }

    @Test func `a change works though the daemon has forgotten the session`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("text\n", isLocked: true)
        test.vault.forgetSessions()
        try test.notebook.passphrases.change(from: KnownPassphrase.secret(), to: secret("new"), hint: nil)
        #expect(try test.text(note) == "text\n" && test.vault.count == 1)
    }

    @Test func `after a reset the old passphrase opens the old notes, and a change leaves them alone`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let old = try test.create("old\n", isLocked: true)
        test.endSession()
        try test.notebook.passphrases.reset(secret("second"), hint: nil)
        #expect(refusal { try test.text(old) } == .noteLocked)
        let new = try test.create("new\n", isLocked: true)
        #expect(try test.sealed(RecordType.lockKey).count == 2)
        #expect(refusal { try test.notebook.passphrases.unlock(old, with: secret("second")) } == .wrongPassphrase)
        try test.notebook.passphrases.unlock(old, with: KnownPassphrase.secret())
        #expect(try test.text(old) == "old\n" && test.text(new) == "new\n" && test.vault.count == 2)

        let before = try RawNotebook(test)
        try test.notebook.passphrases.change(from: secret("second"), to: secret("third"), hint: nil)
        let after = try RawNotebook(test)
        let changed = after.locks.filter { before.locks[$0.key] != $0.value }.keys
        #expect(try changed.map { try NoteLock(from: test.notebook.records.content($0)).note } == [new])
        #expect(after.content == before.content && after.lockKeys.count == 2)
        try test.reopen()
        try test.notebook.passphrases.unlock(nil, with: KnownPassphrase.secret())
        #expect(try test.text(old) == "old\n" && refusal { try test.text(new) } == .noteLocked)
    }

    @Test func `a note under an older passphrase names that one, to whoever lists, reads or tries`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let old = try test.create("old\n", isLocked: true)
        test.endSession()
        #expect(try test.notebook.summary(of: old).hasOlderPassphrase == nil)
        #expect(throws: NotesError.noSession) { try test.text(old) }
        try test.notebook.passphrases.reset(secret("second"), hint: nil)
        let new = try test.create("new\n", isLocked: true)
        #expect(try test.notebook.summary(of: old).hasOlderPassphrase == true)
        #expect(try test.notebook.summary(of: new).hasOlderPassphrase == nil)
        let shut = try #require(throws: NotesError.self) { try test.text(old) }
        #expect(shut.code == .noteLocked && shut.olderNote == old.description)
        #expect(shut.message == "the note is locked under an older passphrase, from before a reset")
        let wrong = try #require(throws: NotesError.self) {
            try test.notebook.passphrases.unlock(old, with: secret("second"))
        }
        #expect(wrong.code == .wrongPassphrase && wrong.olderNote == old.description)
        #expect(try tryWrong(test)?.olderNote == nil, "of no note in particular")
        try test.notebook.passphrases.unlock(old, with: KnownPassphrase.secret())
        #expect(try test.text(old) == "old\n" && test.notebook.summary(of: old).hasOlderPassphrase == true)
    }

    @Test(arguments: [
        ("felix", "the cat Felix of Hamburg"), ("Zu\u{308}rich", "born in Z\u{FC}rich"), ("a b", "A B"), ("cat", "cat"),
    ])
    func `a hint that contains the passphrase is refused, and nothing is set`(passphrase: String, hint: String) throws {
        let test = try TestNotebook()
        let refused = refusal { try test.notebook.passphrases.set(secret(passphrase), hint: hint) }
        #expect(refused == .invalid && !test.notebook.session.hasPassphrase)
        #expect(test.notebook.keyring.lockKeys.isEmpty)
    }

    @Test func `a hint may have a part of the passphrase, in another order too`() throws {
        let test = try TestNotebook()
        try test.notebook.passphrases.set(secret("felix 1999"), hint: "1999, felix; felix 199")
        #expect(test.notebook.keyring.lockKeys.values.map(\.hint) == ["1999, felix; felix 199"])
    }

    @Test func `a reset drops a passphrase that no note names, and takes the suite that was chosen`() throws {
        let test = try TestNotebook(suite: .tresor256)
        let dropped = try #require(test.sealed(RecordType.lockKey).keys.first)
        #expect(refusal { try test.notebook.settings.change(NotesSettings(lockSuite: "rot13")) } == .invalid)
        try test.notebook.settings.change(NotesSettings(lockSuite: "documented-128"))
        try test.notebook.passphrases.reset(secret("second"), hint: nil)
        let lockKeys = try test.sealed(RecordType.lockKey).keys
        #expect(lockKeys.count == 1 && !lockKeys.contains(dropped))
        #expect(test.notebook.keyring.lockKeys.values.map(\.suite) == [.documented128])
        let note = try test.create("text\n", isLocked: true)
        #expect(try test.text(note) == "text\n" && test.notebook.settings.shown.lockSuite == "documented-128")
    }

    @Test func `a reset drops a passphrase whose last notes were unlocked for good or erased`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let (unlocked, erased) = (try test.create("a\n", isLocked: true), try test.create("b\n", isLocked: true))
        try test.notebook.locks.removeLock(unlocked)
        try test.notebook.trash.delete(erased, forever: false)
        try test.notebook.trash.delete(erased, forever: true)
        try test.notebook.passphrases.reset(secret("second"), hint: nil)
        #expect(try test.sealed(RecordType.lockKey).count == 1)
    }

    @Test(arguments: LockSuite.allCases) func `so many rounds are chosen as take a moment, and never too few`(
        _ suite: LockSuite
    ) {
        let rounds = Calibration.rounds(suite)
        #expect(LockSuite.rounds.contains(rounds) && rounds <= 10_000_000 && rounds % 50_000 == 0)
    }

    @Test func `a reset before anything has been read drops no passphrase that notes name`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("text\n", isLocked: true)
        try test.reopenUnread()
        try test.notebook.passphrases.reset(secret("second"), hint: nil)
        #expect(try test.sealed(RecordType.lockKey).count == 2)
        try test.notebook.passphrases.unlock(note, with: KnownPassphrase.secret())
        #expect(try test.text(note) == "text\n")
    }

    @Test func `a reset drops no passphrase while there is a lock that cannot be read`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        _ = try test.create("text\n", isLocked: true)
        try test.damage(RecordType.lock)
        try test.reopen()
        try test.notebook.passphrases.reset(secret("second"), hint: nil)
        #expect(try test.sealed(RecordType.lockKey).count == 2)
    }
}

/// The sealed rows of a notebook at a moment.
private struct RawNotebook: Equatable {
    /// Of headers and all parts of notes.
    let content: [Identifier: [UInt8]]
    let locks: [Identifier: [UInt8]]
    let lockKeys: [Identifier: [UInt8]]
    let files: Set<String>

    init(_ test: TestNotebook) throws {
        var content: [Identifier: [UInt8]] = [:]
        let types = [
            RecordType.header, RecordType.body, RecordType.attachment, RecordType.version, RecordType.history,
            RecordType.draft,
        ]
        for type in types { content.merge(try test.sealed(type)) { first, _ in first } }
        self.content = content
        locks = try test.sealed(RecordType.lock)
        lockKeys = try test.sealed(RecordType.lockKey)
        files = test.files
    }
}
