import Foundation
import NotesClient
import Testing

/// Two clients of one note: what one of them has typed, the other does not lose.
@Suite(.serialized) struct NotesTogetherStories {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    /// A note, and somebody who types in it and has paused.
    private func typing() throws -> (id: String, editor: NotesConnection) {
        let id = try device.newNote("one\n\ntwo\n")
        let editor = try device.notesConnection()
        try editor.subscribe()
        try editor.ask(.show(id: id))
        try editor.ask(.keepDraft(id: id, base: 1), body: Array("one, and typed words\n\ntwo\n".utf8))
        return (id: id, editor: editor)
    }

    private func text(_ id: String) throws -> String { try device.notes("show", id).text }

    private func hearsOfChange(_ editor: NotesConnection) throws -> Bool {
        for _ in 0..<500 {
            while let event = try editor.nextEvent() { if case .noteChanged = event { return true } }
            usleep(2000)
        }
        return false
    }

    @Test func `who discards an edit discards nobody else's draft`() throws {
        var (id, editor): (String, NotesConnection?) = try typing()
        let other = try device.notesConnection()
        try other.ask(.show(id: id))
        try other.ask(.discardDraft(id: id))
        editor = nil
        for _ in 0..<200 where try !text(id).contains("typed words") { usleep(10_000) }
        #expect(try text(id) == "one, and typed words\n\ntwo\n")
        // One's own goes.
        try other.ask(.keepDraft(id: id, base: 2), body: Array("worthless\n".utf8))
        try other.ask(.discardDraft(id: id))
        #expect(try !text(id).contains("worthless"))
        _ = editor
    }

    @Test func `a former text that comes back takes no draft of another client with it`() throws {
        let (id, editor) = try typing()
        #expect(try device.notes("versions", id, "--revert", "1").code == 0)
        #expect(try hearsOfChange(editor))
        #expect(try text(id) == "one\n\ntwo\n")
        #expect(try device.notes("show", id, "--at", "2").text.contains("typed words"))
    }

    @Test func `who types in a note that is removed for good hears of it`() throws {
        let (id, editor) = try typing()
        #expect(try device.notes("delete", id).code == 0)
        #expect(try hearsOfChange(editor))
        #expect(try device.notes("delete", id, "--forever").code == 0)
        #expect(try hearsOfChange(editor))
    }

    @Test func `a window hears of a note that another client made, and not of its own`() throws {
        let window = try device.notesConnection()
        try window.subscribe()
        _ = try device.newNote("from elsewhere\n")
        #expect(try hearsOfChange(window))
        try window.ask(.create(NewNote()), body: Array("its own\n".utf8))
        usleep(300_000)
        #expect(try window.nextEvent() == nil)
    }

    @Test func `a file that is attached while somebody types stays in the text`() throws {
        let (id, editor) = try typing()
        let file = device.folder + "/photo.txt"
        try Data("file".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try device.notes("attach", id, file).code == 0)
        let saved = try editor.ask(.edit(id: id, base: 1), body: Array("one, and typed words\n\ntwo\n".utf8))
        guard case .note(let note) = saved.reply, note.isMerged == true else {
            Issue.record("\(saved.reply)")
            return
        }
        let merged = try text(id)
        #expect(merged.hasPrefix("one, and typed words\n\ntwo\n") && merged.contains("attachment:"), "\(merged)")
    }

    @Test func `a text from standard input is merged with what came since the revision that it names`() throws {
        let id = try device.newNote("one\n\ntwo\n")
        #expect(try device.notes("edit", id, input: "one\n\ntwo, theirs\n").code == 0)
        #expect(try device.notes("edit", id, "--base", "1", input: "one, mine\n\ntwo\n").code == 0)
        #expect(try text(id) == "one, mine\n\ntwo, theirs\n")
        #expect(try device.notes("edit", id, "--base", "1", "--editor").code == 64)
    }
}
