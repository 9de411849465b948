import Protection
import Secrets
import TerminalScreen
import Testing
import Tresor
import Wire

@testable import KeychainTerminal

/// One-time codes on the page of their login; what they are made from is neither shown nor copied.
@Suite struct CodePageTests {
    static func stage(control: Int64 = 0) -> Stage {
        var listing = Listing.sample
        listing.addCode(for: "Mail", account: "anna@example.org", control: control)
        return Stage(listing)
    }

    static let seed = Listing.reference(.password, 8)

    @Test func `a login's page has its code, and how long it is good`() {
        var stage = Self.stage()
        stage.forget()
        stage.press(.enter)
        #expect(stage.effects == [.read(Reading(reference: Self.seed, purpose: .showCode), typed: nil)])
        #expect(stage.holdsCode && stage.screen.codeArea == CodeArea(row: 2, column: 19))
        #expect(stage.text.contains("good for 20 s; c copies it"))
        stage.pass(milliseconds: 7_500)
        #expect(stage.text.contains("good for 13 s") && stage.holdsCode)
    }

    @Test func `a code that is over is followed by the next`() {
        var stage = Self.stage()
        stage.press(.enter)
        #expect(stage.screen.deadline == 21_000)
        stage.forget()
        stage.pass(milliseconds: 20_000)
        #expect(stage.effects == [.forgetCode, .read(Reading(reference: Self.seed, purpose: .showCode), typed: nil)])
        #expect(stage.text.contains("good for 20 s"))
    }

    @Test(arguments: [Key.escape, .text("q"), .left])
    func `leaving the page takes the code off the screen`(key: Key) {
        var stage = Self.stage()
        stage.press(.enter)
        stage.forget()
        stage.press(key)
        #expect(stage.effects == [.forgetCode, .clear] && !stage.holdsCode && stage.screen.codeArea == nil)
    }

    @Test func `a lock takes the code as well`() {
        var stage = Self.stage()
        stage.press(.enter)
        stage.feed(.evicted)
        #expect(!stage.holdsCode && stage.screen.codes.shown == nil && stage.screen.codeArea == nil)
    }

    @Test func `c copies the code, y the password, and neither copies what makes codes`() {
        var stage = Self.stage()
        stage.forget()
        stage.press(.text("c"), .text("y"), .text("G"), .text("y"), .text("c"))
        let mail = Listing.reference(.password, 1)
        #expect(
            stage.effects == [
                .read(Reading(reference: Self.seed, purpose: .copyCode), typed: nil),
                .read(Reading(reference: mail, purpose: .copy), typed: nil),
                .read(Reading(reference: Self.seed, purpose: .copyCode), typed: nil),
                .read(Reading(reference: Self.seed, purpose: .copyCode), typed: nil),
            ])
        stage.forget()
        stage.press(.text("r"))
        #expect(stage.screen.secretArea == nil && !stage.holdsSecret && stage.holdsCode, "r shows the code")
        stage.press(.text("r"))
        #expect(stage.screen.secretArea == nil && !stage.holdsSecret)
    }

    @Test func `a secret that is an otpauth address by its own words makes codes, wherever it lies`() {
        var stage = Stage()
        let mail = Listing.reference(.password, 1)
        stage.seeds = [mail]
        stage.press(.text("r"))
        #expect(!stage.holdsSecret && stage.screen.secretArea == nil && stage.holdsCode)
        #expect(stage.text.contains("is not shown itself"))
        stage.press(.escape)
        stage.forget()
        stage.press(.text("y"))
        #expect(stage.effects.last == .read(Reading(reference: mail, purpose: .copyCode), typed: nil))
    }

    @Test func `a code that demands its owner is shown when it is asked for`() {
        var stage = Self.stage(control: 1)
        stage.guarded = [Self.seed]
        stage.forget()
        stage.press(.enter)
        #expect(stage.effects.isEmpty && stage.text.contains("hidden; o shows it, c copies it"))
        stage.press(.text("o"))
        #expect(stage.screen.wantsPasscode)
        stage.feed(.passcodeEntered)
        #expect(stage.holdsCode && stage.text.contains("good for 20 s"))
        stage.pass(milliseconds: 20_000)
        #expect(!stage.holdsCode && stage.text.contains("hidden; o shows it"))
    }

    @Test func `a login without a code says so`() {
        var stage = Stage()
        stage.forget()
        stage.press(.text("c"))
        #expect(stage.text.contains("There is no one-time code beside it.") && stage.effects.isEmpty)
    }

    @Test func `codes go with the login of their title, account and server`() {
        var listing = Listing()
        for (server, account) in [("a.example", "anna"), ("b.example", "anna"), ("a.example", "bob")] {
            listing.add(
                .internetPassword,
                [.label: .string("Shop"), .server: .string(server), .account: .string(account)])
        }
        listing.add(
            .password,
            [
                .service: .string("Shop (one-time code, b.example)"), .account: .string("anna"),
                .descriptionText: .string("one-time code"),
            ])
        listing.joinCodes()
        #expect(listing.records.map { $0.code != nil } == [false, true, false, true])
    }

    @Test func `what begins as an otpauth address is known in either case`() throws {
        for (text, isSeed) in [
            ("otpauth://totp/x", true), ("OTPAuth:", true), ("otpaut", false), ("x otpauth:", false),
        ] {
            let secret = try SecretBytes(text: text)
            #expect(secret.withBytes { CodeSeed.isAddress($0) } == isSeed, "\(text)")
        }
    }

    @Test(arguments: [("123456", "123 456"), ("1234567", "123 456 7"), ("12345678", "1234 5678")])
    func `digits are written in groups, where they belong`(digits: String, shown: String) throws {
        var output = try SecretBuffer(capacity: 64)
        try CodeDigits.draw(try SecretBytes(text: digits), in: CodeArea(row: 2, column: 9), into: &output)
        let text = output.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
        #expect(text == "\u{1B}[0m\u{1B}[3;10H\u{1B}[1m\(shown)\u{1B}[0m")
    }
}
