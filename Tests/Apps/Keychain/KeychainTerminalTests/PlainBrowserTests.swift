import Testing
import Tresor
import Wire

@testable import KeychainTerminal

/// The keychain in lines of words.
@Suite struct PlainBrowserTests {
    /// A conversation with a keychain that the test makes up.
    struct Talk {
        var browser = PlainBrowser()
        var listing: Listing
        var isPasscodeRight = true
        /// What the next reading is refused for.
        var refusals: [TresorError] = []
        private(set) var said: [String] = []
        private(set) var read: [PlainBrowser.Effect] = []
        private(set) var removed: [PersistentReference] = []
        private(set) var saved: [PlainBrowser.Effect] = []
        /// Whether a new secret is typed twice alike.
        var isTypedAlike = true
        private(set) var holdCount = 0
        private(set) var hasLocked = false
        private(set) var hasQuit = false
        private(set) var heldForm: HeldForm?
        /// References whose secret says that it makes codes.
        var seeds: Set<PersistentReference> = []

        init(_ listing: Listing = .sample, isLocked: Bool = false) {
            self.listing = listing
            feed(.started(isLocked: isLocked))
        }

        mutating func feed(_ input: PlainBrowser.Input) {
            var queue = browser.handle(input)
            while !queue.isEmpty {
                let effect = queue.removeFirst()
                switch effect {
                case .say(let words): said.append(words)
                case .list: queue += browser.handle(.listed(listing))
                case .read(let reading, _):
                    read.append(effect)
                    let refusal = refusals.isEmpty ? nil : refusals.removeFirst()
                    let answer = refusal.map { PlainBrowser.Input.refused($0, effect) }
                    let isSeed =
                        seeds.contains(reading.reference) && (reading.purpose == .show || reading.purpose == .copy)
                    let isSaid = reading.purpose == .show || reading.purpose == .showCode
                    queue += browser.handle(answer ?? (isSeed ? .isSeed(reading) : isSaid ? .said : .copied(true)))
                case .remove(let references, _):
                    removed += references
                    listing.records.removeAll { references.contains($0.reference) }
                    queue += browser.handle(.removed)
                case .holdTyped: holdCount += 1
                case .holdForm(let form): heldForm = form
                case .giveForm: queue += browser.handle(heldForm.map { .formGiven($0) } ?? .formLost)
                case .compareTyped: queue += browser.handle(.typedTwice(isSame: isTypedAlike))
                case .save(let draft, _):
                    saved.append(effect)
                    let refusal = refusals.isEmpty ? nil : refusals.removeFirst()
                    let words = draft.secret == .made ? "Kept a password of 20 characters, 71 bits." : ""
                    queue += browser.handle(refusal.map { .refused($0, effect) } ?? .saved(draft, words: words))
                case .unlockDevice:
                    queue += browser.handle(isPasscodeRight ? .deviceUnlocked : .passcodeRefused("Wrong."))
                case .lockDevice:
                    hasLocked = true
                    queue += browser.handle(.locked)
                case .quit: hasQuit = true
                }
            }
        }

        /// What is said to a line.
        mutating func say(_ line: String) -> String {
            said = []
            feed(.line(line))
            return said.joined(separator: "\n")
        }
    }

