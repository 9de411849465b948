import NotesClient
import TerminalScreen
import Testing

@testable import NotesTerminal

/// Files come to notes and go from them, and none is lost by it.
@Suite struct NoteFilesTests {
    @Test func `a file is attached by its path, which Tab completes`() {
        var stage = Stage(.sample)
        stage.files = ["~/plan.png": [1, 2, 3], "~/plum.png": [4], "~/other": []]
        stage.press(.text("a"))
        stage.type("pl")
        stage.press(.tab)
        #expect(stage.text.contains("plan.png  plum.png") && stage.text.contains("~/pl"))
        stage.type("a")
        stage.press(.tab)
        #expect(stage.text.contains("~/plan.png"))
        stage.press(.enter)
        #expect(stage.world.files["note-1"]?.map(\.bytes) == [[1, 2, 3]])
        #expect(stage.text.contains("Attached: plan.png, image."))
    }

    @Test func `a path without a file says so`() {
        var stage = Stage(.sample)
        stage.press(.text("a"))
        stage.type("nothing\n")
        #expect(stage.text.contains("There is no such file.") && stage.world.files.isEmpty)
    }

    private static var withFile: Stage {
        var stage = Stage(.sample)
        stage.files = ["~/a.png": [1, 2, 3]]
        stage.press(.text("a"))
        stage.type("a.png\n")
        stage.press(.text("A"))
        return stage
    }

    @Test func `an attachment is saved, and another file of that name is replaced only after a yes`() {
        var stage = Self.withFile
        #expect(stage.text.contains("Attachments of Shopping") && stage.text.contains("a.png  image, 3 bytes"))
        stage.files["~/a.png"] = [9]
        stage.press(.text("s"), .enter)
        #expect(stage.text.contains("~/a.png is there. Replace it?") && stage.files["~/a.png"] == [9])
        stage.press(.text("n"))
        #expect(stage.files["~/a.png"] == [9])
        stage.press(.text("A"), .text("s"), .enter, .text("y"))
        #expect(stage.files["~/a.png"] == [1, 2, 3])
        stage.press(.text("A"), .text("s"))
        stage.type("2\n")
        #expect(stage.files["~/a.png2"] == [1, 2, 3] && stage.text.contains("~/a.png2"))
    }

    @Test func `an attachment is opened, that of a locked note after a yes, and taken out after one`() {
        var stage = Self.withFile
        stage.press(.enter)
        #expect(stage.opened == ["a.png"])
        stage.world.openSession()
        stage.world.notes[0].summary.isLocked = true
        stage.press(.escape, .control("r"), .text("A"), .enter)
        #expect(stage.opened == ["a.png"] && stage.text.contains("Another program will see"))
        stage.press(.text("y"))
        #expect(stage.opened == ["a.png", "a.png"])
        stage.press(.text("A"), .text("d"), .text("x"))
        #expect(stage.world.files["note-1"]?.count == 1)
        stage.press(.text("y"))
        #expect(stage.world.files["note-1"]?.isEmpty == true)
    }

    @Test func `what a session shows over the panes goes with it`() {
        var stage = Self.withFile
        stage.world.openSession()
        stage.feed(.event(.sessionChanged(stage.world.session)))
        stage.world.notes[0].summary.isLocked = true
        stage.press(.escape, .control("r"), .text("A"))
        #expect(stage.remembers("a.png"))
        stage.endSession()
        #expect(!stage.remembers("a.png") && stage.screen.dialog == nil)
    }

    @Test func `one note is exported as it was written`() {
        var stage = Stage(.sample)
        stage.press(.text("x"), .enter)
        #expect(stage.files["~/Shopping.md"] == Array(stage.world.notes[0].text.utf8))
    }

    @Test(arguments: [
        ("../../etc/passwd", "passwd"), (".bashrc", "bashrc"), ("a/b\u{202E}c", "bc"), ("", "file"), ("...", "file"),
    ])
    func `a name from elsewhere is a name in a folder and no path`(name: String, safe: String) {
        #expect(TypedPath.fileName(name, otherwise: "file") == safe)
    }

    // MARK: Filing

    @Test func `tags are typed as words, and those that are missing are taken away`() {
        var stage = Stage(.sample)
        stage.press(.text("t"))
        #expect(stage.text.contains("home"))
        stage.press(.control("u"))
        stage.type("#shop, week shop\n")
        #expect(stage.requests.contains(.tag(id: "note-1", add: ["shop", "week"], remove: ["home"])))
    }

    @Test func `a note moves to a folder, which Tab completes`() {
        var stage = Stage(.sample)
        stage.press(.text("m"))
        stage.type("Wo")
        stage.press(.tab, .enter)
        #expect(stage.requests.contains(.move(id: "note-1", folder: "Work")) && stage.text.contains("is in Work."))
    }

    @Test func `former texts are listed, looked at and brought back`() {
        var stage = Stage(.sample)
        stage.world.former["note-1"] = ["# Shopping\n\nfirst", "# Shopping\n\nsecond"]
        stage.press(.text("v"))
        #expect(stage.text.contains("Versions of Shopping"))
        stage.press(.home, .enter)
        #expect(stage.text.contains("Version 1 of Shopping") && stage.text.contains("first"))
        stage.press(.text("r"))
        #expect(stage.world.notes[0].text.hasSuffix("first") && stage.text.contains("is a version too"))
    }

    @Test func `emptying that breaks off takes nothing more when the trash is listed again`() {
        var world = NotesWorld()
        for number in 1...3 { world.add("# Note \(number)") { $0.deleted = 1 } }
        var stage = Stage(world)
        stage.press(.backTab, .end, .text("D"))
        stage.world.isGone = true
        stage.press(.text("y"))
        stage.world.isGone = false
        stage.feed(.started)
        stage.press(.control("r"))
        #expect(stage.world.notes.count == 3 && stage.screen.panes.shelf.total == 3)
    }

    @Test func `the trash is emptied after a question that says how many go, page by page`() {
        var world = NotesWorld()
        for number in 1...450 { world.add("# Note \(number)") { $0.deleted = 1 } }
        world.add("# Kept")
        var stage = Stage(world)
        stage.press(.text("D"))
        #expect(stage.screen.dialog == nil && stage.world.notes.count == 451)
        stage.press(.backTab, .end, .text("D"))
        #expect(stage.text.contains("450 notes are deleted for good"))
        stage.press(.text("n"))
        #expect(stage.world.notes.count == 451)
        stage.press(.text("D"), .text("y"))
        #expect(stage.world.notes.map(\.summary.title) == ["Kept"])
        #expect(stage.text.contains("450 notes are gone for good"))
    }
}
