import Foundation
import Glibc
import Linux
import Testing
import Thoroughness
import Wire

/// Calls of the daemon that fail: strace(1) lets them, by number.
@Suite(.serialized, .enabled(if: CallInjection.isPossible, "needs root, and strace that the kernel permits"))
struct FailingCallStories {
    @Test func `what a failing sync refused has not happened, after a kill and a start either`() throws {
        let device = try LiveDevice()
        for name in ["changed", "removed"] {
            try device.run("keychain", "add", "--service", name, input: Data("old".utf8))
        }
        func expectRefusal(_ outcome: LiveDevice.Outcome) {
            #expect(outcome.code == 74, "\(outcome.text) \(outcome.errors)")
            #expect(outcome.errors.contains("nothing was changed"), "\(outcome.errors)")
        }
        let changes: [() throws -> LiveDevice.Outcome] = [
            { try device.run("keychain", "add", "--service", "new", input: Data("x".utf8)) },
            { try device.run("keychain", "update", "--service", "changed", input: Data("n".utf8)) },
            { try device.run("keychain", "delete", "--service", "removed") },
        ]
        func expectOld(_ name: String) throws {
            try device.start()
            #expect(try device.run("keychain", "get", "--service", "new").code == 3, "\(name)")
            for service in ["changed", "removed"] {
                let got = try device.run("keychain", "get", "--service", service)
                #expect(got.output == Data("old".utf8), "\(name): \(service)")
            }
        }
        // Each alone: the first that is refused has been written, and those behind it are refused before that.
        for (number, change) in changes.enumerated() {
            let injection = try CallInjection(into: device.daemon, "fdatasync,fsync:error=EIO")
            expectRefusal(try change())
            #expect(try injection.count() > 0)
            device.kill()
            injection.end()
            try expectOld("\(number)")
        }
        let injection = try CallInjection(into: device.daemon, "fdatasync,fsync:error=EIO")
        for round in 0..<2 {
            for change in changes { expectRefusal(try change()) }
            #expect(try injection.count() > 3 * round)
        }
        device.kill()
        injection.end()
        try expectOld("all")
    }

    @Test func `a client whom the kernel has no room to watch is served once it has`() throws {
        let device = try LiveDevice()
        // The room comes back by itself: a test that ended strace would wake tresord with that.
        let injection = try CallInjection(into: device.daemon, "epoll_ctl:error=ENOSPC:when=1..12")
        let socket = try UnixSocket.connect(device.home.socket, within: .seconds(20))
        // Status, by specs/wire.md.
        let question: [UInt8] = [0, 0, 0, 6, 1, 0, 0, 0, 1, 1]
        _ = try socket.writeAll(question.span.bytes)
        for _ in 0..<2000 where try socket.waitingByteCount() == 0 { usleep(5000) }
        #expect(try socket.waitingByteCount() > 0, "it was asked again, and answered")
        #expect(try injection.count() == 12, "it had no room before that")
        injection.end()
        #expect(try device.run("status").code == 0)
    }

    @Test func `once the disk takes syncs again, so does the keychain, and keeps what it says`() throws {
        let device = try LiveDevice()
        let injection = try CallInjection(into: device.daemon, "fdatasync,fsync:error=EIO")
        #expect(try device.run("keychain", "add", "--service", "refused", input: Data("x".utf8)).code == 74)
        injection.end()
        for number in 0..<5 {
            let added = try device.run("keychain", "add", "--service", "s\(number)", input: Data("\(number)".utf8))
            #expect(added.code == 0, "\(added.errors)")
        }
        device.kill()
        try device.start()
        for number in 0..<5 {
            #expect(try device.run("keychain", "get", "--service", "s\(number)").output == Data("\(number)".utf8))
        }
        #expect(try device.run("keychain", "get", "--service", "refused").code == 3)
    }

