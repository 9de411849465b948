import Localization
import ScreenPlaces
import ShippedCatalogues
import TerminalScreen
import Testing
import Tresor

@testable import KeychainTerminal

/// Without tresord nobody can unlock the device: that is said, and no passcode is asked for.
@Suite struct DaemonGoneTests {
    private static func stage(_ state: LockState = .unlocked, columns: Int = 80, rows: Int = 24) -> Stage {
        var stage = Stage(state == .unlocked ? .sample : .whileLocked, columns: columns, rows: rows, state: state)
        stage.feed(.connectionLost)
        return stage
    }

    @Test(arguments: [LockState.unlocked, .locked, .beforeFirstUnlock])
    func `the screen says that tresord does not run and how to go on, and asks for nothing`(state: LockState) {
        var stage = Self.stage(state)
        #expect(stage.text.contains("tresord does not run.") && stage.text.contains("tresor up"))
        #expect(stage.text.contains("Then this screen goes on by itself.") && stage.text.contains("Esc, twice, quits."))
        #expect(!stage.text.contains("locked") && !stage.screen.wantsPasscode && !"\(stage.screen)".contains("Mail"))
        // Not by any key of the list either.
        stage.forget()
        stage.type("nuedrycs/?K")
        stage.press(.enter, .click(row: 4, column: 4), .control("r"))
        #expect(stage.effects.isEmpty && !stage.screen.wantsPasscode && stage.text.contains("tresor up"))
    }

    @Test func `when it runs again the passcode is asked for, and unlocks`() {
        var stage = Self.stage()
        stage.listing = .whileLocked
        stage.feed(.lockState(.beforeFirstUnlock))
        #expect(stage.screen.wantsPasscode && !stage.text.contains("tresor up"))
        stage.listing = .sample
        stage.feed(.passcodeEntered)
        #expect(stage.text.contains("Mail") && stage.screen.absence == nil)
    }

    @Test func `a device that is unlocked when tresord runs again shows its items at once`() {
        var stage = Self.stage(.locked)
        stage.listing = .sample
        stage.feed(.lockState(.unlocked))
        #expect(stage.text.contains("Mail") && !stage.screen.wantsPasscode)
    }

    @Test func `it is left by a key that is pressed twice, and by no letter`() {
        var stage = Self.stage()
        stage.type("q12n")
        stage.press(.escape)
        #expect(
            !stage.hasQuit && stage.text.contains("Press it once more to quit.") && stage.text.contains("tresor up"))
        stage.press(.text("q"), .escape)
        #expect(!stage.hasQuit, "a letter in between was no second time")
        stage.press(.control("c"))
        #expect(stage.hasQuit)
    }

    @Test func `a form waits, that is said, and it is dropped after a question alone`() {
        var stage = Stage()
        stage.press(.text("n"))
        stage.type("half a name")
        stage.feed(.connectionLost)
        #expect(stage.text.contains("What was typed into the form waits, unseen.") && stage.heldForm != nil)
        #expect(stage.text.contains("tresor up") && !"\(stage.screen)".contains("half a name"))
        stage.press(.escape, .escape)
        #expect(!stage.hasQuit && stage.text.contains("Quit? What waits for the unlock is dropped then. y/n"))
        stage.press(.text("n"))
        stage.feed(.lockState(.unlocked))
        #expect(stage.text.contains("half a name"))
    }

    @Test(arguments: ["en", "de", "fr", "nb"], [(40, 8), (20, 6)])
    func `how to go on fits a narrow terminal`(language: String, size: (columns: Int, rows: Int)) throws {
        try Localization.speaking(language == "en" ? nil : ShippedCatalogue.read(language)) {
            let stage = Self.stage(columns: size.columns, rows: size.rows)
            let frame = stage.screen.frame()
            #expect(frame.lines.count == size.rows && frame.lines.allSatisfy { $0.width == size.columns })
            let wanted = ScreenPlace.words(of: DaemonAbsence.lines[1])
            #expect(
                ScreenPlace.words(of: stage.text).contains(wanted) && wanted.hasSuffix("tresor up"), "\(stage.text)")
        }
    }

    @Test func `in lines it is said once, no passcode is asked for, and its return is said`() {
        var talk = PlainBrowserTests.Talk()
        talk.feed(.connectionLost)
        talk.feed(.connectionLost)
        #expect(talk.said.filter { $0.hasPrefix("tresord does not run.") }.count == 1)
        #expect(talk.said.last?.contains("tresor up") == true && !"\(talk.browser)".contains("Mail"))
        #expect(talk.say("unlock").hasPrefix("tresord does not run.") && !talk.browser.wantsSecret)
        talk.feed(.locked)
        #expect(talk.said.last == "The device is locked.")
        #expect(talk.say("unlock") == "" && talk.browser.wantsSecret)
        talk.feed(.secretEntered)
        #expect(talk.said.last?.hasPrefix("All: 7 items.") == true)
    }

    @Test func `at the prompt for the passcode in lines, too, and nothing that was typed is tried`() {
        var talk = PlainBrowserTests.Talk(isLocked: true)
        #expect(talk.browser.wantsSecret)
        talk.feed(.connectionLost)
        #expect(talk.said.last?.hasPrefix("tresord does not run.") == true && !talk.browser.wantsSecret)
        talk.feed(.unlocked)
        #expect(talk.said.last == "The device is unlocked. Type list for the items.")
    }

    @Test func `in lines what was typed of an item waits, and comes back`() {
        var talk = PlainBrowserTests.Talk()
        for line in ["new Mail of work", "", "", "anna"] { _ = talk.say(line) }
        talk.feed(.connectionLost)
        #expect(talk.said.last?.hasSuffix("What was typed of an item waits for the unlock.") == true)
        talk.feed(.unlocked)
        #expect(talk.browser.isInForm && talk.said.last?.hasPrefix("A new item, where the lock") == true)
    }
}
