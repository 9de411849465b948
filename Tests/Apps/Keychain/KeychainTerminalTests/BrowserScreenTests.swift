import Protection
import TerminalScreen
import Testing
import Thoroughness
import Tresor
import Wire

@testable import KeychainTerminal

@Suite struct BrowserScreenTests {
    static let shop = Listing.reference(.internetPassword, 2)

    @Test func `tab goes through the kinds and back to all`() {
        var stage = Stage()
        var counts: [Int] = []
        for _ in Filter.allCases {
            counts.append(stage.screen.records.rows.count)
            stage.press(.tab)
        }
        #expect(counts == [7, 2, 1, 3, 1, 1])
        #expect(stage.screen.records.filter == .all)
    }

    @Test func `the search looks at label, account and service, in any case, while it is typed`() {
        var stage = Stage()
        for (words, found) in [("MAIL.EX", 1), ("anna", 2), ("Cellar", 1), ("www", 2), ("nothing", 0)] {
            stage.press(.text("/"), .control("u"))
            stage.type(words)
            #expect(stage.screen.records.rows.count == found, "\(words)")
            stage.press(.enter)
        }
        stage.press(.text("/"), .control("u"), .escape)
        #expect(stage.screen.records.search == "nothing", "Escape brings back what was searched for before")
        stage.press(.escape)
        #expect(stage.screen.records.rows.count == 7)
    }

    @Test func `an identity is a certificate with the private key of its hash`() throws {
        var listing = Listing.sample
        listing.add(.key, [.keyClass: .number(0), .applicationLabel: .data([9])])
        listing.addCertificate("public key only", days: 10, keyHash: [9])
        let identities = listing.identities
        #expect(identities.map(\.label) == ["www.example"])
        #expect(try #require(identities.first).secretReference == Listing.reference(.key, 7))
    }

    @Test func `deleting an identity takes the key along, unless another certificate is of that key`() throws {
        var listing = Listing.sample
        #expect(listing.removal(of: try #require(listing.identities.first)).count == 2)
        listing.addCertificate("renewed", days: 100, keyHash: [1, 2, 3])
        let first = try #require(listing.identities.first)
        #expect(listing.removal(of: first) == [first.reference])
    }

    @Test func `nothing is deleted without a yes`() {
        var stage = Stage()
        stage.press(.text("d"), .enter, .text("x"), .text("n"), .text("d"), .escape)
        #expect(stage.listing.records.count == 7)
        stage.press(.text("d"), .text("y"))
        #expect(stage.listing.records.map(\.label).first == "shop.example")
        #expect(stage.screen.records.rows.count == 6 && stage.text.contains("Done."))
    }

    @Test func `whoever deletes a key of the notes is told what goes with it`() {
        var listing = Listing()
        listing.add(.password, [.label: .string("Notes"), .accessGroup: .string("tresor.notes")])
        var stage = Stage(listing)
        stage.press(.text("d"))
        #expect(stage.text.contains("every note that it opens"))
    }

    @Test func `a secret is hidden after thirty seconds`() {
        var stage = Stage()
        stage.press(.text("r"))
        #expect(stage.holdsSecret && stage.screen.secretArea != nil)
        #expect(stage.screen.deadline == 31_000)
        stage.pass(milliseconds: 29_999)
        #expect(stage.holdsSecret)
        stage.forget()
        stage.pass(milliseconds: 1)
        #expect(!stage.holdsSecret && stage.screen.secretArea == nil)
        #expect(stage.effects == [.forgetSecret, .clear])
    }

    @Test(arguments: [Key.escape, .text("q"), .enter, .tab, .text("r"), .control("c"), .control("z")])
    func `leaving the page hides the secret`(key: Key) {
        var stage = Stage()
        stage.press(.enter, .text("r"))
        stage.forget()
        stage.press(key)
        #expect(!stage.holdsSecret && stage.screen.secretArea == nil)
        #expect(Array(stage.effects.prefix(2)) == [.forgetSecret, .clear])
    }

    @Test func `a long secret is scrolled, as far as it goes`() {
        var stage = Stage()
        stage.hold(rows: 50)
        stage.press(.text("r"), .pageUp, .text("j"))
        #expect(stage.screen.secretArea?.top == 1)
        stage.press(.pageDown, .pageDown, .pageDown, .pageDown)
        #expect(stage.screen.secretArea?.top == 31 && stage.holdsSecret)
        stage.feed(.resized(columns: 80, rows: 60))
        #expect(stage.screen.secretArea?.top == 0)
    }

