import DiaryClient
import Foundation
import Linux
import Testing
import Wire

/// Whoever starts a program chooses its clocks (time_namespaces(7)): no wait falls by that.
@Suite(.serialized, .enabled(if: ClockNamespace.canBeMade, "needs the right to make a namespace of clocks"))
struct ClockNamespaceStories {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    /// Signs in ten hours ahead, by a `tresor-diary` that is started there.
    private func signInAhead() throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ClockNamespace.ahead + [device.programs + "/tresor", "diary", "sign-in"]
        process.environment = ["TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let input = Pipe()
        process.standardInput = input
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("a blue door\n".utf8))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    private func endDiary() throws {
        _ = try? device.diaryConnection().ask(.stop)
        usleep(300_000)
    }

    @Test func `the wait after wrong diary passwords does not fall in another clock's namespace`() throws {
        try device.openDiary()
        try device.diary("lock")
        for _ in 0..<4 { #expect(try device.diary("sign-in", input: "wrong\n").code == 6) }
        try endDiary()
        #expect(try signInAhead() == 6, "the wait is as long there")
        try endDiary()
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 6)
        // A fresh tresord knows how many there were, and lets nobody in before the whole wait is over.
        try endDiary()
        try device.restart()
        #expect(try signInAhead() == 6, "nor after a start of tresord")
    }
}

/// Clocks that are ten hours ahead.
private enum ClockNamespace {
    static let ahead = ["--time", "--boottime", "36000", "--fork"]

    static let canBeMade: Bool = {
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        probe.arguments = ahead + ["/bin/true"]
        probe.standardError = FileHandle.nullDevice
        do { try probe.run() } catch { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()
}
