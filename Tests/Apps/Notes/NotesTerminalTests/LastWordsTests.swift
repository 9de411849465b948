import NotesClient
import TerminalScreen
import Testing
import Thoroughness

@testable import NotesTerminal

/// What was typed when a lock came: all of it is kept, nothing of it is seen, and where it is not kept that is said.
@Suite struct LastWordsTests {
    private func lock(_ stage: inout Stage, late: String = "", isTaken: Bool = true) {
        stage.world.isTakingLastWords = isTaken
        stage.world.isDeviceLocked = true
        if stage.screen.isTyping { stage.feed(.lateKeys(late.map { .text(String($0)) })) }
        stage.feed(.event(.deviceLocking))
        stage.feed(.event(.handInDrafts))
        stage.feed(.event(.deviceLocked))
        stage.world.isTakingLastWords = false
    }

    @Test func `the screen is covered first, then everything is handed in, then it is said that nothing more comes`()
        throws
    {
        var stage = Stage(.sample)
        stage.press(.text("e"), .documentEnd)
        stage.type(" typed")
        stage.forgetAsked()
        lock(&stage, late: " and late")
        #expect(stage.world.drafts["note-1"]?.hasSuffix(" typed and late") == true)
        #expect(stage.requests == [.keepDraft(id: "note-1", base: 1), .handedIn])
        let covered = try #require(stage.shown.first)
        #expect(covered.contains("The device is locked.") && !covered.contains("typed"))
        #expect(!stage.remembers("typed") && stage.heldCount == 0 && !stage.text.contains("NOT"))
    }

    @Test func `the terminal is covered before anything is sent, which may take its time`() throws {
        var stage = Stage(.sample)
        stage.press(.text("e"))
        stage.type("typed")
        let effects = stage.screen.handle(.event(.deviceLocking), at: stage.now)
        let shown = try #require(effects.firstIndex(of: .show))
        let sent = try #require(effects.firstIndex { if case .ask = $0 { true } else { false } })
        #expect(shown < sent)
    }

    @Test func `what was sent and not answered before the lock came is not kept`() {
        var stage = Stage(.sample)
        stage.press(.text("e"))
        stage.type("precious ")
        // It goes out, and the answer stays away.
        stage.now += 60_000
        let sent = stage.screen.handle(.tick, at: stage.now)
        #expect(sent.contains { if case .ask(let ask) = $0 { !ask.body.isEmpty } else { false } })
        stage.world.isGone = true
        stage.feed(.lockSeen)
        #expect(stage.text.contains("NOT kept") && stage.heldCount == 1)
    }

