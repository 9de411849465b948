import NotesClient
import TerminalScreen
import Testing
import Thoroughness

@testable import NotesTerminal

@Suite struct NotesScreenTests {
    // MARK: Keys

    @Test func `moving down shows the next note`() {
        var stage = Stage(.sample)
        stage.world.openSession()
        stage.feed(.event(.sessionChanged(stage.world.session)))
        #expect(stage.text.contains("oats"))
        stage.press(.text("j"))
        #expect(stage.text.contains("PIN 4711"))
        stage.press(.text("j"))
        #expect(stage.text.contains("Beans in May"))
        stage.press(.text("k"), .up)
        #expect(stage.text.contains("oats"))
    }

    @Test func `Tab goes round the panes`() {
        var stage = Stage(.sample)
        #expect(stage.screen.panes.focus == .list)
        stage.press(.tab)
        #expect(stage.screen.panes.focus == .note)
        stage.press(.tab)
        #expect(stage.screen.panes.focus == .folders)
        stage.press(.text("j"))
        #expect(stage.screen.panes.shelf.place == .folder("Home/Garden"))
        #expect(stage.screen.panes.shelf.notes.map(\.title) == ["Garden plan"])
        stage.press(.backTab)
        #expect(stage.screen.panes.focus == .note)
    }

    @Test func `a deleted note comes back with z`() {
        var stage = Stage(.sample)
        stage.press(.text("d"))
        #expect(!stage.screen.panes.shelf.notes.map(\.id).contains("note-1"))
        #expect(stage.text.contains("Press z or Ctrl+U to take it out"))
        // The note that is selected now is a locked one, at which no letter is a key.
        stage.press(.control("u"))
        #expect(stage.screen.panes.shelf.notes.map(\.id).contains("note-1"))
    }

    @Test func `the note that came back is the one that the next key is for`() {
        var stage = Stage(.sample)
        stage.press(.text("j"))
        let deleted = stage.screen.panes.shelf.selected?.id
        stage.press(.delete)
        #expect(stage.screen.panes.shelf.selected?.id != deleted)
        stage.press(.text("z"))
        #expect(stage.screen.panes.shelf.selected?.id == deleted)
    }

    @Test func `deleting for good is asked about`() {
        var stage = Stage(.sample)
        stage.press(.text("d"), .backTab, .text("G"), .tab)
        #expect(stage.screen.panes.shelf.place == .trash)
        stage.press(.text("d"), .text("n"))
        #expect(stage.world.notes.count == 4)
        stage.press(.text("d"), .text("y"))
        #expect(stage.world.notes.count == 3)
    }

    @Test func `p pins and takes the pin off`() {
        var stage = Stage(.sample)
        stage.press(.text("p"))
        #expect(stage.requests.contains(.pin(id: "note-1", isPinned: false)))
    }

    @Test func `a search shows what was found, and Escape leaves it`() {
        var stage = Stage(.sample)
        stage.press(.text("/"))
        stage.type("Beans\n")
        #expect(stage.requests.contains(.search(text: "Beans", limit: Place.pageSize)))
        #expect(stage.screen.panes.shelf.notes.map(\.title) == ["Garden plan"])
        stage.press(.escape)
        #expect(stage.screen.panes.shelf.place == .all)
    }

    @Test(arguments: ["Beans\n", "nowhere\n"])
    func `a search says how many notes it could not read, also where nothing was found`(_ words: String) {
        var stage = Stage(.damaged)
        stage.press(.text("/"))
        stage.type(words)
        #expect(stage.text.contains("Nothing found.") == (words == "nowhere\n"))
        #expect(stage.text.contains("2 could not be read; tresor doctor --data names them."), "\(stage.text)")
        stage.press(.escape)
        #expect(!stage.text.contains("could not be read"))
    }

    @Test func `q quits and Ctrl+Z gives the terminal back for a while`() {
        var stage = Stage(.sample)
        stage.press(.text("q"))
        #expect(stage.hasQuit)
        var other = Stage(.sample)
        #expect(other.screen.handle(.key(.control("z")), at: 0).contains(.suspend))
    }

    // MARK: Sessions and locks

    @Test func `a locked note shows nothing until the passphrase was given`() {
        var stage = Stage(.sample)
        stage.press(.text("j"))
        #expect(!stage.text.contains("4711") && !stage.requests.contains(.show(id: "note-2")), "nor is it asked for")
        stage.press(.enter)
        #expect(stage.screen.wantsSecret)
        stage.feed(.secretEntered)
        #expect(stage.requests.contains(.unlock(id: "note-2")))
        #expect(stage.text.contains("PIN 4711"))
        // Beside the device's state it says what locks.
        #expect(stage.text.contains("🔓 notes: locks in 3:00 · device unlocked"))
    }

