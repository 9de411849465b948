import Envelopes
import Foundation
import NotesClient
import Testing

@testable import Notes
@testable import Zones

/// Notes that are given another class: in which lock states they can be read.
@Suite struct NotebookClassTests {
    @Test func `everything is there afterwards, the open session too`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let open = try test.create("# Open\n\nwords\n", folder: "Home", tags: ["a"])
        try test.edit(open, "# Open\n\nother words\n")
        try test.attach([1, 2, 3], as: "x.png", to: open)
        let locked = try test.create("# Locked\n\nsecret\n", isLocked: true)
        try test.changeClass(to: "afterFirstUnlock")
        #expect(test.notebook.settings.shown.protectionClass == "afterFirstUnlock")
        for _ in 0..<2 {
            #expect(try test.text(open).contains("other words"))
            #expect(try test.text(open, version: 1).contains("words"))
            #expect(try test.file("x.png", of: open) == [1, 2, 3])
            #expect(try test.text(locked) == "# Locked\n\nsecret\n")
            try test.reopen()
            try test.openSession()
        }
        #expect(try test.found("secret") == ["Locked"])
        try test.edit(locked, "# Locked\n\nnew\n")
        try test.changeClass(to: "whenUnlocked")
        #expect(try test.text(locked) == "# Locked\n\nnew\n")
        #expect(test.notebook.settings.shown.protectionClass == "whenUnlocked")
    }

    @Test func `a passphrase still opens its notes, and the device's keys still do not`() throws {
        let test = try TestNotebook(suite: .documented128)
        try test.openSession()
        let locked = try test.create("secret\n", isLocked: true)
        test.endSession()
        try test.changeClass(to: "afterFirstUnlock")
        try test.reopen()
        #expect(refusal { try test.text(locked) } == .noteLocked)
        try test.notebook.passphrases.unlock(nil, with: KnownPassphrase.secret())
        #expect(try test.text(locked) == "secret\n")
    }

    @Test(arguments: ["always", "whenPasscodeSetThisDeviceOnly", "complete", ""])
    func `no other class is taken`(_ name: String) throws {
        let test = try TestNotebook()
        #expect(refusal { try test.changeClass(to: name) } == .invalid)
        #expect(
            refusal { try test.notebook.settings.settings(after: NotesSettings(protectionClass: name)) } == .invalid)
    }

    @Test func `a class that was changed is told, though what follows it fails`() throws {
        let test = try TestNotebook()
        _ = try test.create("a text\n")
        try test.execute(
            """
            CREATE TRIGGER stop BEFORE INSERT ON record WHEN NEW.type = \(RecordType.settings)
            BEGIN SELECT RAISE(ABORT, 'stop'); END
            """)
        func change(_ changes: NotesSettings) -> NotesError? {
            do {
                try test.notebook.settings.change(changes) { try test.changeClass(to: $0) }
                return nil
            } catch { return NotesError(error) }
        }
        // The class alone writes nothing else that could fail.
        #expect(change(NotesSettings(protectionClass: "afterFirstUnlock")) == nil)
        #expect(test.notebook.settings.shown.protectionClass == "afterFirstUnlock")
        let both = try #require(change(NotesSettings(sessionMinutes: 3, protectionClass: "whenUnlocked")))
        #expect(both.code == .storage && both.message.hasPrefix("the class of the notes was changed; then this failed"))
        let settings = test.notebook.settings.shown
        #expect(settings.protectionClass == "whenUnlocked" && settings.sessionMinutes == 8)
        // Where the class stays, nothing of it is said.
        let alone = try #require(change(NotesSettings(sessionMinutes: 3, protectionClass: "whenUnlocked")))
        #expect(alone.code == .storage && !alone.message.contains("was changed; then"))
    }

    @Test func `a damaged record keeps the class, and is named`() throws {
        let test = try TestNotebook()
        _ = try test.create("a text\n")
        let body = try test.damage(RecordType.body)
        do {
            try test.changeClass(to: "afterFirstUnlock")
            Issue.record("the damaged record was moved")
        } catch let error as NotesError {
            #expect(error.code == .damaged && error.message.contains(body.description))
        }
        #expect(test.notebook.settings.shown.protectionClass == "whenUnlocked")
        try test.reopen()
        #expect(try test.titles() == ["a text"])
    }
}

extension TestNotebook {
    fileprivate func changeClass(to name: String) throws {
        try notebook.settings.changeClass(to: name, of: account, with: accountKey)
    }
}
