import TerminalScreen
import Testing

@testable import KeychainTerminal

/// The keys that open the help, in every mode, and keys that do nothing.
@Suite struct HelpKeyTests {
    /// A mode, the keys that lead to it from the list, and whether something is typed there.
    struct Mode: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let keys: [Key]
        var isTyping = false
        /// Whether a question stays, which names its keys.
        var isQuestion = false
    }

    static let modes = [
        Mode(testDescription: "the list", keys: []),
        Mode(testDescription: "an item", keys: [.enter]),
        Mode(testDescription: "a question", keys: [.text("d")], isQuestion: true),
        Mode(testDescription: "a choice of the form", keys: [.text("n"), .down]),
        Mode(testDescription: "a line of the form", keys: [.text("n")], isTyping: true),
        Mode(testDescription: "the search", keys: [.text("/")], isTyping: true),
    ]

    private func stage(_ mode: Mode) -> Stage {
        var stage = Stage(.sample)
        for key in mode.keys { stage.press(key) }
        return stage
    }

    @Test(arguments: modes)
    func `F1 opens the help in every mode, and what lies under it is there again`(mode: Mode) {
        var stage = stage(mode)
        let before = stage.text
        stage.press(.help)
        #expect(stage.text.contains("next and previous; g G Home End"))
        stage.press(.escape)
        #expect(stage.text == before)
    }

    @Test(arguments: modes)
    func `a question mark opens the help where it is no letter`(mode: Mode) {
        var stage = stage(mode)
        stage.press(.text("?"))
        #expect(stage.text.contains("next and previous; g G Home End") == !mode.isTyping)
    }

    @Test(arguments: modes.filter { !$0.isTyping })
    func `a key that does nothing says so, until the next one`(mode: Mode) {
        var stage = stage(mode)
        stage.press(.text("%"))
        #expect(stage.text.contains("'%' does nothing here; ? for help") == !mode.isQuestion)
        stage.press(.help, .escape)
        #expect(!stage.text.contains("does nothing"))
    }

    @Test func `a form that lies under the help waits for the unlock like any other`() {
        var stage = stage(Self.modes[4])
        stage.type("Shop")
        stage.press(.help)
        stage.feed(.lockState(.locked))
        #expect(stage.heldForm?.texts == ["name": "Shop"] && !stage.text.contains("next and previous"))
    }

    @Test func `a code that is shown goes under the help, and a secret is hidden`() {
        var listing = Listing.sample
        listing.addCode(for: "Mail", account: "anna@example.org")
        var stage = Stage(listing)
        stage.press(.enter)
        #expect(stage.screen.codeArea != nil)
        stage.press(.text("?"))
        #expect(stage.screen.codeArea == nil && !stage.holdsCode)
        stage.press(.escape)
        #expect(stage.screen.codeArea != nil && stage.holdsCode)
        stage.press(.text("r"))
        #expect(stage.screen.secretArea != nil)
        stage.press(.help)
        #expect(stage.screen.secretArea == nil && !stage.holdsSecret)
    }
}
