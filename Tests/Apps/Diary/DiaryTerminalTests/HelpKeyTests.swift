import DiaryClient
import ShippedCatalogues
import TerminalScreen
import Testing

@testable import DiaryTerminal

/// The keys that open the help, in every mode, and keys that do nothing.
@Suite struct HelpKeyTests {
    init() throws { try ShippedCatalogue.keepAll() }

    /// A mode, the keys that lead to it from the timeline, and whether something is typed there.
    struct Mode: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let keys: [Key]
        var isTyping = false
        /// Whether a question stays, which names its keys.
        var isQuestion = false
    }

    static let modes = [
        Mode(testDescription: "the timeline", keys: []),
        Mode(testDescription: "the calendar", keys: [.text("c")]),
        Mode(testDescription: "on this day", keys: [.text("o")]),
        Mode(testDescription: "the map", keys: [.text("m")]),
        Mode(testDescription: "the statistics", keys: [.text("s")]),
        Mode(testDescription: "the tags", keys: [.text("g")]),
        Mode(testDescription: "the trash", keys: [.text("T")]),
        Mode(testDescription: "the settings", keys: [.text("S")]),
        Mode(testDescription: "the templates", keys: [.text("N")]),
        Mode(testDescription: "an entry", keys: [.enter]),
        Mode(testDescription: "its files", keys: [.enter, .text("f")]),
        Mode(testDescription: "its picture", keys: [.enter, .enter]),
        Mode(testDescription: "a question", keys: [.text("d")], isQuestion: true),
        Mode(testDescription: "the mood", keys: [.text("n"), .backTab, .backTab, .backTab]),
        Mode(testDescription: "the text of an entry", keys: [.text("n")], isTyping: true),
        Mode(testDescription: "the date of an entry", keys: [.text("n"), .tab], isTyping: true),
        Mode(testDescription: "the files of an entry", keys: [.text("n"), .backTab], isTyping: true),
        Mode(testDescription: "the search", keys: [.text("/")], isTyping: true),
    ]

    private func stage(_ mode: Mode) -> Stage {
        var stage = Stage.open()
        for key in mode.keys { stage.press(key) }
        return stage
    }

    @Test(arguments: modes)
    func `F1 opens the help in every mode, and what lies under it is there again`(mode: Mode) {
        var stage = stage(mode)
        let before = stage.text
        stage.press(.help)
        #expect(stage.text.contains("# Moving"))
        stage.press(.escape)
        #expect(stage.text == before)
    }

    @Test(arguments: modes)
    func `a question mark opens the help where it is no letter`(mode: Mode) {
        var stage = stage(mode)
        stage.press(.text("?"))
        #expect(stage.text.contains("# Moving") == !mode.isTyping)
    }

    @Test(arguments: modes.filter { !$0.isTyping })
    func `a key that does nothing says so, until the next one`(mode: Mode) {
        var stage = stage(mode)
        stage.press(.text("%"))
        #expect(stage.text.contains("'%' does nothing here; ? for help") == !mode.isQuestion)
        stage.press(.help, .escape)
        #expect(!stage.text.contains("does nothing"))
    }

    @Test func `in the editor a Ctrl key that does nothing says so, and names F1`() {
        var stage = stage(Self.modes[14])
        stage.press(.control("g"))
        #expect(stage.text.contains("'Ctrl+G' does nothing here; F1 for help"))
        for key in ["a", "e", "k", "u", "x", "y"] as [Character] {
            stage.press(.control(key))
            #expect(!stage.text.contains("does nothing"), "\(key)")
        }
        stage.press(.text("?"))
        #expect(stage.screen.diary?.editor?.buffer.text == "?")
    }

    @Test func `in lines of words nobody is told of a key`() {
        var stage = Stage.open(isSpoken: true)
        stage.press(.text("%"))
        #expect(stage.screen.diary?.message.isEmpty == true)
    }

    @Test func `in an entry of the trash, d asks whether it goes for good, and z takes it back`() {
        var stage = Stage.open()
        for _ in 1...2 { stage.press(.text("d"), .text("y")) }
        stage.press(.text("T"), .enter)
        #expect(stage.text.contains("z take back  d remove for good"))
        stage.press(.text("d"))
        #expect(stage.text.contains("Remove for good, with all its files? y/n"))
        stage.press(.text("n"), .text("z"))
        #expect(stage.text.contains("Trash (1)") && stage.world.entries.count { $0.isDeleted } == 1)
        stage.press(.enter, .text("d"), .text("y"))
        #expect(stage.text.contains("Trash (0)"))
        // An entry that is none of the trash goes there.
        stage.press(.text("t"), .enter, .text("d"))
        #expect(stage.text.contains("Move this entry to the trash? y/n"))
    }
}
