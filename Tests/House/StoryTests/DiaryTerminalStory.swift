import CTestSupport
import Foundation
import Glibc
import Secrets
import Testing

/// The terminal interface of the diary in a real terminal: tmux draws it, and tells what stands on the screen and in
/// the scrollback.
@Suite(.serialized, .enabled(if: TmuxScreen.isInstalled, "tmux is not installed"))
struct DiaryTerminalStory {
    private static let password = "a blue door"
    private static let lockScreen = "The diary is locked."

    /// A diary with one entry, open at a terminal.
    private func open(_ settings: String...) throws -> (device: LiveDevice, screen: TmuxScreen) {
        let device = try LiveDevice()
        try device.openDiary(Self.password)
        _ = try device.newEntry("A marker in an entry\n")
        for setting in settings { try device.diary("settings", setting) }
        try device.diary("lock")
        let screen = try TmuxScreen(device, command: "diary")
        try signIn(screen)
        #expect(try screen.waits(for: "A marker in an entry"))
        return (device, screen)
    }

    private func signIn(_ screen: TmuxScreen, _ password: String = Self.password) throws {
        #expect(try screen.waits(for: "Password:"))
        try screen.type(password)
        try screen.press("Enter")
    }

    /// Only the lock screen is left, on the terminal and in all that it keeps, and the diary is shut.
    private func expectLocked(_ device: LiveDevice, _ screen: TmuxScreen) throws {
        #expect(try screen.waits(for: Self.lockScreen))
        #expect(try !screen.everything().contains("marker"))
        #expect(try device.diary("status").text.contains("locked"))
    }

    @Test func `a password is chosen, an entry is written, and the lock leaves the lock screen only`() throws {
        let device = try LiveDevice()
        let screen = try TmuxScreen(device, command: "diary")
        #expect(try screen.waits(for: "Choose a password"))
        for word in [Self.password, "another"] {
            try screen.type(word)
            try screen.press("Enter")
            usleep(300_000)
        }
        #expect(try screen.waits(for: "The passwords do not match! Please try again!"))
        for _ in 1...2 {
            try screen.type(Self.password)
            try screen.press("Enter")
            usleep(300_000)
        }
        #expect(try screen.waits(for: "Recovery key"))
        let key = try #require(screen.text().firstMatch(of: #/([0-9A-Z]{4}-){6}[0-9A-Z]{4}/#)?.output.0)
        try screen.press("Enter")
        #expect(try screen.waits(for: Self.lockScreen), "registering signs nobody in")
        #expect(try !screen.everything().contains(key))
        try signIn(screen)
        #expect(try screen.waits(for: "No entries yet"))
        try screen.press("n")
        #expect(try screen.waits(for: "New entry"))
        try screen.type("A marker in an entry")
        try screen.press("C-s")
        #expect(try screen.waits(for: "Saved."))
        try screen.press("C-l")
        try expectLocked(device, screen)
        try signIn(screen)
        #expect(try screen.waits(for: "A marker in an entry"))
        try screen.press("q")
        #expect(try screen.waits(for: "after the screen"))
        #expect(try !screen.everything().contains("marker") && screen.everything().contains("before the screen"))
        #expect(try device.diary("status").text.contains("locked"))
    }

    private func isStopped(_ process: Int32) -> Bool {
        let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return state?.split(separator: ")").last?.hasPrefix(" T") == true
    }

    @Test func `a stop, an end and a lost terminal lock the diary and leave nothing of it`() throws {
        let (device, screen) = try open()
        let stopped = try #require(try screen.program())
        #expect(kill(stopped, SIGTSTP) == 0)
        // Going on before it has stopped would leave it stopped.
        for _ in 0..<300 where !isStopped(stopped) { usleep(20_000) }
        #expect(isStopped(stopped))
        #expect(try !screen.everything().contains("marker"))
        #expect(try device.diary("status").text.contains("locked"))
        #expect(kill(stopped, SIGCONT) == 0)
        try expectLocked(device, screen)
        for signal in [SIGTERM, SIGHUP] {
            let (device, screen) = try open()
            #expect(kill(try #require(try screen.program()), signal) == 0)
            #expect(try screen.waits(for: "after the screen"))
            #expect(try !screen.everything().contains("marker"))
            #expect(try device.diary("status").text.contains("locked"))
        }
    }