    @Test func `an item that demands presence asks for the passcode, until it is right or given up`() {
        var stage = Stage()
        stage.guarded = [Self.shop]
        stage.isPasscodeRight = false
        stage.press(.text("j"), .text("r"))
        #expect(stage.screen.wantsPasscode && !stage.holdsSecret)
        stage.feed(.passcodeEntered)
        #expect(stage.screen.wantsPasscode && stage.text.contains("Wrong passcode. Wait 60 s."))
        stage.feed(.passcodeCancelled)
        #expect(!stage.screen.wantsPasscode && !stage.holdsSecret)
        stage.isPasscodeRight = true
        stage.press(.text("r"))
        stage.feed(.passcodeEntered)
        #expect(stage.holdsSecret)
    }

    @Test func `an item with a password of its own asks for that, and never for the passcode`() {
        var stage = Stage()
        stage.withPassword = [Self.shop]
        stage.isItemPasswordRight = false
        stage.press(.text("j"), .text("r"))
        #expect(stage.screen.wantsPasscode && stage.text.contains("Password of the item:"))
        #expect(!stage.text.contains("Passcode:"))
        stage.forget()
        stage.feed(.passcodeEntered)
        #expect(stage.effects == [.read(Reading(reference: Self.shop, purpose: .show), typed: .itemPassword)])
        #expect(stage.screen.wantsPasscode && stage.text.contains("That is not the item's password"))
        #expect(stage.text.contains("Password of the item:"))
        stage.isItemPasswordRight = true
        stage.feed(.passcodeEntered)
        #expect(stage.holdsSecret)
    }

    @Test func `an item that demands both asks for the passcode, and then for its own password`() {
        var stage = Stage()
        stage.guarded = [Self.shop]
        stage.withPassword = [Self.shop]
        stage.press(.text("j"), .text("r"))
        #expect(stage.text.contains("Passcode:") && !stage.text.contains("Password of the item:"))
        stage.feed(.passcodeEntered)
        #expect(stage.text.contains("Password of the item:") && !stage.holdsSecret)
        stage.feed(.passcodeEntered)
        #expect(stage.holdsSecret && !stage.screen.wantsPasscode)
    }

    @Test(arguments: [[.biometryAny], [.biometryCurrentSet]] as [AccessControl])
    func `an item that only a finger opens asks for one, and for no passcode`(control: AccessControl) {
        var listing = Listing.sample
        listing.records[1].control = control
        var stage = Stage(listing)
        stage.guarded = [Self.shop]
        stage.press(.text("j"), .text("r"))
        #expect(!stage.screen.wantsPasscode && !stage.holdsSecret)
        #expect(stage.text.contains("A finger is demanded. Enter: touch the reader."))
        stage.forget()
        stage.press(.text("d"), .text("q"), .enter)
        let reading = Reading(reference: Self.shop, purpose: .show)
        #expect(Array(stage.effects.prefix(2)) == [.draw, .read(reading, typed: .finger)] && stage.holdsSecret)
    }

    @Test func `where a finger does as well, Enter alone asks for it, and a reader that fails leaves the passcode`() {
        var stage = Stage()
        stage.guarded = [Self.shop]
        stage.press(.text("j"), .text("r"))
        #expect(stage.text.contains("Enter alone waits for a finger.") && stage.text.contains("Passcode:"))
        stage.forget()
        let reading = Reading(reference: Self.shop, purpose: .show)
        stage.feed(.refused(TresorError(.unavailable, "there is no reader"), .read(reading, typed: .finger)))
        #expect(stage.screen.wantsPasscode && stage.text.contains("There is no reader."))
        stage.feed(.nothingEntered)
        #expect(Array(stage.effects.prefix(2)) == [.draw, .read(reading, typed: .finger)] && stage.holdsSecret)
    }

