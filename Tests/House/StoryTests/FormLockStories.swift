import Foundation
import Testing

/// A form of the viewer over a lock, in a real terminal, with the real programs.
@Suite(.serialized, .enabled(if: TmuxScreen.isInstalled, "tmux is not installed"))
struct FormLockStories {
    private let device: LiveDevice

    init() throws {
        device = try LiveDevice()
        try device.setPasscode()
    }

    private func beginItem() throws -> TmuxScreen {
        let screen = try TmuxScreen(device, command: "browse")
        #expect(try screen.waits(for: "Nothing is kept here yet"))
        try screen.press("n")
        #expect(try screen.waits(for: "New item"))
        try screen.type("half a name")
        #expect(try screen.waits(for: "half a name"))
        return screen
    }

    @Test func `a form comes back after a lock by command and after a daemon that ended, and is saved then`() throws {
        let screen = try beginItem()
        #expect(try device.run("lock").code == 0)
        #expect(try screen.waits(for: "What was typed into the form waits, unseen."))
        #expect(try !screen.everything().contains("half a name"))
        try device.unlock()
        #expect(try screen.waits(for: "half a name") && screen.waits(for: "nothing of it is saved yet"))

        try device.stop()
        #expect(try screen.waits(for: "tresord does not run.") && !screen.text().contains("half a name"))
        try device.start()
        #expect(try screen.waits(for: "was not unlocked since it started") && screen.waits(for: "unseen."))
        try device.unlock()
        #expect(try screen.waits(for: "half a name"))
        try screen.press("C-s")
        for prompt in ["New secret:", "The same again:"] {
            #expect(try screen.waits(for: prompt))
            try screen.type("a secret word")
            try screen.press("Enter")
        }
        #expect(try screen.waits(for: "Added."))
        #expect(try device.run("get", "half a name").text == "a secret word")
    }

    @Test func `a viewer that is ended says that a form was open, and nothing was changed`() throws {
        let screen = try beginItem()
        let viewer = try #require(try screen.program())
        #expect(kill(viewer, SIGTERM) == 0)
        #expect(try screen.waits(for: "the form that was open was not saved; nothing was changed"))
        #expect(try screen.waits(for: "after the screen") && device.run("ls").text.isEmpty)
    }
}
