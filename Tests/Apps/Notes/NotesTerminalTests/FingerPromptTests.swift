import NotesClient
import TerminalScreen
import Testing

@testable import NotesTerminal

/// A finger in place of the passphrase of locked notes, on the screen and in lines.
@Suite struct FingerPromptTests {
    /// In front of a locked note, with its prompt open, after the driver has looked whether a finger does.
    private static func stage(isKept: Bool, columns: Int = 80, rows: Int = 24) -> Stage {
        var stage = Stage(.sample, columns: columns, rows: rows)
        stage.press(.down, .enter)
        #expect(stage.screen.asksAboutFinger)
        stage.feed(.fingerFound(isKept))
        #expect(!stage.screen.asksAboutFinger && stage.screen.wantsSecret)
        stage.forgetAsked()
        return stage
    }

    @Test func `Enter alone waits for a finger where the passphrase is kept for one, and the finger opens`() {
        var stage = Self.stage(isKept: true)
        #expect(stage.text.contains("Enter alone waits for a finger.") && !stage.screen.waitsForFinger)
        stage.feed(.nothingEntered)
        #expect(stage.fingerWaits == 1 && stage.screen.waitsForFinger && stage.requests.isEmpty)
        #expect(stage.shown.last?.contains("Touch the fingerprint reader.") == true)
        stage.feed(.fingerCame)
        #expect(stage.asked.first == Ask(.unlock(id: "note-2"), needsSecret: true))
        #expect(stage.text.contains("PIN 4711") && stage.screen.dialog == nil && !stage.screen.waitsForFinger)
    }

    @Test func `where none is kept, Enter alone is an empty passphrase as before, and no finger is offered`() {
        var stage = Self.stage(isKept: false)
        #expect(!stage.text.contains("finger"))
        stage.world.isPassphraseRight = false
        stage.feed(.nothingEntered)
        #expect(stage.fingerWaits == 0 && stage.requests == [.unlock(id: "note-2")])
        #expect(stage.screen.wantsSecret && stage.screen.asksAboutFinger, "it is asked for anew")
    }

    @Test(arguments: ["That finger is not enrolled.", "There is no fingerprint reader."])
    func `a reader that fails and a finger that is not enrolled leave the prompt`(reason: String) {
        var stage = Self.stage(isKept: true)
        stage.feed(.nothingEntered)
        stage.feed(.fingerFailed(reason))
        #expect(stage.text.contains(reason) && stage.screen.wantsSecret && !stage.screen.waitsForFinger)
        #expect(stage.requests.isEmpty)
        stage.feed(.nothingEntered)
        #expect(stage.fingerWaits == 2, "another try")
    }

    @Test func `Esc ends the wait and leaves the prompt, and once more closes it`() {
        var stage = Self.stage(isKept: true)
        stage.feed(.nothingEntered)
        stage.feed(.secretCancelled)
        #expect(!stage.screen.waitsForFinger && stage.screen.wantsSecret)
        #expect(stage.text.contains("Enter alone waits for a finger."))
        // A touch that comes too late was given up.
        stage.feed(.fingerCame)
        #expect(stage.requests.isEmpty && !stage.text.contains("PIN 4711"))
        stage.feed(.secretCancelled)
        #expect(stage.screen.dialog == nil && stage.text.contains("Cancelled."))
    }

    @Test func `what is typed while the reader waits counts, and ends the wait`() {
        var stage = Self.stage(isKept: true)
        stage.feed(.nothingEntered)
        stage.feed(.nothingEntered)
        stage.feed(.secretTyped(count: 4))
        #expect(stage.text.contains("••••") && stage.screen.waitsForFinger && stage.fingerWaits == 1)
        stage.feed(.secretEntered)
        #expect(stage.text.contains("PIN 4711") && !stage.screen.waitsForFinger)
    }

    @Test func `a lock ends the wait, and a finger opens no device`() {
        var stage = Self.stage(isKept: true)
        stage.feed(.nothingEntered)
        stage.lockDevice()
        #expect(!stage.screen.waitsForFinger && !stage.screen.asksAboutFinger && !stage.text.contains("finger"))
        stage.forgetAsked()
        stage.feed(.fingerCame)
        #expect(stage.requests.isEmpty && stage.text.contains("Passcode of the device:"))
    }

    @Test func `a wrong passphrase that a finger opened is told, and the prompt comes back`() {
        var stage = Self.stage(isKept: true)
        stage.world.isPassphraseRight = false
        stage.feed(.nothingEntered)
        stage.feed(.fingerCame)
        #expect(stage.screen.wantsSecret && stage.text.lowercased().contains("wrong"))
    }

    @Test func `the offer is whole in a window of twenty columns`() {
        var stage = Self.stage(isKept: true, columns: 20, rows: 6)
        func words() -> String { stage.text.split(whereSeparator: { " \n".contains($0) }).joined(separator: " ") }
        #expect(words().contains("Enter alone waits for a finger."))
        stage.feed(.nothingEntered)
        #expect(words().contains("Touch the fingerprint reader. Esc ends the wait."))
    }

    // MARK: In lines

    private static func talk(isKept: Bool) -> PlainConversationTests.Talk {
        var talk = PlainConversationTests.Talk(.sample)
        #expect(talk.say("open 2") == "" && talk.conversation.asksAboutFinger)
        talk.feed(.fingerFound(isKept))
        return talk
    }

    @Test func `in lines an empty line waits for a finger, which opens the note`() {
        var talk = Self.talk(isKept: true)
        #expect(talk.conversation.prompt.contains("an empty line waits for a finger"))
        #expect(talk.say("") == "Touch the fingerprint reader." && talk.fingerWaits == 1)
        #expect(talk.conversation.waitsForFinger && talk.conversation.wantsSecret, "a passphrase may be typed still")
        talk.feed(.fingerCame)
        #expect(talk.said.last?.contains("PIN 4711") == true && !talk.conversation.waitsForFinger)
    }

    @Test(arguments: [true, false])
    func `in lines a reader that fails and an empty line leave a prompt that an empty line cancels`(fails: Bool) {
        var talk = Self.talk(isKept: true)
        _ = talk.say("")
        if fails { talk.feed(.fingerFailed("No finger came in time.")) } else { #expect(talk.say("") == "") }
        #expect(!talk.conversation.waitsForFinger && talk.conversation.wantsSecret)
        #expect(talk.conversation.prompt.contains("an empty line cancels"))
        talk.feed(.fingerCame)
        #expect(!talk.said.joined().contains("PIN 4711"))
        #expect(talk.say("") == "Cancelled." && talk.fingerWaits == 1)
    }

    @Test func `in lines an empty line cancels where no passphrase is kept`() {
        var talk = Self.talk(isKept: false)
        #expect(talk.conversation.prompt.contains("an empty line cancels"))
        #expect(talk.say("") == "Cancelled." && talk.fingerWaits == 0)
    }
}