    @Test func `a terminal's program that is killed takes the open diary along, with its last window`() throws {
        let (device, screen) = try open()
        let second = try TmuxScreen(device, command: "diary")
        try signIn(second, "not the password")
        #expect(try second.waits(for: "Sign-in failed"))
        try signIn(second)
        #expect(try second.waits(for: "A marker in an entry"))
        #expect(try screen.text().contains("A marker in an entry"), "a further window covers none")
        #expect(kill(try #require(try screen.program()), SIGKILL) == 0)
        usleep(500_000)
        #expect(try device.diary("status").text.contains("open"), "another window is there")
        #expect(kill(try #require(try second.program()), SIGKILL) == 0)
        for _ in 0..<50 where try !device.diary("status").text.contains("locked") { usleep(100_000) }
        #expect(try device.diary("status").text.contains("locked"))
    }

    @Test func `a file that cannot be read costs no word, and locks nothing`() throws {
        let (device, screen) = try open()
        let loop = device.folder + "/loop"
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        try screen.press("n")
        #expect(try screen.waits(for: "New entry"))
        try screen.type("precious words")
        try screen.press("BTab")
        try screen.type(loop)
        try screen.press("Enter")
        #expect(try screen.waits(for: "cannot be read"))
        usleep(2_500_000)
        #expect(try device.diary("status").text.contains("open"))
        #expect(try device.diary("list", "--drafts").text.contains("precious words"))
    }

    @Test func `the loss of the focus locks where that was chosen`() throws {
        let (lenient, other) = try open()
        try other.type("\u{1B}[O")
        usleep(500_000)
        #expect(try other.text().contains("marker") && lenient.diary("status").text.contains("open"))
        let (device, screen) = try open("--lock-on-resign")
        try screen.type("\u{1B}[O")
        try expectLocked(device, screen)
        try screen.type("\u{1B}[I")
        try signIn(screen)
        #expect(try screen.waits(for: "A marker in an entry"))
        try screen.type("\u{1B}[O")
        try expectLocked(device, screen)
    }

    @Test func `the lock of the device, of another client, and the program's end cover the screen`() throws {
        let (device, screen) = try open()
        try device.setPasscode()
        #expect(try device.run("lock").code == 0)
        #expect(try screen.waits(for: "The device is locked."))
        #expect(try !screen.everything().contains("marker"))
        try device.unlock()
        #expect(try screen.waits(for: Self.lockScreen))
        try signIn(screen)
        #expect(try screen.waits(for: "A marker in an entry"))
        try device.diary("lock")
        try expectLocked(device, screen)
    }

    @Test(.enabled(if: MemoryClaims.areTested, MemoryClaims.reason))
    func `after a lock nothing of an entry is in the memory of the terminal's program`() throws {
        let device = try LiveDevice()
        let password = "pwd" + Identifier.makeRandom().description.prefix(20)
        try device.openDiary(password)
        let markers = (0..<8).map { _ in "mrk" + Identifier.makeRandom().description.prefix(20) }
        _ = try device.newEntry(
            "# \(markers[0])\n\n\(markers[1]) and **\(markers[2])**\n\n- \(markers[3])\n", "--tag", markers[4],
            "--place",
            "59.9,10.7", "--place-name", markers[5])
        try device.diary("lock")
        let screen = try TmuxScreen(device, command: "diary")
        try signIn(screen, password)
        #expect(try screen.waits(for: markers[0]))
        try screen.press("Enter")
        #expect(try screen.waits(for: markers[3]))
        try screen.press("Escape")
        #expect(try screen.waits(for: markers[3], isThere: false))
        try screen.press("n")
        #expect(try screen.waits(for: "New entry"))
        try screen.type(markers[6])
        #expect(try screen.waits(for: markers[6]))
        let program = try #require(try screen.program())
        #expect(try found(markers, in: program).contains(markers[3]), "the control: what is shown is in memory")
        try screen.press("C-l")
        #expect(try screen.waits(for: Self.lockScreen))
        usleep(1_500_000)
        let left = try found(markers + [password], in: program)
        #expect(left == [], "\(left.map { markers.firstIndex(of: $0) ?? -1 })")
    }

    private func found(_ markers: [String], in process: Int32) throws -> [String] {
        try markers.filter { marker in
            var unreadable = 0
            let bytes = Array(marker.utf8)
            let count = ct_count(process, bytes, bytes.count, &unreadable)
            try #require(count >= 0)
            return count > 0
        }
    }

    @Test func `what is typed when the terminal's program is ended is a draft`() throws {
        let (device, screen) = try open()
        try screen.press("n")
        #expect(try screen.waits(for: "New entry"))
        try screen.type("half a thought")
        #expect(try screen.waits(for: "half a thought"))
        #expect(kill(try #require(try screen.program()), SIGTERM) == 0)
        #expect(try screen.waits(for: "after the screen"))
        #expect(try device.diary("sign-in", input: Self.password + "\n").code == 0)
        #expect(try device.diary("list", "--drafts").text.contains("half a thought"))
    }
}
