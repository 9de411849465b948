import DiaryClient
import DiaryViews
import TerminalScreen
import Testing

@testable import DiaryTerminal

/// The diary in lines of words.
@Suite struct PlainReaderTests {
    /// What the driver does with lines, without input and output.
    private struct Talk {
        var stage: Stage
        var reader = PlainReader()
        var hasQuit = false
        /// What was said at once.
        var said: [String] = []
        var copied: String?

        init(_ world: DiaryWorld = .sample) {
            stage = Stage.open(world, isSpoken: true)
            reader.settle(stage.screen)
        }

        var words: String { reader.words(stage.screen) }
        var prompt: String { reader.prompt(stage.screen) }

        mutating func say(_ lines: String...) {
            for line in lines {
                for step in reader.hear(line, stage.screen.diary) {
                    switch step {
                    case .press(let key): stage.feed(.key(key))
                    case .choose(let number, let isOnlySelected):
                        stage.feed(.choose(number, isOnlySelected: isOnlySelected))
                    case .write(let step): stage.feed(.write(step))
                    case .act(let act): stage.feed(.act(act))
                    case .say(let words): said.append(words)
                    case .copy:
                        if case .entry(let entry) = stage.screen.diary?.page { copied = entry.text }
                    case .more: stage.feed(.more(from: reader.first))
                    case .quit: hasQuit = true
                    }
                }
                reader.settle(stage.screen)
            }
        }
    }

    @Test func `entries are numbered under their days, and opened by their numbers`() {
        var talk = Talk()
        #expect(talk.words.hasPrefix("November 2026.\nToday · Sunday, 22 November 2026.\n1. 21:10 Soup"))
        #expect(talk.words.contains("3. 12:00 Mended the boat., Files: 1, #boat, #summer house"))
        talk.say("3")
        #expect(talk.words.contains("Drøbak") && talk.words.hasSuffix("Mended the boat."))
        talk.say("b")
        #expect(talk.words.contains("1. 21:10 Soup"))
        talk.say("99")
        #expect(talk.said == ["There is no such number here."] && talk.words.isEmpty)
    }

    @Test func `a search in lines goes past its first hundred`() {
        var talk = Talk(SearchPagesTests.world(130))
        talk.say("/word")
        #expect(talk.words.contains("1. 12:10 word 130") && talk.words.contains("110 more"))
        for _ in 1...6 { talk.say("more") }
        #expect(talk.words.contains("\n130. 10:01 word 1") && !talk.words.contains("more:"))
        talk.say("130")
        #expect(talk.words.hasSuffix("word 1"))
    }

    @Test func `an entry is written line by line, with commands that begin with a period`() throws {
        var talk = Talk()
        talk.say("n")
        #expect(talk.prompt.contains("a period alone saves"))
        talk.say("First line", "..second", "third")
        #expect(talk.prompt.isEmpty && talk.words.isEmpty)
        talk.say(".change 3 the third", ".insert 2 between", ".delete 9", ".list")
        #expect(talk.said == ["1: First line\n2: between\n3: .second\n4: the third"])
        talk.say(".date 2026-02-30", ".")
        #expect(talk.words.contains("The month has no such day.") && talk.reader.expectation == .text)
        talk.say(".date 2026-02-28 07:00", ".tags tea", ".mood good", ".star", ".place Quay 59.5, 10", ".place", ".")
        let saved = try #require(talk.stage.world.entries.last)
        #expect(saved.text == "First line\nbetween\n.second\nthe third" && saved.summary.head.tags == ["tea"])
        #expect("\(saved.summary.head.localDay)" == "2026-02-28" && saved.summary.head.mood == .good)
        #expect(saved.summary.head.isStarred && saved.summary.head.place == nil)
        #expect(talk.reader.expectation == .command && talk.words.contains("Saved."))
    }

