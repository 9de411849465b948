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

        init(_ world: DiaryWorld = .sample) {
            stage = Stage.open(world)
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
        talk.say("b", "99")
        #expect(talk.words.contains("1. 21:10 Soup"))
    }

    @Test func `an entry is written field by field, until a line with only a period`() throws {
        var talk = Talk()
        talk.say("n")
        #expect(talk.prompt == "Date (now): ")
        talk.say("2026-02-30", "tea, winter", "/one.jpg", "", "First line", "second", ".")
        #expect(talk.words.contains("The month has no such day.") && talk.prompt == "Date (now): ")
        talk.say("2026-02-28 07:00", "tea", "", ".")
        let saved = try #require(talk.stage.world.entries.last)
        #expect(saved.text == "First line\nsecond" && saved.summary.head.tags == ["tea"])
        #expect("\(saved.summary.head.localDay)" == "2026-02-28" && saved.summary.media.map(\.name) == ["one.jpg"])
        #expect(talk.reader.expectation == .command && talk.words.contains("Saved."))
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
        #expect(talk.words.contains("20. ") && !talk.words.contains("21. ") && talk.words.hasSuffix("+: + 170 more"))
        for _ in 1...6 { talk.say("+") }
        #expect(talk.words.contains("121. ") && talk.words.contains("140. "))
    }

    @Test func `a lock leaves nothing to be said, and asks for the password`() {
        var talk = Talk()
        talk.say("3", "l")
        #expect(talk.words == "The diary is locked." && talk.prompt == "Password: " && talk.stage.screen.wantsSecret)
        talk = Talk()
        talk.say("n", "", "", "", "half a thought")
        talk.stage.feed(.lifecycle(.suspended))
        talk.reader.settle(talk.stage.screen)
        #expect(talk.reader.expectation == .command && talk.words == "The diary is locked.")
        #expect(talk.stage.world.entries.last?.summary.isDraft == true)
    }
}
