import Foundation
import Testing

/// The three dialogues in plain lines, read as a screen reader or a braille line reads them: line after line.
@Suite(.serialized) struct PlainLineStories {
    private let device: LiveDevice

    init() throws {
        device = try LiveDevice()
        try device.setPasscode()
    }

    /// What a dialogue prints while these lines are typed, without what scripts and people must never get.
    private func talk(_ command: [String], _ lines: String...) throws -> [String] {
        let typed = lines.map { $0 + "\n" }.joined()
        let outcome = try device.run(command + ["--plain"], input: Data(typed.utf8), environment: ["LANG": "C.UTF-8"])
        #expect(outcome.code == 0, "\(command): \(outcome.errors)")
        let text = outcome.text
        // No cursor moves, no colour comes, nothing rings, and no line is drawn over.
        let control = outcome.output.first { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F }
        #expect(control == nil, "\(command) writes the byte \(control ?? 0)")
        #expect(!text.contains("─") && !text.contains("│"))
        return text.split(separator: "\n").map { String($0) }
    }

    /// Whether these stand in the lines in this order, each once.
    private func inOrder(_ wanted: [String], _ lines: [String]) {
        var from = 0
        for words in wanted {
            let places = lines.indices.filter { lines[$0].contains(words) }
            #expect(places.count == 1, "\(words) stands \(places.count) times in \(lines)")
            guard let place = places.first else { return }
            #expect(place >= from, "\(words) stands too early in \(lines)")
            from = place
        }
    }

    @Test func `notes: first the lock, then a list that is read once, notes by number and title`() throws {
        _ = try device.newNote("# Garden plan\n\nBeans in May.\n")
        _ = try device.newNote("# Harbour\n\nThe tide table.\n")
        try device.succeed("lock")
        let lines = try talk(
            ["notes", "browse"], "0000", "1234", "open garden", "delete garden plan", "undo", "hrabour", "quit")
        inOrder(
            [
                "The device is locked.", "Passcode of the device, not shown; an empty line cancels: Wrong",
                "All notes: 2",
                "Beans in May.", "The note is in the trash.", "The note is back.", "Similar: Harbour",
            ], lines)
        #expect(!lines.joined().contains("1234") && !lines.joined().contains("0000"))
        #expect(lines.count { $0.hasPrefix("1. ") } == 1 && lines.count { $0.hasPrefix("2. ") } == 1)
    }

    @Test func `the diary: first the lock, then its password, and no page twice`() throws {
        try device.openDiary("a blue door")
        _ = try device.newEntry("Mended the boat.\n")
        _ = try device.newEntry("Soup with Mari.\n")
        try device.succeed("lock")
        let lines = try talk(
            ["diary", "browse"], "1234", "a blue door", "open mended", "copy", "nonsense of mine", "quit")
        inOrder(
            [
                "The device is locked.", "Password, not shown: ", "1. ", "2. ",
                "Not understood; help tells the words.",
            ], lines)
        // Once in the list and once as it is read.
        #expect(lines.count { $0.contains("Mended the boat.") } == 2, "\(lines)")
        #expect(!lines.joined().contains("1234") && !lines.joined().contains("blue door"))
    }

    @Test func `the keychain: first the lock, then items, and a secret only after a yes`() throws {
        for (name, secret) in [("wifi", "seven seas"), ("github.com", "open sesame")] {
            let kept = try device.run(["add", name, "--account", "anna"], input: Data(secret.utf8))
            #expect(kept.code == 0, "\(kept.errors)")
        }
        try device.succeed("lock")
        let lines = try talk(
            ["browse"], "1234", "find wifi", "reveal 1", "no", "reveal wifi", "yes", "delete wifi", "no", "quit")
        inOrder(
            ["The device is locked.", "Found: 1 item.", "It stays hidden.", "seven seas", "Nothing was changed."], lines
        )
        #expect(lines.count { $0.contains("Say the secret of wifi?") } == 2)
        #expect(!lines.joined().contains("1234") && !lines.joined().contains("open sesame"))
        #expect(try device.run("get", "wifi").text == "seven seas")
    }

    @Test func `at a terminal nothing that is hidden is seen`() throws {
        try device.succeed("lock")
        let screen = try TmuxScreen(device, command: "browse --plain")
        #expect(try screen.waits(for: "Passcode of the device, not shown"))
        try screen.type("1234")
        try screen.press("Enter")
        #expect(try screen.waits(for: "All: "))
        #expect(try !screen.everything().contains("1234"))
        try screen.type("lock")
        try screen.press("Enter")
        #expect(try screen.waits(for: "Locked; unlock, help or quit:"))
        #expect(try device.status().enclave.lock != .unlocked)
    }
}
