import NotesClient
import TerminalScreen
import Testing

@testable import NotesTerminal

@Suite struct NotesScreenEditingTests {
    @Test func `Escape saves what was changed, with the revision it began from`() {
        var stage = Stage(.sample)
        stage.press(.text("e"), .documentEnd)
        stage.type("\n- [ ] milk")
        stage.press(.escape)
        #expect(stage.asked.contains { $0.request == .edit(id: "note-1", base: 1) })
        #expect(stage.screen.editor == nil)
        #expect(stage.world.notes[0].text.hasSuffix("- [ ] milk"))
        #expect(stage.text.contains("milk"))
    }

    @Test func `Escape without a change saves nothing`() {
        var stage = Stage(.sample)
        stage.press(.text("e"), .down, .escape)
        #expect(!stage.requests.contains { if case .edit = $0 { true } else { false } })
        #expect(stage.screen.editor == nil)
    }

    @Test func `saving twice names the new revision`() {
        var stage = Stage(.sample)
        stage.press(.text("e"))
        stage.type("a")
        stage.press(.control("s"))
        #expect(stage.text.contains("Saved."))
        stage.type("b")
        stage.press(.control("s"))
        #expect(stage.requests.contains(.edit(id: "note-1", base: 2)))
    }

    @Test func `a saved text that was merged with another one's is read again`() {
        var stage = Stage(.sample)
        stage.press(.text("e"))
        stage.type("a")
        // Somebody else saves first.
        stage.world.notes[0].summary.revision = 5
        stage.world.merges["note-1"] = "a and theirs"
        stage.forgetAsked()
        stage.press(.control("s"))
        #expect(stage.asked.map(\.request) == [.edit(id: "note-1", base: 1), .show(id: "note-1")])
        #expect(stage.text.contains("a and theirs"))
        stage.type("b")
        stage.press(.control("s"))
        #expect(stage.requests.contains(.edit(id: "note-1", base: 6)))
    }

    @Test func `a text that nobody changed here is read again where somebody else has changed it`() {
        var stage = Stage(.sample)
        stage.press(.text("e"))
        stage.world.notes[0].summary.revision = 2
        stage.world.notes[0].text = "theirs alone"
        stage.world.merges["note-1"] = "theirs alone"
        stage.press(.control("s"))
        #expect(stage.text.contains("theirs alone"))
        stage.press(.documentEnd)
        stage.type(" and mine")
        stage.press(.control("s"))
        #expect(stage.world.notes[0].text == "theirs alone and mine")
        #expect(stage.requests.contains(.edit(id: "note-1", base: 2)))
    }

    @Test func `a draft that somebody else's change may have taken is handed in once more at the end`() {
        var stage = Stage(.sample)
        stage.press(.text("e"))
        stage.type("mine ")
        stage.pass(milliseconds: 1000)
        stage.forgetAsked()
        stage.feed(.event(.handInDrafts))
        #expect(!stage.requests.contains { if case .keepDraft = $0 { true } else { false } }, "it is there already")
        stage.feed(.event(.noteChanged(id: "note-2")))
        stage.world.drafts["note-1"] = nil
        stage.feed(.event(.noteChanged(id: "note-1")))
        stage.feed(.event(.deviceLocking))
        #expect(stage.world.drafts["note-1"]?.hasPrefix("mine ") == true)
    }

    @Test func `what is saved into a note that somebody has put into the trash says where it is`() {
        var stage = Stage(.sample)
        stage.press(.text("e"))
        stage.type("a")
        stage.world.notes[0].summary.deleted = 1
        stage.press(.control("s"))
        #expect(stage.text.contains("Saved; the note is in the trash."))
    }

    @Test func `Ctrl+L in the editor hands the draft in before it locks`() throws {
        var stage = Stage.withOpenLockedNote
        stage.press(.text("e"))
        stage.type("new ")
        stage.press(.control("l"))
        let draft = try #require(stage.requests.firstIndex(of: .keepDraft(id: "note-2", base: 1)))
        let lock = try #require(stage.requests.firstIndex(of: .lockNow))
        #expect(draft < lock)
        #expect(!stage.remembers("4711"))
    }

    @Test func `drafts follow typing`() {
        var stage = Stage(.sample)
        stage.press(.text("e"))
        stage.type("a")
        #expect(stage.screen.deadline == stage.now + NoteEditor.pause)
        stage.pass(milliseconds: 499)
        #expect(stage.world.drafts.isEmpty)
        stage.pass(milliseconds: 1)
        #expect(stage.world.drafts["note-1"]?.hasPrefix("a# Shopping") == true)
    }

    @Test func `discarding is asked about and leaves the note as it was`() {
        var stage = Stage(.sample)
        stage.press(.text("e"))
        stage.type("gone")
        stage.press(.control("c"), .text("n"))
        #expect(stage.screen.editor != nil)
        stage.press(.control("c"), .text("y"))
        #expect(stage.screen.editor == nil)
        #expect(stage.requests.contains(.discardDraft(id: "note-1")))
        #expect(!stage.world.notes[0].text.contains("gone"))
    }

    @Test func `a new note is made in the folder that is shown, once there is a word`() {
        var stage = Stage(.sample)
        stage.press(.backTab, .text("j"), .text("n"), .escape)
        #expect(stage.world.notes.count == 4)
        stage.press(.text("n"))
        stage.type("Roses\n")
        stage.pass(milliseconds: 600)
        stage.type("red")
        stage.press(.escape)
        #expect(stage.world.notes.count == 5)
        #expect(stage.world.notes[4].summary.folder == "Home/Garden")
        #expect(stage.world.notes[4].text == "Roses\nred")
        #expect(stage.screen.panes.shelf.selected?.id == "note-5")
    }

    @Test func `a refused save keeps the editor and its text`() {
        var stage = Stage(.sample)
        stage.press(.text("e"))
        stage.type("kept ")
        let ask = Ask(.edit(id: "note-1", base: 1))
        stage.feed(.refusal(NotesError(.cannotWrite, "the disk is full"), to: ask))
        #expect(stage.text.contains("The disk is full."))
        #expect(stage.screen.editor?.isChanged == true)
        #expect(stage.screen.editor?.buffer.text.hasPrefix("kept ") == true)
    }

    @Test func `editing one note alone ends when the editor is left`() {
        var stage = Stage(.sample, onlyNote: "note-3")
        #expect(stage.screen.editor?.title == "Garden plan")
        stage.type("x")
        stage.press(.escape)
        #expect(stage.hasQuit)
        #expect(stage.world.notes[2].text.hasPrefix("x# Garden"))
    }

    @Test func `editing one locked note asks for the passphrase first`() {
        var stage = Stage(.sample, onlyNote: "note-2")
        #expect(stage.screen.wantsSecret)
        stage.feed(.secretEntered)
        #expect(stage.screen.editor?.buffer.text.contains("4711") == true)
        stage.endSession()
        #expect(!stage.remembers("4711"))
        #expect(stage.screen.wantsSecret)
        stage.feed(.secretCancelled)
        #expect(stage.hasQuit)
    }

    @Test func `editing one note that is not there ends with the reason`() {
        let stage = Stage(.sample, onlyNote: "note-9")
        #expect(stage.hasQuit)
        #expect(stage.screen.failure?.code == .notFound)
    }
}
