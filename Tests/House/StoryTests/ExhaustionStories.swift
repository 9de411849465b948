import Conformance
import Foundation
import Glibc
import Linux
import Secrets
import Testing
import Tresor
import Wire

/// What a hostile program of the same account can do at most.
///
/// Every kind of request, for ever, beside an owner who locks, unlocks and reads. docs/THREATS.md has the table.
///
/// `TRESOR_EXHAUST` says how many seconds each kind gets, locked and unlocked; without it the kinds are left out, for
/// they take the machine for minutes.
@Suite(.serialized, .enabled(if: PlainUser.obstacle == nil, "wants an ordinary user who can be played"))
struct ExhaustionStories {
    private static let seconds =
        ProcessInfo.processInfo.environment["TRESOR_EXHAUST"].flatMap { Double($0) } ?? 2
    private static let kinds = [
        "connections", "flood", "subscriptions", "halves", "untaken", "holds", "passwords", "queries", "sessions",
        "tries", "strangers", "additions", "malformed", "forks",
    ].filter { chosen.isEmpty || chosen.contains($0) }
    /// `TRESOR_EXHAUST_KINDS` names some of them.
    private static let chosen =
        ProcessInfo.processInfo.environment["TRESOR_EXHAUST_KINDS"]?.split(separator: ",").map(String.init) ?? []
    /// Seconds in which the device is locked, whatever others do.
    private static let lockLimit = 2.5
    private static let script = LiveDevice.root.appendingPathComponent("Tests/Attacks/exhaust.py").path

    private let device: PlainUser

    init() throws {
        device = try PlainUser()
        // Those who attack ask for all of them, the tests for two.
        for name in Self.isMeasured ? Array(0..<40) : [1, 7] {
            try succeed("keychain", "add", "--service", "s\(name)", input: "secret \(name)")
        }
        try succeed("keychain", "add", "--service", "always", "--class", "always", input: "open")
        try succeed("passcode", "set", input: "1234\n1234\n")
    }

    private func succeed(_ arguments: String..., input: String = "") throws {
        let outcome = try device.run(LiveDevice.programs + "/tresor", arguments, input: input)
        #expect(outcome.code == 0, "\(arguments.prefix(2)): \(outcome.errors)")
    }

    /// How long a command takes, in seconds.
    private func time(_ body: () throws -> Void) rethrows -> Double {
        let begin = SystemClock.monotonicNanoseconds()
        try body()
        return Double(SystemClock.monotonicNanoseconds() - begin) / 1e9
    }

    private func lock(_ what: String) throws {
        let took = try time { try succeed("lock") }
        #expect(took <= Self.lockLimit, "\(what): a lock took \(took) s")
        #expect(device.daemonRuns, "\(what): it was locked, and not ended")
    }

    private static var isMeasured: Bool { ProcessInfo.processInfo.environment["TRESOR_EXHAUST"] != nil }
    private static let condition = ConditionTrait.enabled(if: isMeasured, "wants TRESOR_EXHAUST=SECONDS")

