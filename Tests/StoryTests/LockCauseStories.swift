import CTestSupport
import DesktopBus
import Foundation
import Glibc
import Linux
import Protection
import Secrets
import Testing
import Tresor
import Wire

/// Why a device locks, as a desktop, a person or an accident does it.
enum Cause: String, CaseIterable, CustomTestStringConvertible {
    case command, idle, sessionLock, lockedHint, switchedAway, screenSaver, sleep, enclaveEnds, down, terminated, killed

    var testDescription: String { rawValue }

    /// Whether a `tresord` runs afterwards.
    var leavesDaemon: Bool { ![.down, .terminated, .killed].contains(self) }
}

/// A device with everything open on it that shows or holds what a lock must take away: each with a word of its own.
private final class OpenDevice {
    static let password = "a blue door"

    let desktop: DesktopService
    let device: LiveDevice
    /// What each place shows or holds, by its name.
    let words: [String: String]
    let screens: [String: TmuxScreen]
    /// Conversations in plain lines: what they have printed is the terminal's, what they hold is not.
    private let plain: [TmuxScreen]
    private let bar: WidgetHost
    private let holder: Process

    init() throws {
        desktop = try DesktopService(hasScreenSaver: true)
        device = try LiveDevice(
            programs: LiveDevice.programs + "/clock",
            environment: [
                "TRESOR_TEST_BUS": desktop.address, "TRESOR_TEST_SESSION_BUS": desktop.sessionAddress,
                "TRESOR_TEST_FINGERS": desktop.folder,
            ])
        let device = device
        var words: [String: String] = [:]
        for name in Self.places { words[name] = name + Identifier.makeRandom().description.prefix(10) }
        words["holder"] = "secret of \(words["holder"] ?? "")"
        func word(_ name: String) -> String { words[name] ?? "" }
        try device.setPasscode()
        _ = try device.newNote("# \(word("title"))\n\n\(word("note"))\n")
        try device.openDiary(Self.password)
        _ = try device.newEntry(word("entry") + "\n")
        let kept = try device.run(
            ["keychain", "add", "--service", "browsed", "--account", "anna"], input: Data(word("item").utf8))
        #expect(kept.code == 0, "\(kept.errors)")

        bar = try WidgetHost(device, ["--host", "waybar", "notes.recent"])
        #expect(try bar.line(with: word("title")) != nil)

        var screens: [String: TmuxScreen] = [:]
        let note = try TmuxScreen(device, command: "notes")
        #expect(try note.waits(for: word("note")))
        screens["note"] = note
        let noteEditor = try TmuxScreen(device, command: "notes")
        #expect(try noteEditor.waits(for: word("title")))
        try noteEditor.press("n")
        usleep(300_000)
        try noteEditor.type(word("noteEditor"))
        #expect(try noteEditor.waits(for: word("noteEditor")))
        screens["noteEditor"] = noteEditor
        let browser = try TmuxScreen(device, command: "keychain browse")
        #expect(try browser.waits(for: "browsed"))
        try browser.press("Enter", "r")
        #expect(try browser.waits(for: word("item")))
        screens["item"] = browser
        let entry = try TmuxScreen(device, command: "diary")
        try Self.signIn(entry)
        #expect(try entry.waits(for: word("entry")))
        screens["entry"] = entry
        let entryEditor = try TmuxScreen(device, command: "diary")
        try Self.signIn(entryEditor)
        #expect(try entryEditor.waits(for: word("entry")))
        try entryEditor.press("n")
        #expect(try entryEditor.waits(for: "New entry"))
        try entryEditor.type(word("entryEditor"))
        #expect(try entryEditor.waits(for: word("entryEditor")))
        screens["entryEditor"] = entryEditor
        self.screens = screens
        plain = try Self.plainLines(device, word("plainNote"), word("plainEntry"))

        let cast = try Cast(device, from: LiveDevice.programs)
        let program = try cast.make("holder")
        let held = String(word("holder").dropFirst("secret of ".count))
        let added = try cast.run(program, "add", held)
        #expect(added == "0")
        holder = Process()
        holder.executableURL = URL(fileURLWithPath: program)
        holder.arguments = ["hold", held]
        holder.environment = [
            "TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no",
        ]
        let input = Pipe()
        holder.standardInput = input
        holder.standardOutput = holderOutput
        try holder.run()
        let said = String(decoding: holderOutput.fileHandleForReading.availableData, as: UTF8.self)
        #expect(said.contains("holds \(word("holder").utf8.count)"), "\(said)")
        holderInput = input
        self.words = words
    }

