import Foundation
import Linux
@testable import Pinentry
import Secrets
import Synchronization
import Testing

/// Debian's own programs, on a terminal that the test types into.
@Suite(.serialized) struct RealPinentryTests {
    private static let programs = ["/usr/bin/pinentry-curses", "/usr/bin/pinentry-tty"].filter {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    private static let isInstalled = !programs.isEmpty

    /// What comes of a question that is answered with these keys once it stands on the screen.
    private func outcome(
        _ program: String, typing keys: [UInt8], seconds: UInt32 = 60
    ) throws -> Result<String, PinentryError> {
        let terminal = try PseudoTerminal()
        let pinentry = Pinentry(
            program: program, promptness: 10_000, terminal: TerminalName(path: terminal.path, type: "xterm"))
        let answer = Answer()
        // A thread of its own: those of the tests may all wait for a terminal.
        Thread.detachNewThread {
            let result = Result {
                let typed = try pinentry.ask(description: "A real one.", prompt: "Passcode:", timeout: seconds)
                return typed.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
            }
            answer.result.withLock { $0 = result.mapError { $0 as? PinentryError ?? .malformed } }
        }
        terminal.answer(keys, to: "A real one.") { answer.result.withLock { $0 == nil } }
        return try #require(answer.result.withLock { $0 })
    }

    private final class Answer: Sendable { let result = Mutex<Result<String, PinentryError>?>(nil) }

    @Test(.enabled(if: isInstalled, "neither pinentry-curses nor pinentry-tty is installed"), arguments: programs)
    func `what is typed at a terminal comes back`(_ program: String) throws {
        #expect(try outcome(program, typing: Array("100 % \\ pass\r".utf8)) == .success("100 % \\ pass"))
    }

    @Test(.enabled(if: isInstalled, "neither pinentry-curses nor pinentry-tty is installed"), arguments: programs)
    func `who declines at a terminal has declined`(_ program: String) throws {
        // Over the button of agreement to the other one; pinentry-tty has none, and knows control-D.
        let keys: [UInt8] = program.hasSuffix("tty") ? [0x04] : [0x09, 0x09, 0x0d]
        #expect(try outcome(program, typing: keys) == .failure(.cancelled))
    }

    @Test(.enabled(if: isInstalled, "neither pinentry-curses nor pinentry-tty is installed"), arguments: programs)
    func `nobody at the terminal is told from somebody who declines`(_ program: String) throws {
        #expect(try outcome(program, typing: [], seconds: 1) == .failure(.timedOut))
    }
}

/// A terminal of which the test is the keyboard and the screen.
private final class PseudoTerminal: Sendable {
    let path: String
    private let screen: Int32

    init() throws {
        // Swift imports neither posix_openpt nor unlockpt nor ptsname; these are what they do (ioctl_tty(2)):
        // TIOCSPTLCK and TIOCGPTN.
        screen = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: Int32 = 0
        guard screen >= 0, ioctl(screen, 0x4004_5431, &number) == 0, ioctl(screen, 0x8004_5430, &number) == 0 else {
            throw LinuxError(call: "/dev/ptmx", code: errno)
        }
        path = "/dev/pts/\(number)"
        var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(screen, UInt(TIOCSWINSZ), &size)
    }

    deinit { close(screen) }

    /// Reads what is drawn as long as it is wanted, and types once the text has come.
    func answer(_ keys: [UInt8], to text: String, while isWanted: () -> Bool) {
        var drawn = ""
        var hasTyped = false
        while isWanted() {
            var entry = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 50) > 0 else {
                if !hasTyped, drawn.contains(text) {
                    hasTyped = true
                    _ = keys.withUnsafeBytes { write(screen, $0.baseAddress, $0.count) }
                }
                continue
            }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(screen, &bytes, bytes.count)
            // Nobody has the terminal open, yet or any more.
            if count <= 0 { SystemClock.sleep(milliseconds: 20) }
            drawn += String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
    }
}
