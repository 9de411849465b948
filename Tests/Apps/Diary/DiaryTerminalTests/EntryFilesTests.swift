import DiaryClient
import DiaryViews
import TerminalScreen
import Testing

@testable import DiaryTerminal

/// The files of an entry: added, arranged, taken out, looked at and saved.
@Suite struct EntryFilesTests {
    private func entry(_ stage: Stage, _ text: String) -> EntrySummary? {
        stage.world.entries.first { $0.text.hasPrefix(text) }?.summary
    }

    /// The editor of the second entry, `Soup, …`, among its files.
    private func editingFiles() -> Stage {
        var stage = Stage.open()
        stage.press(.text("e"), .backTab)
        return stage
    }

    @Test
    func `Tab completes a path as far as it is certain, lists the rest, and goes to the next field in an empty one`() {
        var stage = Stage.open()
        stage.world.folders = [
            "~/": ["pictures/", "notes.txt", ".secret"], "~/pictures/": ["lake 1.jpg", "lake 2.jpg"],
        ]
        stage.press(.text("n"), .backTab)
        stage.type("~/p")
        stage.press(.tab)
        #expect(stage.screen.diary?.editor?.path.text == "~/pictures/")
        stage.press(.tab)
        #expect(stage.screen.diary?.editor?.path.text == "~/pictures/lake ")
        #expect(stage.text.contains("lake 1.jpg  lake 2.jpg"))
        stage.press(.text("2"), .tab, .enter)
        #expect(stage.asks.last?.file == "~/pictures/lake 2.jpg" && stage.screen.diary?.editor?.field == .files)
        stage.press(.tab)
        #expect(stage.screen.diary?.editor?.field == .text)
        #expect(
            TypedPath.Completion("~/", among: stage.world.names(beside: "~/")).choices == ["notes.txt", "pictures/"])
        #expect(TypedPath.Completion("~/.", among: stage.world.names(beside: "~/.")).path == "~/.secret")
    }

    @Test func `what a photo says is offered when it comes, and taken over only by a key`() throws {
        var stage = Stage.open()
        var facts = PhotoFacts()
        (facts.wallClock, facts.offsetMinutes) = (1_780_000_005, 120)
        (facts.latitude, facts.longitude) = (59.6712344, -10.5)
        stage.world.facts["lake.jpg"] = facts
        stage.press(.text("n"))
        stage.type("Lake")
        stage.press(.backTab)
        stage.type("/lake.jpg\n")
        #expect(
            stage.text.contains("lake.jpg says: 2026-05-28 20:26:45 GMT+0200 · 59.67° N 10.50° W. ^P takes that"))
        #expect(stage.screen.diary?.editor?.date.isEmpty == true && stage.screen.diary?.editor?.place.isEmpty == true)
        stage.press(.control("d"))
        #expect(entry(stage, "Lake")?.head.place == nil)
        stage.press(.text("D"), .text("e"), .tab)
        #expect(stage.text.contains("^P 2026-05-28 20:26:45 GMT+0200"))
        stage.press(.tab)
        #expect(stage.text.contains("^P 59.671234, -10.5"))
        stage.press(.control("p"), .home)
        stage.type("Pier ")
        stage.press(.control("s"))
        let saved = try #require(entry(stage, "Lake"))
        #expect(saved.head.place == DiaryPlace(latitude: 59.671234, longitude: -10.5, name: "Pier"))
        #expect(saved.head.localDay.description == "2026-11-22", "the date was not asked for")
        stage.press(.text("t"), .text("j"), .text("e"), .backTab, .control("p"), .control("s"))
        let again = try #require(entry(stage, "Lake"))
        #expect(
            "\(again.head.localDay) \(again.head.localTime.clock)" == "2026-05-28 20:26"
                && again.head.date % 60_000_000 == 45_000_000)
    }

    @Test func `a photo without a picture says why`() {
        var stage = Stage.open()
        stage.world.problems["odd.jpg"] = "it is no image"
        stage.press(.text("n"), .backTab)
        stage.type("/odd.jpg\n")
        #expect(stage.text.contains("odd.jpg has no picture: it is no image"))
    }

    @Test func `files are arranged and taken out, new ones too, and the text keeps naming the same`() throws {
        var stage = Stage.open()
        stage.press(.text("e"), .documentEnd)
        stage.type(" ![a](media:0) ![b](media:1) [c](media:2) ![d](media:9)")
        stage.press(.backTab)
        stage.type("/third.jpg\n/fourth.jpg\n")
        // The fourth first, the letter out, the third out.
        stage.press(.left, .left, .left, .down, .down, .delete)
        #expect(stage.text.contains("fourth.jpg") && !stage.text.contains("letter.jpg"))
        stage.press(.delete, .control("s"))
        let saved = try #require(stage.world.entries.first { $0.text.hasPrefix("Soup") })
        #expect(saved.summary.media.map(\.name) == ["fourth.jpg", "soup.jpg"])
        #expect(saved.text.hasSuffix(" ![a](media:1) b c ![d](media:9)"))
    }

    @Test func `a file that is added to a new entry and taken out again does not become its own`() {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("words")
        stage.press(.backTab)
        stage.type("/one.jpg\n/two.jpg\n")
        stage.press(.up, .delete, .control("s"))
        #expect(entry(stage, "words")?.media.map(\.name) == ["two.jpg"] && stage.text.contains("Saved."))
    }

    @Test func `a file that was taken out of a draft is gone when that is saved, and not before`() {
        var stage = Stage.open()
        stage.world.entries[1].summary.isDraft = true
        let files = stage.world.entries[1].summary.media.map(\.id)
        func takeOut() {
            stage.press(.text("D"))
            stage.press(.text("e"))
            stage.press(.backTab)
            stage.press(.down, .delete)
        }
        takeOut()
        stage.pass(milliseconds: 12_000)
        stage.feed(.tick)
        #expect(stage.world.entries[1].summary.media.map(\.id).sorted() == files.sorted(), "it is only a draft of it")
        stage.press(.control("c"), .text("y"))
        #expect(stage.world.entries[1].summary.media.map(\.id) == files)
        takeOut()
        stage.press(.control("d"))
        #expect(stage.world.entries[1].summary.media.count == 1)
    }

    @Test func `Enter puts the selected file into the text where its cursor stands`() {
        var stage = editingFiles()
        stage.press(.down, .enter)
        #expect(stage.text.contains("The file is in the text now"))
        stage.press(.control("s"))
        #expect(stage.world.entries.contains { $0.text == "Soup, and a long letter to Mari.![](media:1)" })
    }

    @Test func `what was staged does not slip into the next entry where this one is thrown away`() {
        var stage = editingFiles()
        stage.type("/one.jpg\n")
        #expect(stage.world.staged.map(\.name) == ["one.jpg"])
        stage.press(.control("c"), .text("y"))
        #expect(stage.effects.contains(.reconnect) && stage.world.staged.isEmpty)
        #expect(entry(stage, "Soup")?.media.count == 2)
    }

    @Test func `a draft of a changed entry leaves its new files where they wait`() throws {
        var stage = editingFiles()
        stage.type("/one.jpg\n")
        stage.pass(milliseconds: 2000)
        let draft = try #require(stage.world.entries.last?.summary)
        #expect(draft.isDraft && draft.media.isEmpty && stage.world.staged.map(\.name) == ["one.jpg"])
        stage.press(.control("s"))
        #expect(entry(stage, "Soup")?.media.map(\.name) == ["soup.jpg", "letter.jpg", "one.jpg"])
        #expect(stage.world.entries.count == 6, "the draft is gone")
    }

    @Test func `a save that is refused sends its files again`() {
        var stage = editingFiles()
        stage.type("/one.jpg\n")
        stage.world.isFull = true
        stage.press(.control("s"))
        #expect(stage.text.contains("The disk is full") && stage.world.staged.isEmpty)
        stage.world.isFull = false
        stage.press(.control("s"))
        #expect(entry(stage, "Soup")?.media.map(\.name) == ["soup.jpg", "letter.jpg", "one.jpg"])
    }

    // MARK: Reading

    @Test func `each file of an entry is selected, with what is known of it`() {
        var stage = Stage.open(drawsPictures: true)
        var facts = PhotoFacts()
        (facts.wallClock, facts.camera, facts.width, facts.height) = (1_780_000_000, "Fuji X100", 6000, 4000)
        stage.world.entries[1].summary.media[1].facts = facts
        stage.press(.enter, .text("f"))
        #expect(stage.screen.diary?.picturePlaces.count == 1 && stage.text.contains("Files (2)"))
        stage.forgetEffects()
        stage.press(.text("j"))
        #expect(stage.text.contains("Fuji X100") && stage.text.contains("2026-05-28 20:26"))
        #expect(stage.text.contains("3.4 MB · 6000 × 4000") && stage.effects.contains(.clear))
        #expect(stage.screen.diary?.picture(of: stage.world.entries[1].summary.media[1].id) != nil)
        stage.press(.control("l"))
        #expect(!stage.remembers("Fuji") && !stage.remembers("JPEG of"))
    }

    @Test func `a photo is saved without what it tells, the original by another key, and nothing is overwritten`() {
        var stage = Stage.open()
        stage.press(.enter, .text("f"), .text("x"))
        #expect(stage.text.contains("Without place, date, camera as: soup.jpg"))
        stage.press(.enter)
        #expect(stage.world.saved == ["soup.jpg": .shared] && stage.text.contains("are left out of it"))
        stage.press(.text("X"))
        stage.press(.enter)
        #expect(stage.world.saved == ["soup.jpg": .shared] && stage.text.contains("it stays as it is"))
        stage.press(.text("X"), .control("u"))
        stage.type("~/all.jpg\n")
        #expect(stage.world.saved["~/all.jpg"] == .original && stage.text.contains("with all that it says"))
        stage.press(.text("x"), .control("u"), .enter, .escape)
        stage.world.isFull = true
        stage.press(.text("x"), .control("u"))
        stage.type("/no.jpg\n")
        #expect(stage.text.contains("cannot be parted from what it says. X saves the original."))
        #expect(stage.world.saved["/no.jpg"] == nil)
    }

    @Test func `a name that came with a file leads to no other folder, and hides no file`() {
        func path(_ name: String) -> String {
            FileSaving(DiaryWorld.photo(name, "x"), of: "y", keepsAll: true).path.text
        }
        #expect(path("../../.bashrc") == "bashrc" && path("a/b.jpg") == "b.jpg" && path("..") == "")
        #expect(!path("\u{1B}[2Jx.jpg").contains("\u{1B}"))
        var heic = DiaryWorld.photo("a.heic", "x")
        heic.mediaType = "image/heic"
        #expect(FileSaving(heic, of: "y", keepsAll: false).path.text == "a.jpg")
        heic.kind = .audio
        #expect(FileSaving(heic, of: "y", keepsAll: false).size == .original)
    }
}