    @Test func `an item that demands finger and passcode takes both for one reading`() {
        var listing = Listing.sample
        listing.records[1].control = [.biometryAny, .devicePasscode, .and]
        var stage = Stage(listing)
        stage.guarded = [Self.shop]
        stage.press(.text("j"), .text("r"))
        stage.forget()
        stage.feed(.nothingEntered)
        #expect(stage.effects.isEmpty && stage.screen.wantsPasscode)
        stage.feed(.passcodeEntered)
        let reading = Reading(reference: Self.shop, purpose: .show)
        #expect(Array(stage.effects.prefix(2)) == [.draw, .read(reading, typed: .passcodeAndFinger)])
        #expect(stage.holdsSecret)
    }

    @Test func `a passcode that is right and does not do is not asked for again`() {
        var stage = Stage()
        let reading = Reading(reference: Self.shop, purpose: .show)
        let error = TresorError(.presenceRequired, "the item demands its owner's presence")
        stage.feed(.refused(error, .read(reading, typed: .passcode)))
        #expect(!stage.screen.wantsPasscode && stage.text.contains("The item demands its owner's presence."))
    }

    @Test func `a lock while the passcode is typed ends the prompt, and a late answer shows nothing`() {
        var stage = Stage()
        stage.guarded = [Self.shop]
        stage.press(.text("j"), .text("r"))
        stage.listing = .whileLocked
        stage.feed(.lockState(.locked))
        #expect(stage.screen.prompt == "Passcode: " && stage.text.contains("The device is locked."))
        stage.forget()
        stage.feed(.secretHeld(Reading(reference: Self.shop, purpose: .show)))
        #expect(stage.screen.secretArea == nil && stage.effects == [.forgetSecret])
    }

    @Test func `what was copied is cleared after 45 seconds, and when the viewer is left`() {
        var stage = Stage()
        stage.press(.text("y"))
        #expect(stage.text.contains("may not take it"))
        stage.forget()
        stage.pass(milliseconds: 44_999)
        #expect(stage.effects.isEmpty)
        stage.pass(milliseconds: 1)
        #expect(stage.effects == [.clearClipboard] && stage.text.contains("cannot be known"))
        stage.way = .desktop
        stage.press(.text("r"), .text("y"))
        #expect(stage.text.contains("The clipboard is cleared in 45 s"))
        stage.press(.escape)
        stage.forget()
        stage.press(.text("q"))
        #expect(stage.effects == [.clearClipboard, .quit] && stage.hasQuit)
    }

    @Test func `a certificate has no secret to reveal or copy`() {
        var stage = Stage()
        stage.press(.tab, .tab, .tab)
        stage.forget()
        stage.press(.text("r"), .text("y"), .enter, .text("r"))
        #expect(stage.effects.isEmpty && stage.text.contains("A certificate has no secret"))
    }

    @Test func `a lock takes everything off the screen at once, and what is shut is counted, not missing`() {
        var stage = Stage()
        stage.press(.text("/"))
        stage.type("cellar")
        stage.press(.enter, .enter, .text("r"), .text("y"))
        stage.forget()
        stage.listing = .whileLocked
        stage.feed(.evicted)
        #expect(stage.effects == [.forgetSecret, .clear, .clearClipboard])
        #expect(!"\(stage.screen)".contains("ellar") && !stage.holdsSecret)
        stage.feed(.lockState(.locked))
        #expect(stage.text.contains("device locked") && stage.text.contains("1 item is locked"))
        #expect(stage.text.contains("The device is locked.") && stage.text.contains("Passcode:"))
        #expect(!stage.text.contains("Mail"))
        stage.listing = .sample
        stage.feed(.lockState(.unlocked))
        #expect(stage.text.contains("Mail") && !stage.text.contains("locked."))
    }

    @Test func `a locked row has neither details nor secret, and a search never hides it`() {
        var stage = Stage(.whileLocked, state: .locked)
        stage.feed(.passcodeCancelled)
        stage.press(.text("/"))
        stage.type("no such words")
        stage.press(.enter)
        #expect(stage.screen.records.rows.count == 3)
        stage.forget()
        for key in [Key.enter, .text("r"), .text("y"), .text("d"), .text("e")] {
            stage.press(key)
            #expect(stage.screen.prompt == "Passcode: " && stage.screen.page == .list, "\(key)")
            stage.feed(.passcodeCancelled)
        }
        #expect(stage.effects.isEmpty)
    }

