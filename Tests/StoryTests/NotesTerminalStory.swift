import Conformance
import Foundation
import Linux
import NotesClient
import Secrets
import Testing
import Wire

/// The terminal interface in a real terminal: tmux draws it, and tells what stands on the screen and in the scrollback.
@Suite(.serialized, .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/tmux"), "tmux is not installed"))
struct NotesTerminalStory {
    /// A terminal of its own, ended with the test.
    private final class Screen {
        private let socket: String

        init(_ device: LiveDevice, columns: Int = 80, rows: Int = 24, command: String = "notes") throws {
            // Not in the device's folder, which may go away first: the server must hear of its end.
            socket = NSTemporaryDirectory() + "tresor-tmux-" + Identifier.makeRandom().description.prefix(12)
            let shell =
                "printf 'before the notes\\n'; \(device.programs)/tresor \(command); printf 'after the notes\\n'; cat"
            let environment = "TRESOR_HOME=\(device.folder)"
            try tmux(
                "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-e", environment, shell)
        }

        deinit {
            _ = try? tmux("kill-server")
            for path in [socket, socket + ".out"] { try? FileManager.default.removeItem(atPath: path) }
        }

        @discardableResult
        private func tmux(_ arguments: String...) throws -> String {
            // Not Foundation's Process: it waits for a socket that the server of tmux inherits and never closes.
            let path = socket + ".out"
            let quoted = (["/usr/bin/tmux", "-S", socket, "-u"] + arguments).map {
                "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'"
            }
            let command =
                "exec env -i PATH=/usr/bin:/bin LANG=C.UTF-8 TERM=xterm-256color " + quoted.joined(separator: " ")
            let end = try ChildProcess.runInTerminal(
                "/bin/sh", ["-c", "\(command) > '\(path)' 2>/dev/null < /dev/null"])
            guard end == .exited(code: 0) || arguments.first == "kill-server" else { return "" }
            return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        }

        func press(_ keys: String...) throws { for key in keys { try tmux("send-keys", key) } }
        func type(_ text: String) throws { try tmux("send-keys", "-l", text) }
        func resize(_ columns: Int, _ rows: Int) throws {
            try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
        }

        func text() throws -> String { try tmux("capture-pane", "-p") }
        /// With all that has scrolled away, of both screens.
        func everything() throws -> String {
            try tmux("capture-pane", "-p", "-S", "-") + tmux("capture-pane", "-p", "-a", "-q", "-S", "-")
        }

        /// Waits until the screen shows something, or no longer does.
        func waits(for needle: String, isThere: Bool = true) throws -> Bool {
            for _ in 0..<300 {
                if try text().contains(needle) == isThere { return true }
                usleep(20_000)
            }
            return false
        }
    }

    @Test func `a note is written, locked, shut and opened at the terminal`() throws {
        let device = try LiveDevice()
        try device.notes("passphrase", "set", input: "pass\npass\n")
        try device.notes("lock-now")
        let screen = try Screen(device)
        #expect(try screen.waits(for: "Folders"))
        try screen.press("n")
        usleep(300_000)
        try screen.type("# Typed here")
        try screen.press("Enter", "Enter")
        try screen.type("and this is its text")
        try screen.press("C-s")
        usleep(300_000)
        // A key right behind Escape would be taken for one with Alt.
        try screen.press("Escape")
        usleep(500_000)
        #expect(try screen.waits(for: "and this is its text"))
        let listed = try device.notes("list", "--json").text
        #expect(listed.contains("Typed here"))
        try screen.press("L")
        usleep(300_000)
        try screen.type("pass")
        try screen.press("Enter")
        #expect(try screen.waits(for: "locks in"))
        #expect(try device.notes("list", "--json").text.contains("\"locked\" : true"))
        try screen.press("C-l")
        #expect(try screen.waits(for: "and this is its text", isThere: false))
        #expect(try !screen.everything().contains("and this is its text"))
        try screen.press("q")
        #expect(try screen.waits(for: "after the notes"))
        #expect(
            try screen.everything().contains("before the notes")
                && !screen.everything().contains("and this is its text"))
    }

    @Test func `nothing of a note stays on the screen when the device is locked, and the scrollback is untouched`()
        throws
    {
        let device = try LiveDevice()
        try device.setPasscode()
        try device.notes("passphrase", "set", input: "pass\npass\n")
        let id = try device.newNote("# Title of it\n\na locked word\n")
        try device.notes("lock", id)
        let screen = try Screen(device)
        #expect(try screen.waits(for: "a locked word"))
        #expect(try device.run("lock").code == 0)
        #expect(try screen.waits(for: "a locked word", isThere: false) && screen.waits(for: "locked"))
        #expect(try !screen.everything().contains("a locked word") && !screen.everything().contains("Title of it"))
        try device.unlock()
        #expect(try screen.waits(for: "Title of it"))
        #expect(try !screen.text().contains("a locked word"), "the session ended with the lock")
        try screen.press("q")
        #expect(try screen.waits(for: "after the notes"))
    }

    @Test func `an edit in progress when the device locks is there after the next unlock`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        try device.notes("passphrase", "set", input: "pass\npass\n")
        let id = try device.newNote("first\n")
        try device.notes("lock", id)
        let screen = try Screen(device)
        #expect(try screen.waits(for: "first"))
        try screen.press("Tab", "Tab", "e")
        usleep(300_000)
        try screen.type("typed but never saved ")
        usleep(100_000)
        #expect(try device.run("lock").code == 0)
        #expect(try screen.waits(for: "typed but never saved", isThere: false))
        try device.unlock()
        #expect(try device.notes("unlock", input: "pass\n").code == 0)
        #expect(try device.notes("show", id).text.contains("typed but never saved"))
    }

    @Test(arguments: [(40, 10), (80, 24), (200, 60)])
    func `the interface fits its terminal, also when that changes`(_ size: (Int, Int)) throws {
        let device = try LiveDevice()
        let text = "# A note of many words\n\n" + (0..<50).map { "line \($0)" }.joined(separator: "\n\n")
        _ = try device.newNote(text)
        let screen = try Screen(device, columns: size.0, rows: size.1)
        #expect(try screen.waits(for: "A note of many"))
        try screen.resize(size.0 + 7, size.1 + 3)
        #expect(try screen.waits(for: "A note of many"))
        for line in try screen.text().split(separator: "\n") { #expect(line.count <= size.0 + 7) }
        try screen.press("?")
        usleep(200_000)
        try screen.press("Escape")
        usleep(500_000)
        try screen.press("q")
        #expect(try screen.waits(for: "after the notes"))
    }
}
