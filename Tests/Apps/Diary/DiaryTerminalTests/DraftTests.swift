import DiaryClient
import DiaryViews
import TerminalScreen
import Testing
import Thoroughness

@testable import DiaryTerminal

/// What a lock leaves of an entry that is being written: a sealed draft, and nothing here.
@Suite struct DraftTests {
    private func unlock(_ stage: inout Stage) {
        stage.world.isSignedIn = false
        switch stage.screen.door {
        case .deviceLocked, .daemonGone: stage.feed(.deviceLooked(isLocked: false))
        default: break
        }
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

    @Test func `where tresor-diary locks by itself, everything is handed in and gone on with`() {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("reeds")
        stage.pass(milliseconds: 2000)
        stage.type(" to")
        stage.feed(.lateKeys([.text(" "), .text("t"), .text("h"), .text("e")]))
        stage.feed(.event(.handInDrafts))
        #expect(stage.shown.last?.contains("The diary is locked.") == true && !stage.remembers("reeds"))
        #expect(stage.requests.last == .handedIn && stage.world.entries.last?.text == "reeds to the")
        stage.feed(.event(.locked))
        #expect(!stage.text.contains("NOT kept"))
        unlock(&stage)
        #expect(stage.text.contains("reeds to the") && stage.screen.diary?.editor != nil)
        stage.type(" end")
        stage.press(.control("s"))
        #expect(stage.world.entries.last?.text == "reeds to the end" && stage.world.entries.count == 7)
    }

    @Test func `a draft that cannot be written at the lock waits here, unseen, and is gone on with when there is room`()
        throws
    {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("precious words")
        stage.world.isFull = true
        stage.press(.control("l"))
        #expect(stage.text.contains("Your last words are NOT kept: the disk is full.") && !stage.world.isSignedIn)
        #expect(!stage.remembers("precious") && stage.heldCount == 1)
        unlock(&stage)
        #expect(stage.text.contains("NOT kept") && stage.screen.diary?.editor == nil)
        stage.world.isFull = false
        stage.pass(milliseconds: 2100)
        #expect(stage.heldCount == 0 && stage.text.contains("precious words"))
        #expect(stage.text.contains("This is where you were writing"))
        stage.press(.control("s"))
        #expect(try #require(stage.world.entries.last).text == "precious words")
        #expect(stage.world.entries.count == 7 && stage.world.entries.last?.summary.isDraft == false)
    }

    @Test func `a save that a lock cuts off keeps the words`() {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("precious words")
        stage.world.isGone = true
        stage.press(.control("s"))
        #expect(stage.text.contains("NOT kept") && !stage.remembers("precious") && stage.heldCount == 1)
        stage.world.isGone = false
        unlock(&stage)
        #expect(stage.world.entries.last?.text == "precious words" && stage.heldCount == 0)
    }

    @Test func `words that are kept nowhere else are not lost by a key, and can be discarded`() {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("precious words")
        stage.world.isFull = true
        stage.press(.control("l"))
        stage.feed(.secretCancelled)
        stage.press(.text("q"))
        #expect(!stage.hasQuit && stage.text.contains("lost if you quit") && !stage.screen.wantsSecret)
        stage.press(.text("n"), .control("b"), .text("y"))
        #expect(stage.heldCount == 0 && !stage.hasQuit)
        stage.press(.text("q"))
        #expect(stage.hasQuit)
    }

    /// A world with so many drafts of windows that were closed.
    private func world(drafts: Int) -> DiaryWorld {
        var world = DiaryWorld.sample
        world.tellsDrafts = true
        for number in 0..<drafts {
            world.add("2026-11-20 10:0\(number)", "half a thought")
            world.entries[world.entries.count - 1].summary.isDraft = true
        }
        return world
    }

    @Test func `a draft of a window that was closed is told of at the start, and gone on with`() throws {
        var stage = Stage.open(world(drafts: 1))
        #expect(stage.text.contains("A draft is not finished. D shows it, e goes on with it."))
        stage.press(.text("D"), .text("e"))
        #expect(stage.text.contains("half a thought") && stage.screen.diary?.editor != nil)
        stage.press(.documentEnd)
        stage.type(", whole now")
        stage.press(.control("s"))
        let saved = try #require(stage.world.entries.last)
        #expect(saved.text == "half a thought, whole now" && !saved.summary.isDraft)
        #expect(Stage.open(world(drafts: 2)).text.contains("2 drafts are not finished. D lists them"))
        #expect(!Stage.open(world(drafts: 0)).text.contains("not finished"))
    }

    @Test func `what is begun here is not told of as a draft of before, and a lock's draft is gone on with`() {
        var stage = Stage.open(world(drafts: 0))
        stage.press(.text("n"))
        stage.type("half a thought")
        stage.pass(milliseconds: 2000)
        #expect(stage.world.entries.last?.summary.isDraft == true)
        stage.press(.control("d"), .text("S"))
        #expect(!stage.text.contains("not finished"))
        stage.press(.text("n"))
        stage.type("another")
        stage.press(.control("l"))
        unlock(&stage)
        #expect(stage.text.contains("This is where you were writing") && !stage.text.contains("not finished"))
    }

    @Test func `a draft is told of beside what is damaged`() {
        var world = world(drafts: 1)
        world.damaged = ["one"]
        let stage = Stage.open(world, columns: 160)
        #expect(stage.text.contains("Damaged records: 1") && stage.text.contains("A draft is not finished."))
    }

    @Test func `what no draft can keep is told of by name`() {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("words")
        stage.press(.tab)
        stage.type("2026-")
        stage.press(.tab)
        stage.type("Nowhere")
        stage.feed(.event(.handInDrafts))
        stage.feed(.event(.locked))
        unlock(&stage)
        #expect(stage.text.contains("Not kept") || stage.screen.diary?.message.contains("Date, Place") == true)
        #expect(stage.screen.diary?.editor?.buffer.text == "words")
    }

    @Test(arguments: 1...UInt64(Thoroughness.count(120, soak: 400)))
    func `every key is there, whatever the lock meets`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var stage = Stage.open()
        let isNew = Bool.random(using: &random)
        stage.press(.text(isNew ? "n" : "e"), .documentEnd)
        let former = isNew ? "" : stage.screen.diary?.editor?.buffer.text ?? ""
        let typed = (0..<40).map { _ in Self.letters.randomElement(using: &random) ?? "a" }
        let end = Int.random(in: 0...40, using: &random)
        let late = Int.random(in: 0...(40 - end), using: &random)
        for key in typed[..<end] {
            stage.feed(.key(.text(key)))
            stage.pass(milliseconds: .random(in: 0...3000, using: &random))
            if Int.random(in: 0..<20, using: &random) == 0 { stage.world.isFull.toggle() }
        }
        stage.world.isGone = Int.random(in: 0..<4, using: &random) == 0
        stage.world.isTakingLastWords = Bool.random(using: &random)
        stage.world.isDeviceLocked = true
        stage.feed(.lateKeys(typed[end..<end + late].map { .text($0) }))
        let ways: [[Input]] = [
            [.lockSeen, .event(.handInDrafts)], [.event(.handInDrafts)], [.event(.locked)], [.connectionLost],
            [.daemonEnded],
            [.key(.control("l"))], [.key(.control("s")), .lockSeen], [.lifecycle(.suspended)],
        ]
        for input in ways.randomElement(using: &random) ?? [] { stage.feed(input) }
        stage.world.isTakingLastWords = false
        stage.feed(.event(.locked))
        stage.feed(.connectionLost)
        let expected = former + typed[..<(end + late)].joined()
        #expect(stage.screen.diary == nil && (expected.count < 8 || !stage.remembers(expected)), "seed \(seed)")
        (stage.world.isGone, stage.world.isFull, stage.world.isDeviceLocked) = (false, false, false)
        unlock(&stage)
        stage.pass(milliseconds: 2100)
        #expect(stage.heldCount == 0, "seed \(seed)")
        let texts = stage.world.entries.map(\.text)
        #expect(expected.isEmpty || texts.contains(expected), "seed \(seed): \(expected) is not among \(texts)")
    }

