import Foundation
import Linux
import NotesClient
import SQLite
import Secrets
import Testing

@testable import Notes
@testable import Zones

/// A page of the database that nobody can read, with the settings of notes or the key of their passphrase on it.
@Suite struct LostPageTests {
    /// Notes enough for several pages in front of the settings and behind them, and one locked note.
    private func made() throws -> (test: TestNotebook, locked: Identifier) {
        let test = try TestNotebook(suite: .tresor256, hasSpare: true)
        for number in 0..<40 { _ = try test.create("# Note \(number)\n\n\(String(repeating: "word ", count: 60))\n") }
        try test.openSession()
        let locked = try test.create("# Locked\n\nsecret\n")
        try test.notebook.locks.lock(locked)
        return (test, locked)
    }

    /// Overwrites the leaf on which a record lies.
    private func lose(_ name: Identifier, of test: TestNotebook) throws {
        let store = test.zones
        let leaves = "SELECT pageno FROM dbstat WHERE name = 'record' AND pagetype = 'leaf' ORDER BY pageno"
        let pages = try store.database.rows(leaves).compactMap { $0.integer(0).map { Int($0) } }
        let size = Int(try #require(try store.database.integer("PRAGMA page_size")))
        #expect(pages.count > 5)
        test.notebook.close()
        let path = test.folder + "/notes.sqlite"
        let file = try FileDescriptor.open(path, FileFlags.readWrite)
        let bytes = Data(try FileSystem.read(path))
        let found = pages.first { bytes[(($0 - 1) * size)..<($0 * size)].firstRange(of: Data(name.bytes)) != nil }
        let page = try #require(found)
        try file.write([UInt8](repeating: 0xa5, count: size), at: (page - 1) * size)
    }

    @Test func `settings and the passphrase's key on a page that cannot be read are taken from their second copy`()
        throws
    {
        let (test, locked) = try made()
        let (settings, current) = (
            test.notebook.keyring.settingsRecord, try #require(test.notebook.keyring.settings.currentLockKey)
        )
        try lose(settings, of: test)
        try test.reopen()
        #expect(test.notebook.session.hasPassphrase && test.notebook.keyring.settings.currentLockKey == current)
        #expect(test.notebook.keyring.lockKeys[current] != nil && !test.notebook.keyring.hasLostSettings)
        try test.openSession()
        #expect(try test.text(locked) == "# Locked\n\nsecret\n")
    }

    @Test func `where no copy is left it is damage, and nothing is set in its place`() throws {
        let (test, _) = try made()
        try lose(test.notebook.keyring.settingsRecord, of: test)
        try FileManager.default.removeItem(atPath: test.folder + "/spare")
        try test.reopen()
        #expect(test.notebook.keyring.hasLostSettings && test.notebook.session.hasPassphrase)
        let refused: [() throws -> Void] = [
            { try test.notebook.passphrases.set(SecretBytes(copying: Array("new words".utf8).span.bytes), hint: nil) },
            { try test.notebook.settings.change(NotesSettings(sessionMinutes: 3)) },
            { _ = try test.notebook.passphrases.hint() },
        ]
        for act in refused {
            let error = #expect(throws: NotesError.self) { try act() }
            #expect(error?.code == .damaged, "\(String(describing: error))")
        }
        // Whoever has the device's passcode sets a new one, and all is well again.
        try test.notebook.passphrases.reset(SecretBytes(copying: Array("new words".utf8).span.bytes), hint: nil)
        try test.notebook.settings.change(NotesSettings(sessionMinutes: 3))
        #expect(!test.notebook.keyring.hasLostSettings && test.notebook.session.hasPassphrase)
    }

    @Test func `a page of notes that cannot be read leaves the second copy of the settings where it is`() throws {
        let (test, _) = try made()
        let middle = try test.notebook.lists.list(NoteFilter()).notes.dropFirst(20).first
        let note = try #require(middle.flatMap { Identifier($0.id) })
        try lose(note, of: test)
        try test.reopenUnread()
        try test.notebook.settings.change(NotesSettings(sessionMinutes: 3))
        let spared = test.zones.sparedRecords(ofType: RecordType.settings, in: test.notebook.records.zone)
        #expect(try spared.map { try AccountSettings(from: $0.content).sessionMinutes } == [3])
        #expect(!test.zones.sparedRecords(ofType: RecordType.lockKey, in: test.notebook.records.zone).isEmpty)
    }
}