    @Test func `settings whose folder could not be synced are not said to be unchanged`() throws {
        let device = try LiveDevice()
        // The first sync is the file's, the second its folder's, behind the rename.
        for (number, isThere) in [(1, false), (2, true)] {
            let seconds = "\(600 + number)"
            let injection = try CallInjection(into: device.daemon, "fsync:error=EIO:when=\(number)")
            let changed = try device.run("settings", "device", "--idle-lock", seconds)
            #expect(try injection.count() == 1)
            injection.end()
            #expect(changed.code == 74, "\(changed.errors)")
            #expect(changed.errors.contains("nothing was changed") != isThere, "\(changed.errors)")
            for _ in 0..<2 {
                #expect(try device.run("settings", "device").text.contains(seconds) == isThere, "\(number)")
                device.kill()
                try device.start()
            }
        }
    }

    /// A call of tresord's fails, the first, second … of its kind, until none of this number is made.
    @Test(arguments: ["fdatasync,fsync", "pwrite64", "newfstatat,statx,fstat"])
    func `settings of widgets and their tokens are as the words say of a failure`(call: String) throws {
        let device = try LiveDevice()
        let settings = { try device.run("settings", "widgets", "--json").text }
        #expect(try device.widget("settings", "--allow-when-locked", "off").code == 0)
        var codes: [Int32: Int] = [:]
        /// Whether a call of this number was made.
        func attempt(_ number: Int) throws -> Bool {
            let before = try settings()
            let wanted = before.contains("\"allowWhenLocked\" : true") ? "off" : "on"
            let injection = try CallInjection(into: device.daemon, "\(call):error=EIO:when=\(number)")
            let changed = try device.widget("settings", "--allow-when-locked", wanted)
            let isHit = try injection.count() > 0
            injection.end()
            codes[changed.code, default: 0] += 1
            device.kill()
            try device.start()
            let isChanged = try settings() != before
            #expect([0, 69, 74, 75].contains(changed.code), "\(call) \(number): \(changed.code) \(changed.errors)")
            #expect(changed.code != 0 || isChanged, "\(call) \(number)")
            if changed.code != 0, !changed.errors.contains("known") {
                #expect(!isChanged, "\(call) \(number): \(changed.errors)")
            }
            return isHit
        }
        let step = Thoroughness.count(3, soak: 1)
        for number in stride(from: Int.random(in: 1...step), to: 60, by: step) where try !attempt(number) { break }
        // On a busy machine the first ones may be of what tresord has left to do, and not of the command.
        for _ in 0..<8 where codes[74] == nil && !call.contains("stat") { _ = try attempt(1) }
        print("\(call): exit codes \(codes)")
        // A look that fails is one that tresord does without.
        #expect(codes[0] ?? 0 >= 1 && (call.contains("stat") || codes.keys.contains(74)))
    }

    @Test func `a search of a diary that is still being read is of all for a script, and denies nothing early`() throws
    {
        let device = try LiveDevice()
        try device.openDiary()
        let text = String(repeating: "Water under the bridge. ", count: 600)
        for number in 0..<40 { _ = try device.newEntry("heron\(number) \(text)") }
        /// Signs in where each read takes long, in the program that the lock has left.
        func whileItIsRead<Result>(_ body: () throws -> Result) throws -> Result {
            try device.diary("lock")
            let injection = try CallInjection(into: device.diaryProcess(), "pread64:delay_enter=10000")
            defer { injection.end() }
            try device.diary("sign-in", input: "a blue door\n")
            return try body()
        }
        let found = try whileItIsRead { try device.diary("search", "heron", "--json") }
        #expect(found.code == 0 && found.text.components(separatedBy: "\"opening\"").count == 41, "\(found.errors)")
        let absent = try whileItIsRead { try device.diary("search", "egret") }
        #expect(absent.code == 3, "\(absent.errors)")
    }

