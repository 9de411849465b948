import Localization
import PasswordMaking
import Protection
import Secrets
import ShippedCatalogues
import TerminalScreen
import Testing
import Tresor
import Wire

@testable import KeychainTerminal

/// Items are added and changed on a page of their own.
@Suite struct ItemFormTests {
    private static func form(_ stage: Stage) -> ItemForm? {
        if case .form(let form) = stage.screen.page { form } else { nil }
    }

    @Test func `an item is added by name, account and a secret that is typed twice`() throws {
        var stage = Stage(order: .name)
        stage.press(.text("n"))
        stage.type("GitHub")
        stage.press(.enter, .enter)
        stage.type("dy q")
        stage.press(.control("s"))
        #expect(stage.screen.prompt == "New secret: " && stage.drafts.isEmpty)
        stage.feed(.typed(count: 3))
        #expect(stage.text.contains("New secret: •••"))
        stage.feed(.passcodeEntered)
        #expect(stage.screen.prompt == "The same again: " && stage.holdsTyped)
        stage.feed(.passcodeEntered)
        let draft = try #require(stage.drafts.first)
        #expect(draft.target == nil && draft.kind == .password && draft.secret == .typed)
        #expect(draft.attributes.string(.label) == "GitHub" && draft.attributes.string(.service) == "GitHub")
        #expect(draft.attributes.string(.account) == "dy q")
        #expect(draft.attributes.string(.protectionClass) == ProtectionClass.whenUnlocked.code)
        #expect(stage.text.contains("Added.") && stage.text.contains(">GitHub"), "the new one is selected")
        #expect(!stage.holdsTyped)
    }

    @Test func `a host becomes an internet password, unless another kind is chosen`() throws {
        var stage = Stage()
        stage.press(.text("n"))
        stage.type("shop2.example.com")
        #expect(Self.form(stage)?.kind == .internet)
        stage.press(.tab, .left)
        #expect(Self.form(stage)?.kind == .password)
        stage.press(.up, .backspace)
        #expect(Self.form(stage)?.kind == .password)
    }

    @Test func `a password that is made needs no typing, and a note has none made`() throws {
        var stage = Stage()
        stage.press(.text("n"))
        stage.type("one.example")
        stage.press(.pageDown, .right)
        #expect(stage.text.contains("‹ generated ›"))
        stage.press(.enter)
        let draft = try #require(stage.drafts.first)
        #expect(draft.secret == .made && draft.kind == .internetPassword && draft.host == "one.example")
        stage.press(.text("n"))
        stage.type("note")
        stage.press(.tab, .right, .right, .pageDown, .right, .right)
        #expect(Self.form(stage)?.kind == .note && Self.form(stage)?.secret == .typed)
    }

    @Test func `two secrets that differ are typed anew, and nothing is added meanwhile`() {
        var stage = Stage()
        stage.press(.text("n"))
        stage.type("x")
        stage.press(.control("s"))
        stage.isTypedAlike = false
        stage.feed(.passcodeEntered)
        stage.feed(.passcodeEntered)
        #expect(stage.screen.prompt == "New secret: " && stage.text.contains("The two differ"))
        #expect(stage.drafts.isEmpty && !stage.holdsTyped)
        stage.feed(.nothingEntered)
        #expect(stage.text.contains("Nothing was typed") && stage.drafts.isEmpty)
        stage.feed(.passcodeCancelled)
        #expect(Self.form(stage) != nil && stage.drafts.isEmpty, "the form is there still")
    }

    @Test func `letters in the form are text, and it is left with its texts only after a question`() {
        var stage = Stage()
        stage.press(.text("n"))
        stage.type("qdy?/K")
        #expect(Self.form(stage)?.line?.text == "qdy?/K" && !stage.hasQuit)
        for key in [Key.escape, .control("c")] {
            stage.press(key)
            #expect(stage.text.contains("Leave without saving? y/n") && Self.form(stage) != nil)
            stage.press(.text("n"))
        }
        stage.press(.escape, .text("y"))
        #expect(stage.screen.page == .list && stage.drafts.isEmpty)
        stage.press(.text("n"), .escape)
        #expect(stage.screen.page == .list, "an empty form is left without one")
    }

    @Test func `a name is needed`() {
        var stage = Stage()
        stage.press(.text("n"), .control("s"))
        #expect(stage.text.contains("It needs a name.") && stage.drafts.isEmpty)
    }

