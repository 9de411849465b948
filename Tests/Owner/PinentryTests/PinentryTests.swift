import Foundation
import Linux
@testable import Pinentry
import Secrets
import Testing

/// Programs that play pinentry, well and badly; none of them outlives the question.
@Suite struct PinentryTests {
    /// What is typed, or why there is nothing.
    private enum Outcome: Equatable {
        case typed(String)
        case failed(PinentryError)
    }

    private func ask(
        _ program: String, error: String? = nil, seconds: UInt32 = 60, promptness: Int = 10_000,
        isCancelled: () -> Bool = { false }
    ) -> Outcome {
        let pinentry = Pinentry(program: program, promptness: promptness, terminal: nil)
        while true {
            do {
                let typed = try pinentry.ask(
                    description: "For a test:\n50 % \\", prompt: "Passcode:", error: error, timeout: seconds,
                    isCancelled: isCancelled)
                return .typed(typed.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) })
            } catch PinentryError.system(let error) where error.code == ETXTBSY {
                // A child that another test has just forked may still hold the program open for writing.
                SystemClock.sleep(milliseconds: 10)
            } catch { return .failed(error) }
        }
    }

    private func outcome(of answer: String) throws -> Outcome {
        let program = try ScriptedPinentry(answer)
        let outcome = ask(program.path)
        #expect(!program.isRunning)
        #expect(!program.file("number").isEmpty)
        return outcome
    }

    @Test func `what is typed comes back, and the program is let go`() throws {
        let program = try ScriptedPinentry("say('D open sesame'); say('OK')")
        #expect(ask(program.path) == .typed("open sesame"))
        #expect(program.heard.suffix(3) == ["GETPIN", "BYE", "end"])
        #expect(!program.isRunning)
    }

    @Test func `it is told what for, escaped, and within what time`() throws {
        let program = try ScriptedPinentry("say('OK')")
        #expect(ask(program.path, error: "wrong\u{1b}[2J\u{202e}", seconds: 7) == .typed(""))
        #expect(program.heard.contains("SETDESC For a test:%0A50 %25 %5C"))
        #expect(program.heard.contains("SETPROMPT Passcode:"))
        #expect(program.heard.contains("SETERROR wrong[2J"))
        #expect(program.heard.contains("SETTIMEOUT 7"))
        #expect(program.heard.allSatisfy { $0.utf8.count < 1000 && !$0.contains("cache") })
    }

    @Test func `a long text is cut to what fits a line`() throws {
        let program = try ScriptedPinentry("say('OK')")
        let typed = try Pinentry(program: program.path).ask(
            description: String(repeating: "€%", count: 5000), prompt: "Passcode:")
        #expect(typed.count == 0)
        let line = try #require(program.heard.first { $0.hasPrefix("SETDESC") })
        #expect((800..<950).contains(line.utf8.count))
    }

    @Test func `it gets neither our descriptors nor our variables nor arguments`() throws {
        setenv("TRESOR_PINENTRY_TEST", "a secret", 1)
        let kept = open("/dev/null", O_RDONLY)
        defer { close(kept) }
        let program = try ScriptedPinentry("say('OK')")
        #expect(ask(program.path) == .typed(""))
        let names = program.file("environment").split(separator: "\n")
        #expect(names.first.map(String.init) == program.path)
        #expect(names.contains("PATH"))
        #expect(!names.contains("TRESOR_PINENTRY_TEST"))
        // Two of its own: what it notes, and the folder that it lists.
        #expect(program.file("open").split(separator: " ").map(String.init) == ["0", "1", "2", "3", "4"])
    }

    @Test func `escapes are decoded, and lines of data belong together`() throws {
        #expect(
            try outcome(of: "say('D 100%25%0A%c3%A4%0D'); say('# a remark'); say('D ö '); say('OK')")
                == .typed("100%\nä\rö "))
        #expect(try outcome(of: "send(b'S PASSWORD_FROM_CACHE\\r\\nD a\\r\\nOK\\r\\n')") == .typed("a"))
    }

    @Test(arguments: ["D %", "D a%2", "D %2g", "D % 5", "D a\\rb", "D", "Dabc", "ERR", "ERR x", "ERR 99999999999"])
    func `what is not the protocol is refused`(_ line: String) throws {
        #expect(try outcome(of: "say('\(line)'); say('OK')") == .failed(.malformed))
    }

    @Test(arguments: ["INQUIRE QUALITY a", "OKAY", "say cheese", "\\0\\0\\0", "D a\\nOK\\nD b"])
    func `garbage is refused`(_ text: String) throws {
        let garbage = try ScriptedPinentry("say('OK')", greeting: "say('\(text)')")
        #expect(ask(garbage.path) == .failed(.malformed))
        #expect(!garbage.isRunning)
    }

    @Test func `a passcode of 1024 bytes is taken, and none of 1025`() throws {
        let lines = "[say('D ' + '%61' * 128) for _ in range(8)]"
        #expect(try outcome(of: lines + "; say('OK')") == .typed(String(repeating: "a", count: 1024)))
        #expect(try outcome(of: lines + "; say('D b'); say('OK')") == .failed(.tooLong))
    }

    @Test func `a line has at most 1000 bytes`() throws {
        #expect(try outcome(of: "say('D ' + 'a' * 998); say('OK')") == .typed(String(repeating: "a", count: 998)))
        #expect(try outcome(of: "say('D ' + 'a' * 999); say('OK')") == .failed(.malformed))
        #expect(try outcome(of: "say('#' + 'a' * 1000); say('OK')") == .failed(.malformed))
    }

    @Test func `a line without an end, and remarks without an end, are refused`() throws {
        #expect(try outcome(of: "while True: send(b'D' + b' a' * 1000)") == .failed(.malformed))
        #expect(try outcome(of: "while True: say('# still here')") == .failed(.malformed))
    }

    @Test func `a person may decline, by the button and by closing the window`() throws {
        #expect(try outcome(of: "say('ERR 83886179 Operation cancelled <Pinentry>')") == .failed(.cancelled))
        #expect(try outcome(of: "say('ERR 83886278')") == .failed(.cancelled))
        #expect(try outcome(of: "say('D half'); say('ERR 99')") == .failed(.cancelled))
    }

    @Test func `its own clock may run out`() throws {
        #expect(try outcome(of: "say('ERR 83886142 Timeout <Pinentry>')") == .failed(.timedOut))
    }

    @Test func `another error is told by its number`() throws {
        #expect(
            try outcome(of: "say('ERR 83918950 Inappropriate ioctl for device <Pinentry>')")
                == .failed(.failed(83_918_950)))
    }

    @Test func `an option that it does not know is no hindrance, and a description that it does not show is`() throws {
        let old = try ScriptedPinentry("say('D a'); say('OK')", option: "say('ERR 83886254 Unknown option')")
        #expect(ask(old.path) == .typed("a"))
        let blind = try ScriptedPinentry(
            "say('OK')",
            option: "say('OK')\n    elif line.startswith('SETDESC'):\n        say('ERR 83886355 Unknown')")
        #expect(ask(blind.path) == .failed(.failed(83_886_355)))
    }

    @Test func `one that dies is told from one that declines`() throws {
        #expect(try outcome(of: "os.kill(os.getpid(), signal.SIGKILL)") == .failed(.malformed))
        #expect(try outcome(of: "say('D half'); sys.exit(0)") == .failed(.malformed))
        let dead = try ScriptedPinentry("say('OK')", greeting: "sys.exit(1)")
        #expect(ask(dead.path) == .failed(.malformed))
    }

    @Test func `one that never speaks is ended, even where it does not want to`() throws {
        let deaf = try ScriptedPinentry(
            "say('OK')", greeting: "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(60)")
        #expect(ask(deaf.path, promptness: 1500) == .failed(.timedOut))
        #expect(!deaf.file("number").isEmpty)
        #expect(!deaf.isRunning)
    }

    @Test func `one whose clock stands still is ended by ours`() throws {
        let slow = try ScriptedPinentry("time.sleep(600)")
        let start = SystemClock.monotonicNanoseconds()
        #expect(ask(slow.path, seconds: 1) == .failed(.timedOut))
        #expect(SystemClock.monotonicNanoseconds() - start < 20_000_000_000)
        #expect(slow.heard.last == "GETPIN")
        #expect(!slow.isRunning)
    }

    @Test func `a question can be taken back, which ends the program`() throws {
        let program = try ScriptedPinentry("time.sleep(600)")
        let path = program.path
        let heard = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("heard")
        let isAsking = { (try? String(contentsOf: heard, encoding: .utf8))?.contains("GETPIN") == true }
        #expect(ask(path, isCancelled: isAsking) == .failed(.cancelled))
        #expect(!program.isRunning)
    }

    @Test func `a task that is cancelled takes its question back`() async throws {
        let program = try ScriptedPinentry("time.sleep(600)")
        let path = program.path
        let outcome = await Task.detached {
            withUnsafeCurrentTask { $0?.cancel() }
            return self.ask(path, isCancelled: { Task.isCancelled })
        }.value
        #expect(outcome == .failed(.cancelled))
        #expect(!program.isRunning)
    }

    @Test func `a program that is not there, or not named in full, is not started`() {
        #expect(ask("/nowhere/pinentry") == .failed(.notInstalled))
        #expect(ask("pinentry") == .failed(.notInstalled))
        #expect(ask("./pinentry") == .failed(.notInstalled))
        #expect(Pinentry.programs.allSatisfy { $0.hasPrefix("/usr/") })
    }
}
