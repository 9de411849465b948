import TerminalScreen
import Testing

@testable import NotesTerminal

/// The keys that open the help, in every mode, and keys that do nothing.
@Suite struct HelpKeyTests {
    /// A mode, the keys that lead to it from the list, and whether something is typed there.
    struct Mode: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let keys: [Key]
        var isTyping = false
        /// What is said of a key that does nothing; nil where a question stays, which names its keys.
        var dead: String? = "'%' does nothing here; ? for help"
    }

    static let modes = [
        Mode(testDescription: "the list", keys: []),
        Mode(testDescription: "the folders", keys: [.backTab]),
        Mode(testDescription: "a note", keys: [.enter]),
        Mode(
            testDescription: "a locked note", keys: [.text("j")],
            dead: "This note is locked: letters do nothing here. Enter asks for the passphrase."),
        Mode(testDescription: "the attachments", keys: [.text("A")]),
        Mode(testDescription: "the versions", keys: [.text("v")]),
        Mode(testDescription: "a question", keys: [.text("e"), .text("x"), .control("c")], dead: nil),
        Mode(testDescription: "the passphrase's menu", keys: [.control("p")], dead: nil),
        Mode(testDescription: "the search", keys: [.text("/")], isTyping: true),
        Mode(testDescription: "the tags", keys: [.text("t")], isTyping: true),
        Mode(testDescription: "the editor", keys: [.text("e")], isTyping: true),
        Mode(testDescription: "a new note", keys: [.text("n")], isTyping: true),
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
        #expect(stage.text.contains("# Moving") && stage.text.contains("any other key closes"))
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
        guard let dead = mode.dead else { return #expect(!stage.text.contains("does nothing")) }
        #expect(stage.text.contains(dead))
        stage.press(.help, .escape)
        #expect(!stage.text.contains(dead))
    }

    @Test func `in the editor a Ctrl key that does nothing says so, and names F1`() {
        var stage = stage(Self.modes[10])
        stage.press(.control("g"))
        #expect(stage.text.contains("'Ctrl+G' does nothing here; F1 for help"))
        stage.press(.text("?"))
        #expect(!stage.text.contains("does nothing"))
    }

    @Test(arguments: [("n", "Ctrl+N"), ("/", "Ctrl+F"), ("z", "Ctrl+U"), ("d", "Del"), ("P", "Ctrl+P")])
    func `beside a locked note a letter names the key that does there what it does elsewhere`(
        letter: String, key: String
    ) {
        var stage = stage(Self.modes[3])
        stage.press(.text(letter))
        #expect(stage.text.contains("letters do nothing here. \(key) "))
    }

    @Test func `the helps say how a box is written`() {
        #expect(Help.lines.contains { String($0).hasPrefix("- [ ] milk") })
        #expect(PlainEditor.help.contains("\n- [ ] milk is a box to tick"))
    }
}