    @Test func `an entry is read out before it is changed, and its files are added, arranged and taken out`() throws {
        var talk = Talk()
        var facts = PhotoFacts()
        (facts.wallClock, facts.offsetMinutes) = (1_780_000_000, 120)
        talk.stage.world.facts["new.jpg"] = facts
        talk.say("e 1")
        #expect(talk.words.contains("Date: 2026-11-22 21:10 Europe/Oslo") && talk.words.contains("Files 2: letter.jpg"))
        #expect(talk.words.hasSuffix("1: Soup, and a long letter to Mari."))
        talk.say(".file /new.jpg")
        #expect(talk.words.contains("new.jpg says: 2026-05-28 20:26"))
        #expect(talk.words.contains(".photo takes that over"))
        talk.stage.world.missingFile = "none.jpg"
        talk.say(".file /none.jpg")
        #expect(talk.words.contains("There is no such file."))
        talk.say(".move 3 1", ".out 3", ".photo 1", ".nonsense")
        #expect(talk.words.contains(".help tells what does"))
        talk.say(".")
        let saved = try #require(talk.stage.world.entries.first { $0.text.hasPrefix("Soup") }?.summary)
        #expect(saved.media.map(\.name) == ["new.jpg", "soup.jpg"])
        #expect(
            "\(saved.head.localDay) \(saved.head.localTime.clock) \(saved.head.timeZone)" == "2026-05-28 20:26 GMT+0200"
        )
    }

    @Test func `an entry is thrown away only after a yes`() {
        var talk = Talk()
        talk.say("n", "nonsense", ".cancel")
        #expect(talk.prompt.contains("Discard what you wrote? y/n"))
        talk.say("n")
        #expect(talk.reader.expectation == .text)
        talk.say(".cancel", "y")
        #expect(talk.reader.expectation == .command && talk.stage.world.entries.count == 6)
    }

    @Test func `calendar, places, files, settings and trash are told and chosen by number`() {
        var talk = Talk()
        talk.say("c")
        #expect(talk.words.contains("15. Sunday, 15 November 2026: 1 entry"))
        talk.say("15")
        #expect(talk.words.contains("Mended the boat."))
        talk.say("m")
        #expect(talk.words.contains("1. 1 entry · 59.67° N 10.63° E"))
        talk.say("t", "1", "f")
        #expect(talk.words.contains("2. letter.jpg, Kind: photo · image/jpeg, Size: 3.4 MB"))
        talk.say("x 2 /tmp/out.jpg", "X 1 /tmp/soup.jpg")
        #expect(talk.stage.world.saved == ["/tmp/out.jpg": .shared, "/tmp/soup.jpg": .original])
        talk.say("x 1 /tmp/out.jpg")
        #expect(talk.words == "There is a file of that name; it stays as it is.")
        talk.say("S", "1 30", "2 yes", "3 maybe")
        #expect(
            talk.stage.world.settings
                == DiarySettings(lockMinutes: 30, locksOnResign: true, isExcludedFromBackup: false))
        #expect(talk.words.hasPrefix("3. ") && !talk.words.contains("1. Locks by itself"))
        talk.say("list")
        #expect(talk.words.contains("1. Locks by itself: after 30 minutes"))
        talk.say("t", "d 2", "y", "T")
        #expect(talk.words.contains("1. 08:30 First snow") && talk.stage.world.entries.count(where: \.isDeleted) == 1)
        talk.say("z 1", "T")
        #expect(talk.words.contains("Nothing is here.") && talk.stage.world.entries.allSatisfy { !$0.isDeleted })
    }

    @Test func `only the entry that is named is removed, and only after a yes`() {
        var talk = Talk()
        talk.say("d 9", "d")
        #expect(talk.reader.expectation == .command && talk.stage.screen.diary?.dialog == nil)
        talk.say("d 3", "what")
        #expect(talk.prompt.contains("y/n"))
        talk.say("no")
        #expect(talk.stage.world.entries.allSatisfy { !$0.isDeleted })
        talk.say("d 3", "yes")
        #expect(talk.stage.world.entries.filter(\.isDeleted).map(\.text) == ["Mended the boat."])
        talk.say("z")
        #expect(talk.stage.world.entries.allSatisfy { !$0.isDeleted })
    }

    @Test func `the words are those of every plain dialogue`() {
        var talk = Talk()
        talk.say("find sea")
        #expect(talk.words.contains("1. 07:05 Rain over the sea."))
        talk.say("timeline", "mended the boat")
        #expect(talk.words.hasSuffix("Mended the boat."))
        talk.say("copy")
        #expect(talk.copied == "Mended the boat.")
        talk.say("back", "open soup")
        #expect(talk.words.contains("Soup, and a long letter to Mari."))
        talk.say("back", "copy", "unlock", "opne 3", "open nothing at all")
        #expect(
            talk.said == [
                "Open an entry first; copy copies its text.", "The diary is open.",
                "Not understood; help tells the words. open?", "Nothing here is called so.",
            ])
        talk.say("delete mended the boat.", "yes", "undo")
        #expect(talk.stage.world.entries.allSatisfy { !$0.isDeleted })
        talk.say("tags", "sea")
        #expect(talk.words.contains("Rain over the sea."))
        talk.say("quit")
        #expect(talk.hasQuit)
    }

    @Test func `no page is read again unasked, and a number goes on meaning the same entry`() {
        var talk = Talk()
        talk.say("delete 1", "yes")
        #expect(!talk.words.contains("1. ") && talk.stage.world.entries.count(where: \.isDeleted) == 1)
        talk.say("gibberish of mine")
        #expect(talk.words.isEmpty)
        // The third is the third of the list that was read.
        talk.say("3")
        #expect(talk.words.hasSuffix("Mended the boat."))
        talk.say("back", "1")
        #expect(!talk.words.contains("Soup"))
        talk = Talk()
        talk.say("delete 1", "yes", "1")
        #expect(talk.said == ["That is no longer here; list reads anew."])
        talk.say("list")
        #expect(talk.words.contains("1. ") && !talk.words.contains("Soup"))
    }

    @Test func `inside an entry numbers and names are those of the list, and words alone mean the entry`() {
        var talk = Talk()
        talk.say("1", "delete 3")
        #expect(talk.said == ["3. Mended the boat., Files: 1, #boat, #summer house"] && talk.prompt.contains("y/n"))
        talk.say("yes")
        #expect(talk.stage.world.entries.filter(\.isDeleted).map(\.text) == ["Mended the boat."])
        talk.say("1", "open")
        #expect(talk.words.hasSuffix("Soup, and a long letter to Mari."))
        talk.say("open 2")
        #expect(talk.words.contains("First snow"))
        talk.say("delete", "yes")
        #expect(talk.stage.world.entries.count(where: \.isDeleted) == 2)
        talk.say("1", "edit 6")
        #expect(talk.words.contains("1: Rain over the sea."))
    }

    @Test func `after an entry was saved, list reads the list again`() {
        var talk = Talk()
        talk.say("1", "new", "A quiet morning.", ".")
        #expect(talk.words.contains("Saved."))
        talk.say("list")
        #expect(talk.words.contains("A quiet morning.") && talk.words.contains("First snow"))
        talk.say("1", "files", "list")
        #expect(talk.words.contains("2. letter.jpg") && !talk.words.contains("First snow"))
    }

    @Test func `a word that does nothing here says so`() {
        var talk = Talk()
        talk.say("open", "delete", "files", "undo", "back", "more", "restore 1", "save 1 /tmp/x", "y", "t nonsense")
        #expect(
            talk.said == [
                "Say which: a number or a title, or words to find.",
                "Say which: a number or a title, or words to find.",
                "Open an entry first; timeline, find and drafts list them.", "Nothing to take back.",
                "There is nothing to go back to.", "That was all.",
                "restore takes a number of the trash; say trash first.", "Open an entry first, and say files.",
                "Not understood; help tells the words.", "Not understood; help tells the words.",
            ])
        talk.said = []
        talk.say("settings", "edit", "delete 1", "timeline", "1", "files", "save 9 /tmp/x", "save 1", "edit")
        #expect(
            talk.said == [
                "Open an entry first; timeline, find and drafts list them.",
                "Open an entry first; timeline, find and drafts list them.", "There is no such number here.",
                "save 1 path: the first file without place, date, camera. original 1 path: the original.",
                "Open an entry first; timeline, find and drafts list them.",
            ])
        #expect(talk.stage.world.entries.allSatisfy { !$0.isDeleted } && talk.stage.screen.diary?.dialog == nil)
    }

    @Test func `an entry of the list is copied, and one of the trash is taken back as it is read`() {
        var talk = Talk()
        talk.say("copy 3")
        #expect(talk.copied == "Mended the boat." && talk.words.isEmpty)
        talk.say("delete 3", "yes", "delete 1", "yes", "trash", "open mended", "restore")
        #expect(talk.stage.world.entries.filter(\.isDeleted).map(\.text) == ["Soup, and a long letter to Mari."])
    }

    @Test func `a draft of a window that was closed is told of, and edited by its number`() {
        var world = DiaryWorld.sample
        world.tellsDrafts = true
        world.add("2026-11-20 10:00", "half a thought")
        world.entries[world.entries.count - 1].summary.isDraft = true
        var talk = Talk(world)
        #expect(talk.words.hasSuffix("A draft is not finished. drafts lists it, edit 1 goes on with it."))
        talk.say("drafts", "edit 1")
        #expect(talk.words.contains("1: half a thought"))
    }

    @Test func `search, tags, statistics and more of a long list`() {
        var talk = Talk()
        talk.say("/ sea")
        #expect(talk.words.contains("1. 07:05 Rain over the sea."))
        talk.say("g")
        #expect(talk.words.hasPrefix("1. #boat, 1\n2. #sea, 1"))
        talk.say("2")
        #expect(talk.words.contains("Rain over the sea."))
        talk.say("s")
        #expect(talk.words.hasPrefix("Entries: 6\nDays: 5"))
        var world = DiaryWorld()
        for day in 10...28 {
            for hour in 10...19 { world.add("2026-02-\(day) \(hour):00", "Entry \(day) \(hour)") }
        }
        talk = Talk(world)
        #expect(talk.words.contains("20. ") && !talk.words.contains("21. ") && talk.words.hasSuffix("more: + 170 more"))
        for _ in 1...6 { talk.say("+") }
        #expect(talk.words.contains("121. ") && talk.words.contains("140. "))
    }

    @Test func `a lock leaves nothing to be said, and asks for the password`() {
        var talk = Talk()
        talk.say("3", "l")
        #expect(
            talk.words == "The diary is locked." && talk.prompt == "Password, not shown: "
                && talk.stage.screen.wantsSecret)
        talk = Talk()
        talk.say("n", "half a thought")
        talk.stage.feed(.lifecycle(.suspended))
        talk.reader.settle(talk.stage.screen)
        #expect(talk.reader.expectation == .command && talk.words == "The diary is locked.")
        #expect(talk.stage.world.entries.last?.summary.isDraft == true)
    }
}
