import NotesClient
import TerminalScreen
import Testing

@testable import NotesTerminal

/// Where a secret is expected, what is typed is that secret's and nobody else's.
@Suite struct PromptTests {
    private static let letters: [String] = (0x20...0x7E as ClosedRange<UInt8>).map { String(Unicode.Scalar($0)) }

    // MARK: Locked notes

    @Test func `Enter at a locked note asks for its passphrase right there`() {
        var stage = Stage(.sample)
        stage.press(.down, .enter)
        #expect(stage.screen.wantsSecret && stage.text.contains("Passphrase for notes:"))
        stage.feed(.secretEntered)
        #expect(stage.requests.contains(.unlock(id: "note-2")) && stage.text.contains("PIN 4711"))
    }

    @Test(arguments: [false, true])
    func `no letter is a command while a locked note is in front`(isInItsPane: Bool) {
        for letter in Self.letters {
            var stage = Stage(.sample)
            stage.press(.down)
            if isInItsPane { stage.press(.tab) }
            stage.forgetAsked()
            stage.press(.text(letter), .paste(letter))
            #expect(stage.requests.isEmpty && !stage.hasQuit && stage.screen.editor == nil, "\(letter)")
            #expect(stage.screen.dialog == nil && stage.screen.panes.shelf.selected?.id == "note-2", "\(letter)")
            // A question mark shows the help, and the next key is back from there.
            #expect(letter == "?" || stage.text.contains("letters do nothing here"), "\(letter)")
        }
    }

    @Test func `a passphrase typed at a locked note without Enter leaves every note as it was`() {
        var stage = Stage(.sample)
        stage.press(.down)
        let before = stage.world.notes.map(\.text)
        stage.type("dnew qLpz? horse battery")
        #expect(stage.world.notes.map(\.text) == before && stage.world.notes.allSatisfy { $0.summary.deleted == nil })
        #expect(!stage.hasQuit && stage.screen.editor == nil)
    }

    @Test func `keys that no passphrase has still move on from a locked note`() {
        var stage = Stage(.sample)
        stage.press(.down, .down)
        #expect(stage.screen.panes.shelf.selected?.id == "note-3")
        stage.press(.up, .delete)
        #expect(stage.requests.contains(.delete(id: "note-2", forever: false)))
        #expect(stage.text.contains("Press z or Ctrl+U to take it out"))
        stage.press(.control("u"))
        #expect(stage.screen.panes.shelf.selected?.id == "note-2")
        stage.press(.control("n"))
        #expect(stage.screen.editor != nil)
    }

    @Test func `keys of the folders do nothing to a locked note beside them`() {
        var stage = Stage(.sample)
        stage.press(.down, .backTab)
        stage.forgetAsked()
        stage.press(.text("d"), .text("p"), .text("L"), .text("e"))
        #expect(stage.requests.isEmpty && stage.screen.dialog == nil && stage.screen.editor == nil)
    }

    @Test func `a prompt shows a dot for each character, and how long it is at most`() throws {
        for columns in [20, 80, 300] {
            var stage = Stage(.sample, columns: columns, rows: 6)
            stage.press(.down, .enter)
            stage.feed(.secretTyped(count: 3))
            let line = try #require(stage.screen.frame().lines.last)
            #expect(line.text.hasSuffix("•••") && line.width == columns)
            stage.feed(.secretTyped(count: 1000))
            let full = stage.screen.frame()
            #expect(full.lines.allSatisfy { $0.width == columns } && (full.cursor?.column ?? 0) < columns)
            stage.feed(.secretTyped(count: 0))
            #expect(!stage.text.contains("•"))
        }
    }

    @Test func `nothing but an answer reaches a question`() {
        var stage = Stage(.sample)
        stage.world.openSession()
        stage.feed(.event(.sessionChanged(stage.world.session)))
        stage.press(.down, .text("L"))
        stage.forgetAsked()
        for letter in Self.letters where !["y", "Y", "n", "N"].contains(letter) {
            stage.press(.text(letter), .paste(letter), .enter)
        }
        #expect(stage.requests.allSatisfy { $0 == .touch } && stage.text.contains("Remove the lock?"))
    }

    // MARK: The device

    @Test func `a locked device says so before anything else, and its passcode unlocks it there`() {
        for onlyNote in [nil, "note-2"] as [String?] {
            var world = NotesWorld.sample
            world.isDeviceLocked = true
            var stage = Stage(world, onlyNote: onlyNote)
            #expect(stage.text.contains("The device is locked.") && stage.text.contains("Passcode of the device:"))
            #expect(!stage.text.contains("Passphrase"))
            stage.feed(.secretTyped(count: 4))
            #expect(stage.text.contains("Passcode of the device: ••••"))
            stage.feed(.secretEntered)
            #expect(stage.shown.last?.contains("Unlocking") == true, "which may take a moment")
            #expect(!stage.text.contains("The device is locked."))
            #expect(stage.screen.wantsSecret == (onlyNote != nil), "then a locked note's passphrase is asked for")
        }
    }

    @Test func `a wrong passcode says how many there were, and how long to wait`() {
        var stage = Stage(.sample)
        stage.lockDevice()
        stage.world.isPasscodeRight = false
        stage.feed(.secretEntered)
        #expect(stage.text.contains("Wrong passcode. 1 wrong in a row.") && stage.screen.wantsSecret)
        for _ in 2...5 { stage.feed(.secretEntered) }
        #expect(stage.text.contains("5 wrong in a row. The next try is possible in 1 minute."))
        stage.world.isPasscodeRight = true
        stage.feed(.secretEntered)
        #expect(stage.text.contains("oats") && stage.screen.dialog == nil)
    }

    @Test func `a lock takes away whatever was asked, and asks for the passcode`() {
        for key in ["?", "/", "L", "u"] as [String] {
            var stage = Stage(.sample)
            stage.press(.text(key))
            stage.lockDevice()
            #expect(stage.screen.wantsSecret && stage.text.contains("Passcode of the device:"), "\(key)")
        }
    }

    @Test func `the lock screen is left by a key that is pressed twice, and by no letter`() {
        var stage = Stage(.sample)
        stage.lockDevice()
        for letter in Self.letters { stage.press(.text(letter)) }
        stage.feed(.secretCancelled)
        #expect(!stage.hasQuit && stage.text.contains("once more"))
        stage.feed(.secretCancelled)
        #expect(stage.hasQuit)
    }

    @Test(arguments: [(1, "1 second"), (59, "59 seconds"), (60, "1 minute"), (61, "2 minutes"), (3600, "1 hour")])
    func `a wait is rounded up`(seconds: UInt64, words: String) {
        #expect(ScreenWords.wait(seconds) == "The next try is possible in \(words).")
    }
}
