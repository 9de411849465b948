import Foundation
import Linux
import NotesClient
import Testing
import Thoroughness

/// Notes of class AfterFirstUnlock with the real programs: read behind the lock screen, and no further.
@Suite(.serialized) struct NotesClassStory {
    @Test func `open notes are read and written while the device is locked, locked notes are not`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        try device.notes("passphrase", "set", input: "pass\npass\n")
        let open = try device.newNote("# Open\n\nheron\n")
        let locked = try device.newNote("# Locked\n\nbittern\n")
        try device.notes("lock", locked)
        let chosen = try device.notes("settings", "--class", "afterFirstUnlock")
        #expect(chosen.code == 0 && chosen.text.contains("class afterFirstUnlock"), "\(chosen.errors)")
        let before = try device.notesProcess()
        #expect(try device.run("lock").code == 0)

        #expect(try device.notes("show", open).text == "# Open\n\nheron\n")
        #expect(try device.notes("search", "heron").text.contains("Open"))
        #expect(try device.notes("search", "bittern").text.isEmpty)
        #expect(try device.notes("show", locked).code == 5)
        let added = try device.newNote("made behind the lock screen\n")
        // A passphrase opens nothing here, and the device's passcode does not unlock through the notes.
        #expect(try device.notes("unlock", input: "pass\n").code == 5)
        #expect(try device.notes("lock", added).code == 5)
        #expect(try device.notes("passphrase", "reset", input: "1234\nnew\nnew\n").code == 5)
        #expect(try device.notes("settings", "--class", "whenUnlocked").code == 5)
        #expect(try device.status().enclave.lock == .locked)
        #expect(try device.notesProcess() != before, "another process, of the same keeper")

        try device.unlock()
        #expect(try device.notes("show", added).text == "made behind the lock screen\n")
        #expect(try device.notes("unlock", input: "pass\n").code == 0)
        #expect(try device.notes("show", locked).text == "# Locked\n\nbittern\n")

        // After a restart nothing is readable before the first unlock, and after it everything is again.
        try device.stop()
        try device.start()
        #expect(try device.notes("show", open).code == 5)
        try device.unlock()
        #expect(try device.run("lock").code == 0)
        #expect(try device.notes("show", open).text == "# Open\n\nheron\n")

        try device.unlock()
        #expect(try device.notes("settings", "--class", "whenUnlocked").code == 0)
        #expect(try device.run("lock").code == 0)
        #expect(try device.notes("show", open).code == 5)
        try device.unlock()
        #expect(try device.notes("show", open).text == "# Open\n\nheron\n")
    }

    @Test func `a screen that is opened behind the lock screen hears that the device is locked`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        _ = try device.newNote("shown nowhere\n")
        try device.notes("settings", "--class", "afterFirstUnlock")
        #expect(try device.run("lock").code == 0)
        let screen = try device.notesConnection()
        try screen.subscribe()
        #expect(try screen.nextEvent() == .deviceLocked)
    }

    @Test func `settings with a value that none can have leave the class as it was`() throws {
        let device = try LiveDevice()
        #expect(try device.notes("settings", "--class", "afterFirstUnlock", "--session-minutes", "5").code == 64)
        #expect(try device.notes("settings", "--class", "always").code == 64)
        #expect(try device.notes("settings").text.contains("class whenUnlocked"))
    }

    /// A class is changed by a kill at a random moment, or not at all.
    @Test func `kills during a change of the class lose nothing`() throws {
        let device = try LiveDevice()
        let connection = try device.notesConnection()
        for number in 0..<300 {
            try connection.ask(.create(NewNote()), body: Array("# Note \(number)\n\ntext \(number)\n".utf8))
        }
        var random = SystemRandomNumberGenerator()
        var states: [String: Int] = [:]
        for round in 0..<Thoroughness.count(4, soak: 12) {
            let wanted = round % 2 == 0 ? "afterFirstUnlock" : "whenUnlocked"
            let victim = try device.notesProcess()
            let command = try device.begin("notes", "settings", "--class", wanted)
            usleep(UInt32.random(in: 20_000...120_000, using: &random))
            Foundation.kill(victim, SIGKILL)
            command.waitUntilExit()
            // Its socket may take connections until it is gone.
            for _ in 0..<1000 where ChildProcess.isRunning(victim) { usleep(5000) }
            let status = try device.notes("status")
            states[status.text.contains("class \(wanted)") ? "changed" : "as before", default: 0] += 1
            #expect(
                status.text.contains("300 notes") && !status.text.contains("damaged"), "\(status.text)\(status.errors)")
            #expect(try device.notes("settings", "--class", wanted).code == 0)
        }
        print("kills during a change of the class: \(states)")
        try device.stopNotes()
        #expect(try device.storedNotes("SELECT count(*) FROM zone") == [["1"]])
        #expect(try device.storedNotes("SELECT count(*) FROM record WHERE type = 1") == [["300"]])
        #expect(try device.notes("search", "text 299").text.contains("Note 299"))
    }
}
