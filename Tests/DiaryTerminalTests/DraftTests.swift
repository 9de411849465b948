import DiaryClient
import DiaryViews
import TerminalScreen
import Testing

@testable import DiaryTerminal

/// What a lock leaves of an entry that is being written: a sealed draft, and nothing here.
@Suite struct DraftTests {
    private func unlock(_ stage: inout Stage) {
        stage.world.isSignedIn = false
        stage.feed(.secretEntered)
    }

    @Test func `after a lock it goes on where a new entry was written, with its files`() throws {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("half a thought")
        stage.press(.backTab)
        stage.type("/one.jpg\n")
        stage.press(.control("l"))
        #expect(!stage.remembers("half a thought") && !stage.remembers("one.jpg"))
        #expect(stage.world.entries.last?.summary.media.map(\.name) == ["one.jpg"])
        unlock(&stage)
        #expect(stage.text.contains("This is where you were writing") && stage.text.contains("half a thought"))
        stage.press(.documentEnd)
        stage.type(", and the rest")
        stage.press(.control("s"))
        let saved = try #require(stage.world.entries.last)
        #expect(saved.text == "half a thought, and the rest" && !saved.summary.isDraft)
        #expect(saved.summary.media.map(\.name) == ["one.jpg"] && stage.world.entries.count == 7)
    }

    @Test func `after a lock it goes on where an entry was changed, and the change becomes that entry's`() throws {
        var stage = Stage.open()
        stage.press(.text("e"), .documentEnd)
        stage.type(" Good soup.")
        stage.press(.tab, .tab)
        stage.type("Home 59.9, 10.7")
        stage.press(.tab, .tab, .tab, .tab)
        stage.type("/new.jpg\n")
        stage.feed(.lifecycle(.suspended))
        #expect(!stage.remembers("Good soup") && stage.world.entries.count == 7)
        unlock(&stage)
        #expect(stage.text.contains("Good soup.") && stage.text.contains("Home 59.9, 10.7"))
        #expect(stage.text.contains("Edit entry") && stage.text.contains("Add new files once more"))
        stage.press(.control("s"))
        let saved = try #require(stage.world.entries.first { $0.text == "Soup, and a long letter to Mari. Good soup." })
        #expect(saved.summary.head.place?.name == "Home" && saved.summary.media.count == 2 && !saved.summary.isDraft)
        #expect(stage.world.entries.count == 6, "the draft is gone")
    }

    @Test func `where tresor-diary locks by itself, what was handed in before is gone on with, and a loss is told`() {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("kept")
        stage.pass(milliseconds: 2000)
        stage.feed(.event(.locked))
        #expect(!stage.text.contains("could not be kept"))
        unlock(&stage)
        #expect(stage.text.contains("kept"))
        stage.press(.documentEnd)
        stage.type(" lost")
        stage.feed(.event(.locked))
        #expect(stage.text.contains("Your last words could not be kept.") && !stage.remembers("lost"))
        unlock(&stage)
        #expect(stage.text.contains("kept") && stage.screen.diary?.editor != nil)
    }

    @Test func `a draft that cannot be written at the lock is told of`() {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("words")
        stage.world.isFull = true
        stage.press(.control("l"))
        #expect(stage.text.contains("Your last words could not be kept.") && !stage.world.isSignedIn)
    }

    @Test func `what could not be saved is still handed in as a draft`() {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("words")
        stage.press(.tab)
        stage.type("2026-02-30")
        stage.press(.control("s"))
        stage.press(.control("l"))
        #expect(stage.world.entries.last?.text == "words" && stage.world.entries.last?.summary.isDraft == true)
        stage = Stage.open()
        stage.press(.text("n"))
        stage.type("words")
        stage.world.isFull = true
        stage.press(.control("s"))
        stage.world.isFull = false
        stage.pass(milliseconds: 2000)
        #expect(stage.world.entries.last?.text == "words")
    }

    @Test func `a draft that could not be written is tried again`() {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("words")
        stage.world.isFull = true
        stage.pass(milliseconds: 2000)
        #expect(stage.world.entries.count == 6)
        stage.world.isFull = false
        stage.pass(milliseconds: 13_000)
        #expect(stage.world.entries.last?.text == "words")
    }

    @Test func `a draft that somebody else has removed is made anew, and the entry can be saved`() {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("words")
        stage.press(.backTab)
        stage.type("/one.jpg\n")
        stage.pass(milliseconds: 2000)
        stage.world.entries.removeLast()
        stage.press(.control("s"))
        stage.press(.control("s"))
        #expect(stage.world.entries.last?.text == "words" && stage.world.entries.last?.summary.isDraft == false)
        #expect(stage.world.entries.last?.summary.media.map(\.name) == ["one.jpg"])
    }

    @Test func `an entry that somebody else has removed meanwhile can be saved as a new one`() {
        var stage = Stage.open()
        stage.press(.text("e"), .documentEnd)
        stage.type(" Mine.")
        stage.world.entries.remove(at: 1)
        stage.press(.control("s"))
        #expect(stage.text.contains("The entry is gone.") && stage.text.contains("Mine."))
        stage.press(.control("s"))
        #expect(stage.world.entries.last?.text == "Soup, and a long letter to Mari. Mine.")
        #expect(
            stage.world.entries.last?.summary.isDraft == false
                && stage.world.entries.last?.summary.media.isEmpty == true)
    }

    @Test func `a draft keeps the fields that are right where one is not yet`() throws {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("words")
        stage.press(.tab)
        stage.type("2026-")
        stage.press(.tab)
        stage.type("Nowhere")
        stage.press(.tab)
        stage.type("tea")
        stage.pass(milliseconds: 2000)
        let draft = try #require(stage.world.entries.last?.summary)
        #expect(draft.isDraft && draft.head.tags == ["tea"] && draft.head.place == nil)
    }

    @Test func `a draft that is opened and thrown away is what it was`() {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("as it was")
        stage.press(.control("d"), .text("D"), .text("e"), .documentEnd)
        stage.type(" and nonsense")
        stage.pass(milliseconds: 2000)
        #expect(stage.world.entries.last?.text == "as it was and nonsense")
        stage.press(.control("c"), .text("y"))
        #expect(stage.world.entries.last?.text == "as it was" && stage.world.entries.last?.summary.isDraft == true)
    }

    @Test func `nothing of an entry stays in what draws the terminal`() {
        var stage = Stage.open()
        var painter = ScreenPainter()
        stage.press(.enter)
        _ = painter.paint(stage.screen.frame())
        #expect("\(painter)".contains("Soup"))
        // What the session does for a lock: it forgets, erases, and draws the lock screen.
        stage.press(.control("l"))
        painter.forget()
        #expect(!"\(painter)".contains("Soup"))
        let output = painter.paint(stage.screen.frame())
        #expect(!output.contains("Soup") && !"\(painter)".contains("Soup"))
    }
}
