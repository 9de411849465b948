import NotesClient
import TerminalScreen
import Testing

@testable import NotesTerminal

/// Without tresord nobody can unlock the device: that is said, and no passcode is asked for.
@Suite struct DaemonGoneTests {
    /// tresor-notes tells of a lock, and its connection ends, as when tresord does.
    private static func stage(tellsFirst: Bool, columns: Int = 80, rows: Int = 24) -> Stage {
        var stage = Stage(.sample, columns: columns, rows: rows)
        stage.world.isDeviceLocked = true
        if tellsFirst { stage.feed(.event(.deviceLocked)) }
        stage.feed(.daemonEnded)
        if !tellsFirst { stage.feed(.event(.deviceLocked)) }
        stage.feed(.connectionLost)
        return stage
    }

    @Test(arguments: [false, true])
    func `the screen says that tresord does not run and how to go on, and asks for nothing`(tellsFirst: Bool) {
        let stage = Self.stage(tellsFirst: tellsFirst)
        #expect(stage.text.contains("tresord does not run.") && stage.text.contains("tresor up"))
        #expect(!stage.text.contains("The device is locked.") && !stage.text.contains("tresor-notes"))
        #expect(!stage.screen.wantsSecret && !stage.remembers("oats"))
    }

    @Test func `when it runs again the passcode is asked for, and unlocks`() {
        var stage = Self.stage(tellsFirst: true)
        stage.feed(.daemonFound)
        #expect(stage.screen.wantsSecret && stage.text.contains("The device is locked."))
        stage.feed(.secretEntered)
        #expect(stage.text.contains("oats") && !stage.screen.isDaemonGone)
    }

    @Test func `a device that is unlocked when tresord runs again shows its notes at once`() {
        var stage = Self.stage(tellsFirst: false)
        stage.world.isDeviceLocked = false
        stage.feed(.daemonFound)
        stage.feed(.deviceUnlocked)
        #expect(stage.text.contains("oats") && !stage.screen.wantsSecret)
    }

    @Test func `it is left by a key that is pressed twice, and by no letter`() {
        var stage = Self.stage(tellsFirst: true)
        stage.type("q12n")
        stage.press(.escape)
        #expect(!stage.hasQuit && stage.text.contains("once more") && stage.text.contains("tresor up"))
        stage.press(.control("c"))
        #expect(stage.hasQuit)
    }

    @Test func `the lines fit a narrow terminal`() {
        let stage = Self.stage(tellsFirst: true, columns: 40, rows: 8)
        #expect(stage.text.contains("Start it in another window: tresor up"))
    }

    @Test(arguments: [false, true])
    func `in lines it is said once, also where a lock was told first, and unlock goes on`(tellsLock: Bool) {
        var talk = PlainConversationTests.Talk(.sample)
        talk.world.isDeviceLocked = true
        if tellsLock { talk.feed(.event(.deviceLocking)) }
        talk.feed(.daemonEnded)
        talk.feed(.daemonEnded)
        #expect(talk.said.filter { $0.hasPrefix("tresord does not run.") }.count == 1)
        #expect(talk.said.last?.contains("tresor up") == true && !"\(talk.conversation)".contains("Garden"))
        talk.isDaemonGone = true
        #expect(talk.say("unlock") == DaemonAbsence.plainWords && !talk.conversation.wantsSecret)
        talk.isDaemonGone = false
        #expect(talk.say("unlock") == "" && talk.conversation.wantsSecret)
        talk.feed(.secretEntered)
        #expect(talk.said.last?.contains("1. Shopping") == true)
    }
}