    @Test func `the hint is shown with the third wrong passphrase`() {
        var stage = Stage(.sample)
        stage.world.isPassphraseRight = false
        stage.press(.text("u"))
        stage.feed(.secretEntered)
        stage.feed(.secretEntered)
        #expect(stage.text.contains("This is not the passphrase."))
        #expect(!stage.text.contains("the cat"))
        stage.feed(.secretEntered)
        #expect(stage.text.contains("Hint: the cat"))
        #expect(stage.screen.wantsSecret)
        stage.feed(.secretCancelled)
        #expect(!stage.screen.wantsSecret)
    }

    @Test func `locking needs a passphrase only while no session is open`() {
        var stage = Stage(.sample)
        stage.press(.text("L"))
        #expect(stage.screen.wantsSecret)
        stage.feed(.secretEntered)
        #expect(stage.asked.contains(Ask(.lock(id: "note-1"), needsSecret: true)))
        stage.press(.text("j"), .text("j"), .text("L"))
        #expect(stage.asked.contains(Ask(.lock(id: "note-3"))))
    }

    @Test func `Ctrl+L closes the session and the note`() {
        var stage = Stage.withOpenLockedNote
        stage.press(.control("l"))
        #expect(stage.requests.contains(.lockNow))
        #expect(!stage.text.contains("4711"))
        #expect(stage.text.contains("notes locked"))
    }

    @Test func `when the session ends, the note leaves the state and the terminal`() {
        var stage = Stage.withOpenLockedNote
        #expect(stage.remembers("4711"))
        let clears = stage.clears
        stage.endSession()
        #expect(stage.clears > clears)
        #expect(!stage.text.contains("4711"))
        #expect(!stage.remembers("4711"))
    }

    @Test func `titles of locked notes go with the session where they are hidden`() {
        var world = NotesWorld.sample
        world.showsLockedTitles = false
        world.openSession()
        var stage = Stage(world)
        #expect(stage.text.contains("Bank"))
        stage.endSession()
        #expect(!stage.remembers("Bank"))
        #expect(stage.text.contains("Locked note"))
    }

    @Test func `a locked note in the editor leaves with the session`() {
        var stage = Stage.withOpenLockedNote
        stage.press(.text("e"))
        stage.type("more ")
        #expect(stage.text.contains("4711"))
        stage.feed(.event(.handInDrafts))
        #expect(stage.world.drafts["note-2"] == "more # Bank\n\nPIN 4711")
        stage.endSession()
        #expect(stage.screen.editor == nil)
        #expect(!stage.remembers("4711"))
        #expect(stage.text.contains("sealed draft"))
    }

    @Test func `an unlocked note in the editor stays when the session ends`() {
        var world = NotesWorld.sample
        world.openSession()
        var stage = Stage(world)
        stage.press(.text("e"))
        stage.type("more ")
        stage.endSession()
        #expect(stage.screen.editor?.buffer.text.hasPrefix("more # Shopping") == true)
    }

    @Test func `keys keep the session open, told at most every two seconds`() {
        var world = NotesWorld.sample
        world.openSession()
        var stage = Stage(world)
        stage.press(.text("j"), .text("k"), .text("j"))
        #expect(stage.requests.count { $0 == .touch } == 1)
        stage.pass(milliseconds: 2000)
        stage.press(.text("k"))
        #expect(stage.requests.count { $0 == .touch } == 2)
    }

    @Test func `twenty seconds before the end there is a warning, and a key takes it away`() {
        var world = NotesWorld.sample
        world.openSession()
        var stage = Stage(world)
        stage.pass(milliseconds: 159_000)
        #expect(!stage.text.contains("Press any key"))
        stage.pass(milliseconds: 1_000)
        #expect(stage.text.contains("locks in 0:20. Press any key to keep them open."))
        stage.press(.text("g"))
        #expect(stage.text.contains("locks in 3:00"))
    }

    // MARK: The device

