import NotesClient
import Testing

@testable import NotesTerminal

@Suite struct PlainConversationTests {
    /// A conversation with a ``NotesWorld``.
    struct Talk {
        var conversation = PlainConversation()
        var world: NotesWorld
        private(set) var said: [String] = []
        private(set) var asked: [Ask] = []
        private(set) var hasQuit = false
        var isPasscodeRight = true
        var isDaemonGone = false
        private(set) var copied: String?
        private(set) var fingerWaits = 0
        private(set) var held = Stage.HeldBox()
        var heldCount: Int { held.words.count }

        init(_ world: NotesWorld, beginning: PlainConversation.Input = .started) {
            self.world = world
            feed(beginning)
        }

        mutating func feed(_ input: PlainConversation.Input) {
            var queue = conversation.handle(input, at: 1000)
            while !queue.isEmpty {
                switch queue.removeFirst() {
                case .say(let words): said.append(words)
                case .quit: hasQuit = true
                case .handInHeld: handInHeld(&queue)
                case .forgetHeld: held.words.forget()
                case .lookForDaemon:
                    queue += conversation.handle(.daemonLooked(isGone: isDaemonGone), at: 1000)
                case .unlockDevice:
                    world.isDeviceLocked = !isPasscodeRight
                    let answer = isPasscodeRight ? PlainConversation.Input.deviceUnlocked : .passcodeRefused("Wrong.")
                    queue += conversation.handle(answer, at: 1000)
                case .waitForFinger: fingerWaits += 1
                case .copy(let text):
                    copied = String(decoding: text, as: UTF8.self)
                    queue += conversation.handle(.copied(true), at: 1000)
                case .ask(let ask):
                    asked.append(ask)
                    do {
                        let (reply, body) = try world.reply(
                            to: ask.request, body: ask.body, hasPassphrase: ask.needsSecret)
                        queue += conversation.handle(.answer(reply, body, to: ask), at: 1000)
                    } catch {
                        if ask.isLastWords { held.words.hold(ask) }
                        queue += conversation.handle(
                            ask.isLastWords ? .held(error) : .refusal(error, to: ask), at: 1000)
                    }
                }
            }
        }

        private mutating func handInHeld(_ queue: inout [PlainConversation.Effect]) {
            var world = world
            let error = held.words.handIn { ask in
                do {
                    let (reply, body) = try world.reply(to: ask.request, body: ask.body, hasPassphrase: false)
                    return .answer(reply, body)
                } catch { return .refusal(error as? NotesError ?? NotesError(.invalid, "")) }
            }
            self.world = world
            queue += conversation.handle(error.map { .held($0) } ?? .heldHandedIn, at: 1000)
        }

        /// What is said to a line.
        mutating func say(_ line: String) -> String {
            said = []
            feed(.line(line))
            return said.joined(separator: "\n")
        }
    }

