import NotesClient
import TerminalScreen
import Testing

@testable import NotesTerminal

/// The passphrase of locked notes is set, changed and reset at the screen.
@Suite struct PassphraseFormTests {
    private static var withoutPassphrase: NotesWorld {
        var world = NotesWorld.sample
        world.session = SessionSummary(isOpen: false, endsIn: nil, hasPassphrase: false)
        return world
    }

    @Test func `the first passphrase is asked for twice, with what is lost, and then for a hint`() {
        var stage = Stage(Self.withoutPassphrase)
        stage.press(.text("P"))
        #expect(stage.text.contains("Nobody can recover it") && stage.text.contains("New passphrase:"))
        stage.feed(.secretEntered)
        #expect(stage.text.contains("New passphrase again:") && stage.heldSecrets == [.new])
        stage.feed(.secretEntered)
        #expect(!stage.screen.wantsSecret && stage.text.contains("Hint"))
        stage.type("the cat\n")
        #expect(stage.asked.contains(Ask(.setPassphrase(hint: "the cat"), takesHeldSecrets: true)))
        #expect(stage.text.contains("Passphrase set; nobody can recover it.") && !stage.screen.holdsSecrets)
        #expect(stage.screen.session.isOpen)
    }

    @Test func `two that differ are asked for again, and nothing is sent`() {
        var stage = Stage(Self.withoutPassphrase)
        stage.press(.text("P"))
        for comparison in [SecretComparison.different, .empty] {
            stage.comparison = comparison
            stage.feed(.secretEntered)
            stage.feed(.secretEntered)
            #expect(stage.text.contains("New passphrase:") && !stage.text.contains("again:"))
            #expect(stage.screen.wantsSecret)
        }
        #expect(stage.text.contains("at least one character"))
        stage.feed(.secretCancelled)
        #expect(!stage.screen.wantsSecret && !stage.screen.holdsSecrets)
        #expect(!stage.requests.contains { if case .setPassphrase = $0 { true } else { false } })
    }

    @Test(arguments: ["c", "r"])
    func `a change takes the present passphrase and a reset the passcode`(key: String) {
        var stage = Stage(.sample)
        stage.press(.text("P"), .text(key))
        #expect(stage.text.contains(key == "c" ? "Present passphrase:" : "Passcode of the device:"))
        #expect(stage.text.contains(key == "c" ? "goes over to the new one" : "locked from now on"))
        for _ in 1...3 { stage.feed(.secretEntered) }
        #expect(stage.heldSecrets == [.present, .new])
        stage.press(.enter)
        let request: NotesRequest = key == "c" ? .changePassphrase(hint: nil) : .resetPassphrase(hint: nil)
        #expect(stage.asked.contains(Ask(request, takesHeldSecrets: true)) && stage.newPassphrases == 1)
        #expect(stage.text.contains(key == "c" ? "Passphrase changed" : "stay under their old one"))
    }

    @Test func `a wrong present passphrase is asked for again`() {
        var stage = Stage(.sample)
        stage.world.isPassphraseRight = false
        stage.press(.text("P"), .text("c"))
        for _ in 1...3 { stage.feed(.secretEntered) }
        stage.press(.enter)
        #expect(stage.text.contains("This is not the passphrase.") && stage.text.contains("Present passphrase:"))
        #expect(stage.newPassphrases == 0)
    }

    @Test(arguments: [false, true])
    func `beside a locked note Ctrl+P asks the same, and the letter says so`(isInItsPane: Bool) {
        var stage = Stage(.sample)
        stage.press(.down)
        if isInItsPane { stage.press(.tab) }
        stage.press(.text("P"))
        #expect(stage.text.contains("Ctrl+P changes the passphrase.") && stage.screen.dialog == nil)
        stage.press(.control("p"))
        #expect(stage.text.contains("c change it  r reset it"))
        stage.press(.text("r"))
        #expect(stage.text.contains("Passcode of the device:") && stage.text.contains("locked from now on"))
        #expect(stage.text.contains("1 note that was locked before"))
    }

    @Test func `a wrong passphrase names the way out, and its hint from the third on`() {
        var stage = Stage(.sample)
        stage.world.isPassphraseRight = false
        stage.press(.down, .enter)
        for attempt in 1...3 {
            stage.feed(.secretEntered)
            #expect(stage.text.contains("Hint: the cat") == (attempt == 3), "\(attempt)")
            #expect(stage.text.contains("Forgotten? Esc, then Ctrl+P, sets a new one.") && stage.screen.wantsSecret)
        }
        stage.feed(.secretCancelled)
        stage.press(.control("p"))
        #expect(stage.text.contains("reset it, where it is forgotten"))
    }

    @Test func `a note under an older passphrase says so, and that one opens it beside an open session`() {
        var world = NotesWorld.sample
        world.olderNotes = ["note-2"]
        world.openSession()
        var stage = Stage(world)
        stage.press(.down)
        #expect(stage.text.contains("the one from before a reset") && !stage.text.contains("PIN 4711"))
        stage.press(.enter)
        #expect(stage.text.contains("Older passphrase, from before the reset:") && !stage.screen.asksAboutFinger)
        stage.world.isPassphraseRight = false
        stage.feed(.secretEntered)
        #expect(stage.text.contains("Older passphrase") && !stage.text.contains("Forgotten?"), "a reset opens nothing")
        stage.world.isPassphraseRight = true
        stage.feed(.secretEntered)
        #expect(stage.requests.contains(.unlock(id: "note-2")) && stage.text.contains("PIN 4711"))
    }

    @Test func `a lock takes the form away with what was typed for it`() {
        var stage = Stage(.sample)
        stage.press(.text("P"), .text("c"))
        stage.feed(.secretEntered)
        stage.lockDevice()
        #expect(!stage.screen.holdsSecrets && stage.text.contains("Passcode of the device:"))
    }
}