    @Test func `a locked device leaves no text anywhere, and the place comes back`() {
        var stage = Stage(.sample)
        stage.press(.backTab, .text("j"), .tab)
        #expect(stage.text.contains("Beans"))
        let clears = stage.clears
        stage.lockDevice()
        #expect(stage.clears == clears + 1)
        #expect(stage.text.contains("The device is locked."))
        for word in ["Beans", "Garden", "Shopping", "Work"] { #expect(!stage.remembers(word)) }
        stage.unlockDevice()
        #expect(stage.screen.panes.shelf.place == .folder("Home/Garden"))
        #expect(stage.text.contains("Beans"))
    }

    @Test func `a device that is locked from the start shows the lock screen`() {
        var world = NotesWorld.sample
        world.isDeviceLocked = true
        var stage = Stage(world)
        #expect(stage.text.contains("Type its passcode"))
        stage.press(.text("j"), .text("n"), .text("x"), .text("q"))
        #expect(stage.screen.editor == nil && !stage.hasQuit)
        stage.unlockDevice()
        #expect(stage.text.contains("oats"))
    }

    @Test func `an answer that comes after the lock is not shown`() {
        var stage = Stage(.sample)
        let note = stage.world.notes[2]
        stage.lockDevice()
        let effects = stage.screen.handle(
            .answer(.note(note.summary), Array(note.text.utf8), to: Ask(.show(id: note.summary.id))), at: 0)
        #expect(effects == [])
        #expect(!stage.remembers("Beans"))
        let list = NoteList(notes: stage.world.notes.map(\.summary), total: 4)
        for ask in stage.asked where ask.request != .status {
            #expect(stage.screen.handle(.answer(.list(list), [], to: ask), at: 0) == [])
        }
        #expect(!stage.remembers("Garden"))
    }

    @Test func `a lost connection counts as a closed session`() {
        var stage = Stage.withOpenLockedNote
        stage.feed(.connectionLost)
        #expect(!stage.remembers("4711"))
        stage.feed(.started)
        #expect(stage.text.contains("PIN 4711"))
    }

    @Test func `when tresor-notes answers again, everything is read anew`() {
        var stage = Stage(.sample)
        stage.feed(.connectionLost)
        #expect(stage.text.contains("does not answer"))
        stage.world.add("# Meanwhile")
        stage.feed(.started)
        #expect(!stage.text.contains("does not answer"))
        #expect(stage.text.contains("Meanwhile"))
    }

    @Test func `many changes elsewhere cause one reading`() {
        var stage = Stage(.sample)
        stage.forgetAsked()
        for number in 1...50 { stage.feed(.event(.noteChanged(id: "note-\(number)"))) }
        #expect(stage.requests.isEmpty)
        #expect(stage.screen.deadline == stage.now + NotesScreen.reloadDelay)
        stage.pass(milliseconds: 200)
        #expect(stage.requests.count { $0 == .folders } == 1)
    }

    @Test func `long lists are read page by page`() {
        var world = NotesWorld()
        for number in 1...450 { world.add("# Note \(number)") }
        var stage = Stage(world)
        #expect(stage.screen.panes.shelf.notes.count == 200)
        stage.press(.end, .end, .end)
        #expect(stage.screen.panes.shelf.notes.count == 450)
        #expect(stage.screen.panes.shelf.notes.map(\.id) == world.notes.map(\.summary.id))
    }

    @Test func `any keys in any window leave a screen of the right size`() {
        let keys: [Key] = [
            .text("j"), .text("k"), .text("e"), .text("n"), .text("/"), .text("?"), .text("d"), .text("z"), .text("L"),
            .text("u"), .text("y"), .text("p"), .enter, .escape, .tab, .backTab, .pageDown, .control("s"), .up, .down,
            .control("c"), .control("l"), .paste("日本\nx\u{1B}[2J"), .text(" "), .backspace, .text("G"),
            .wheel(1), .wheel(-2), .click(row: 4, column: 30), .click(row: 3, column: 2), .click(row: 300, column: 300),
        ]
        var random = SeededRandom(seed: 7)
        for size in [(80, 24), (40, 10), (48, 12), (20, 6), (10, 3), (200, 60)] {
            var stage = Stage(.sample, columns: size.0, rows: size.1)
            for _ in 0..<Thoroughness.count(150, soak: 600) where !stage.hasQuit {
                stage.press(keys.randomElement(using: &random) ?? .tab)
                if stage.screen.wantsSecret {
                    stage.feed(Bool.random(using: &random) ? .secretEntered : .secretCancelled)
                }
                stage.now += UInt64.random(in: 0...1000, using: &random)
                if Int.random(in: 0..<50, using: &random) == 0 { stage.endSession() }
                let frame = stage.screen.frame()
                #expect(frame.lines.count == size.1)
                #expect(frame.lines.allSatisfy { $0.width == size.0 })
                if let cursor = frame.cursor { #expect(cursor.row < size.1 && cursor.column < size.0) }
            }
        }
    }
}

extension Stage {
    /// The sample with its session open, and the locked note shown.
    static var withOpenLockedNote: Stage {
        var world = NotesWorld.sample
        world.openSession()
        var stage = Stage(world)
        stage.press(.text("j"))
        return stage
    }
}