    @Test(condition, arguments: kinds) func locksUnlocksAndReadsBeside(_ kind: String) throws {
        let before = (memory: try device.memory("VmRSS"), locked: try device.memory("VmLck"), device.descriptors)
        let attacker = try device.begin("/usr/bin/python3", [Self.script, device.home.socket, kind])
        usleep(700_000)
        for isLocked in [false, true] {
            let end = SystemClock.monotonicNanoseconds() + UInt64(Self.seconds * 0.5e9)
            repeat {
                if isLocked {
                    #expect(try device.run("status").code == 0)
                    #expect(try device.run("keychain", "get", "--service", "always").text == "open", "\(kind): locked")
                    #expect(try device.run("keychain", "get", "--service", "s1").code == 5, "\(kind): locked")
                    try succeed("unlock", input: "1234\n")
                } else {
                    try lock(kind)
                    #expect(try device.run("keychain", "get", "--service", "s1").code == 5, "\(kind): locked")
                    try succeed("unlock", input: "1234\n")
                    #expect(try device.run("keychain", "get", "--service", "s7").text == "secret 7", "\(kind)")
                    if kind == "queries" { try readByAnother(kind) }
                }
                if isLocked { try lock(kind) }
            } while SystemClock.monotonicNanoseconds() < end
            if !isLocked { try lock(kind) }
        }
        #expect(attacker.isRunning, "the attack went on")
        attacker.end()
        try succeed("unlock", input: "1234\n")
        // What is free is given back after half a second without news.
        usleep(1_000_000)
        let after = (memory: try device.memory("VmRSS"), locked: try device.memory("VmLck"), device.descriptors)
        if Self.isMeasured {
            print("\(kind): memory \(before.memory) → \(after.memory), locked \(before.locked) → \(after.locked) KiB")
        }
        #expect(after.memory < before.memory + 16_384, "\(kind): memory \(before.memory) → \(after.memory) KiB")
        #expect(after.locked < before.locked + 6144, "\(kind): locked \(before.locked) → \(after.locked) KiB")
        #expect(after.2 < before.2 + 16, "\(kind): descriptors are back")
        #expect(try FileSystem.status(device.home.log)?.byteCount ?? 0 < 100_000, "\(kind): the log is no heap")
    }

    /// Another program of this user finds what is its own.
    private func readByAnother(_ kind: String) throws {
        let program = LiveDevice.programs + "/tresor-caller-testing"
        let name = "own\(UInt32.random(in: 0...UInt32.max))"
        #expect(try device.run(program, ["add", name]).text == "0\n", "\(kind): another adds")
        #expect(try device.run(program, ["find", name]).text == "0\n", "\(kind): another reads")
    }

    /// Up to 16 MiB of pages, which serve nobody while nothing can be opened.
    @Test func `a lock gives back what the database keeps`() throws {
        try succeed("unlock", input: "1234\n")
        let rows = (0..<10_000).map { "site \($0),https://host\($0).example,anna,password \($0),\n" }
        let table = device.folder + "/logins.csv"
        let text = "name,url,username,password,note\n" + rows.joined()
        try text.write(toFile: table, atomically: true, encoding: .utf8)
        try succeed("keychain", "import", table)
        usleep(1_000_000)
        let unlocked = try device.memory("VmRSS")
        try succeed("lock")
        usleep(1_000_000)
        let locked = try device.memory("VmRSS")
        #expect(locked < unlocked - 8192, "memory \(unlocked) → \(locked) KiB")
        try succeed("unlock", input: "1234\n")
        #expect(try device.run("keychain", "get", "--service", "s7").text == "secret 7")
    }

    /// Eight programs of a gigabyte each, all of it holes, say who they are.
    @Test(condition) func `looking at large programs holds up nobody`() throws {
        var attackers: [UserProcess] = []
        defer { attackers.forEach { $0.end() } }
        for number in 0..<8 {
            let path = device.folder + "/program-\(number)"
            let python = URL(fileURLWithPath: "/usr/bin/python3").resolvingSymlinksInPath().path
            try FileManager.default.copyItem(atPath: python, toPath: path)
            #expect(truncate(path, (1 << 30) - off_t(number)) == 0 && chmod(path, 0o755) == 0)
            attackers.append(try device.begin(path, [Self.script, device.home.socket, "looks"]))
        }
        usleep(500_000)
        try lock("looks")
        try succeed("unlock", input: "1234\n")
        #expect(try device.run("keychain", "get", "--service", "s7").text == "secret 7")
        // A small program that is known by its content does not wait for the large ones.
        let took = try time { try readByAnother("looks") }
        #expect(took < 5, "another program waited \(took) s")
        try lock("looks")
    }

