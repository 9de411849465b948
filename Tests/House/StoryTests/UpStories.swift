import Foundation
import Glibc
import Testing

/// `tresor up` at a terminal: that it stays there is said first, and how it ended last.
@Suite(.serialized, .enabled(if: TmuxScreen.isInstalled, "tmux is not installed"))
struct UpStories {
    enum End: String, CaseIterable { case down, signalToDaemon, signal, interrupt, crash }

    private let device: LiveDevice

    init() throws { device = try LiveDevice(starting: false) }

    /// A terminal whose shell survives Ctrl-C, and says with which code `up` has ended.
    private func beginUp() throws -> TmuxScreen {
        let screen = try TmuxScreen(
            device, rows: 40, command: "status; trap : INT; \(device.programs)/tresor up; echo code=$?")
        #expect(try screen.waits(for: "Next: tresor passcode set"))
        return screen
    }

    @Test func `at a terminal up says first that it stays there, and how to have it otherwise`() throws {
        let screen = try beginUp()
        let lines = try screen.text().split(separator: "\n").map(String.init)
        let stays = try #require(lines.firstIndex { $0.hasPrefix("Tresor runs in this terminal until Ctrl-C.") })
        let welcome = try #require(lines.firstIndex { $0.contains("and its enclave (process") })
        #expect(stays < welcome && lines[stays + 1].contains("tresor up --detach"), "\(lines)")
        #expect(!lines.contains("Ctrl-C ends it."))
    }

    @Test func `in a pipe up says nothing of a terminal`() throws {
        let up = Process()
        up.executableURL = URL(fileURLWithPath: device.programs + "/tresor")
        up.arguments = ["up"]
        up.environment = ["TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin"]
        let pipe = Pipe()
        up.standardOutput = pipe
        try up.run()
        var said = ""
        while !said.hasSuffix("Ctrl-C ends it.\n") {
            let more = pipe.fileHandleForReading.availableData
            try #require(!more.isEmpty, "\(said)")
            said += String(decoding: more, as: UTF8.self)
        }
        up.interrupt()
        up.waitUntilExit()
        #expect(said.hasPrefix("tresord (process ") && !said.contains("in this terminal"), "\(said)")
    }

    @Test(arguments: End.allCases) func `the terminal of up says who ended tresord`(_ end: End) throws {
        let screen = try beginUp()
        let daemon = Int32(try device.status().daemonProcess)
        switch end {
        case .down: #expect(try device.run("down").code == 0)
        case .signalToDaemon: kill(daemon, SIGTERM)
        case .signal: kill(try #require(try screen.program()), SIGTERM)
        case .interrupt: try screen.press("C-c")
        case .crash: kill(daemon, SIGKILL)
        }
        #expect(try screen.waits(for: end == .crash ? "code=69" : "code=0"))
        let said = try screen.text()
        #expect(said.contains("has ended by itself") == (end == .crash), "\(said)")
        #expect(said.contains("see \(device.home.log)") == (end == .crash), "\(said)")
        let isAskedElsewhere = end == .down || end == .signalToDaemon
        #expect(said.contains("'tresor down' or a signal asked for it") == isAskedElsewhere, "\(said)")
        #expect(said.contains("tresord has ended.") == (end == .signal || end == .interrupt), "\(said)")
    }

    @Test(arguments: [true, false]) func `tresor alone says at a terminal how to begin, where nothing runs`(
        runs: Bool
    ) throws {
        if runs { #expect(try device.run("up", "--detach").code == 0) }
        let screen = try TmuxScreen(device, rows: 70, command: "")
        #expect(try screen.waits(for: "after the screen"))
        let said = try screen.text()
        #expect(said.contains("SUBCOMMANDS:") && said.contains("Tresor does not run.") != runs, "\(said)")
        let piped = try device.run([])
        #expect(piped.code == 0 && piped.errors.isEmpty && piped.text.contains("SUBCOMMANDS:"), "\(piped)")
        if runs { #expect(try device.run("down").code == 0) }
    }
}