    /// The first, second … look under /proc fails, until none of this number is made.
    @Test(arguments: [
        ("openat", "EMFILE"), ("readlink,readlinkat", "EMFILE"), ("newfstatat,statx,fstat", "EMFILE"),
        ("pread64", "EMFILE"), ("openat", "ETIMEDOUT"),
    ])
    func `a program that cannot be looked up is asked to try again, and never taken for another one`(
        call: String, error: String
    ) throws {
        let device = try LiveDevice()
        try device.run("keychain", "add", "--service", "first", input: Data("x".utf8))
        // Each file that is opened is one of its own; of other calls some are tried.
        let step = call == "openat" ? 1 : Thoroughness.count(3, soak: 1)
        var number = Int.random(in: 1...step)
        var codes: [Int32: Int] = [:]
        while number < 60 {
            let injection = try CallInjection(into: device.daemon, "\(call):error=\(error):when=\(number)")
            let service = "s\(number)"
            let added = try device.run("keychain", "add", "--service", service, input: Data("x".utf8))
            let isHit = try injection.count() > 0
            injection.end()
            codes[added.code, default: 0] += 1
            let listed = try device.run("keychain", "get", "--service", service)
            #expect(listed.code == (added.code == 0 ? 0 : 3), "\(call) \(number): \(added.code), \(listed.code)")
            #expect([0, 69, 74, 75].contains(added.code), "\(call) \(number): \(added.errors)")
            if !isHit { break }
            number += step
        }
        print("\(call), \(error): every \(step)th of \(number - 1) calls failed, one at a time; exit codes \(codes)")
        #expect(number < 60)
        let groups = try device.run("doctor")
        #expect(!groups.text.contains("sandbox."), "\(groups.text)")
    }

    @Test func `a program that can never be looked up stores nothing`() throws {
        let device = try LiveDevice()
        try device.run("keychain", "add", "--service", "first", input: Data("x".utf8))
        let injection = try CallInjection(into: device.daemon, "openat:error=ENFILE")
        let added = try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        injection.end()
        // Without its start in /proc, a connection is not even served.
        #expect(added.code == 69 || added.code == 75, "\(added.errors)")
        #expect(try device.run("keychain", "get", "--service", "s").code == 3)
    }
}

/// strace(1) beside a process, which lets some of its calls fail.
final class CallInjection {
    static var isPossible: Bool {
        guard getuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/strace") else { return false }
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
        probe.arguments = ["-o", "/dev/null", "-e", "inject=fdatasync:error=EIO", "/bin/true"]
        probe.standardError = FileHandle.nullDevice
        guard (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }

    private let process = Process()
    private let output = NSTemporaryDirectory() + "tresor-strace-" + UUID().uuidString

    /// - Parameter injection: as strace's `-e inject=` has it.
    init(into id: Int32, _ injection: String) throws {
        let words = output + ".err"
        _ = FileManager.default.createFile(atPath: words, contents: nil)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
        let calls = injection.prefix { $0 != ":" }
        process.arguments = [
            "-f", "-o", output, "-e", "trace=\(calls)", "-e", "inject=" + injection, "-p", "\(id)",
        ]
        process.standardError = FileHandle(forWritingAtPath: words)
        try process.run()
        defer { try? FileManager.default.removeItem(atPath: words) }
        for _ in 0..<1000 {
            if let text = try? String(contentsOfFile: words, encoding: .utf8), text.contains("attached") { return }
            usleep(5000)
        }
        throw LiveDevice.Refused(message: "strace did not attach")
    }

    /// How many calls have failed.
    func count() throws -> Int {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self)
            .split(separator: "\n").count { $0.contains("(INJECTED)") }
    }

    /// Whether the process has ended, which ends strace(1) with it.
    func hasEndedProcess() -> Bool {
        for _ in 0..<100 where process.isRunning { usleep(3000) }
        return !process.isRunning
    }

    func end() {
        // At any other signal it waits for the next call; the kernel lets go of what a killed one held.
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    deinit {
        end()
        try? FileManager.default.removeItem(atPath: output)
    }
}
