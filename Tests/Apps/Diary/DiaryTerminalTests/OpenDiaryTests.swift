import DiaryClient
import DiaryViews
import TerminalScreen
import Testing

@testable import DiaryTerminal

/// Behind the door: reading, writing, looking back.
@Suite struct OpenDiaryTests {
    private func entry(_ stage: Stage, _ text: String) -> DiaryWorld.Entry? {
        stage.world.entries.first { $0.text == text }
    }

    @Test func `an entry from a template is kept only when something was written`() {
        var stage = Stage.open()
        stage.press(.text("N"))
        stage.press(.enter)
        stage.press(.escape)
        #expect(!stage.requests.contains { if case .create = $0 { true } else { false } })
        stage.press(.text("N"))
        stage.press(.down)
        stage.press(.up)
        stage.press(.enter)
        stage.type("tea")
        stage.press(.control("s"))
        let created = stage.asks.first { if case .create = $0.request { true } else { false } }
        #expect(created.map { String(decoding: $0.body, as: UTF8.self) } == "# Sunday, 14:05\n\nGrateful for tea")
        guard case .create(let new) = created?.request else { return #expect(Bool(false), "nothing was created") }
        #expect(new.head.tags == ["thanks"])
    }

    @Test func `what is damaged is said once, when all was read`() {
        var world = DiaryWorld.sample
        world.damaged = ["one", "two"]
        var stage = Stage.open(world)
        #expect(stage.text.contains("Damaged records: 2."), "\(stage.text)")
        stage.press(.down)
        stage.press(.text(","))
        #expect(!stage.text.contains("Damaged records"))
    }

    @Test(arguments: ["snow\n", "nowhere\n"])
    func `a search says how many entries it could not read, also where nothing was found`(_ words: String) {
        var world = DiaryWorld.sample
        world.unread = [UnreadEntry(id: "one", part: .text, date: 0), UnreadEntry(id: "two", part: .head)]
        var stage = Stage.open(world)
        stage.press(.text("/"))
        stage.type(words)
        #expect(stage.text.contains("First snow") == (words == "snow\n"))
        #expect(stage.text.contains("Could not be read: 2. ‘tresor doctor --data’ names them."), "\(stage.text)")
        stage.press(.escape)
        #expect(!stage.text.contains("Could not be read"))
    }

    @Test(arguments: ["c", "m", "s", "g"])
    func `calendar, map, statistics and tags say how many entries they lack`(_ key: String) {
        var world = DiaryWorld.sample
        var stage = Stage.open(world)
        stage.press(.text(key))
        let whole = stage.text
        #expect(!whole.contains("Could not be read"))
        world.unread = [UnreadEntry(id: "one", part: .head)]
        stage = Stage.open(world)
        stage.press(.text(key))
        #expect(stage.text.contains("Could not be read: 1."), "\(stage.text)")
        let (rows, others) = (whole.split(separator: "\n"), stage.text.split(separator: "\n"))
        #expect(rows.dropLast() == others.dropLast(), "all else is drawn as ever")
    }

    @Test func `a new entry has the day, place, tags, mood, star and files of its fields`() throws {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("Tea\nand quiet")
        stage.press(.tab)
        stage.type("2026-11-20 07:15")
        stage.press(.enter)
        stage.type("Quay 59.5, -10.25")
        stage.press(.enter)
        stage.type("tea, winter , tea,")
        stage.press(.tab, .left, .tab, .text(" "), .tab)
        stage.forgetEffects()
        stage.type("'/home/a b/one.jpg'\n")
        stage.type("~/two.png")
        stage.press(.control("s"))
        let saved = try #require(entry(stage, "Tea\nand quiet")?.summary)
        #expect("\(saved.head.localDay) \(saved.head.localTime.clock)" == "2026-11-20 07:15")
        #expect(saved.head.timeZone == "Europe/Oslo" && saved.head.tags == ["tea", "winter"])
        #expect(saved.head.place == DiaryPlace(latitude: 59.5, longitude: -10.25, name: "Quay"))
        #expect(saved.head.mood == .great && saved.head.isStarred && !saved.isDraft)
        #expect(saved.media.map(\.name) == ["one.jpg", "two.png"])
        let files = stage.asks.compactMap(\.file)
        #expect(files == ["/home/a b/one.jpg", "~/two.png"])
        #expect(stage.text.contains("> 07:15  Tea and quiet") && stage.text.contains("Timeline (7)"))
    }

    @Test func `a file that cannot be read saves nothing, and its path and the text stay`() {
        var stage = Stage.open()
        stage.world.missingFile = "two.jpg"
        stage.press(.text("n"))
        stage.type("words")
        stage.press(.backTab)
        stage.type("/one.jpg\n/two.jpg")
        stage.press(.control("s"))
        #expect(entry(stage, "words") == nil && stage.text.contains("There is no such file"))
        #expect(stage.text.contains("/two.jpg") && stage.screen.diary?.editor?.field == .files)
        stage.press(.control("u"), .control("s"))
        #expect(entry(stage, "words")?.summary.media.map(\.name) == ["one.jpg"])
    }

    @Test func `a date that is none keeps the editor open, at the date`() throws {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("words")
        stage.press(.tab)
        stage.type("2026-02-30")
        stage.press(.control("s"))
        #expect(entry(stage, "words") == nil && stage.text.contains("The month has no such day."))
        let editor = try #require(stage.screen.diary?.editor)
        #expect(editor.field == .date)
    }

    @Test func `an edit keeps what was not touched, and a draft of its own until it is saved`() throws {
        var stage = Stage.open()
        stage.press(.text("j"), .text("j"), .enter, .text("e"), .documentEnd)
        stage.type(" Twice.")
        stage.pass(milliseconds: 2000)
        let draft = try #require(stage.world.entries.last)
        #expect(draft.summary.isDraft && draft.text == "Mended the boat. Twice.")
        #expect(entry(stage, "Mended the boat.") != nil, "the entry itself is untouched until it is saved")
        stage.type(" Again.")
        stage.pass(milliseconds: 2000)
        #expect(stage.world.entries.last?.summary.revision == 2)
        stage.press(.control("s"))
        let saved = try #require(entry(stage, "Mended the boat. Twice. Again.")?.summary)
        #expect(saved.head == DiaryWorld.sample.entries[2].summary.head && saved.media.map(\.name) == ["boat.jpg"])
        #expect(stage.world.entries.count == 6, "the draft is gone for good")
        #expect(stage.text.contains("Twice. Again."))
    }

    @Test func `a new entry becomes of its draft, with its files`() throws {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("slowly")
        stage.pass(milliseconds: 2000)
        #expect(stage.world.entries.last?.summary.isDraft == true)
        stage.press(.backTab)
        stage.type("/one.jpg")
        stage.press(.control("s"))
        #expect(stage.world.entries.count == 7)
        let saved = try #require(entry(stage, "slowly")?.summary)
        #expect(!saved.isDraft && saved.media.map(\.name) == ["one.jpg"] && stage.text.contains("slowly"))
    }

    @Test func `Ctrl+D keeps a draft, which D lists, and Ctrl+C throws away after a question`() {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("for later")
        stage.press(.control("d"), .text("D"))
        #expect(stage.text.contains("Drafts (1)") && stage.text.contains("for later"))
        stage.press(.text("t"), .text("n"))
        stage.type("nonsense")
        stage.pass(milliseconds: 2000)
        stage.press(.control("c"), .text("x"))
        #expect(stage.screen.diary?.editor != nil)
        stage.press(.text("y"))
        #expect(stage.screen.diary?.editor == nil && entry(stage, "nonsense") == nil)
        #expect(entry(stage, "for later") != nil)
    }

    @Test func `a draft keeps its files, and is put into the timeline when it is saved`() throws {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("unfinished")
        stage.press(.backTab)
        stage.type("/one.jpg")
        stage.press(.control("d"), .text("D"))
        let draft = try #require(entry(stage, "unfinished")?.summary)
        #expect(draft.isDraft && draft.media.map(\.name) == ["one.jpg"] && stage.text.contains("Drafts (1)"))
        stage.press(.text("e"), .control("s"), .text("t"))
        let saved = try #require(entry(stage, "unfinished")?.summary)
        #expect(!saved.isDraft && saved.media == draft.media && stage.text.contains("unfinished"))
    }

    @Test func `at midnight today becomes yesterday`() {
        var stage = Stage.open()
        #expect(stage.text.contains("Today · Sunday, 22 November 2026"))
        // From 14:05.
        stage.world.isSignedIn = true
        stage.pass(milliseconds: 10 * 3_600_000)
        stage.feed(.tick)
        #expect(stage.text.contains("Yesterday · Sunday, 22 November 2026"))
    }

    @Test func `an entry that somebody else has changed is not overwritten`() {
        var stage = Stage.open()
        stage.press(.text("e"))
        stage.type(" Mine.")
        stage.world.entries[1].summary.revision = 7
        stage.press(.control("s"))
        #expect(stage.text.contains("changed elsewhere meanwhile") && stage.text.contains(" Mine."))
        #expect(stage.world.entries[1].text == "Soup, and a long letter to Mari.")
        stage.press(.control("d"))
        #expect(stage.world.entries.last?.text.hasSuffix(" Mine.") == true)
        #expect(stage.world.entries.last?.summary.isDraft == true)
    }

    @Test func `an entry goes to the trash after a question, and z takes it back`() {
        var stage = Stage.open()
        stage.press(.text("d"), .text("n"))
        #expect(stage.text.contains("Timeline (6)"))
        stage.press(.text("d"), .text("y"))
        #expect(stage.text.contains("Timeline (5)") && !stage.text.contains("Soup"))
        stage.press(.text("z"))
        #expect(stage.text.contains("Timeline (6)") && stage.text.contains("Soup"))
    }

    @Test func `the trash gives back what is selected, and removes for good after a question`() {
        var stage = Stage.open()
        stage.press(.text("d"), .text("y"), .text("d"), .text("y"), .text("T"))
        #expect(stage.text.contains("Trash (2)") && stage.text.contains("z take back"))
        stage.press(.text("j"), .text("z"))
        #expect(stage.text.contains("Trash (1)") && stage.world.entries.count { $0.isDeleted } == 1)
        stage.press(.text("d"), .text("n"), .text("d"), .text("y"))
        #expect(stage.text.contains("Trash (0)") && stage.world.entries.count == 5)
        stage.press(.text("t"), .text("z"))
        #expect(stage.text.contains("Timeline (5)"), "what is gone for good is not taken back")
    }

    @Test func `the starred entries are a list of their own`() {
        var stage = Stage.open()
        stage.press(.text("*"))
        #expect(stage.text.contains("★ (1)") && stage.text.contains("First snow") && !stage.text.contains("Soup"))
    }

    @Test func `a setting changes at once, and locking by the focus counts from then on`() {
        var stage = Stage.open()
        stage.press(.text("S"), .right)
        #expect(stage.world.settings.lockMinutes == 10 && stage.text.contains("‹ after 10 minutes ›"))
        stage.press(.left, .left, .left, .left)
        #expect(stage.world.settings.lockMinutes == 0 && stage.text.contains("‹ never ›"))
        stage.press(.text("j"), .text("j"), .text(" "))
        #expect(stage.world.settings.isExcludedFromBackup == true)
        stage.press(.text("k"), .enter)
        stage.feed(.lifecycle(.focusLost))
        #expect(stage.screen.diary == nil)
    }

    @Test func `brackets go to earlier and later days, and from entry to entry`() {
        var stage = Stage.open()
        stage.press(.text("["))
        #expect(stage.text.contains("> 12:00  Mended"))
        stage.press(.text("]"))
        #expect(stage.text.contains("> 21:10  Soup"))
        stage.press(.enter, .text("["), .text("["))
        #expect(stage.text.contains("Mended the boat.") && stage.text.contains("boat.jpg"))
        stage.press(.text("]"), .escape)
        #expect(stage.text.contains("> 08:30  First snow"))
    }

    @Test func `the calendar goes by days, weeks, months and months with entries`() {
        var stage = Stage.open()
        stage.press(.text("c"), .left, .up, .text("l"))
        #expect(stage.text.contains("Sunday, 15 November 2026") && stage.text.contains("12:00  Mended"))
        stage.press(.text("["))
        #expect(stage.text.contains("October 2026"))
        stage.press(.text("{"))
        #expect(stage.text.contains("November 2025"))
        stage.press(.text("."), .enter)
        #expect(stage.text.contains("2 entries") && stage.text.contains("First snow"))
        stage.press(.escape, .text("k"), .enter)
        #expect(stage.text.contains("Mended the boat.") && stage.text.contains("Drøbak"))
    }

    @Test func `a marker of the map leads to its entries`() {
        var stage = Stage.open()
        stage.press(.text("m"))
        #expect(stage.text.contains("1 entry · 59.67° N 10.63° E"))
        stage.press(.tab, .tab, .enter)
        #expect(stage.text.contains("Rain over the sea."))
    }

    @Test func `a tag leads to its entries`() {
        var stage = Stage.open()
        stage.press(.text("g"), .text("j"), .enter)
        #expect(stage.text.contains("#sea (1)") && stage.text.contains("Rain over the sea."))
    }

    @Test func `thumbnails are asked for where they can be drawn, stand in their boxes, and end with the page`() throws
    {
        var stage = Stage.open()
        stage.press(.enter)
        #expect(!stage.requests.contains { if case .media = $0 { true } else { false } })
        stage = Stage.open(drawsPictures: true)
        stage.press(.enter)
        let diary = try #require(stage.screen.diary)
        #expect(diary.picturePlaces.map(\.column) == [1, 22] && diary.picturePlaces.allSatisfy { $0.row == 4 })
        let first = diary.picturePlaces[0]
        #expect(diary.picture(of: first.file) == Array("JPEG of soup.jpg".utf8))
        #expect(!stage.text.contains("3.4 MB") && stage.text.contains("soup.jpg"))
        stage.press(.text("?"))
        #expect(stage.screen.diary?.picturePlaces.isEmpty == true)
        stage.press(.escape)
        stage.forgetEffects()
        stage.press(.escape)
        #expect(stage.effects.contains(.clear) && stage.screen.diary?.picturePlaces.isEmpty == true)
        #expect(!stage.remembers("JPEG of soup"))
    }

    @Test func `an answer that is too long is asked for in smaller pages`() {
        var stage = Stage.open()
        stage.forgetEffects()
        stage.feed(.refusal(DiaryError(.tooLarge, "too long"), to: Ask(.list(DiaryFilter()))))
        var fewer = DiaryFilter()
        fewer.limit = 10
        #expect(stage.requests == [.list(fewer)] && stage.text.contains("Timeline (6)"))
    }

    @Test func `a long timeline comes page by page`() {
        var world = DiaryWorld()
        for day in 1...28 {
            for hour in 10...19 { world.add("2026-02-\(day < 10 ? "0" : "")\(day) \(hour):00", "Entry \(day) \(hour)") }
        }
        var stage = Stage.open(world)
        #expect(stage.text.contains("Timeline (280)"))
        stage.press(.end)
        stage.press(.end)
        stage.press(.end)
        #expect(stage.text.contains("Entry 1 10"))
        #expect(stage.requests.count { if case .list = $0 { true } else { false } } == 2)
    }
}