    @Test func `without the daemon nothing is shown, and everything comes back with it`() {
        var stage = Stage()
        stage.press(.text("r"))
        stage.feed(.connectionLost)
        #expect(!stage.holdsSecret && stage.text.contains("tresord does not run.") && !stage.text.contains("Mail"))
        stage.feed(.lockState(.unlocked))
        #expect(stage.text.contains("Mail"))
        stage.press(.text("q"))
        #expect(stage.hasQuit)
    }

    @Test func `a failure that is not about presence is said and forgotten`() {
        var stage = Stage()
        let reading = Reading(reference: Self.shop, purpose: .show)
        stage.feed(.refused(TresorError(.locked, "the device is locked"), .read(reading, typed: nil)))
        #expect(stage.text.contains("The device is locked."))
        stage.press(.text("j"))
        #expect(!stage.text.contains("The device is locked."))
    }

    @Test func `certificates are warned about from thirty days before their end, and after it`() {
        let facts = CertificateFacts(
            subject: "", issuer: "", serialNumber: "", fingerprint: "", notBefore: 1000, notAfter: 100 * 86_400)
        let day: Int64 = 86_400
        #expect(facts.warning(at: 999) == "not yet valid")
        #expect(facts.warning(at: 1000) == nil)
        #expect(facts.warning(at: 70 * day - 1) == nil)
        #expect(facts.warning(at: 70 * day) == "30 days left")
        #expect(facts.warning(at: 99 * day) == "1 day left")
        #expect(facts.warning(at: 100 * day) == "last day")
        #expect(facts.warning(at: 100 * day + 1) == "expired")
    }

    @Test func `any keys in any window leave a screen of the right size`() {
        let keys: [Key] = [
            .text("j"), .text("k"), .text("r"), .text("y"), .text("/"), .text("?"), .text("d"), .text("n"), .enter,
            .escape, .tab, .backTab, .text("K"), .pageDown, .up, .down, .control("c"), .control("r"), .text("G"),
            .backspace,
            .paste("日本\nx\u{1B}[2J"), .text(" "), .text("e"), .text("c"), .text("o"), .text("s"), .text("u"),
            .control("s"), .home, .end, .left, .right, .wheel(1), .wheel(-2), .click(row: 4, column: 3),
            .click(row: 1, column: 12), .click(row: 300, column: 300),
        ]
        var random = SeededRandom(seed: 11)
        for size in [(80, 24), (40, 12), (59, 7), (20, 6), (10, 3), (200, 60)] {
            var stage = Stage(columns: size.0, rows: size.1)
            stage.system = [.systemRoots: .ofFiles(.systemRoots)]
            stage.guarded = [Self.shop]
            stage.listing.addCode(for: "Mail", account: "anna@example.org")
            for _ in 0..<Thoroughness.count(150, soak: 600) where !stage.hasQuit {
                stage.press(keys.randomElement(using: &random) ?? .tab)
                if stage.screen.wantsPasscode {
                    let answers: [Input] = [.passcodeEntered, .passcodeCancelled, .nothingEntered, .typed(count: 90)]
                    stage.feed(answers.randomElement(using: &random) ?? .tick)
                }
                stage.pass(milliseconds: UInt64.random(in: 0...3000, using: &random))
                let locks = Int.random(in: 0..<40, using: &random) == 0
                if locks { stage.feed(.lockState(Bool.random(using: &random) ? .locked : .unlocked)) }
                let frame = stage.screen.frame()
                #expect(frame.lines.count == size.1)
                #expect(frame.lines.allSatisfy { $0.width == size.0 })
                if let cursor = frame.cursor { #expect(cursor.row < size.1 && cursor.column < size.0) }
                if let area = stage.screen.secretArea { #expect(area.row + area.height <= size.1 - 3) }
                if let area = stage.screen.codeArea { #expect(area.row < size.1 - 1 && area.column + 9 <= size.0) }
                #expect(stage.holdsCode == (stage.screen.codes.shown != nil))
                if stage.holdsTyped { #expect(stage.screen.page.isForm) }
                #expect(stage.holdsSecret == (stage.screen.page.isSecret))
            }
        }
    }
}

extension BrowserScreen.Page {
    fileprivate var isSecret: Bool {
        if case .secret = self { true } else { false }
    }
}
