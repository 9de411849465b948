import NotesClient
import Testing

@testable import Notes

/// Texts that cannot be opened while the index is filled or searched.
@Suite struct NotebookIndexingTests {
    private let test: TestNotebook

    init() throws { test = try TestNotebook(suite: .tresor256) }

    /// Locked notes, and no session.
    private func seal(_ texts: String...) throws {
        try test.openSession()
        for text in texts { _ = try test.create(text, isLocked: true) }
        test.endSession()
    }

    private func words() throws -> [String?] { try test.notebook.lists.find("needle", limit: 9).notes.map(\.excerpt) }

    @Test func `a text for which there is no memory now is found when there is some`() throws {
        try seal("# One\n\nneedle one\n", "# Two\n\nneedle two\n")
        test.vault.isOutOfMemory = true
        #expect(refusal { try test.openSession() } == .unavailable)
        let found = try test.notebook.lists.find("needle", limit: 9)
        #expect(found.isPartial && found.unread == nil && found.notes.isEmpty)
        test.vault.isOutOfMemory = false
        try test.settle()
        #expect(try test.found("needle") == ["One", "Two"])
    }

    @Test func `a text on a sector that cannot be read is named, and hides no other`() throws {
        _ = try test.create("# Open\n\nneedle\n")
        try test.reopenUnread()
        _ = try test.notebook.lists.list(NoteFilter())
        try test.execute("ALTER TABLE record RENAME TO gone")
        #expect(refusal { try test.settle() } == nil)
        try test.execute("ALTER TABLE gone RENAME TO record")
        let found = try test.notebook.lists.find("needle", limit: 9)
        #expect(found.unread?.map(\.title) == ["Open"] && !found.isPartial)
        // After a while it is tried again: nothing is wrong with it.
        test.clock.advance(seconds: 11)
        _ = try test.notebook.lists.find("needle", limit: 9)
        try test.settle()
        #expect(try test.notebook.lists.find("needle", limit: 9).unread == nil && test.found("needle") == ["Open"])
    }

    @Test func `a note that leaves the trash while memory is short is found later`() throws {
        try test.openSession()
        let note = try test.create("# Sealed\n\nneedle\n", isLocked: true)
        try test.notebook.trash.delete(note, forever: false)
        test.vault.isOutOfMemory = true
        try test.notebook.trash.restore(note)
        test.vault.isOutOfMemory = false
        try test.settle()
        #expect(try test.found("needle") == ["Sealed"])
    }

    @Test func `titles that a full disk keeps hidden keep no note out of the search`() throws {
        try seal("# One\n\nneedle one\n")
        try test.notebook.settings.change(NotesSettings(showsLockedTitles: false))
        try test.notebook.settings.change(NotesSettings(showsLockedTitles: true))
        try test.execute(
            "CREATE TRIGGER stop BEFORE INSERT ON record BEGIN SELECT RAISE(ABORT, 'stop'); END")
        #expect(refusal { try test.openSession() } == nil)
        try test.execute("DROP TRIGGER stop")
        #expect(try test.notebook.lists.find("needle", limit: 9).notes.count == 1)
    }

    @Test func `a session that ends while texts are indexed leaves no word of them`() throws {
        try seal("# One\n\nneedle one\n", "# Two\n\nneedle two\n", "# Three\n\nneedle three\n")
        test.vault.keysUntilLoss = 1
        try test.openSession()
        #expect(test.notebook.keys.hasLostSession)
        #expect(try words().isEmpty && test.notebook.search.count == 0)
    }

    @Test func `a session that ends during a search shows nothing that it had opened`() throws {
        try seal("# One\n\nneedle one\n", "# Two\n\nneedle two\n", "# Three\n\nneedle three\n")
        try test.openSession()
        #expect(try words().count == 3)
        test.vault.keysUntilLoss = 1
        #expect(try words().isEmpty && test.notebook.keys.hasLostSession)
    }
}
