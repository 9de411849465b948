import Foundation
import Glibc
import Testing

/// The diary's screens where the device is locked, where there are pictures, and where the program crashes.
@Suite(.serialized, .enabled(if: TmuxScreen.isInstalled, "tmux is not installed"))
struct DiaryScreenStory {
    private static let password = "a blue door"

    private func signIn(_ screen: TmuxScreen) throws {
        #expect(try screen.waits(for: "Password:"))
        try screen.type(Self.password)
        try screen.press("Enter")
    }

    @Test func `a locked device is unlocked at the diary's own screen, and dots stand for what is typed`() throws {
        let device = try LiveDevice()
        try device.openDiary(Self.password)
        _ = try device.newEntry("A marker in an entry\n")
        try device.setPasscode()
        #expect(try device.run("lock").code == 0)
        let screen = try TmuxScreen(device, command: "diary")
        #expect(try screen.waits(for: "The device’s passcode:"))
        try screen.type("nqd9")
        #expect(try screen.waits(for: "passcode: ••••") && !screen.everything().contains("nqd9"))
        try screen.press("Enter")
        #expect(try screen.waits(for: "The passcode is wrong."))
        try screen.type("1234")
        try screen.press("Enter")
        #expect(try screen.waits(for: "The diary is locked."))
        #expect(try device.run("status").text.contains("unlocked"))
        try signIn(screen)
        #expect(try screen.waits(for: "A marker in an entry"))
        #expect(try device.diary("list", "--drafts").text.contains("nqd9") == false)
    }

    @Test func `a photo is seen in half blocks, as large as the screen, and goes with its page`() throws {
        let device = try LiveDevice()
        try device.openDiary(Self.password)
        _ = try device.newEntry("An entry with a photo\n", "--photo", try Self.writePNG(device))
        let screen = try TmuxScreen(device, columns: 96, rows: 30, command: "diary")
        try signIn(screen)
        #expect(try screen.waits(for: "An entry with a photo"))
        try screen.press("Enter")
        #expect(try screen.waits(for: "▀▀▀▀▀▀▀▀"))
        #expect(try screen.text().contains("red.png") && !screen.text().contains("▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀"), "in its box")
        try screen.press("Enter")
        #expect(try screen.waits(for: String(repeating: "▀", count: 40)))
        try screen.press("Escape")
        // Its page again, with the photo in its box: from there on none is drawn any more.
        #expect(try screen.waits(for: String(repeating: "▀", count: 40), isThere: false))
        #expect(try screen.waits(for: "▀▀▀▀▀▀▀▀"))
        try screen.press("Escape")
        #expect(try screen.waits(for: "▀", isThere: false))
        try screen.press("C-l")
        #expect(try screen.waits(for: "The diary is locked."))
        #expect(try !screen.everything().contains("▀"))
    }

    @Test func `on a wide screen a photo stands beside the timeline, and vanishes with the cover`() throws {
        let device = try LiveDevice()
        try device.openDiary(Self.password)
        _ = try device.newEntry("An entry with a photo\n", "--photo", try Self.writePNG(device))
        let screen = try TmuxScreen(device, columns: 120, rows: 30, command: "diary")
        try signIn(screen)
        #expect(try screen.waits(for: "▀▀▀▀▀▀▀▀"))
        #expect(try screen.text().contains("> ") && screen.text().contains("│ red.png"))
        try screen.press("C-l")
        #expect(try screen.waits(for: "The diary is locked."))
        #expect(try !screen.everything().contains("▀"))
    }

    @Test func `without colours a photo is its name and size`() throws {
        let device = try LiveDevice()
        try device.openDiary(Self.password)
        _ = try device.newEntry("An entry with a photo\n", "--photo", try Self.writePNG(device))
        let screen = try TmuxScreen(device, columns: 100, rows: 30, command: "diary", environment: ["NO_COLOR": "1"])
        try signIn(screen)
        #expect(try screen.waits(for: "An entry with a photo"))
        try screen.press("Enter")
        #expect(try screen.waits(for: "red.png"))
        usleep(1_500_000)
        #expect(try !screen.text().contains("▀") && screen.text().contains("└──"))
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGTERM, SIGHUP])
    func `however the program ends, the terminal has its modes again`(_ signal: Int32) throws {
        let device = try LiveDevice()
        try device.openDiary(Self.password)
        let screen = try TmuxScreen(device, command: "diary")
        #expect(try screen.waits(for: "Password:"))
        #expect(try screen.modes() == "1 1 1", "the control: alternate screen, mouse, and its form")
        #expect(kill(try #require(try screen.program()), signal) == 0)
        #expect(try screen.waits(for: "after the screen"))
        #expect(try screen.modes() == "0 0 0")
        #expect(try screen.text().contains("before the screen"))
    }

    /// 64 by 48 pixels, all red.
    private static func writePNG(_ device: LiveDevice) throws -> String {
        let script = """
            import struct, sys, zlib
            def chunk(kind, data):
                return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            rows = (b"\\0" + b"\\xff\\0\\0" * 64) * 48
            open(sys.argv[1], "wb").write(b"\\x89PNG\\r\\n\\x1a\\n"
                + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 48, 8, 2, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
            """
        let path = device.folder + "/red.png"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, path]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return path
    }
}