    private static let places = [
        "note", "noteEditor", "entry", "entryEditor", "item", "title", "holder", "plainNote", "plainEntry",
    ]

    /// A new note and a new entry, each with a line that was typed and is not sent.
    private static func plainLines(_ device: LiveDevice, _ note: String, _ entry: String) throws -> [TmuxScreen] {
        let notes = try TmuxScreen(device, command: "notes browse --plain")
        let diary = try TmuxScreen(device, command: "diary browse --plain")
        #expect(try notes.waits(for: "Command, or help:") && diary.waits(for: "Password"))
        for (screen, lines, answer) in [
            (notes, ["new"], "Text, or .help:"), (diary, [password, "n"], "Text; a period"),
        ] {
            for line in lines {
                try screen.type(line)
                try screen.press("Enter")
                usleep(500_000)
            }
            #expect(try screen.waits(for: answer))
        }
        for (screen, word) in [(notes, note), (diary, entry)] {
            try screen.type(word)
            try screen.press("Enter")
        }
        usleep(300_000)
        return [notes, diary]
    }

    private let holderInput: Pipe
    private let holderOutput = Pipe()

    /// What the program of somebody's said last.
    func holderSays() throws -> String {
        String(decoding: holderOutput.fileHandleForReading.availableData, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit { try? holderInput.fileHandleForWriting.close() }

    static func signIn(_ screen: TmuxScreen) throws {
        #expect(try screen.waits(for: "Password:"))
        try screen.type(password)
        try screen.press("Enter")
    }

    func happen(_ cause: Cause) throws {
        switch cause {
        case .command: #expect(try device.run("lock").code == 0)
        case .idle: break
        case .sessionLock: try desktop.lock("own")
        case .lockedHint: try desktop.setHint("own", true)
        case .switchedAway:
            try desktop.setActive("auto", false)
            try desktop.setActive("own", false)
        case .screenSaver: try desktop.screenSaver(true)
        case .sleep: try desktop.sleep(true)
        case .enclaveEnds: kill(Int32(try device.status().enclaveProcess), SIGKILL)
        case .down: #expect(try device.down() == 0)
        case .terminated: kill(device.daemon, SIGTERM)
        case .killed: kill(device.daemon, SIGKILL)
        }
    }

    /// Every word that stands on a screen, as `screen/word`.
    func shown() throws -> [String] {
        try screens.flatMap { name, screen in
            let text = try screen.everything()
            return words.filter { text.contains($0.value) }.map { "\(name) shows \($0.key)" }
        }.sorted()
    }

    /// Every word that is in the memory of a process of this home, also of one that started a moment ago.
    func held() throws -> [String] {
        var names = [bar.id: "bar", holder.processIdentifier: "holder"]
        for (name, screen) in screens { if let id = try screen.program() { names[id] = "screen " + name } }
        for (name, screen) in zip(["plain notes", "plain diary"], plain) {
            if let id = try screen.program() { names[id] = name }
        }
        return device.processesOfThisHome().flatMap { id, program in
            words.filter { count($0.value, in: id) > 0 }.map { "\(names[id] ?? program) holds \($0.key)" }
        }.sorted()
    }

    private func count(_ word: String, in process: Int32) -> Int {
        var unreadable = 0
        let bytes = Array(word.utf8)
        return ct_count(process, bytes, bytes.count, &unreadable)
    }
}

extension LiveDevice {
    /// The process of tresor-diary.
    func diaryProcess() throws -> Int32 {
        guard case .status(let status) = try diaryConnection().ask(.status).reply else { return 0 }
        return status.process
    }
}

/// A lock is the same lock, whatever its cause: of all that is open nothing is left on any screen, nor in any memory,
/// and what was typed is there afterwards.
@Suite(
    .serialized,
    .enabled(
        if: getuid() == 0 && TmuxScreen.isInstalled && DesktopService.missing.isEmpty,
        "only root may read other processes' memory; tmux, dbus and python3-dbusmock are needed"))
struct LockCauseStories {
    @Test(arguments: Cause.allCases) func `whatever locks leaves nothing, anywhere`(_ cause: Cause) throws {
        let open = try OpenDevice()
        // Of the holder, the browser and the diary's screens nothing is found before, either: what they hold is in
        // secret memory, or in pieces. Their screens, and what they say, tell of them.
        let before = try open.held()
        for name in [
            "tresor-notes holds note", "screen note holds note", "screen noteEditor holds noteEditor",
            "tresor-diary holds entry", "tresor-diary holds entryEditor", "tresor-diary holds plainEntry",
            "plain notes holds plainNote", "plain diary holds entry", "bar holds plainNote",
        ] {
            #expect(before.contains(name), "the control: \(before)")
        }
        if cause == .idle { try open.device.run("settings", "--idle-lock", "3") }
        let start = SystemClock.bootMilliseconds()
        try open.happen(cause)
        // Nobody asks anything meanwhile.
        let due = start + (cause == .idle ? 3000 : 0)
        var shown = try open.shown()
        while SystemClock.bootMilliseconds() < due || (!shown.isEmpty && SystemClock.bootMilliseconds() < due + 5000) {
            usleep(20_000)
            shown = try open.shown()
        }
        let cleared = SystemClock.bootMilliseconds() - due
        #expect(shown.isEmpty, "\(shown)")
        while SystemClock.bootMilliseconds() < due + 1000 { usleep(10_000) }
        let held = try open.held()
        #expect(held.isEmpty, "\(held)")
        #expect(try open.holderSays() == "let go")
        print("lock by \(cause.rawValue): screens clear after \(cleared) ms, nothing in memory after one second")
        if !cause.leavesDaemon { #expect(try open.device.start() == nil) }
        try expectTyped(open)
    }

    /// What stood in the two editors is there after the next unlock.
    private func expectTyped(_ open: OpenDevice) throws {
        let device = open.device
        try device.unlock()
        // What follows may take longer than the three seconds after which the device locked.
        #expect(try device.run("settings", "--idle-lock", "3600").code == 0)
        try device.unlock()
        let notes = try ["noteEditor", "plainNote"].map { try #require(open.words[$0]) }
        let ids = try device.notes("list", "--json").text.matches(of: #/"id" : "([0-9a-f-]+)"/#).map {
            String($0.output.1)
        }
        let texts = try ids.map { try device.notes("show", $0).text }
        for note in notes { #expect(texts.contains { $0.contains(note) }, "\(texts)") }
        #expect(try device.diary("sign-in", input: OpenDevice.password + "\n").code == 0)
        let entries = try ["entryEditor", "plainEntry"].map { try #require(open.words[$0]) }
        func isListed() throws -> Bool {
            let text = try device.diary("list", "--drafts").text
            return entries.allSatisfy(text.contains)
        }
        let screen = try open.screens["entryEditor"]?.text() ?? ""
        // On a busy machine the hand-in may have come too late: then the screen holds it, says so, and tries again.
        for _ in 0..<40 where try !isListed() { usleep(250_000) }
        let drafts = try device.diary("list", "--drafts")
        #expect(try isListed(), "\(drafts.code) \(drafts.text) \(drafts.errors)\n\(screen)")
    }

    @Test func `screens clear when tresord is killed, also where nobody else can tell them`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        _ = try device.newNote("# Title\n\nwords of a note\n")
        try device.openDiary(OpenDevice.password)
        _ = try device.newEntry("words of an entry\n")
        let notes = try TmuxScreen(device, command: "notes")
        #expect(try notes.waits(for: "words of a note"))
        let diary = try TmuxScreen(device, command: "diary")
        try OpenDevice.signIn(diary)
        #expect(try diary.waits(for: "words of an entry"))
        let residents = [try device.notesProcess(), try device.diaryProcess()]
        for resident in residents { kill(resident, SIGSTOP) }
        // They end by themselves then: their daemon is gone.
        defer { for resident in residents { kill(resident, SIGCONT) } }
        kill(device.daemon, SIGKILL)
        func shows() throws -> Bool { try (notes.everything() + diary.everything()).contains("words of a") }
        for _ in 0..<500 where try shows() { usleep(10_000) }
        #expect(try !shows())
    }

    @Test func `a screen that waits for an answer clears at a lock all the same`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        for number in 0..<3 { _ = try device.newNote("# Title \(number)\n\nwords of a note\n") }
        try device.openDiary(OpenDevice.password)
        for number in 0..<3 { _ = try device.newEntry("words of an entry \(number)\n") }
        let notes = try TmuxScreen(device, command: "notes")
        #expect(try notes.waits(for: "words of a note"))
        let diary = try TmuxScreen(device, command: "diary")
        try OpenDevice.signIn(diary)
        #expect(try diary.waits(for: "words of an entry"))
        let residents = [try device.notesProcess(), try device.diaryProcess()]
        for resident in residents { kill(resident, SIGSTOP) }
        defer { for resident in residents { kill(resident, SIGCONT) } }
        // Both ask for what they are to show next, and hear nothing.
        for screen in [notes, diary] { try screen.press("Down") }
        usleep(500_000)
        func shows() throws -> Bool { try (notes.everything() + diary.everything()).contains("words of a") }
        #expect(try shows())
        let start = SystemClock.bootMilliseconds()
        let lock = try device.begin("lock")
        while try shows(), SystemClock.bootMilliseconds() < start + 10_000 { usleep(10_000) }
        // A program that does not let go is killed after two seconds: until then nobody else would have told.
        #expect(SystemClock.bootMilliseconds() - start < 1500)
        lock.waitUntilExit()
    }

    @Test func `the last keychain that has a passcode of its own takes along what programs hold, and no other does`()
        throws
    {
        let device = try LiveDevice()
        for name in ["Work", "Home"] {
            #expect(
                try device.run(
                    ["keychain", "keychains", "create", name, "--own-passcode"], input: Data("pass\npass\n".utf8)
                )
                .code == 0)
        }
        var state = LockState.locked
        let notices = try LockNotices(device.home, state: &state)
        #expect(try device.run("keychain", "keychains", "lock", "Work").code == 0)
        var poll = Poll()
        poll.add(notices.descriptor, reading: true, writing: false)
        try poll.wait(milliseconds: 300)
        #expect(!poll.isReadable(0), "another keychain is open")
        let command = try device.begin("keychain", "keychains", "lock", "Home")
        #expect(try notices.next() == .evict)
        usleep(300_000)
        #expect(command.isRunning, "it waits for who holds something")
        _ = consume notices
        command.waitUntilExit()
        #expect(command.terminationStatus == 0)
    }

    @Test func `what programs ask for does not keep the device open, what its owner does keeps it`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let other = try Cast(device, from: LiveDevice.programs).make("asks")
        try device.run("settings", "--idle-lock", "2")
        for _ in 0..<60 where try device.status().enclave.lock == .unlocked {
            _ = try Cast(device, from: LiveDevice.programs).run(other, "find", "nothing")
            usleep(50_000)
        }
        #expect(try device.status().enclave.lock == .locked)
        try device.unlock()
        let owner = try device.connect()
        #expect(throws: KeychainError.self, "the test is not the command tresor") { try owner.perform(.ownerInput) }
        for _ in 0..<8 {
            try device.unlock()
            usleep(500_000)
        }
        #expect(try device.status().enclave.lock == .unlocked)
    }

    @Test func `the desktop's word about its owner counts before ours`() throws {
        let desktop = try DesktopService()
        let device = try LiveDevice(
            programs: LiveDevice.programs + "/clock",
            environment: ["TRESOR_TEST_BUS": desktop.address, "TRESOR_TEST_FINGERS": desktop.folder])
        try device.setPasscode()
        for session in ["own", "auto"] { try desktop.setIdle(session, false, since: 1_000_000) }
        try device.run("settings", "--idle-lock", "1")
        usleep(2_500_000)
        #expect(try device.status().enclave.lock == .unlocked, "the desktop says that somebody is there")
        let since = SystemClock.monotonicNanoseconds() / 1000
        for session in ["own", "auto"] { try desktop.setIdle(session, true, since: since) }
        for _ in 0..<200 where try device.status().enclave.lock == .unlocked { usleep(20_000) }
        #expect(try device.status().enclave.lock == .locked)
    }
}