    private static let letters: [String] = "abcdefghijklmnopqrstuvwxyz ".map { String($0) }

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

    @Test(arguments: [true, false])
    func `a draft that somebody else has written on in stays when it is thrown away here`(isPublished: Bool) throws {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("words")
        stage.pass(milliseconds: 2000)
        let place = stage.world.entries.count - 1
        stage.world.entries[place].text = "words, and theirs"
        stage.world.entries[place].summary.revision += 1
        stage.world.entries[place].summary.isDraft = !isPublished
        stage.press(.control("c"), .text("y"))
        #expect(!stage.text.contains("changed in between"))
        let left = try #require(stage.world.entries.last)
        #expect(left.text == "words, and theirs" && !left.isDeleted, "\(stage.world.entries.count)")
        // The same without anybody else: it goes.
        stage.press(.text("n"))
        stage.type("mine")
        stage.pass(milliseconds: 2000)
        let count = stage.world.entries.count
        stage.press(.control("c"), .text("y"))
        #expect(stage.world.entries.count == count - 1)
    }

    @Test func `what nobody touched keeps its line ends and its tags`() throws {
        var stage = Stage.open()
        stage.world.entries[1].text = "one\r\ntwo\r\n"
        stage.world.entries[1].summary.head.tags = ["Oslo, Norway", " sea "]
        stage.press(.text("e"), .documentEnd)
        stage.type("three")
        stage.press(.control("s"))
        #expect(stage.world.entries[1].text == "one\r\ntwo\r\nthree")
        #expect(stage.world.entries[1].summary.head.tags == ["Oslo, Norway", " sea "])
        // Who writes in the line says what they are.
        stage.press(.text("e"), .tab, .tab, .tab)
        stage.type(", rain")
        stage.press(.control("s"))
        #expect(stage.world.entries[1].summary.head.tags == ["Oslo", "Norway", "sea", "rain"])
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
        stage.press(.control("l"))
        unlock(&stage)
        #expect(stage.text.contains("Date, Place."), "\(stage.text)")
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
