import Testing
import Tresor
import Wire

@testable import KeychainTerminal

/// Items are added and changed line by line.
@Suite struct PlainFormTests {
    private typealias Talk = PlainBrowserTests.Talk

    /// The draft that was to be saved last.
    private func draft(_ talk: Talk) -> Draft? {
        if case .save(let draft, _) = talk.saved.last { draft } else { nil }
    }

    @Test func `a new item is asked for line by line, its secret twice and hidden`() throws {
        var talk = Talk()
        #expect(talk.say("new").hasPrefix("A new item. cancel, at any place, adds none. "))
        #expect(talk.browser.prompt.hasPrefix("Kind: password, internet password or note;"))
        #expect(talk.say("sins") == "Say password, internet password or note.")
        #expect(talk.say("internet") == "" && talk.browser.prompt == "Label: ")
        #expect(talk.say("") == "It needs a label." && talk.say("Shop") == "")
        #expect(talk.browser.prompt == "Account: " && talk.say("anna") == "")
        #expect(talk.browser.prompt == "Server, now Shop; an empty line keeps it, - empties it: ")
        #expect(talk.say("shop.example.com") == "" && talk.browser.wantsSecret)
        #expect(talk.browser.prompt == "Secret, not shown; generate or words makes one: ")
        #expect(talk.say("") == "Type a secret, generate, words, or cancel." && talk.saved.isEmpty)
        talk.feed(.secretEntered)
        #expect(talk.holdCount == 1 && talk.browser.wantsSecret && talk.browser.holdsSecret)
        #expect(talk.browser.prompt == "The same once more, not shown: ")
        talk.feed(.secretEntered)
        #expect(talk.said.last == "Added." && talk.browser.prompt == "Keychain, or help: ")
        let made = try #require(draft(talk))
        #expect(made.kind == .internetPassword && made.target == nil && made.secret == .typed)
        #expect(made.attributes[.server] == .string("shop.example.com") && made.attributes[.label] == .string("Shop"))
        #expect(made.attributes[.account] == .string("anna"))
    }

    @Test func `what is typed differently is typed anew, and cancel adds nothing`() {
        var talk = Talk()
        _ = talk.say("new Mail of work")
        _ = talk.say("")
        #expect(talk.browser.prompt == "Label, now Mail of work; an empty line keeps it, - empties it: ")
        for _ in 1...3 { _ = talk.say("") }
        talk.isTypedAlike = false
        talk.feed(.secretEntered)
        talk.feed(.secretEntered)
        #expect(talk.said.last == "The two differ; type it anew." && talk.saved.isEmpty)
        #expect(talk.browser.wantsSecret && !talk.browser.holdsSecret)
        #expect(talk.say("cancel") == "Nothing was changed." && talk.saved.isEmpty)
        #expect(talk.browser.prompt == "Keychain, or help: ")
    }

    @Test(arguments: 0...4)
    func `cancel ends it at every place`(answers: Int) {
        var talk = Talk()
        _ = talk.say("new Mail of work")
        for _ in 0..<answers { _ = talk.say("") }
        #expect(talk.say("Cancel") == "Nothing was changed." && talk.saved.isEmpty && !talk.browser.wantsSecret)
    }

    @Test func `a password is generated, and what was kept is told`() throws {
        var talk = Talk()
        _ = talk.say("new Mail of work")
        for _ in 1...4 { _ = talk.say("") }
        #expect(talk.say("generate") == "Added. Kept a password of 20 characters, 71 bits.")
        let made = try #require(draft(talk))
        #expect(made.kind == .password && made.secret == .made && made.attributes[.service] == .string("Mail of work"))
        #expect(made.attributes[.account] == nil)
    }

    @Test func `an item is changed, what is there is offered, and an empty line keeps it`() throws {
        var talk = Talk()
        #expect(talk.say("edit 1").hasPrefix("Mail. cancel, at any place, changes nothing. "))
        #expect(talk.browser.prompt == "Label, now Mail; an empty line keeps it, - empties it: ")
        _ = talk.say("")
        #expect(talk.browser.prompt == "Account, now anna@example.org; an empty line keeps it, - empties it: ")
        _ = talk.say("anna@example.com")
        #expect(talk.say("") == "" && talk.browser.prompt.contains("an empty line keeps it"))
        #expect(talk.browser.wantsSecret && talk.say("") == "Changed.")
        let change = try #require(draft(talk))
        #expect(change.target == talk.listing.records.first { $0.label == "Mail" }?.reference && change.secret == .kept)
        #expect(change.attributes[.account] == .string("anna@example.com") && change.attributes[.label] == nil)
        // What nothing was changed of is not written.
        _ = talk.say("edit mail")
        for _ in 1...3 { _ = talk.say("") }
        #expect(talk.say("") == "Nothing was changed." && talk.saved.count == 1)
    }

