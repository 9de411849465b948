import CTestSupport
import DesktopBus
import Foundation
import Glibc
import Linux
import Protection
import Secrets
import Testing
import Thoroughness
import Tresor
import Wire

/// A lock is the same lock, whatever its cause: of all that is open nothing is left on any screen, nor in any memory,
/// and what was typed is there afterwards.
@Suite(
    .serialized,
    .enabled(
        if: getuid() == 0 && TmuxScreen.isInstalled && DesktopService.missing.isEmpty,
        "only root may read other processes' memory; tmux, dbus and python3-dbusmock are needed"))
struct LockCauseStories {
    /// `TRESOR_LOCK_CAUSES=idle,sleep` tries some of them.
    private static let causes: [Cause] = {
        let chosen = ProcessInfo.processInfo.environment["TRESOR_LOCK_CAUSES"]?.split(separator: ",").map(String.init)
        return Cause.allCases.filter { chosen?.contains($0.rawValue) ?? true }
    }()

    @Test(arguments: causes) func `whatever locks leaves nothing, anywhere`(_ cause: Cause) throws {
        let open = try OpenDevice()
        // Of the holder, the browser and the diary's screens nothing is found before, either: what they hold is in
        // secret memory, or in pieces. Their screens, and what they say, tell of them.
        let names: Set = [
            "tresor-notes holds note", "screen note holds note", "screen noteEditor holds noteEditor",
            "tresor-diary holds entry", "tresor-diary holds entryEditor", "tresor-diary holds plainEntry",
            "plain notes holds plainNote", "plain diary holds entry", "bar holds plainNote",
        ]
        // What was typed goes out as a draft when nothing more comes for a while, and passes through.
        var before = Set(try open.held())
        for _ in 0..<50 where !names.isSubset(of: before) {
            usleep(100_000)
            before.formUnion(try open.held())
        }
        #expect(names.isSubset(of: before), "the control: \(before)")
        try open.reveal()
        let shownBefore = try open.shown()
        for name in [
            "note shows note", "noteEditor shows noteEditor", "entry shows entry", "entryEditor shows entryEditor",
            "item shows item", "bar shows plainNote",
        ] {
            #expect(shownBefore.contains(name), "the control: \(shownBefore)")
        }
        if cause == .idle { try open.device.run("settings", "--idle-lock", "3") }
        let start = SystemClock.bootMilliseconds()
        try open.happen(cause)
        // Nobody asks anything meanwhile.
        let due = start + (cause == .idle ? 3000 : 0)
        var shown = try open.shown(but: cause.spared)
        while SystemClock.bootMilliseconds() < due || (!shown.isEmpty && SystemClock.bootMilliseconds() < due + 5000) {
            usleep(20_000)
            shown = try open.shown(but: cause.spared)
        }
        let cleared = SystemClock.bootMilliseconds() - due
        #expect(shown.isEmpty, "\(shown)")
        while SystemClock.bootMilliseconds() < due + 1000 { usleep(10_000) }
        let held = try open.held(but: cause.spared)
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
        let outcome = try Poll.wait(untilReadable: notices.descriptor, milliseconds: 2000)
        #expect(outcome == .ready, "who shows a code of it hears that it is shut")
        #expect(try notices.next() == .state(.unlocked), "another keychain is open: nobody has to wipe what he holds")
        let command = try device.begin("keychain", "keychains", "lock", "Home")
        try expectWaiting(command, for: consume notices)
    }

    /// A command that locks tells who holds something, and ends once that one has let go.
    private func expectWaiting(_ command: Process, for notices: consuming LockNotices) throws {
        #expect(try hears(notices) == .evict)
        usleep(300_000)
        #expect(command.isRunning, "it waits for who holds something")
        _ = consume notices
        command.waitUntilExit()
        #expect(command.terminationStatus == 0)
    }

    /// What comes within three seconds; nil where nothing does.
    private func hears(_ notices: LockNotices) throws -> LockNotices.Notice? {
        if notices.hasWaiting { return try notices.next() }
        return switch try Poll.wait(untilReadable: notices.descriptor, milliseconds: 3000) {
        case .ready: try notices.next()
        case .timedOut, .interrupted: nil
        }
    }

    @Test(arguments: [true, false]) func `the enclave's end and the daemon's make programs wipe what they hold`(
        _ isEnclave: Bool
    ) throws {
        let device = try LiveDevice()
        try device.setPasscode()
        var state = LockState.locked
        let notices = try LockNotices(device.home, state: &state)
        #expect(state == .unlocked)
        guard !isEnclave else {
            kill(Int32(try device.status().enclaveProcess), SIGKILL)
            // A state that is told would have our own programs wipe, and leave a program that waits for this alone.
            return #expect(try hears(notices) == .evict)
        }
        let command = try device.begin("down")
        try expectWaiting(command, for: consume notices)
    }

    @Test func `what programs ask for does not keep the device open, what its owner does keeps it`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let cast = try Cast(device, from: LiveDevice.programs)
        let other = try cast.make("asks")
        // A request that is granted: what is refused counts for nothing anyhow.
        #expect(try cast.run(other, "add", "mail") == "0" && cast.run(other, "find", "mail") == "0")
        try device.run("settings", "--idle-lock", "2")
        for _ in 0..<60 where try device.status().enclave.lock == .unlocked {
            _ = try cast.run(other, "find", "mail")
            usleep(50_000)
        }
        #expect(try device.status().enclave.lock == .locked)
        try device.unlock()
        let owner = try device.connect()
        #expect(throws: KeychainError.self, "the test is not the command tresor") { try owner.perform(.ownerInput) }
        // At each look, as an unlock that follows a lock would hide it.
        for _ in 0..<8 {
            try device.unlock()
            usleep(500_000)
            #expect(try device.status().enclave.lock == .unlocked)
        }
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

    @Test(arguments: [Cause.sessionLock, .screenSaver, .terminated]) func `a lock does not wait for an import's end`(
        _ cause: Cause
    ) throws {
        let desktop = try DesktopService(hasScreenSaver: true)
        let device = try LiveDevice(
            programs: LiveDevice.programs + "/clock",
            environment: [
                "TRESOR_TEST_BUS": desktop.address, "TRESOR_TEST_SESSION_BUS": desktop.sessionAddress,
                "TRESOR_TEST_FINGERS": desktop.folder,
            ])
        try device.setPasscode()
        let source = device.folder + "/export.csv"
        let count = Thoroughness.count(8000, soak: 40_000)
        var csv = "name,url,username,password,note\n"
        for number in 0..<count { csv += "site \(number),https://host\(number).example,anna,secret \(number),\n" }
        try FileSystem.replace(source, with: Array(csv.utf8))
        func items() throws -> UInt64 { try device.status().itemsPerClass.values.reduce(0, +) }
        let command = try device.begin("keychain", "import", source)
        while command.isRunning, try items() < 300 { usleep(2000) }
        switch cause {
        case .sessionLock: try desktop.lock("own")
        case .screenSaver: try desktop.screenSaver(true)
        default: Glibc.kill(device.daemon, SIGTERM)
        }
        command.waitUntilExit()
        #expect(command.terminationStatus != 0)
        if cause == .terminated { #expect(try device.start() == nil) }
        let kept = try items()
        #expect(kept >= 300 && kept < count, "\(kept) of \(count) were imported first")
        try device.unlock()
        // A second run brings the rest; what is there already it says.
        #expect(try device.run("keychain", "import", source).code == 4)
        #expect(try items() == count)
    }
}