    @Test func `tresord alone tells of the lock while tresor-notes is busy`() {
        var stage = Stage(.sample)
        stage.press(.text("e"))
        stage.type("words ")
        stage.world.isDeviceLocked = true
        stage.world.isTakingLastWords = true
        stage.feed(.lockSeen)
        #expect(
            stage.text.contains("The device is locked.") && stage.world.drafts["note-1"]?.hasPrefix("words ") == true)
        stage.feed(.event(.deviceLocking))
        #expect(stage.requests.last == .handedIn)
    }

    @Test func `a full disk is told of at the lock, the words wait here unseen, and go when there is room`() {
        var stage = Stage(.sample)
        stage.press(.text("e"))
        stage.type("precious ")
        stage.world.isFull = true
        lock(&stage)
        #expect(stage.text.contains("What you wrote is NOT kept: the disk is full."))
        #expect(!stage.remembers("precious") && stage.heldCount == 1)
        stage.unlockDevice()
        #expect(stage.text.contains("NOT kept") && !stage.remembers("precious"))
        stage.world.isFull = false
        stage.pass(milliseconds: 2100)
        #expect(stage.world.notes[0].text == "precious " + NotesWorld.sample.notes[0].text)
        #expect(stage.heldCount == 0 && stage.text.contains("has been handed in"))
    }

    @Test func `a tresor-notes that was killed leaves the words here until the device is unlocked`() {
        for isNew in [false, true] {
            var stage = Stage(.sample)
            stage.press(.text(isNew ? "n" : "e"))
            stage.type("precious ")
            stage.world.isGone = true
            stage.feed(.lockSeen)
            #expect(stage.text.contains("NOT kept") && !stage.remembers("precious"))
            stage.world.isGone = false
            stage.world.isDeviceLocked = true
            stage.pass(milliseconds: 2100)
            #expect(stage.heldCount == 1)
            stage.unlockDevice()
            #expect(stage.heldCount == 0)
            #expect(stage.world.notes.contains { $0.text.hasPrefix("precious ") })
        }
    }

    @Test func `words that are kept nowhere else are not lost by a key, and can be discarded`() {
        var stage = Stage(.sample)
        stage.press(.text("e"))
        stage.type("precious ")
        stage.world.isFull = true
        lock(&stage)
        stage.feed(.secretCancelled)
        stage.feed(.secretCancelled)
        #expect(!stage.hasQuit && stage.text.contains("lost if you quit"))
        stage.press(.text("n"))
        #expect(stage.heldCount == 1 && stage.screen.wantsSecret, "the passcode is asked for again")
        stage.unlockDevice()
        #expect(stage.heldCount == 1, "the disk is full still")
        stage.press(.control("d"), .text("y"))
        #expect(stage.heldCount == 0 && !stage.hasQuit)
        stage.press(.text("q"))
        #expect(stage.hasQuit)
    }

    @Test func `the words of a locked note go with its session, and a failure is told of`() {
        var stage = Stage.withOpenLockedNote
        stage.press(.text("e"))
        stage.type("one ")
        stage.feed(.lateKeys([.text("t"), .text("w"), .text("o"), .text(" ")]))
        stage.feed(.event(.handInDrafts))
        #expect(stage.world.drafts["note-2"] == "one two # Bank\n\nPIN 4711" && stage.screen.editor == nil)
        #expect(stage.text.contains("kept as a sealed draft") && !stage.remembers("4711"))
        stage = Stage.withOpenLockedNote
        stage.press(.text("e"))
        stage.type("one ")
        stage.world.isFull = true
        stage.feed(.event(.handInDrafts))
        stage.endSession()
        #expect(stage.text.contains("NOT kept: what you wrote; the disk is full."))
        #expect(!stage.remembers("4711") && stage.heldCount == 1)
    }

    @Test func `an open note is handed in when a session ends, and goes on being written`() {
        var stage = Stage(.sample)
        stage.press(.text("e"))
        stage.type("a")
        stage.feed(.event(.handInDrafts))
        #expect(stage.requests.suffix(2) == [.keepDraft(id: "note-1", base: 1), .handedIn])
        stage.type("b")
        lock(&stage, late: "c")
        #expect(stage.world.drafts["note-1"]?.hasPrefix("abc#") == true)
    }

    @Test func `a stop leaves nothing here, and what was typed is the note's text`() {
        var stage = Stage(.sample)
        stage.press(.text("e"))
        stage.type("words ")
        stage.feed(.stopRequested)
        #expect(stage.world.notes[0].text.hasPrefix("words # Shopping") && stage.screen.editor == nil)
        #expect(stage.shown.last?.contains("words") == false && stage.text.contains("Shopping"))
    }

    @Test func `a key that does something else ends what is taken late`() {
        var stage = Stage(.sample)
        stage.press(.text("e"))
        lock(&stage)
        #expect(stage.world.drafts.isEmpty, "nothing was typed, and nothing is handed in")
        stage.unlockDevice()
        stage.press(.text("e"))
        stage.feed(.lateKeys([.text("a"), .control("c"), .text("y")]))
        stage.world.isTakingLastWords = true
        stage.feed(.lockSeen)
        #expect(stage.world.drafts["note-1"]?.hasPrefix("a#") == true)
    }

    private static let letters: [String] = "abcdefghijklmnopqrstuvwxyz ".map { String($0) }

    /// Forty keys at any speed, a lock at any moment, and tresor-notes well, out of room, gone or late: every key is
    /// there in the end, once and in its place.
    @Test(arguments: 1...UInt64(Thoroughness.count(120, soak: 400)))
    func `every key is there, whatever the lock meets`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var stage = Bool.random(using: &random) ? Stage(.sample) : Stage.withOpenLockedNote
        let isNew = Bool.random(using: &random)
        stage.press(.text(isNew ? "n" : "e"))
        let typed = (0..<40).map { _ in Self.letters.randomElement(using: &random) ?? "a" }
        let end = Int.random(in: 0...40, using: &random)
        let late = Int.random(in: 0...(40 - end), using: &random)
        for key in typed[..<end] {
            stage.feed(.key(.text(key)))
            stage.pass(milliseconds: .random(in: 0...700, using: &random))
            if Int.random(in: 0..<20, using: &random) == 0 { stage.world.isFull.toggle() }
        }
        let isGone = Int.random(in: 0..<4, using: &random) == 0
        (stage.world.isGone, stage.world.isTakingLastWords) = (isGone, Bool.random(using: &random))
        stage.world.isDeviceLocked = true
        stage.feed(.lateKeys(typed[end..<end + late].map { .text($0) }))
        let ways: [[Input]] = [
            [.lockSeen, .event(.deviceLocking)], [.event(.deviceLocking), .event(.handInDrafts)],
            [.event(.deviceLocked)], [.connectionLost, .lockSeen], [.key(.left), .lockSeen],
        ]
        for input in ways.randomElement(using: &random) ?? [] { stage.feed(input) }
        stage.world.isTakingLastWords = false
        stage.feed(.event(.deviceLocked))
        stage.feed(.connectionLost)
        let expected = typed[..<(end + late)].joined()
        #expect(stage.screen.editor == nil && (expected.count < 6 || !stage.remembers(expected)), "seed \(seed)")
        (stage.world.isGone, stage.world.isFull) = (false, false)
        stage.unlockDevice()
        stage.world.openSession()
        stage.feed(.event(.sessionChanged(stage.world.session)))
        stage.pass(milliseconds: 2100)
        #expect(stage.heldCount == 0, "seed \(seed)")
        guard !expected.isEmpty else { return }
        let texts = stage.world.notes.map { stage.world.drafts[$0.summary.id] ?? $0.text }
        let isThere = texts.contains { isNew ? $0 == expected : $0.hasPrefix(expected + "# ") }
        #expect(isThere, "seed \(seed): \(expected) is not among \(texts)")
    }
}