    @Test func `a note has a label and a text, and a certificate a label alone`() {
        var talk = Talk()
        _ = talk.say("edit 3")
        _ = talk.say("Safe")
        #expect(talk.browser.prompt == "Text, not shown; an empty line keeps it: ")
        #expect(talk.say("generate") == "Type a text, or cancel." && talk.say("") == "Changed.")
        _ = talk.say("edit 4")
        #expect(talk.say("Site") == "Changed." && draft(talk)?.attributes[.label] == .string("Site"))
    }

    @Test func `an item that demands its owner asks for the passcode, and keeps what was typed until then`() {
        var talk = Talk()
        _ = talk.say("edit 1")
        for _ in 1...3 { _ = talk.say("") }
        talk.feed(.secretEntered)
        talk.refusals = [TresorError(.presenceRequired, "presence")]
        talk.feed(.secretEntered)
        #expect(talk.browser.prompt == "Passcode of the device, not shown; an empty line cancels: ")
        #expect(talk.browser.wantsSecret && talk.browser.holdsSecret)
        talk.feed(.secretEntered)
        #expect(talk.said.last == "Changed." && talk.saved.count == 2 && !talk.browser.holdsSecret)
    }

    @Test func `a lock ends it, and the next line is no part of it`() {
        var talk = Talk()
        _ = talk.say("new Mail of work")
        for _ in 1...4 { _ = talk.say("") }
        talk.feed(.secretEntered)
        talk.feed(.locked)
        #expect(!talk.browser.holdsSecret && !"\(talk.browser)".contains("Mail of work"))
        #expect(talk.said.last == "The device is locked. What was typed of an item waits for the unlock.")
        #expect(talk.say("anna") == "The device is locked; type unlock." && talk.saved.isEmpty)
    }

    @Test func `after the unlock it goes on at the line where the lock came, and asks for the secret anew`() throws {
        var talk = Talk()
        for line in ["new Mail of work", "", "", "anna", ""] { _ = talk.say(line) }
        talk.feed(.secretEntered)
        talk.feed(.locked)
        talk.feed(.connectionLost)
        #expect(talk.browser.losesForm && !"\(talk.browser)".contains("anna"))
        talk.feed(.unlocked)
        #expect(
            talk.said.last
                == "A new item, where the lock has interrupted it; cancel ends it, and changes nothing.")
        #expect(talk.browser.prompt == "Secret, not shown; generate or words makes one: ")
        talk.feed(.secretEntered)
        talk.feed(.secretEntered)
        let made = try #require(draft(talk))
        #expect(talk.said.last == "Added." && made.attributes[.label] == .string("Mail of work"))
        #expect(made.attributes[.account] == .string("anna") && !talk.browser.losesForm)
    }

    @Test func `a change over a lock is of the item as it is then, and says where that is gone`() throws {
        var talk = Talk()
        for line in ["edit 1", "Post"] { _ = talk.say(line) }
        talk.feed(.locked)
        let index = talk.listing.records.firstIndex { $0.label == "Mail" } ?? 0
        talk.listing.records[index].account = "else@example.org"
        talk.feed(.deviceUnlocked)
        #expect(talk.browser.prompt == "Account, now else@example.org; an empty line keeps it, - empties it: ")
        for _ in 1...3 { _ = talk.say("") }
        let change = try #require(draft(talk))
        #expect(change.attributes.values.count == 1 && change.attributes[.label] == .string("Post"))
        _ = talk.say("edit 1")
        talk.feed(.locked)
        talk.listing.records.remove(at: index)
        talk.feed(.deviceUnlocked)
        #expect(talk.said.last == "The item that was being changed is gone, and what was typed for it.")
        #expect(talk.browser.prompt == "Keychain, or help: " && !talk.browser.losesForm)
    }

    @Test func `a lock while the owner is asked for keeps what was to be saved`() {
        var talk = Talk()
        _ = talk.say("edit 1")
        for line in ["Post", "", ""] { _ = talk.say(line) }
        talk.refusals = [TresorError(.presenceRequired, "presence")]
        _ = talk.say("")
        #expect(talk.browser.wantsSecret)
        talk.feed(.locked)
        talk.feed(.deviceUnlocked)
        #expect(talk.browser.isInForm && talk.browser.prompt.hasPrefix("Secret, not shown;"))
    }

    @Test func `the numbers stay, and stand for the items as they are now`() {
        var talk = Talk()
        _ = talk.say("edit 1")
        let index = talk.listing.records.firstIndex { $0.label == "Mail" } ?? 0
        talk.listing.records[index].account = "else@example.org"
        _ = talk.say("Post")
        for _ in 1...3 { _ = talk.say("") }
        #expect(talk.saved.count == 1)
        _ = talk.say("edit 1")
        _ = talk.say("")
        #expect(talk.browser.prompt == "Account, now else@example.org; an empty line keeps it, - empties it: ")
    }
}
