import Foundation
import Testing

/// Screens and lines of the diary and the keychain while tresord does not run, in a real terminal, with the real
/// programs; those of notes are in NotesTerminalStory.
@Suite(.serialized, .enabled(if: TmuxScreen.isInstalled, "tmux is not installed"))
struct DaemonGoneStories {
    /// How tresord ends.
    enum End: String, CaseIterable {
        case killed, down

        func happen(to device: LiveDevice) throws {
            switch self {
            case .killed: device.kill()
            case .down: try device.stop()
            }
        }
    }

    private static let password = "a blue door"
    private static let gone = "tresord does not run. Start it elsewhere"

    private let device: LiveDevice

    init() throws {
        device = try LiveDevice()
        try device.setPasscode()
    }

    private func enter(_ line: String, in screen: TmuxScreen) throws {
        try screen.type(line)
        try screen.press("Enter")
    }

    /// Waits until a screen of lines ends with this, which is its prompt.
    private func waits(_ lines: TmuxScreen, forPrompt prompt: String) throws -> Bool {
        for _ in 0..<300 {
            let text = try lines.text().trimmingCharacters(in: .whitespacesAndNewlines)
            if text.hasSuffix(prompt) { return true }
            usleep(20_000)
        }
        return false
    }

    /// The screen says that tresord does not run, and shows nothing else; letters do nothing.
    private func expectGone(_ screen: TmuxScreen, hides word: String) throws {
        #expect(try screen.waits(for: "Start it in another window: tresor up"))
        try screen.type("q1")
        usleep(200_000)
        let text = try screen.text()
        #expect(text.contains("tresord does not run.") && text.contains("Esc, twice, quits."), "\(text)")
        #expect(
            !text.contains(word) && !text.lowercased().contains("passcode") && !text.contains("Password"), "\(text)")
    }

    /// The lines say the same, and again to whoever wants to unlock.
    private func expectGone(inLines lines: TmuxScreen) throws {
        #expect(try lines.waits(for: Self.gone))
        #expect(try waits(lines, forPrompt: "Locked; unlock, help or quit:"))
        try enter("unlock", in: lines)
        func count() throws -> Int { try lines.text().components(separatedBy: Self.gone).count - 1 }
        for _ in 0..<300 where try count() < 2 { usleep(20_000) }
        #expect(try count() >= 2 && !lines.text().contains("Passcode of the device"))
    }

    @Test(arguments: End.allCases)
    func `the diary says that tresord does not run and how to go on, and goes on when it is back`(end: End) throws {
        try device.openDiary(Self.password)
        _ = try device.newEntry("Mended the boat.\n")
        let screen = try TmuxScreen(device, command: "diary")
        #expect(try screen.waits(for: "Password:"))
        try enter(Self.password, in: screen)
        #expect(try screen.waits(for: "Mended the boat."))
        try screen.press("n")
        #expect(try screen.waits(for: "New entry"))
        try screen.type("half a thought")
        #expect(try screen.waits(for: "half a thought"))
        let lines = try TmuxScreen(device, command: "diary browse --plain")
        #expect(try waits(lines, forPrompt: "Password, not shown:"))
        try enter(Self.password, in: lines)
        #expect(try waits(lines, forPrompt: ", help:"))

        try end.happen(to: device)
        try expectGone(screen, hides: "half a thought")
        try expectGone(inLines: lines)

        try device.start()
        #expect(try screen.waits(for: "The device’s passcode:") && lines.waits(for: "The device is locked."))
        try enter("1234", in: screen)
        #expect(try screen.waits(for: "The diary is locked."))
        try enter(Self.password, in: screen)
        #expect(try screen.waits(for: "half a thought"))
        // Unlocked at the screen, the lines go on by themselves.
        #expect(try waits(lines, forPrompt: "Password, not shown:"))
        try enter(Self.password, in: lines)
        #expect(try waits(lines, forPrompt: ", help:"))
    }

    @Test(arguments: End.allCases)
    func `the keychain says that tresord does not run and how to go on, and goes on when it is back`(end: End) throws {
        #expect(try device.run(["add", "harbour", "--account", "anna"], input: Data("seven seas".utf8)).code == 0)
        let screen = try TmuxScreen(device, command: "browse")
        #expect(try screen.waits(for: "harbour"))
        try screen.press("n")
        #expect(try screen.waits(for: "New item"))
        try screen.type("half a name")
        #expect(try screen.waits(for: "half a name"))
        let lines = try TmuxScreen(device, command: "browse --plain")
        #expect(try lines.waits(for: "1. harbour") && waits(lines, forPrompt: "Keychain, or help:"))

        try end.happen(to: device)
        try expectGone(screen, hides: "half a name")
        #expect(try screen.text().contains("What was typed into the form waits, unseen."))
        try expectGone(inLines: lines)

        try device.start()
        #expect(try screen.waits(for: "Passcode:") && lines.waits(for: "The device is locked."))
        try enter("1234", in: screen)
        #expect(try screen.waits(for: "half a name"))
        #expect(try lines.waits(for: "The device is unlocked. Type list for the items."))
        try enter("list", in: lines)
        #expect(try waits(lines, forPrompt: "Keychain, or help:"))
    }
}
