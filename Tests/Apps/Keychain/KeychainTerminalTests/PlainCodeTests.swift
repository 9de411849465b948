import Secrets
import Testing
import Tresor
import Wire

@testable import KeychainTerminal

/// One-time codes in lines of words; what they are made from is neither said nor copied.
@Suite struct PlainCodeTests {
    private static let seed = Listing.reference(.password, 8)
    private static let mail = Listing.reference(.password, 1)

    private static func talk(control: Int64 = 0) -> PlainBrowserTests.Talk {
        var listing = Listing.sample
        listing.addCode(for: "Mail", account: "anna@example.org", control: control)
        return PlainBrowserTests.Talk(listing)
    }

    private static func reading(_ purpose: Reading.Purpose, _ reference: PersistentReference) -> PlainBrowser.Effect {
        .read(Reading(reference: reference, purpose: purpose), typed: nil)
    }

    @Test func `the list says which login has a code, and what an item for codes is`() {
        let talk = Self.talk()
        #expect(talk.said[0].contains("\n1. Mail, anna@example.org, password, with a one-time code\n"))
        #expect(talk.said[0].contains("\n8. Mail (one-time code), anna@example.org, one-time code"))
        #expect(talk.said[0].contains("\n2. shop.example, anna, internet password\n"))
    }

    @Test func `code says the code of an item, by number, by name, and of the one that is open`() {
        var talk = Self.talk()
        #expect(talk.say("code 1") == "" && talk.read == [Self.reading(.showCode, Self.seed)])
        #expect(talk.say("1").contains("\nOne-time code: code says it, copy code copies it.\n"))
        #expect(talk.say("code") == "" && talk.say("code 8") == "")
        #expect(talk.read == Array(repeating: Self.reading(.showCode, Self.seed), count: 3))
        #expect(talk.say("code 2") == "There is no one-time code beside it." && talk.read.count == 3)
        #expect(PlainBrowser.help.contains("code 3 says the one-time code"))
    }

    @Test func `copy code copies the code, copy the password, and of an item for codes the code as well`() {
        var talk = Self.talk()
        for line in ["copy code 1", "copy 1", "copy 8", "copy Code mail (one-time code)"] {
            #expect(talk.say(line).hasPrefix("Copied;"), "\(line)")
        }
        let code = Self.reading(.copyCode, Self.seed)
        #expect(talk.read == [code, Self.reading(.copy, Self.mail), code, code])
        #expect(talk.say("copy code 2") == "There is no one-time code beside it.")
        _ = talk.say("1")
        #expect(talk.say("copy code").hasPrefix("Copied;") && talk.read.last == code)
    }

    @Test func `an item that is called so is copied, not a code`() {
        var listing = Listing.sample
        listing.add(.password, [.label: .string("code 1"), .service: .string("s")])
        var talk = PlainBrowserTests.Talk(listing)
        #expect(talk.say("copy code 1").hasPrefix("Copied;"))
        #expect(talk.read == [Self.reading(.copy, Listing.reference(.password, 8))])
    }

    @Test func `what makes codes is not said, wherever it lies`() {
        var talk = Self.talk()
        let kept = "This secret makes one-time codes, and is not said here; code says a code."
        #expect(talk.say("reveal 8") == kept && talk.read.isEmpty && talk.browser.prompt == "Keychain, or help: ")
        talk.seeds = [Listing.reference(.internetPassword, 2)]
        _ = talk.say("reveal 2")
        #expect(talk.say("yes") == kept)
        #expect(talk.say("copy 2").hasPrefix(kept))
        let shop = Listing.reference(.internetPassword, 2)
        #expect(
            talk.read == [
                Self.reading(.show, shop), Self.reading(.showCode, shop), Self.reading(.copy, shop),
                Self.reading(.copyCode, shop),
            ])
    }

    @Test func `a code that demands its owner asks for the passcode`() {
        var talk = Self.talk(control: 1)
        talk.refusals = [TresorError(.presenceRequired, "presence")]
        #expect(talk.say("code 1") == "" && talk.browser.wantsSecret)
        talk.feed(.secretEntered)
        #expect(talk.read.count == 2 && !talk.browser.wantsSecret)
    }

    @Test(arguments: [("492039", "492 039"), ("12345678", "1234 5678")])
    func `its digits stand in two groups`(digits: String, told: String) throws {
        var output = try SecretBuffer(capacity: 16)
        try CodeDigits.append(try SecretBytes(text: digits), to: &output)
        #expect(output.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) } == told)
    }
}
