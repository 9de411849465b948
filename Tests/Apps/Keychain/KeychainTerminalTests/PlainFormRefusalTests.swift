import Testing
import Tresor
import Wire

@testable import KeychainTerminal

/// Answers of a form in lines of words: how one is emptied, and how all of them outlive a saving that is refused.
@Suite struct PlainFormRefusalTests {
    private typealias Talk = PlainBrowserTests.Talk

    private static let duplicate = TresorError(.duplicate, "there is one like that")
    private static let kept = "Nothing was saved. An empty line keeps each of your answers; cancel ends this."

    /// The draft that was to be saved last.
    private func draft(_ talk: Talk) -> Draft? {
        if case .save(let draft, _) = talk.saved.last { draft } else { nil }
    }

    @Test func `a dash alone empties what stands there, which the prompt says`() throws {
        var talk = Talk()
        #expect(talk.say("edit 1").hasSuffix("- alone empties a line; -- stands for a dash."))
        #expect(talk.browser.prompt == "Label, now Mail; an empty line keeps it, - empties it: ")
        for line in ["", "-", "", ""] { _ = talk.say(line) }
        let change = try #require(draft(talk))
        #expect(change.attributes.values.count == 1 && change.attributes[.account] == .string(""))
    }

    @Test(arguments: [("--", "-"), ("---", "--"), ("-a", "-a"), ("a-", "a-"), ("- -", "- -")])
    func `a value may be a dash all the same`(line: String, value: String) throws {
        var talk = Talk()
        for line in ["edit 1", "", line, "", ""] { _ = talk.say(line) }
        #expect(try #require(draft(talk)).attributes[.account] == .string(value))
    }

    @Test func `a new item keeps its label, and its service may be empty`() throws {
        var talk = Talk()
        for line in ["new Mail", ""] { _ = talk.say(line) }
        #expect(talk.say("-") == "It needs a label." && talk.browser.prompt.hasPrefix("Label, now Mail;"))
        for line in ["", "", "-"] { _ = talk.say(line) }
        #expect(talk.say("generate").hasPrefix("Added."))
        let made = try #require(draft(talk))
        #expect(made.attributes[.service] == .string("") && made.attributes[.label] == .string("Mail"))
    }

    @Test func `a refused saving asks the form again, with each answer`() throws {
        var talk = Talk()
        for line in ["new Mail", "", "", "anna", "mail.example"] { _ = talk.say(line) }
        talk.feed(.secretEntered)
        talk.refusals = [Self.duplicate]
        talk.feed(.secretEntered)
        #expect(talk.said.last == "There is one like that. " + Self.kept && talk.browser.holdsSecret)
        _ = talk.say("")
        #expect(talk.browser.prompt == "Label, now Mail; an empty line keeps it, - empties it: ")
        _ = talk.say("")
        #expect(talk.browser.prompt == "Account, now anna; an empty line keeps it, - empties it: ")
        for line in ["berta", ""] { _ = talk.say(line) }
        #expect(
            talk.browser.prompt
                == "Secret, not shown; generate or words makes one, an empty line keeps your answer: ")
        #expect(talk.browser.holdsSecret && talk.holdCount == 1)
        #expect(talk.say("") == "Added." && !talk.browser.holdsSecret && talk.saved.count == 2)
        let made = try #require(draft(talk))
        #expect(made.secret == .typed && made.attributes[.account] == .string("berta"))
        #expect(made.attributes[.service] == .string("mail.example"))
    }

    @Test func `a new secret that was typed once is no answer, and the former one is gone`() {
        var talk = Talk()
        for line in ["edit 1", "", "", ""] { _ = talk.say(line) }
        talk.feed(.secretEntered)
        talk.refusals = [Self.duplicate]
        talk.feed(.secretEntered)
        for line in ["", "", ""] { _ = talk.say(line) }
        talk.feed(.secretEntered)
        talk.isTypedAlike = false
        talk.feed(.secretEntered)
        #expect(talk.said.last == "The two differ; type it anew." && !talk.browser.holdsSecret)
        #expect(talk.browser.prompt == "Secret, not shown; generate or words makes one, an empty line keeps it: ")
    }

    @Test func `a password that was to be generated is generated again, and cancel wipes what was typed`() throws {
        var talk = Talk()
        for line in ["edit 1", "Post", "", ""] { _ = talk.say(line) }
        talk.refusals = [Self.duplicate, Self.duplicate]
        #expect(talk.say("generate").hasSuffix(Self.kept) && !talk.browser.holdsSecret)
        for line in ["", "", ""] { _ = talk.say(line) }
        #expect(talk.say("").hasSuffix(Self.kept) && draft(talk)?.secret == .made)
        for line in ["", "", ""] { _ = talk.say(line) }
        talk.feed(.secretEntered)
        talk.refusals = [Self.duplicate]
        talk.feed(.secretEntered)
        #expect(talk.browser.holdsSecret && talk.browser.losesForm)
        #expect(talk.say("cancel") == "Nothing was changed." && !talk.browser.holdsSecret)
        #expect(talk.browser.prompt == "Keychain, or help: ")
    }

    @Test func `a lock after the refusal keeps the answers and wipes the secret`() {
        var talk = Talk()
        for line in ["edit 1", "Post", "", ""] { _ = talk.say(line) }
        talk.feed(.secretEntered)
        talk.refusals = [TresorError(.locked, "locked")]
        talk.feed(.secretEntered)
        talk.feed(.locked)
        #expect(!talk.browser.holdsSecret && talk.heldForm?.texts == ["label": "Post"])
        talk.feed(.deviceUnlocked)
        #expect(talk.browser.prompt.hasPrefix("Label, now Post;"))
        for line in ["", "", ""] { _ = talk.say(line) }
        #expect(talk.browser.prompt.hasSuffix("an empty line keeps it: ") && talk.say("") == "Changed.")
    }

    @Test func `where the item is gone, nothing is asked again`() {
        var talk = Talk()
        for line in ["edit 1", "Post", "", ""] { _ = talk.say(line) }
        talk.refusals = [TresorError(.notFound, "no such item")]
        #expect(talk.say("") == "No such item." && talk.browser.prompt == "Keychain, or help: ")
    }
}
