import Protection
import TerminalScreen
import Testing
import Tresor
import Wire

@testable import KeychainTerminal

/// The device is unlocked where it is found locked, and what is typed there is never a command.
@Suite struct UnlockingTests {
    @Test func `a locked device is said and its passcode asked for before anything else`() {
        let stage = Stage(.whileLocked, state: .locked)
        #expect(stage.screen.wantsPasscode)
        #expect(stage.text.contains("The device is locked. Esc: look at what is open all the same."))
        let early = Stage(.whileLocked, state: .beforeFirstUnlock)
        #expect(early.screen.wantsPasscode && early.text.contains("was not unlocked since it started"))
        #expect(!Stage().screen.wantsPasscode)
    }

    @Test func `letters where the passcode is asked for are no commands`() {
        var stage = Stage(.whileLocked, state: .locked)
        let count = stage.listing.records.count
        stage.forget()
        stage.type("dyqnKsr/?e")
        stage.press(.enter, .control("c"))
        #expect(stage.effects.isEmpty && !stage.hasQuit && stage.screen.page == .list)
        #expect(stage.screen.wantsPasscode && stage.listing.records.count == count)
    }

    @Test func `each character is a dot`() {
        var stage = Stage(.whileLocked, state: .locked)
        stage.feed(.typed(count: 4))
        #expect(stage.text.contains("Passcode: ••••\n") || stage.text.hasSuffix("Passcode: ••••\n"))
        #expect(stage.screen.frame().cursor?.column == 14)
        stage.feed(.typed(count: 500))
        #expect(stage.screen.frame().lines.allSatisfy { $0.width == 80 })
    }

    @Test func `the right passcode opens the list, right there`() {
        var stage = Stage(.whileLocked, state: .locked)
        stage.listing = .sample
        stage.feed(.passcodeEntered)
        #expect(!stage.screen.wantsPasscode && stage.text.contains("🔓 unlocked") && stage.text.contains("Mail"))
        #expect(stage.effects.contains(.unlock))
    }

    @Test func `a wrong passcode says how many there were, and how long the next has to wait`() {
        var stage = Stage(.whileLocked, columns: 160, state: .locked)
        let wrong = KeychainError(.authenticationFailed, .wrongPasscode)
        stage.unlocking = (TresorError(wrong), WrongTries(count: 1, erases: false))
        stage.feed(.passcodeEntered)
        #expect(stage.text.contains("The device is locked. Wrong passcode.") && stage.screen.wantsPasscode)
        let later = TresorError(
            .authenticationFailed, "wrong passcode", retryAfter: .seconds(60), cause: "wrongPasscode")
        stage.unlocking = (later, WrongTries(count: 5, erases: true))
        stage.feed(.passcodeEntered)
        #expect(stage.text.contains("Wrong passcode, 5 in a row. 5 more erase everything."))
        #expect(stage.text.contains("The next try is possible in 60 s."))
        stage.pass(milliseconds: 20_500)
        #expect(stage.text.contains("The next try is possible in 40 s."))
        stage.pass(milliseconds: 60_000)
        #expect(!stage.text.contains("The next try"))
    }

    @Test func `Enter with nothing typed is no try`() {
        var stage = Stage(.whileLocked, state: .locked)
        stage.forget()
        stage.feed(.nothingEntered)
        #expect(stage.effects.isEmpty && stage.screen.wantsPasscode)
    }

    @Test func `whoever declines looks at what is open, and u asks again`() {
        var stage = Stage(.whileLocked, state: .locked)
        stage.feed(.passcodeCancelled)
        #expect(!stage.screen.wantsPasscode && stage.text.contains("u unlocks"))
        stage.press(.text("j"))
        #expect(stage.screen.records.row == 1)
        for key in [Key.text("u"), .text("n")] {
            stage.press(key)
            #expect(stage.screen.prompt == "Passcode: ", "\(key)")
            stage.feed(.passcodeCancelled)
        }
        stage.press(.text("G"), .enter)
        #expect(stage.screen.wantsPasscode, "a row that is shut asks as well")
    }

    @Test func `from the lock on, before its state is told, letters are for the passcode`() {
        var stage = Stage()
        stage.feed(.evicted)
        stage.forget()
        stage.type("dy")
        #expect(stage.screen.wantsPasscode && stage.effects.isEmpty)
    }

    @Test func `an unlock from elsewhere ends the prompt`() {
        var stage = Stage(.whileLocked, state: .locked)
        stage.listing = .sample
        stage.feed(.lockState(.unlocked))
        #expect(!stage.screen.wantsPasscode && stage.text.contains("Mail"))
        stage.feed(.connectionLost)
        #expect(!stage.screen.wantsPasscode && stage.text.contains("tresord does not run."))
    }

    @Test(arguments: [(20, 6), (40, 12), (300, 100)])
    func `the prompt fits every window`(size: (columns: Int, rows: Int)) {
        var stage = Stage(.whileLocked, columns: size.columns, rows: size.rows, state: .locked)
        stage.feed(.typed(count: 30))
        let frame = stage.screen.frame()
        #expect(frame.lines.count == size.rows && frame.lines.allSatisfy { $0.width == size.columns })
        #expect(stage.text.contains("Passcode: •") && stage.text.contains("locked"))
    }
}
