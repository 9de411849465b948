import Foundation
import Testing

/// The terminal interface in a real terminal: tmux draws it, and tells what stands on the screen and in the scrollback.
@Suite(.serialized, .enabled(if: TmuxScreen.isInstalled, "tmux is not installed"))
struct NotesTerminalStory {
    @Test func `a note is written, locked, shut and opened at the terminal`() throws {
        let device = try LiveDevice()
        try device.notes("passphrase", "set", input: "pass\npass\n")
        try device.notes("lock-now")
        let screen = try TmuxScreen(device)
        #expect(try screen.waits(for: "Folders"))
        try screen.press("n")
        #expect(try screen.waits(for: "Esc save"))
        try screen.type("# Typed here")
        try screen.press("Enter", "Enter")
        try screen.type("and this is its text")
        try screen.press("C-s")
        usleep(300_000)
        // A key right behind Escape would be taken for one with Alt.
        try screen.press("Escape")
        #expect(try screen.waits(for: "Esc save", isThere: false) && screen.waits(for: "and this is its text"))
        let listed = try device.notes("list", "--json").text
        #expect(listed.contains("Typed here"))
        try screen.press("L")
        #expect(try screen.waits(for: "Passphrase for notes:"))
        try screen.type("pass")
        try screen.press("Enter")
        #expect(try screen.waits(for: "locks in"))
        #expect(try device.notes("list", "--json").text.contains("\"locked\" : true"))
        try screen.press("C-l")
        #expect(try screen.waits(for: "This note is locked."))
        #expect(try !screen.everything().contains("and this is its text"))
        try screen.type("dnq")
        #expect(try screen.waits(for: "letters do nothing here"))
        try screen.press("Enter")
        #expect(try screen.waits(for: "Passphrase for notes:"))
        try screen.type("pass")
        try screen.press("Enter")
        #expect(try screen.waits(for: "and this is its text"))
        try screen.press("C-l")
        #expect(try screen.waits(for: "This note is locked."))
        #expect(try device.notes("list", "--json").text.contains("Typed here"), "no letter has trashed it")
        try screen.press("C-c")
        #expect(try screen.waits(for: "after the screen"))
        #expect(
            try screen.everything().contains("before the screen")
                && !screen.everything().contains("and this is its text"))
    }

    @Test func `a note that is typed at a terminal is told how it ends, and one from a pipe is not`() throws {
        let device = try LiveDevice()
        let screen = try TmuxScreen(device, command: "notes new")
        #expect(try screen.waits(for: "Ctrl-D on an empty line ends it"))
        try screen.type("# Typed by hand")
        try screen.press("Enter", "C-d")
        #expect(try screen.waits(for: "after the screen"))
        #expect(try device.notes("list").text.contains("Typed by hand"))
        #expect(try device.notes("new", input: "# Piped\n").errors.isEmpty)
    }

    @Test func `when tresord ends the screen says that, and it goes on when tresord is there again`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        _ = try device.newNote("# Oats\n")
        let screen = try TmuxScreen(device)
        #expect(try screen.waits(for: "Oats"))
        let lines = try TmuxScreen(device, command: "notes browse --plain")
        #expect(try lines.waits(for: "1. Oats"))
        device.kill()
        #expect(try screen.waits(for: "Start it in another window: tresor up"))
        #expect(try !screen.everything().contains("The device is locked.") && !screen.everything().contains("Oats"))
        #expect(try lines.waits(for: "tresord does not run. Start it elsewhere"))
        try device.start()
        #expect(try screen.waits(for: "Passcode of the device:"))
        try screen.type("1234")
        try screen.press("Enter")
        #expect(try screen.waits(for: "Oats"))
    }

    @Test func `nothing of a note stays on the screen when the device is locked, and the scrollback is untouched`()
        throws
    {
        let device = try LiveDevice()
        try device.setPasscode()
        try device.notes("passphrase", "set", input: "pass\npass\n")
        let id = try device.newNote("# Title of it\n\na locked word\n")
        try device.notes("lock", id)
        let screen = try TmuxScreen(device)
        #expect(try screen.waits(for: "a locked word"))
        #expect(try device.run("lock").code == 0)
        #expect(try screen.waits(for: "The device is locked."))
        #expect(try !screen.everything().contains("a locked word") && !screen.everything().contains("Title of it"))
        try device.unlock()
        #expect(try screen.waits(for: "Title of it"))
        #expect(try !screen.text().contains("a locked word"), "the session ended with the lock")
        // Letters do nothing at a locked note.
        try screen.press("C-c")
        #expect(try screen.waits(for: "after the screen"))
    }

    @Test func `a locked device is unlocked at the screen, by its passcode alone`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        _ = try device.newNote("# Behind the door\n")
        let screen = try TmuxScreen(device)
        #expect(try screen.waits(for: "Behind the door"))
        #expect(try device.run("lock").code == 0)
        #expect(try screen.waits(for: "Passcode of the device:"))
        // Keys that come right behind a lock were meant for what stood there before.
        usleep(500_000)
        try screen.type("4321")
        try screen.press("Enter")
        #expect(try screen.waits(for: "1 wrong in a row") && !screen.text().contains("Behind the door"))
        try screen.type("xx1234")
        try screen.press("C-u")
        try screen.type("12345")
        try screen.press("BSpace", "Enter")
        #expect(try screen.waits(for: "Behind the door"))
        try screen.press("q")
        #expect(try screen.waits(for: "after the screen"))
    }

    @Test func `a file is attached by a path that Tab completes, and saved beside it, not over it`() throws {
        let device = try LiveDevice()
        _ = try device.newNote("# With a file\n")
        let folder = device.folder + "/files"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("its bytes".utf8).write(to: URL(fileURLWithPath: folder + "/unmistakable.txt"))
        let screen = try TmuxScreen(device, columns: 200)
        #expect(try screen.waits(for: "With a file"))
        try screen.press("a")
        #expect(try screen.waits(for: "Attach, Tab completes:"))
        try screen.press("C-u")
        try screen.type(folder + "/unm")
        try screen.press("Tab")
        #expect(try screen.waits(for: "unmistakable.txt"))
        try screen.press("Enter")
        #expect(try screen.waits(for: "Attached: unmistakable.txt"))
        try screen.press("A")
        #expect(try screen.waits(for: "Attachments of With a file"))
        try screen.press("s")
        #expect(try screen.waits(for: "Save as, Tab completes:"))
        try screen.press("C-u")
        try screen.type(folder + "/unmistakable.txt")
        try screen.press("Enter")
        #expect(try screen.waits(for: "is there. Replace it?"))
        try screen.press("n", "A", "s")
        #expect(try screen.waits(for: "Save as, Tab completes:"))
        try screen.press("C-u")
        try screen.type(folder + "/copy.txt")
        try screen.press("Enter")
        #expect(try screen.waits(for: "Saved, readable for whoever"))
        #expect(try String(contentsOfFile: folder + "/copy.txt", encoding: .utf8) == "its bytes")
        try screen.press("q")
        #expect(try screen.waits(for: "after the screen"))
    }

    @Test func `an edit in progress when the device locks is there after the next unlock`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        try device.notes("passphrase", "set", input: "pass\npass\n")
        let id = try device.newNote("first\n")
        try device.notes("lock", id)
        let screen = try TmuxScreen(device)
        #expect(try screen.waits(for: "first"))
        try screen.press("Tab", "Tab", "e")
        #expect(try screen.waits(for: "Esc save"))
        try screen.type("typed but never saved ")
        #expect(try screen.waits(for: "typed but never saved"))
        #expect(try device.run("lock").code == 0)
        #expect(try screen.waits(for: "The device is locked."))
        #expect(try !screen.text().contains("typed but never saved"))
        try device.unlock()
        #expect(try device.notes("unlock", input: "pass\n").code == 0)
        #expect(try device.notes("show", id).text.contains("typed but never saved"))
    }

    @Test func `the interface fits its terminal, also when that changes`() throws {
        let device = try LiveDevice()
        let text = "# A note of many words\n\n" + (0..<50).map { "line \($0)" }.joined(separator: "\n\n")
        _ = try device.newNote(text)
        for (columns, rows) in [(40, 10), (80, 24), (200, 60)] { try expectFit(device, columns, rows) }
    }

    private func expectFit(_ device: LiveDevice, _ columns: Int, _ rows: Int) throws {
        let screen = try TmuxScreen(device, columns: columns, rows: rows)
        #expect(try screen.waits(for: "A note of many"), "\(columns) × \(rows)")
        try screen.resize(columns + 7, rows + 3)
        #expect(try screen.waits(for: "A note of many"), "\(columns) × \(rows)")
        for line in try screen.text().split(separator: "\n") { #expect(line.count <= columns + 7) }
        try screen.press("?")
        usleep(200_000)
        try screen.press("Escape")
        usleep(500_000)
        try screen.press("q")
        #expect(try screen.waits(for: "after the screen"))
    }
}
