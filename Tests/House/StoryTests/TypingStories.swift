import CTestSupport
import Foundation
import Linux
import NotesClient
import Secrets
import Testing
import Thoroughness

/// Somebody types, and it locks: every key that was pressed while the text was on the screen is there afterwards.
///
/// `typist.py` is the terminal, so that it knows to a key what was pressed before the screen was erased.
@Suite(.serialized) struct TypingStories {
    private struct Round: Decodable {
        let typed: String
        let kept: [String]
        let notKept: Bool
        let speed: Double
        let erasedAfter: Double?
    }

    /// So many of each kind; `TRESOR_ROUNDS` asks for others, and 200 are what is promised.
    private static let rounds = Thoroughness.count(3, soak: 6, orBy: "TRESOR_ROUNDS")
    private static let seed = ProcessInfo.processInfo.environment["TRESOR_SEED"].flatMap { Int($0) } ?? 1

    private func play(_ kind: String, _ device: LiveDevice) throws -> [Round] {
        let script = LiveDevice.root.appendingPathComponent("Tests/House/StoryTests/typist.py").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [script, device.programs, kind, "\(Self.rounds)", "\(Self.seed)"]
        process.environment = ["TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin"]
        let path = device.folder + "/typist.out"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        return try lines.map { try JSONDecoder().decode(Round.self, from: Data($0.utf8)) }
    }

    @Test(arguments: ["note", "new", "locked", "diary", "diary-own"])
    func `forty keys at any speed and a lock at any moment: every key is there`(kind: String) throws {
        let device = try LiveDevice()
        try device.setPasscode()
        if kind.hasPrefix("diary") {
            try device.openDiary()
            try device.diary("lock")
        }
        let rounds = try play(kind, device)
        #expect(rounds.count == Self.rounds)
        var inFlight = 0
        for (number, round) in rounds.enumerated() {
            let kept = round.kept.first ?? ""
            // One key may be on its way while the screen is erased: then it came to the lock screen.
            let isOnTheWay = !round.typed.isEmpty && kept == round.typed.dropLast()
            if kept != round.typed && isOnTheWay { inFlight += 1 }
            #expect(kept == round.typed || isOnTheWay, "\(kind), round \(number): \(round)")
            #expect(round.kept.count <= 1 && !round.notKept, "\(kind), round \(number): \(round)")
        }
        // A program that always lost its last key would say the same of each round.
        let isRare = rounds.count < 6 ? inFlight < rounds.count : inFlight * 2 <= rounds.count
        #expect(isRare, "\(kind): \(inFlight) of \(rounds.count)")
        let times = rounds.compactMap(\.erasedAfter).sorted()
        try #require(!times.isEmpty)
        let keys = rounds.map(\.typed.count).reduce(0, +)
        print(
            "\(kind): \(rounds.count) rounds, \(keys) keys, \(inFlight) with a key on its way at the erasure;",
            "erased after \(times[times.count / 2]) ms (median), \(times.last ?? 0) ms (longest) of the command's start"
        )
    }
}

/// Whatever goes wrong at a lock: what was typed waits on the screen's side, the screen says so, and it is handed in.
@Suite(.serialized, .enabled(if: TmuxScreen.isInstalled, "tmux is not installed"))
struct HeldWordsStories {
    private let word = "heron" + Identifier.makeRandom().description.prefix(10)

    private func type(_ screen: TmuxScreen) throws {
        #expect(try screen.waits(for: "Esc save"))
        try screen.type(String(word))
        #expect(try screen.waits(for: String(word)))
    }

    private func waitUntil(_ isSo: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<400 {
            if try isSo() { return true }
            usleep(20_000)
        }
        return false
    }

    private func fill(_ device: LiveDevice) throws {
        let file = try FileDescriptor.open(device.folder + "/ballast", FileFlags.readWriteOrCreate)
        var (size, used) = (1 << 20, 0)
        while size >= 4096 {
            do {
                try file.write([UInt8](repeating: 7, count: size), at: used)
                used += size
            } catch { size /= 2 }
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "this container mounts no file systems"))
    func `on a full disk the screen says that nothing was kept, and hands it in when there is room`() throws {
        let disk = try SmallDisk(kibibytes: 8192)
        let device = try LiveDevice(folder: disk.path + "/home")
        try device.setPasscode()
        let id = try device.newNote("first\n")
        let screen = try TmuxScreen(device, command: "notes edit \(id)")
        #expect(try screen.waits(for: "Esc save"))
        try fill(device)
        try type(screen)
        #expect(try device.run("lock").code == 0)
        #expect(try screen.waits(for: "What you wrote is NOT kept: the disk is full"))
        #expect(try !screen.everything().contains(word))
        try FileManager.default.removeItem(atPath: device.folder + "/ballast")
        try device.unlock()
        #expect(try waitUntil { try device.notes("show", id).text.contains(word) })
        #expect(try device.notes("show", id).text == word + "first\n")
        #expect(try screen.waits(for: "NOT kept", isThere: false))
    }

