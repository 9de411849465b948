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
        let command = ["/usr/bin/setpriv"] + start + [LiveDevice.programs + "/tresor", "--version"]
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        do {
            let probe = try UserProcess(command, environment: [], descriptors: [null, null, null])
            return probe.waitForEnd() == 0 ? nil : "another user cannot run \(LiveDevice.programs)"
        } catch {
            return "\(error)"
        }
    }()

    private static let start = ["--reuid=\(id)", "--regid=\(id)", "--clear-groups"]

    let folder: String
    let home: Home
    private var daemon: UserProcess?
    private var others: [UserProcess] = []

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
        for process in others { process.end() }
        daemon?.end()
        try? FileManager.default.removeItem(atPath: folder)
    }

    var daemonID: Int32 { daemon?.id ?? 0 }
    var daemonRuns: Bool { daemon?.isRunning == true }

    func startDaemon() throws {
        daemon?.waitForEnd()
        let log = try FileDescriptor.open(home.log, FileFlags.append)
        if getuid() == 0 { #expect(chown(home.log, Self.id, Self.id) == 0) }
        let null = try FileDescriptor.open("/dev/null", O_RDWR)
        daemon = try make(LiveDevice.programs + "/tresord", [], [null.raw, log.raw, log.raw])
        for _ in 0..<400 where try run("status").code != 0 { usleep(25_000) }
        #expect(try run("status").code == 0, "tresord runs")
    }

    /// A program that runs as this user, with this device.
    private func make(_ path: String, _ arguments: [String], _ descriptors: [Int32]) throws -> UserProcess {
        let user = getuid() == 0 ? ["/usr/bin/setpriv"] + Self.start : []
        let shell = ["/bin/sh", "-c", "ulimit -l \(Self.lockedMemory); exec \"$0\" \"$@\"", path]
        let environment = [
            "TRESOR_HOME=\(folder)", "HOME=\(folder)", "PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no",
        ]
        return try UserProcess(user + shell + arguments, environment: environment, descriptors: descriptors)
    }

    /// Starts a program that goes on until its end is asked for, or this one's.
    func begin(_ path: String, _ arguments: [String]) throws -> UserProcess {
        let null = try FileDescriptor.open("/dev/null", O_RDWR)
        let process = try make(path, arguments, [null.raw, null.raw, null.raw])
        others.append(process)
        return process
    }

    @discardableResult
    func run(_ arguments: String..., input: String = "") throws -> LiveDevice.Outcome {
        try run(LiveDevice.programs + "/tresor", arguments, input: input)
    }

    func run(_ path: String, _ arguments: [String], input: String = "") throws -> LiveDevice.Outcome {
        // Files: nothing waits for their end, and they hold whatever a program has to say.
        let files = try [input, "", ""].map { content -> FileHandle in
            let path = NSTemporaryDirectory() + "tresor-user-" + Identifier.makeRandom().description
            _ = FileManager.default.createFile(atPath: path, contents: Data(content.utf8))
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try FileManager.default.removeItem(atPath: path)
            return handle
        }
        let process = try make(path, arguments, files.map(\.fileDescriptor))
        let code = process.waitForEnd()
        for file in files.dropFirst() { try file.seek(toOffset: 0) }
        return LiveDevice.Outcome(
            code: code, output: try files[1].readToEnd() ?? Data(),
            errors: String(decoding: try files[2].readToEnd() ?? Data(), as: UTF8.self))
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
