import Protection
import Secrets
import TerminalScreen
import Testing
import Tresor
import Wire

@testable import KeychainTerminal

/// A form that is open when the device locks comes back, and nothing of it is in the screen's state until then.
@Suite struct FormOverLockTests {
    private static func form(_ stage: Stage) -> ItemForm? {
        if case .form(let form) = stage.screen.page { form } else { nil }
    }

    private static func lock(_ stage: inout Stage) {
        stage.feed(.evicted)
        stage.listing = .whileLocked
        stage.feed(.lockState(.locked))
    }

    private static func unlock(_ stage: inout Stage, _ listing: Listing = .sample) {
        stage.listing = listing
        stage.feed(.passcodeEntered)
    }

    @Test func `a lock takes a form off the screen, says so, and the unlock brings it back as it was`() throws {
        var stage = Stage()
        stage.press(.text("n"))
        stage.type("half a name")
        stage.press(.tab, .right, .tab)
        stage.type("anna")
        stage.press(.tab, .tab, .right, .tab, .right)
        let before = try #require(Self.form(stage))
        #expect(before.value(of: .secret) == "generated")
        Self.lock(&stage)
        #expect(!"\(stage.screen)".contains("half a name") && !"\(stage.screen)".contains("anna"))
        #expect(stage.text.contains("The device is locked. What was typed into the form waits, unseen."))
        #expect(FormOverLock.isLost(with: stage.screen))
        Self.unlock(&stage)
        #expect(Self.form(stage) == before)
        #expect(stage.text.contains("The form as the lock found it; nothing of it is saved yet"))
        stage.press(.control("s"))
        #expect(stage.drafts.first?.attributes.string(.account) == "anna" && !FormOverLock.isLost(with: stage.screen))
    }

    @Test func `a secret that was typed is wiped, and typed anew`() {
        var stage = Stage()
        stage.press(.text("n"))
        stage.type("x")
        stage.press(.control("s"))
        stage.feed(.passcodeEntered)
        #expect(stage.holdsTyped)
        Self.lock(&stage)
        #expect(!stage.holdsTyped && stage.screen.prompt == "Passcode: ")
        Self.unlock(&stage)
        #expect(Self.form(stage)?.value(of: .name) == "x" && stage.screen.prompt == nil)
        stage.press(.control("s"))
        #expect(stage.screen.prompt == "New secret: ")
    }

    @Test func `of a change only what differs is held, and the item is as it is then`() throws {
        var stage = Stage()
        stage.press(.text("e"))
        stage.type("2")
        Self.lock(&stage)
        let held = try #require(stage.heldForm)
        #expect(held.texts == ["label": "Mail2"] && held.protectionClass == nil)
        #expect(held.reference == Listing.reference(.password, 1))
        var changed = Listing.sample
        changed.records[0].account = "else@example.org"
        Self.unlock(&stage, changed)
        #expect(Self.form(stage)?.value(of: .label) == "Mail2")
        #expect(Self.form(stage)?.value(of: .account) == "else@example.org")
        stage.press(.control("s"))
        #expect(stage.drafts.first?.attributes.values.count == 1)
    }

    @Test func `an item that is gone after the unlock is said to be`() {
        var stage = Stage()
        stage.press(.text("e"))
        stage.type("2")
        Self.lock(&stage)
        var rest = Listing.sample
        rest.records.removeFirst()
        Self.unlock(&stage, rest)
        #expect(stage.screen.page == .list && stage.text.contains("The item that was being changed is gone"))
    }

    @Test func `a daemon that ends and comes back, and an unlock from elsewhere, bring it back as well`() {
        var stage = Stage()
        stage.press(.text("n"))
        stage.type("half a name")
        stage.feed(.connectionLost)
        #expect(!"\(stage.screen)".contains("half a name"))
        stage.feed(.lockState(.beforeFirstUnlock))
        #expect(stage.text.contains("waits, unseen.") && Self.form(stage) == nil)
        stage.feed(.lockState(.unlocked))
        #expect(Self.form(stage)?.value(of: .name) == "half a name")
    }

    @Test func `a form that waits ends with the program after a question alone`() {
        var stage = Stage()
        stage.press(.text("n"))
        stage.type("half a name")
        Self.lock(&stage)
        stage.feed(.passcodeCancelled)
        stage.press(.text("q"))
        #expect(stage.text.contains("Quit? What waits for the unlock is dropped then. y/n") && !stage.hasQuit)
        stage.press(.text("n"))
        #expect(stage.heldForm != nil && !stage.hasQuit)
        stage.press(.text("q"), .text("y"))
        #expect(stage.heldForm == nil && stage.hasQuit && !FormOverLock.isLost(with: stage.screen))
    }

    @Test func `a second form is not begun while one waits`() {
        var stage = Stage()
        stage.press(.text("n"))
        stage.type("half a name")
        Self.lock(&stage)
        stage.feed(.passcodeCancelled)
        stage.press(.text("e"))
        #expect(Self.form(stage) == nil && stage.screen.prompt == "Passcode: ")
    }

    @Test func `an untouched form leaves nothing to wait, and a form for which no memory is left is said to be gone`() {
        var stage = Stage()
        stage.press(.text("n"))
        Self.lock(&stage)
        #expect(stage.heldForm == nil && !stage.text.contains("waits, unseen"))
        Self.unlock(&stage)
        stage.hasMemory = false
        stage.press(.text("n"))
        stage.type("half a name")
        Self.lock(&stage)
        #expect(!stage.text.contains("waits, unseen"))
        Self.unlock(&stage)
        #expect(stage.screen.page == .list)
        #expect(stage.text.contains("could not be kept over the lock. Nothing was changed."))
    }

    @Test func `what is held goes into locked memory and comes out the same`() throws {
        var held = HeldForm(Listing.reference(.internetPassword, 7), at: "comment")
        held.texts = ["label": "Grüße \u{1F511}", "comment": ""]
        (held.kind, held.isKindChosen, held.secret, held.keychain) = (.internet, true, .words, "Work")
        held.protectionClass = ProtectionClass.always.code
        #expect(try HeldForm(try held.held()) == held)
        #expect(throws: (any Error).self) { try HeldForm(try SecretBytes(text: "{}")) }
    }
}
