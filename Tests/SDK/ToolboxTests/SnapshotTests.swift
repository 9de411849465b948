import Checkout
import Foundation
import Linux
import Testing

/// What somebody else gets to see of an app that has locked, in a real terminal (tmux).
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/tmux"), "needs tmux"))
struct SnapshotOfAnApp {
    private let canary = "canary-\(Int.random(in: 1_000_000...9_999_999))"

    private func isStopped(_ process: Int32) throws -> Bool {
        try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8).contains("State:\tT")
    }

    @Test func `a stop from outside leaves the lock screen, and nothing else`() throws {
        let app = try AppInTmux("background", canary)
        try app.waitUntil("the content is shown") { try app.snapshot().contains(canary) }
        let process = try app.process()
        kill(process, SIGTSTP)
        try app.waitUntil("it has stopped") { try isStopped(process) }
        let snapshot = try app.snapshot()
        #expect(snapshot.contains("locked"))
        #expect(!snapshot.contains(canary))
        kill(process, SIGCONT)
        try app.waitUntil("it goes on") { try app.snapshot().contains("welcome back") }
        #expect(try !app.snapshot().contains(canary))
    }

    @Test func `an app that hangs while it clears is ended, behind its lock screen`() throws {
        // Where it is not given a processor for a second it is ended before it has covered anything; then again.
        var isCovered = false
        for _ in 0..<3 where !isCovered {
            let app = try AppInTmux("background", canary, "stuck")
            try app.waitUntil("the content is shown") { try app.snapshot().contains(canary) }
            let process = try app.process()
            kill(process, SIGTSTP)
            try app.waitUntil("it has ended") { kill(process, 0) != 0 }
            isCovered = try !app.snapshot().contains(canary)
        }
        #expect(isCovered)
    }

    @Test func `a window that loses the focus is covered where the app chose that`() throws {
        let (strict, lenient) = (try AppInTmux("resign", canary), try AppInTmux("background", canary))
        for app in [strict, lenient] {
            try app.waitUntil("the content is shown") { try app.snapshot().contains(canary) }
            try app.type("1b", "5b", "4f")
        }
        try strict.waitUntil("it is covered") { try strict.snapshot().contains("locked") }
        #expect(try !strict.snapshot().contains(canary))
        #expect(try lenient.snapshot().contains(canary))
    }
}

/// The app of `Tests/Programs/tresor-lifecycle-testing` in a tmux of its own, which ends with the test.
private final class AppInTmux {
    private static let program = Checkout.root.appending(path: ".build/debug/tresor-lifecycle-testing").path
    private let folder: String

    init(_ lockPoint: String, _ content: String, _ more: String...) throws {
        var template = Array((NSTemporaryDirectory() + "/tmux.XXXXXX").utf8CString)
        folder = String(cString: try #require(mkdtemp(&template)))
        let file = folder + "/content"
        try content.write(toFile: file, atomically: true, encoding: .utf8)
        let command = ([Self.program, lockPoint, file] + more).joined(separator: " ") + "; cat"
        try tmux("-f", "/dev/null", "new-session", "-d", "-x", "60", "-y", "10", command)
    }

    deinit {
        // One that hangs does not hear that its terminal is gone.
        if let app = try? process() { kill(app, SIGKILL) }
        _ = try? tmux("kill-server")
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Everything that tmux has of it: both screens, and what has scrolled away.
    func snapshot() throws -> String {
        try tmux("capture-pane", "-p", "-S", "-") + tmux("capture-pane", "-p", "-a", "-q", "-S", "-")
    }

    /// Bytes that come from the terminal, in hexadecimal.
    func type(_ bytes: String...) throws { try tmux(["send-keys", "-H"] + bytes) }

    func process() throws -> Int32 {
        let shell = try tmux("display-message", "-p", "#{pane_pid}").trimmingCharacters(in: .whitespacesAndNewlines)
        let children = try String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
        guard let first = children.split(separator: " ").first, let process = Int32(first) else {
            throw Silence(what: "the app runs")
        }
        return process
    }

    func waitUntil(_ what: String, _ condition: () throws -> Bool) throws {
        for _ in 0..<500 {
            if try condition() { return }
            usleep(20_000)
        }
        throw Silence(what: what)
    }

    struct Silence: Error { let what: String }

    @discardableResult
    private func tmux(_ arguments: String...) throws -> String { try tmux(arguments) }

    @discardableResult
    private func tmux(_ arguments: [String]) throws -> String {
        // Not Foundation's Process: it waits for a socket that the server of tmux inherits and never closes.
        let script =
            "exec env -i PATH=/usr/bin:/bin LANG=C.UTF-8 TERM=xterm-256color /usr/bin/tmux -S \"$0/socket\" -u "
            + "\"$@\" > \"$0/out\" 2>&1 < /dev/null"
        _ = try ChildProcess.runInTerminal("/bin/sh", ["-c", script, folder] + arguments)
        return try String(contentsOfFile: folder + "/out", encoding: .utf8)
    }
}