    @Test func `a change says what is different, and nothing else`() throws {
        var stage = Stage()
        stage.press(.text("e"))
        #expect(Self.form(stage)?.fields == [.label, .account, .place, .comment, .protectionClass, .secret])
        stage.type("2")
        stage.press(.control("s"))
        let draft = try #require(stage.drafts.first)
        #expect(draft.target == Listing.reference(.password, 1) && draft.secret == .kept)
        #expect(draft.attributes.values.count == 1 && draft.attributes.string(.label) == "Mail2")
        stage.press(.text("e"), .down, .down, .control("u"))
        stage.type("imap.example")
        stage.press(.down, .down, .right, .control("s"))
        let second = try #require(stage.drafts.last)
        #expect(second.attributes.string(.service) == "imap.example" && second.attributes.values.count == 2)
        #expect(second.attributes.string(.protectionClass) == ProtectionClass.afterFirstUnlock.code)
        stage.press(.text("e"), .control("s"))
        #expect(stage.text.contains("Nothing was changed.") && stage.drafts.count == 2)
    }

    @Test func `a text of several lines is no line to type in`() {
        var stage = Stage()
        stage.press(.text("j"), .text("e"))
        #expect(Self.form(stage)?.fields == [.label, .account, .place, .protectionClass, .secret])
    }

    @Test func `a change of what demands its owner asks for the passcode, and keeps what was typed until then`() {
        var stage = Stage()
        stage.guarded = [BrowserScreenTests.shop]
        stage.press(.text("j"), .text("e"), .pageDown, .right, .enter)
        stage.feed(.passcodeEntered)
        stage.feed(.passcodeEntered)
        #expect(stage.screen.wantsPasscode && stage.holdsTyped && stage.drafts.isEmpty)
        stage.feed(.passcodeEntered)
        #expect(stage.drafts.count == 1 && !stage.holdsTyped && stage.text.contains("Changed."))
    }

    @Test func `what is refused is said, and the form stays`() {
        var stage = Stage()
        stage.refusesDraft = TresorError(.duplicate, "such an item exists already")
        stage.press(.text("n"))
        stage.type("Mail")
        stage.press(.pageDown, .right, .enter)
        #expect(stage.text.contains("Such an item exists already.") && Self.form(stage)?.value(of: .name) == "Mail")
    }

    @Test func `a certificate of the system's is not changed, and nothing is added to it`() {
        var stage = Stage()
        stage.system = [.systemRoots: .ofFiles(.systemRoots)]
        stage.press(.text("K"), .text("K"))
        for key in [Key.text("e"), .text("n")] {
            stage.press(key)
            #expect(Self.form(stage) == nil && stage.text.contains("only root changes its files"))
        }
    }

    @Test(arguments: [(20, 6), (40, 12), (80, 24), (300, 100)])
    func `the form fits every window, the line that is typed in it`(size: (columns: Int, rows: Int)) {
        var stage = Stage(columns: size.columns, rows: size.rows)
        stage.press(.text("n"))
        stage.type("a name that is longer than a narrow window is wide 日本語")
        for _ in 0..<6 {
            let frame = stage.screen.frame()
            #expect(frame.lines.count == size.rows && frame.lines.allSatisfy { $0.width == size.columns })
            if let cursor = frame.cursor { #expect(cursor.row < size.rows - 1 && cursor.column < size.columns) }
            stage.press(.down)
        }
    }
}

/// Passwords that are made for an item.
@Suite struct NewPasswordTests {
    @Test func `a password is made by the rules of its site where they are known`() throws {
        var draft = Draft(kind: .internetPassword)
        draft.secret = .made
        draft.host = "www.battle.net"
        let known = try #require(SiteRules(host: draft.host))
        let made = try NewPassword(draft)
        #expect(made.description.contains("by the rules of \(known.host)"))
        let password = try made.maker.make()
        #expect(password.withBytes { known.rules.areMet(by: $0) })
        draft.host = "no rules are known of this"
        #expect(try NewPassword(draft).description == "Kept a password of 20 characters, 71 bits.")
        draft.secret = .words
        #expect(try NewPassword(draft).description == "Kept a password of 6 words, 77 bits.")
    }

    @Test func `what is made is kept, what stays is not, and without a secret it is said in the person's language`()
        throws
    {
        var draft = Draft(kind: .password)
        var held: SecretBytes?
        #expect(try NewPassword.make(for: draft, into: &held) == "" && held == nil)
        #expect(try NewPassword.copy(for: draft, of: held) == nil)
        draft.secret = .typed
        let german = try ShippedCatalogue.read("de")
        let error = #expect(throws: TresorError.self) {
            try Localization.speaking(german) { _ = try NewPassword.copy(for: draft, of: nil) }
        }
        #expect(error?.code == .invalidParameter && error?.message.hasPrefix("no secret") == false)
        draft.secret = .made
        #expect(try NewPassword.make(for: draft, into: &held) == "Kept a password of 20 characters, 71 bits.")
        #expect(try NewPassword.copy(for: draft, of: held)?.count == 20)
    }
}