    @Test func `items are numbered, and opened by number and name`() {
        var talk = Talk()
        #expect(
            talk.said == [
                """
                All: 7 items.
                1. Mail, anna@example.org, password
                2. shop.example, anna, internet password
                3. Safe in the cellar, note
                4. www.example, certificate
                5. old.example, certificate
                6. soon.example, certificate
                7. Key of www.example, key
                """
            ])
        let opened = talk.say("1")
        #expect(opened.hasPrefix("Mail. Kind: password.\n") && opened.hasSuffix("\nEnd of item."))
        #expect(talk.say("open MAIL") == opened && talk.say("mail") == opened)
        #expect(talk.say("shop").contains("Server: shop.example") && talk.read.isEmpty)
        #expect(talk.say("8") == "There is no number 8 in the list.")
        #expect(talk.say("open xample").hasPrefix("Several are called so; say a number:\n"))
        #expect(talk.said[0].contains("\n4. www.example, certificate") && talk.read.isEmpty)
        #expect(talk.say("delte") == "Not understood: delte. Similar: delete.")
    }

    @Test func `kinds, words and the way back`() {
        var talk = Talk()
        #expect(talk.say("list certificates").hasPrefix("Certificates: 3 items.\n1. www.example"))
        #expect(
            talk.say("find ANNA")
                == "Found: 2 items.\n1. Mail, anna@example.org, password\n2. shop.example, anna, internet password")
        #expect(talk.say("back").hasPrefix("Certificates: 3 items."))
        #expect(talk.say("back").hasPrefix("All: 7 items.") && talk.say("back") == "There is nothing to go back to.")
        #expect(talk.say("list of sins").hasPrefix("Say list passwords"))
    }

    @Test func `a secret is said only after a yes, and with what it demands`() {
        var talk = Talk()
        #expect(talk.say("reveal 2") == "Say the secret of shop.example? It stays in this terminal.")
        #expect(
            talk.browser.prompt == "Type yes or no: " && talk.say("reveal 2") == "It stays hidden." && talk.read.isEmpty
        )
        _ = talk.say("reveal 1")
        _ = talk.say("yes")
        #expect(talk.read.count == 1 && talk.said.isEmpty)
        talk.refusals = [TresorError(.presenceRequired, "presence")]
        #expect(talk.say("copy shop") == "" && talk.browser.wantsSecret)
        #expect(talk.browser.prompt == "Passcode of the device, not shown; an empty line cancels: ")
        #expect(talk.say("") == "Cancelled." && talk.read.count == 2)
        talk.refusals = [TresorError(.presenceRequired, "presence")]
        _ = talk.say("copy 2")
        talk.feed(.secretEntered)
        #expect(talk.said.last?.hasPrefix("Copied;") == true)
        #expect(talk.say("reveal 4").contains("A certificate has no secret"))
    }

    @Test func `what is deleted is named first, and the numbers stay`() {
        var talk = Talk()
        #expect(talk.say("delete 1").contains("“Mail”") && talk.say("delete 1") == "Nothing was changed.")
        _ = talk.say("delete 1")
        #expect(talk.say("yes") == "Done." && talk.removed.count == 1)
        // No list was read since.
        #expect(talk.say("2").hasPrefix("shop.example."))
        #expect(talk.say("list").contains("1. shop.example"))
    }

    @Test func `a device that is locked is told of first, and unlocked here`() {
        var talk = Talk(isLocked: true)
        #expect(talk.said == ["The device is locked."] && talk.browser.wantsSecret)
        talk.isPasscodeRight = false
        talk.feed(.secretEntered)
        #expect(talk.said.last == "Wrong." && talk.browser.wantsSecret)
        #expect(talk.say("") == "Cancelled." && talk.browser.prompt == "Locked; unlock, help or quit: ")
        #expect(talk.say("list") == "The device is locked; type unlock." && talk.say("mail") == talk.said[0])
        talk.isPasscodeRight = true
        #expect(talk.say("unlock") == "")
        talk.feed(.secretEntered)
        #expect(talk.said.last?.hasPrefix("All: 7 items.") == true)
    }

    @Test func `a lock leaves nothing, and nothing is read again unasked`() {
        var talk = Talk()
        _ = talk.say("reveal 1")
        talk.feed(.locked)
        #expect(talk.said.last == "The device is locked." && !"\(talk.browser)".contains("Mail"))
        #expect(talk.say("yes") == "The device is locked; type unlock." && talk.read.isEmpty)
        talk.feed(.unlocked)
        #expect(talk.said.last == "The device is unlocked. Type list for the items.")
        #expect(talk.say("lock") == "The device is locked." && talk.hasLocked)
        _ = talk.say("quit")
        #expect(talk.hasQuit)
    }

    @Test func `names of items are safe to be said`() {
        var listing = Listing(date: Stage.noon)
        listing.add(.password, [.label: .string("\u{1B}[2Jx\u{202E}"), .service: .string("s")])
        var talk = Talk(listing)
        #expect(talk.said[0].contains("‹U+001B›[2Jx‹U+202E›"))
        #expect(!talk.say("1").contains("\u{1B}") && !talk.say("delete 1").contains("\u{1B}"))
    }
}
