import Foundation
import Glibc
import Linux
import Secrets
import Testing
import Wire

/// The real programs as an ordinary user runs them: with the locked memory that one is granted, and no right to look
/// into other processes, which root has and by which much goes well that goes wrong for everybody else.
final class PlainUser {
    /// Whom root becomes: nobody.
    private static let id: UInt32 = 65_534
    /// What Debian grants, in KiB.
    private static let lockedMemory = 8192

    /// Why this cannot be done here; nil where it can.
    static let obstacle: String? = {
        guard getuid() == 0 else { return nil }
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv") else { return "setpriv is missing" }
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        probe.arguments = start + [LiveDevice.programs + "/tresor", "--version"]
        probe.standardOutput = FileHandle.nullDevice
        probe.standardError = FileHandle.nullDevice
        do { try probe.run() } catch { return "\(error)" }
        probe.waitUntilExit()
        return probe.terminationStatus == 0 ? nil : "another user cannot run \(LiveDevice.programs)"
    }()

    private static let start = ["--reuid=\(id)", "--regid=\(id)", "--clear-groups"]

    let folder: String
    let home: Home
    private var daemon: Process?
    private var others: [Process] = []

    init() throws {
        let folder = "/tmp/tresor-user-" + Identifier.makeRandom().description.prefix(12)
        self.folder = folder
        home = try Home(environment: { $0 == "TRESOR_HOME" ? folder : nil }, user: CurrentProcess.user)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        if getuid() == 0 { #expect(chown(folder, Self.id, Self.id) == 0) }
        try startDaemon()
    }

    deinit {
        for process in others where process.isRunning { end(process) }
        if let daemon {
            Glibc.kill(daemon.processIdentifier, SIGKILL)
            waitForEnd(of: daemon)
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    var daemonID: Int32 { daemon?.processIdentifier ?? 0 }
    var daemonRuns: Bool { daemon?.isRunning == true }

    func startDaemon() throws {
        if let daemon { waitForEnd(of: daemon) }
        let process = make(LiveDevice.programs + "/tresord", [])
        let log = try FileDescriptor.open(home.log, FileFlags.append)
        if getuid() == 0 { #expect(chown(home.log, Self.id, Self.id) == 0) }
        process.standardError = FileHandle(fileDescriptor: log.release(), closeOnDealloc: true)
        try process.run()
        daemon = process
        for _ in 0..<400 where try run("status").code != 0 { usleep(25_000) }
        #expect(try run("status").code == 0, "tresord runs")
    }

    /// A program that runs as this user, with this device.
    func make(_ path: String, _ arguments: [String]) -> Process {
        let process = Process()
        let isRoot = getuid() == 0
        process.executableURL = URL(fileURLWithPath: isRoot ? "/usr/bin/setpriv" : "/bin/sh")
        process.arguments =
            (isRoot ? Self.start + ["/bin/sh"] : [])
            + ["-c", "ulimit -l \(Self.lockedMemory); exec \"$0\" \"$@\"", path] + arguments
        process.environment = [
            "TRESOR_HOME": folder, "HOME": folder, "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no",
        ]
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Starts a program that goes on until ``end(_:)``, in a process group that goes with it.
    func begin(_ path: String, _ arguments: [String]) throws -> Process {
        let process = make("/usr/bin/setsid", ["--wait", path] + arguments)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        others.append(process)
        return process
    }

    /// Ends it and what it started.
    func end(_ process: Process) {
        for child in Self.children(of: process.processIdentifier) { Glibc.kill(-child, SIGKILL) }
        Glibc.kill(process.processIdentifier, SIGKILL)
        waitForEnd(of: process)
    }

    private static func children(of process: Int32) -> [Int32] {
        let path = "/proc/\(process)/task/\(process)/children"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: " ").compactMap { Int32($0) }
    }

    @discardableResult
    func run(_ arguments: String..., input: String = "") throws -> LiveDevice.Outcome {
        try run(LiveDevice.programs + "/tresor", arguments, input: input)
    }

    func run(_ path: String, _ arguments: [String], input: String = "") throws -> LiveDevice.Outcome {
        let process = make(path, arguments)
        // Files: a pipe's other end may be inherited by what another test starts at this moment.
        let files = try ["", input, ""].map { content -> FileHandle in
            let path = NSTemporaryDirectory() + "tresor-user-" + Identifier.makeRandom().description
            _ = FileManager.default.createFile(atPath: path, contents: Data(content.utf8))
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try FileManager.default.removeItem(atPath: path)
            return handle
        }
        process.standardOutput = files[0]
        process.standardInput = files[1]
        process.standardError = files[2]
        try process.run()
        waitForEnd(of: process)
        for file in [files[0], files[2]] { try file.seek(toOffset: 0) }
        return LiveDevice.Outcome(
            code: process.terminationStatus, output: try files[0].readToEnd() ?? Data(),
            errors: String(decoding: try files[2].readToEnd() ?? Data(), as: UTF8.self))
    }

    /// A command that hangs fails its test, and not the whole run.
    ///
    /// Waiting is Foundation's: it takes back what it put into this thread's run loop for the process.
    private func waitForEnd(of process: Process) {
        let (id, watch) = (process.processIdentifier, DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            if watch.wait(timeout: .now() + .seconds(30)) == .timedOut { Glibc.kill(id, SIGKILL) }
        }
        process.waitUntilExit()
        watch.signal()
    }

    /// A line of the daemon's /proc/PID/status, in KiB.
    func memory(_ name: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(daemonID)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    }

    var descriptors: Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemonID)/fd")) ?? []).count
    }
}
