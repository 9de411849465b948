import Foundation
import Linux
import Secrets
import Testing

/// A terminal of its own: tmux draws it, and tells what stands on the screen and in the scrollback.
///
/// It ends with the test.
final class TmuxScreen {
    static let isInstalled = FileManager.default.fileExists(atPath: "/usr/bin/tmux")

    private let socket: String

    /// - Parameter environment: further variables for the program.
    init(
        _ device: LiveDevice, columns: Int = 80, rows: Int = 24, command: String = "notes",
        environment: [String: String] = [:]
    ) throws {
        // Not in the device's folder, which may go away first: the server must hear of its end.
        socket = NSTemporaryDirectory() + "tresor-tmux-" + Identifier.makeRandom().description.prefix(12)
        // Before the program's name, because a shell's own start files would change what tmux hands to it.
        let variables = environment.map { "\($0.key)='\($0.value)' " }.joined()
        let program = "\(variables)\(device.programs)/tresor \(command)"
        let shell = "printf 'before the screen\\n'; \(program); printf 'after the screen\\n'; cat"
        try tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-e",
            "TRESOR_HOME=\(device.folder)", shell)
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

    /// The program that runs in the terminal's shell.
    func program() throws -> Int32? {
        let shell = try tmux("display-message", "-p", "#{pane_pid}").trimmingCharacters(in: .whitespacesAndNewlines)
        let children = try String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
        return children.split(separator: " ").first.flatMap { Int32($0) }
    }

    /// Whether the alternate screen, reports of the mouse, and their form in numbers are on.
    func modes() throws -> String {
        try tmux("display-message", "-p", "#{alternate_on} #{mouse_standard_flag} #{mouse_sgr_flag}")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Lets programs in the terminal fill tmux's own clipboard (OSC 52), as other terminals do without being asked.
    func acceptCopies() throws { try tmux("set", "-g", "set-clipboard", "on") }
    /// What was copied last.
    func copied() throws -> String { try tmux("show-buffer") }

    func text() throws -> String { try tmux("capture-pane", "-p") }
    /// The same with lines put together again that the terminal had to break.
    func unbroken() throws -> String { try tmux("capture-pane", "-p", "-J") }
    /// With all that has scrolled away, of both screens.
    func everything() throws -> String {
        let shown = try tmux("capture-pane", "-p", "-S", "-")
        try #require(!shown.isEmpty, "an empty screen has line feeds: tmux tells nothing of this one")
        return try shown + tmux("capture-pane", "-p", "-a", "-q", "-S", "-")
    }

    /// Waits until the screen shows something, or no longer does.
    func waits(for needle: String, isThere: Bool = true) throws -> Bool {
        for _ in 0..<300 {
            let text = try text()
            // An empty screen has line feeds: of one without, tmux tells nothing, and nothing has gone from it.
            if !text.isEmpty, text.contains(needle) == isThere { return true }
            usleep(20_000)
        }
        return false
    }
}