    @Test func `a tresord that is stopped is ended by a lock, and no other process`() throws {
        let bystander = try device.begin("/bin/sleep", ["100"])
        Glibc.kill(device.daemonID, SIGSTOP)
        let took = try time {
            let outcome = try device.run("lock")
            #expect(outcome.code == 0 && outcome.text == "locked\n", "\(outcome.errors)")
            #expect(outcome.errors.contains("was ended"))
        }
        // Beside hundreds of other tests a command alone may take as long.
        #expect(took <= (Self.isMeasured ? Self.lockLimit : 20), "it took \(took) s")
        for _ in 0..<200 where device.daemonRuns { usleep(10_000) }
        #expect(!device.daemonRuns && bystander.isRunning)
        #expect(try device.run("lock").code == 69, "now none runs")
        bystander.end()
        try device.startDaemon()
        #expect(try device.run("keychain", "get", "--service", "s1").code == 5)
        try succeed("unlock", input: "1234\n")
        #expect(try device.run("keychain", "get", "--service", "s1").text == "secret 1")
    }

    @Test func `a log that has grown is begun anew, and what it said is kept once`() throws {
        for round in ["first", "second"] {
            try succeed("down")
            let log = try FileHandle(forWritingTo: URL(fileURLWithPath: device.home.log))
            try log.seekToEnd()
            try log.write(contentsOf: Data((round + String(repeating: "x", count: 1_100_000) + "\n").utf8))
            try log.close()
            try device.startDaemon()
            for _ in 0..<100 where try FileSystem.status(device.home.log)?.byteCount ?? 0 > 100_000 { usleep(50_000) }
            let fresh = try #require(try FileSystem.status(device.home.log))
            #expect(fresh.byteCount < 100_000 && fresh.mode == 0o600, "\(round)")
            let kept = String(decoding: try FileSystem.read(device.home.log + ".1"), as: UTF8.self)
            #expect(kept.contains(round), "\(round)")
        }
        // It goes on in the fresh one.
        let client = try UnixSocket.connect(device.home.socket)
        _ = try client.writeAll("\0\0\0\0")
        usleep(300_000)
        let log = String(decoding: try FileSystem.read(device.home.log), as: UTF8.self)
        #expect(log.contains("malformed frame"))
    }

    @Test func `a program that nobody knows sets no passcode, resets nothing and stops nothing`() throws {
        let script = """
            import socket, struct, sys
            def frame(opcode, body=b""):
                payload = struct.pack(">BIB", 1, 1, opcode) + body
                return struct.pack(">I", len(payload)) + payload
            def field(text): return struct.pack(">I", len(text)) + text
            for request in (frame(4, field(b"mine")), frame(7), frame(9, bytes(4)), frame(17),
                            frame(5, field(b"1234") + field(b"mine")), frame(6, field(b"1234")),
                            frame(8, field(b"1234") + b"\\1\\0\\1")):
                s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.settimeout(5)
                if len(sys.argv) > 2:
                    s.sendall(frame(24)); s.recv(4096); s.close()
                    s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.settimeout(5)
                s.sendall(request)
                answer = s.recv(4096)
                print(answer[9], struct.unpack(">i", answer[10:14])[0], answer[14], answer[22])
            """
        for arguments in [[device.home.socket], [device.home.socket, "introduced"]] {
            let outcome = try device.run("/usr/bin/python3", ["-c", script] + arguments)
            #expect(outcome.text == String(repeating: "1 -34018 20 1\n", count: 7), "\(outcome)")
        }
        #expect(try device.run("keychain", "get", "--service", "s1").text == "secret 1", "nothing was reset")
        #expect(try device.run("settings", "device").text.contains("minimum-passcode  1"))
        let error = TresorError(
            KeychainError(.missingEntitlement, .unknownProgram, detail: KeychainError.ownersCommandAlone))
        #expect(error.message.contains("tresor passcode") && error.code == .notPermitted)
        #expect(try device.run("down").code == 0, "the owner's command may")
    }
}