    @Test(.enabled(if: SmallDisk.isPossible, "this container mounts no file systems"))
    func `on a full disk the diary says so too, and goes on where it was written`() throws {
        let disk = try SmallDisk(kibibytes: 8192)
        let device = try LiveDevice(folder: disk.path + "/home")
        try device.setPasscode()
        try device.openDiary()
        try device.diary("lock")
        let screen = try TmuxScreen(device, command: "diary")
        #expect(try screen.waits(for: "Password:"))
        try screen.type("a blue door")
        try screen.press("Enter")
        #expect(try screen.waits(for: "No entries yet"))
        try screen.press("n")
        #expect(try screen.waits(for: "New entry"))
        try fill(device)
        // More than the database's log may have room for.
        try screen.type(String(word))
        try screen.press("Enter")
        for _ in 0..<30 {
            try screen.type(String(repeating: "z", count: 1000))
            try screen.press("Enter")
        }
        // Another word than the first: what the program has not read yet by the lock was not on the screen.
        let last = "end\(word.dropFirst(5))"
        try screen.type(last)
        #expect(try (0..<8).contains { _ in try screen.waits(for: last) }, "a long text takes its time")
        #expect(try device.run("lock").code == 0)
        #expect(try screen.waits(for: "NOT kept"))
        #expect(try !screen.everything().contains(word))
        try FileManager.default.removeItem(atPath: device.folder + "/ballast")
        try device.unlock()
        usleep(400_000)
        try screen.type("a blue door")
        try screen.press("Enter")
        #expect(try (0..<8).contains { _ in try screen.waits(for: last) })
        #expect(try device.diary("list", "--drafts").text.contains(word))
    }

    @Test func `a tresor-notes that does not answer costs no word, and the screen is covered without it`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let id = try device.newNote("first\n")
        let screen = try TmuxScreen(device, command: "notes edit \(id)")
        try type(screen)
        kill(try device.notesProcess(), SIGSTOP)
        try screen.type("s")
        let lock = try device.begin("lock")
        // tresord kills it after two seconds; the screen does not wait for that.
        let begin = SystemClock.monotonicNanoseconds()
        #expect(try screen.waits(for: String(word), isThere: false))
        let milliseconds = Double(SystemClock.monotonicNanoseconds() - begin) / 1e6
        #expect(milliseconds < 1000, "\(milliseconds) ms, and tmux is asked every 20")
        lock.waitUntilExit()
        #expect(try screen.waits(for: "What you wrote is NOT kept"))
        try device.unlock()
        #expect(try waitUntil { try device.notes("show", id).text == word + "sfirst\n" })
        #expect(try screen.waits(for: "NOT kept", isThere: false))
    }

    @Test(.enabled(if: getuid() == 0, "only root may read other processes' memory"))
    func `what was handed in at a lock is in no memory of the screen's program a second later`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let id = try device.newNote("first \(word)x\n")
        let screen = try TmuxScreen(device, command: "notes edit \(id)")
        try type(screen)
        let program = try #require(try screen.program())
        #expect(try found(in: program) > 0, "the control: what is typed is in memory")
        #expect(try device.run("lock").code == 0)
        usleep(1_000_000)
        #expect(try found(in: program) == 0)
        try device.unlock()
        #expect(try device.notes("show", id).text == "\(word)first \(word)x\n")
    }

    private func found(in process: Int32) throws -> Int {
        var unreadable = 0
        let bytes = Array(word.utf8)
        let count = ct_count(process, bytes, bytes.count, &unreadable)
        try #require(count >= 0)
        return count
    }

    @Test func `in plain lines a lock keeps a note that is new, and the line that was only begun`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let screen = try TmuxScreen(device, command: "notes browse --plain")
        #expect(try screen.waits(for: "Command, or help:"))
        try screen.type("new")
        try screen.press("Enter")
        #expect(try screen.waits(for: "Text, or .help:"))
        try screen.type("\(word) one")
        try screen.press("Enter")
        usleep(200_000)
        try screen.type("half a line")
        usleep(200_000)
        #expect(try device.run("lock").code == 0)
        #expect(try screen.waits(for: "What you wrote is kept as a sealed draft."))
        try device.unlock()
        let listed = try device.notes("search", word).text
        let id = try #require(listed.split(separator: " ").first.map { String($0) }, "\(listed)")
        let shown = try device.notes("show", id).text
        #expect(shown.trimmingCharacters(in: .newlines) == "\(word) one\nhalf a line", "\(shown)")
    }

    @Test func `in plain lines a lock keeps an entry, and the line that was only begun`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        try device.openDiary()
        try device.diary("lock")
        let screen = try TmuxScreen(device, command: "diary browse --plain")
        #expect(try screen.waits(for: "Password"))
        try screen.type("a blue door")
        try screen.press("Enter")
        #expect(try screen.waits(for: "No entries yet"))
        try screen.type("n")
        try screen.press("Enter")
        #expect(try screen.waits(for: "Text; a period"))
        try screen.type("\(word) one")
        try screen.press("Enter")
        usleep(200_000)
        try screen.type("half a line")
        usleep(200_000)
        #expect(try device.run("lock").code == 0)
        try device.unlock()
        try device.diary("sign-in", input: "a blue door\n")
        #expect(try waitUntil { try device.diary("list", "--drafts").text.contains("\(word) one half a line") })
    }

    @Test func `an end by a signal hands in what was typed, and says so where that fails`() throws {
        let device = try LiveDevice()
        let id = try device.newNote("first\n")
        let screen = try TmuxScreen(device, command: "notes edit \(id)")
        try type(screen)
        kill(try #require(try screen.program()), SIGTERM)
        #expect(try screen.waits(for: "after the screen"))
        #expect(try device.notes("show", id).text == word + "first\n")
    }
}