    @Test func `it begins with how things stand, and the numbered notes`() {
        let talk = Talk(.sample)
        #expect(
            talk.said.joined(separator: "\n") == """
                On this device: 4 notes, 1 of them locked, 0 in the trash. Locked notes are closed.
                All notes: 4 notes.
                1. Shopping, pinned
                2. Bank, locked
                3. Garden plan
                4. Minutes
                """)
        #expect(talk.conversation.prompt == "Command, or help: ")
    }

    @Test func `a search names the notes that it could not read, and status tells of damage`() {
        var talk = Talk(.damaged)
        #expect(talk.said.first?.contains("Damaged records, which are kept: 2; tresor notes status names") == true)
        #expect(
            talk.say("search nowhere") == """
                Search: nowhere: 0 notes.
                2 could not be read; tresor doctor --data names them.
                Damaged, and kept: 4d3fd6a7 Plans, text
                Damaged, and kept: 90b1c2d3, head
                """)
        #expect(talk.say("search Beans").hasSuffix("\n1. Garden plan: Beans in May, tomatoes after the frost."))
        #expect(talk.say("status").contains("Damaged records, which are kept: 2"))
    }

    @Test func `a note is read by its number`() {
        var talk = Talk(.sample)
        #expect(
            talk.say("read 3") == """
                Garden plan. Home/Garden.
                # Garden plan

                Beans in May, tomatoes after the frost.
                End of note.
                """)
        #expect(talk.say("read 9") == "There is no number 9 in the list.")
        #expect(talk.say("dance") == "Not understood: dance. Type help.")
        #expect(talk.say("opne 3") == "Not understood: opne 3. Similar: open.")
    }

    @Test func `a locked note is read once the passphrase was given`() {
        var talk = Talk(.sample)
        #expect(talk.say("read 2") == "" && talk.conversation.wantsSecret)
        #expect(talk.conversation.prompt == "Passphrase for notes, not shown; an empty line cancels: ")
        talk.feed(.secretEntered)
        #expect(talk.said.joined(separator: "\n").hasPrefix("Locked notes are open.\nBank."))
        #expect(talk.said.last?.contains("PIN 4711") == true)
        #expect(talk.say("read 2").contains("PIN 4711"))
        #expect(talk.say("lock now").contains("Locked notes are closed."))
        // What was wanted is not done once it was cancelled.
        #expect(talk.say("read 2") == "" && talk.say("") == "Cancelled.")
        #expect(talk.say("unlock") == "" && talk.conversation.wantsSecret)
        talk.feed(.secretEntered)
        #expect(talk.said == ["Locked notes are open."])
    }

    @Test func `a note under an older passphrase asks for that one, and a wrong one names the way out`() {
        var world = NotesWorld.sample
        world.olderNotes = ["note-2"]
        world.openSession()
        var talk = Talk(world)
        #expect(talk.say("open 2") == "" && talk.conversation.wantsSecret && !talk.conversation.asksAboutFinger)
        #expect(talk.conversation.prompt.hasPrefix("Older passphrase, from before the reset, not shown"))
        talk.world.isPassphraseRight = false
        talk.feed(.secretEntered)
        #expect(talk.said == ["This is not the passphrase."] && talk.conversation.wantsSecret)
        talk.world.isPassphraseRight = true
        talk.feed(.secretEntered)
        #expect(talk.asked.contains { $0.request == .unlock(id: "note-2") })
        #expect(talk.said.last?.contains("PIN 4711") == true)
        #expect(talk.say("open 2").contains("PIN 4711"), "it is open now")

        talk = Talk(.sample)
        talk.world.isPassphraseRight = false
        _ = talk.say("open 2")
        talk.feed(.secretEntered)
        #expect(talk.said.last?.contains("tresor notes passphrase reset sets another") == true)
    }

    @Test func `a number means the same note until a list is read again`() {
        var talk = Talk(.sample)
        _ = talk.say("delete 1")
        _ = talk.say("delete 3")
        #expect(talk.world.notes.filter { $0.summary.deleted != nil }.map(\.summary.id) == ["note-1", "note-3"])
        #expect(talk.say("list") == "All notes: 2 notes.\n1. Bank, locked\n2. Minutes")
    }

    @Test func `the prompt says of which list numbers are, also after a note of it was read`() {
        var talk = Talk(.sample)
        _ = talk.say("delete 1")
        _ = talk.say("trash")
        #expect(talk.conversation.prompt == "Trash; command, or help: ")
        _ = talk.say("open 1")
        #expect(talk.conversation.prompt == "Trash; command, or help: ")
        _ = talk.say("find Beans")
        #expect(talk.conversation.prompt == "Search: Beans; command, or help: ")
        _ = talk.say("list Home/Garden")
        #expect(talk.conversation.prompt == "Home/Garden; command, or help: ")
        _ = talk.say("list")
        #expect(talk.conversation.prompt == "Command, or help: ")
        _ = talk.say("find " + String(repeating: "\u{1B}", count: 200))
        #expect(!talk.conversation.prompt.contains("\u{1B}") && talk.conversation.prompt.count < 500)
    }

    @Test func `a title stands for its note, and of several none is chosen`() {
        var world = NotesWorld.sample
        world.add("# Garden shed")
        var talk = Talk(world)
        #expect(talk.say("garden plan").contains("Beans in May"))
        #expect(talk.say("open Garden SHED").hasPrefix("Garden shed."))
        #expect(talk.say("open garden") == "Several are called so; say a number:\n3. Garden plan\n5. Garden shed")
        #expect(talk.say("open gardenplan") == "Nothing in the list is called gardenplan. Similar: Garden plan.")
        #expect(talk.say("delete garden shed").contains("Type undo"))
        // A name in part is asked about before something is done.
        #expect(talk.say("delete minut") == "4. Minutes. Delete this one?")
        #expect(talk.conversation.prompt == "Type yes or no: " && talk.say("minutes") == "Nothing was changed.")
        #expect(talk.world.notes.filter { $0.summary.deleted != nil }.map(\.summary.title) == ["Garden shed"])
        #expect(talk.say("delete minut").contains("Delete this one?") && talk.say("yes").contains("Type undo"))
    }

    @Test func `a title is found beyond the part of the list that was read`() {
        var world = NotesWorld()
        for number in 1...430 { world.add("# Note \(number)") }
        var talk = Talk(world)
        #expect(talk.say("open note 430").hasPrefix("Note 430."))
        #expect(talk.say("open nothing") == "Nothing in the list is called nothing.")
        #expect(talk.say("more").hasPrefix("21. Note 21"))
    }

    @Test func `the way back, the note that is open, and the clipboard`() {
        var talk = Talk(.sample)
        #expect(talk.say("back") == "There is nothing to go back to.")
        _ = talk.say("find Beans")
        #expect(talk.say("back").hasPrefix("All notes: 4 notes.\n1. "))
        #expect(talk.say("copy") == "Say which: a number of the list, or a name in it.")
        _ = talk.say("3")
        #expect(talk.say("copy").hasPrefix("Copied;") && talk.copied?.contains("Beans in May") == true)
        #expect(talk.say("edit").contains("3: Beans in May"))
    }

    @Test func `a device that is locked is told of first, and unlocked here`() {
        var world = NotesWorld.sample
        world.isDeviceLocked = true
        var talk = Talk(world, beginning: .beganLocked)
        #expect(talk.said == ["The device is locked."] && talk.asked.isEmpty && talk.conversation.wantsSecret)
        #expect(talk.conversation.prompt == "Passcode of the device, not shown; an empty line cancels: ")
        talk.isPasscodeRight = false
        talk.feed(.secretEntered)
        #expect(talk.said.last == "Wrong." && talk.conversation.wantsSecret)
        #expect(talk.say("") == "Cancelled." && talk.conversation.prompt == "Locked; unlock, help or quit: ")
        #expect(talk.say("list") == "The device is locked; type unlock.")
        #expect(talk.say("1") == "The device is locked; type unlock." && talk.asked.isEmpty)
        talk.isPasscodeRight = true
        #expect(talk.say("unlock") == "")
        talk.feed(.secretEntered)
        #expect(talk.said.last?.hasPrefix("All notes: 4 notes.") == true)
        // That it was unlocked is no news then.
        talk.feed(.event(.deviceUnlocked))
        #expect(talk.said.last?.hasPrefix("All notes: 4 notes.") == true)
    }

    @Test func `nothing is read again when the device is unlocked by something else`() {
        var talk = Talk(.sample)
        talk.world.isDeviceLocked = true
        talk.feed(.event(.deviceLocked))
        talk.world.isDeviceLocked = false
        _ = talk.say("")
        talk.feed(.event(.deviceUnlocked))
        #expect(talk.said == ["The device is unlocked. Type list for the notes."])
        #expect(talk.say("list").hasPrefix("All notes: 4 notes."))
    }

    @Test func `long lists are read in pages`() {
        var world = NotesWorld()
        for number in 1...230 { world.add("# Note \(number)") }
        var talk = Talk(world)
        #expect(talk.said.last?.hasSuffix("20. Note 20\nThere are 210 more; type more.") == true)
        for _ in 1...10 { _ = talk.say("more") }
        #expect(talk.say("more").hasSuffix("230. Note 230"))
        #expect(talk.say("more") == "That was all.")
        #expect(talk.say("read 230").contains("# Note 230"))
    }

    @Test(arguments: [200, 450]) func `a search in lines goes past its first two hundred`(count: Int) {
        var world = NotesWorld()
        for number in 1...count { world.add("# Note \(number)\n\nword") }
        var talk = Talk(world)
        #expect(talk.say("find word").hasSuffix("There are at least 180 more; type more."))
        var said = ""
        for _ in 1...9 { said = talk.say("more") }
        #expect(said.contains("\n200. Note 200") && said.hasSuffix("There may be more; type more."))
        for _ in 201...max(count, 201) where !said.contains("\n\(count). Note \(count)") { said = talk.say("more") }
        #expect(count == 200 || !said.contains("may be more"))
        #expect(talk.say("more") == "That was all." && talk.say("more") == "That was all.")
        #expect(talk.say("\(count)").contains("# Note \(count)"))
        #expect(talk.say("\(count + 1)") == "There is no number \(count + 1) in the list.")
    }

    @Test func `controls in a title are spelled out`() {
        var world = NotesWorld()
        world.add("# \u{1B}[2Jx\u{202E}")
        let talk = Talk(world)
        #expect(talk.said.last?.contains("1. ‹U+001B›[2Jx‹U+202E›") == true)
    }

    @Test func `an empty line cancels a passphrase`() {
        var talk = Talk(.sample)
        _ = talk.say("lock 1")
        #expect(talk.say("") == "Cancelled.")
        #expect(!talk.conversation.wantsSecret)
    }

    @Test func `a note is written line by line and changed by line numbers`() {
        var talk = Talk(.sample)
        _ = talk.say("new")
        for line in ["One", "Two", "..three"] { _ = talk.say(line) }
        #expect(talk.say(".change 2 Deux") == "Done.")
        #expect(talk.say(".insert 1 Zero") == "Done.")
        #expect(talk.say(".delete 9") == "Say which line by its number; .list reads them.")
        #expect(talk.say(".list") == "1: Zero\n2: One\n3: Deux\n4: .three")
        #expect(talk.say(".").hasPrefix("Saved."))
        #expect(talk.world.notes[4].text == "Zero\nOne\nDeux\n.three")
    }

    @Test func `an edit begins with the note's lines and keeps drafts`() {
        var talk = Talk(.sample)
        #expect(talk.say("edit 3").contains("3: Beans in May"))
        _ = talk.say("Peas too.")
        #expect(talk.world.drafts["note-3"]?.hasSuffix("Peas too.") == true)
        _ = talk.say(".")
        #expect(talk.asked.contains { $0.request == .edit(id: "note-3", base: 1) })
    }

    @Test func `deleting can be undone, and for good is confirmed`() {
        var talk = Talk(.sample)
        #expect(talk.say("delete 1").contains("Type undo"))
        #expect(talk.say("undo").contains("The note is back."))
        _ = talk.say("delete 1")
        _ = talk.say("trash")
        #expect(talk.say("delete 1") == "Delete for good: Shopping? It cannot be brought back.")
        #expect(talk.say("no") == "Nothing was changed.")
        _ = talk.say("delete 1")
        _ = talk.say("yes")
        #expect(talk.world.notes.count == 3)
    }

    @Test func `a locked device is said, and nothing remains`() {
        var talk = Talk(.sample)
        _ = talk.say("edit 3")
        talk.world.isDeviceLocked = true
        talk.feed(.event(.deviceLocked))
        #expect(talk.said.last == "The device is locked.")
        #expect(!"\(talk.conversation)".contains("Beans") && !"\(talk.conversation)".contains("Garden"))
    }

    @Test func `a new note is made with its first line, and a lock finds all of it kept, half a line too`() {
        var talk = Talk(.sample)
        _ = talk.say("new")
        _ = talk.say("One")
        #expect(talk.world.notes.count == 5 && talk.world.notes[4].text == "One")
        talk.world.isTakingLastWords = true
        talk.feed(.lateLines(["Two", "and hal"]))
        talk.feed(.event(.deviceLocking))
        #expect(talk.world.drafts["note-5"] == "One\nTwo\nand hal")
        #expect(talk.said.last == "What you wrote is kept as a sealed draft." && talk.heldCount == 0)
        #expect(talk.asked.last?.request == .handedIn)
    }

    @Test func `on a full disk the lock says that nothing was kept, and it is handed in when there is room`() {
        var talk = Talk(.sample)
        _ = talk.say("edit 3")
        talk.world.isFull = true
        #expect(talk.say("Peas too.").contains("The disk is full"))
        talk.feed(.event(.deviceLocking))
        talk.world.isDeviceLocked = true
        #expect(talk.said.last?.contains("NOT kept: the disk is full.") == true)
        #expect(!"\(talk.conversation)".contains("Peas"))
        #expect(talk.say("quit").contains("lost if you quit") && talk.say("no").contains("still held") && !talk.hasQuit)
        (talk.world.isDeviceLocked, talk.world.isFull) = (false, false)
        talk.feed(.event(.deviceUnlocked))
        #expect(talk.world.notes[2].text.hasSuffix("Peas too.") && talk.heldCount == 0)
        #expect(talk.said.last == "What you wrote has been handed in, and is kept.")
    }

    @Test func `a note that is cancelled goes to the trash with what was made of it`() {
        var talk = Talk(.sample)
        _ = talk.say("new")
        _ = talk.say("One")
        #expect(talk.say(".cancel").contains("Nothing was saved."))
        #expect(talk.world.notes[4].summary.deleted != nil)
    }
}
