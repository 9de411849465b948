import Foundation
import Testing

/// The real fprintd with libfprint's virtual reader, on a bus of its own with a polkit that a test can tell what to
/// say.
///
/// All of it lives in a folder of its own, and ends with this object.
final class FingerprintService {
    static let fprintd = "/usr/libexec/fprintd"

    /// What is missing for these tests on this machine; empty when nothing is.
    static let missing: [String] = {
        let programs = [
            fprintd: "fprintd", "/usr/bin/dbus-daemon": "dbus-daemon", "/usr/bin/dbus-send": "dbus-bin",
            "/usr/bin/python3": "python3", "/usr/lib/python3/dist-packages/dbusmock": "python3-dbusmock",
        ]
        return programs.filter { !FileManager.default.fileExists(atPath: $0.key) }.map(\.value).sorted()
    }()

    let folder: String
    var address: String { "unix:path=\(folder)/bus" }
    var state: String { folder + "/state" }
    private var scanner: String { folder + "/reader" }
    private var running: [Process] = []
    private var service: Process?

    /// - Parameters:
    ///   - hasReader: whether there's a virtual reader.
    ///   - byActivation: whether the bus starts fprintd when it's asked for.
    init(hasReader: Bool = true, byActivation: Bool = false) throws {
        var template = Array((NSTemporaryDirectory() + "/fprint.XXXXXX").utf8CString)
        folder = String(cString: try #require(mkdtemp(&template)))
        // The one test that looks at the state as another user must be able to reach the bus.
        chmod(folder, 0o755)
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder + "/services", withIntermediateDirectories: true)
        chmod(state, 0o700)
        try startBus(hasReader: hasReader, byActivation: byActivation)
        running.append(try start("/usr/bin/python3", ["-m", "dbusmock", "--system", "-t", "polkitd"]))
        try waitUntil("polkit answers") { try self.allow(true) }
        if !byActivation { try startService(hasReader: hasReader) }
    }

    deinit {
        stopService()
        running.reversed().forEach(Self.end)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func startBus(hasReader: Bool, byActivation: Bool) throws {
        let policy = """
            <busconfig><listen>unix:path=\(folder)/bus</listen><auth>EXTERNAL</auth>
            <servicedir>\(folder)/services</servicedir>
            <policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/>
            <allow receive_sender="*"/></policy></busconfig>
            """
        try policy.write(toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
        if byActivation {
            let unit = "[D-BUS Service]\nName=net.reactivated.Fprint\nExec=\(Self.fprintd)\n"
            try unit.write(
                toFile: folder + "/services/net.reactivated.Fprint.service", atomically: true, encoding: .utf8)
        }
        running.append(
            try start("/usr/bin/dbus-daemon", ["--config-file=\(folder)/bus.conf", "--nofork"], hasReader: hasReader))
        try waitUntil("the bus listens") { FileManager.default.fileExists(atPath: self.folder + "/bus") }
    }

    func startService(hasReader: Bool = true) throws {
        service = try start(Self.fprintd, ["-t"], hasReader: hasReader)
        try waitUntil("fprintd is on the bus") {
            try self.send(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.GetNameOwner",
                ["string:net.reactivated.Fprint"])
        }
    }

    func stopService() {
        service.map(Self.end)
        service = nil
    }

    /// Children inherit the signals that the test's thread blocks, SIGTERM among them.
    static func end(_ process: Process) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Whether polkit allows everything, or nothing.
    @discardableResult
    func allow(_ everything: Bool) throws -> Bool {
        try send(
            "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority",
            "org.freedesktop.DBus.Mock.AllowUnknown", ["boolean:\(everything)"])
    }

    /// A method call; whether it succeeded.
    private func send(_ name: String, _ path: String, _ member: String, _ arguments: [String]) throws -> Bool {
        let process = try start(
            "/usr/bin/dbus-send", ["--system", "--print-reply", "--dest=" + name, path, member] + arguments)
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Somebody else on the bus claims to have seen a match, to everybody, one by one.
    func forgeMatch(names: ClosedRange<Int> = 0...40) throws {
        for name in names {
            let process = try start(
                "/usr/bin/dbus-send",
                [
                    "--system", "--type=signal", "--dest=:1.\(name)", "/net/reactivated/Fprint/Device/0",
                    "net.reactivated.Fprint.Device.VerifyStatus", "string:verify-match", "boolean:true",
                ])
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
    }

    /// A command of libfprint's virtual device: `SCAN anna`, `RETRY 1`, `ERROR 0`, `UNPLUG`.
    ///
    /// - Parameter patience: how often to try until the reader listens, each a fiftieth of a second.
    func reader(_ command: String, patience: Int = 1000) throws {
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(scanner.utf8)) }
        try waitUntil("the reader listens", patience) {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                }
            }
        }
        let bytes = Array(command.utf8)
        #expect(write(socket, bytes, bytes.count) == bytes.count)
    }

    /// Enrols by fprintd's own command.
    func enroll(_ user: String, _ finger: String = "right-index-finger", scan: String) throws {
        let log = folder + "/enroll.log"
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        // Line by line, so that each stage is seen when it passes.
        let process = try start(
            "/usr/bin/stdbuf", ["-oL", "/usr/bin/fprintd-enroll", "-f", finger, user], output: log)
        var passed = 0
        while passed < 5 {
            try reader("SCAN " + scan)
            passed += 1
            try waitUntil("stage \(passed) passes") {
                let text = try String(contentsOfFile: log, encoding: .utf8)
                return text.components(separatedBy: "Enroll result: enroll-").count > passed || !process.isRunning
            }
        }
        process.waitUntilExit()
        #expect(try String(contentsOfFile: log, encoding: .utf8).contains("enroll-completed"))
    }

    func deleteFingers(_ user: String) throws {
        let process = try start("/usr/bin/fprintd-delete", [user])
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    /// Somebody else uses the reader, until the process is ended.
    func occupy(_ user: String) throws -> Process {
        let log = folder + "/verify.log"
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        let process = try start("/usr/bin/stdbuf", ["-oL", "/usr/bin/fprintd-verify", user], output: log)
        try waitUntil("the reader is in use") {
            try String(contentsOfFile: log, encoding: .utf8).contains("Verify started")
        }
        return process
    }

    private func start(
        _ path: String, _ arguments: [String], hasReader: Bool = true, output: String? = nil
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = [
            "PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": address, "STATE_DIRECTORY": state, "LC_ALL": "C",
            // A reader that this machine really has must not take part.
            "FP_DRIVERS_WHITELIST": "virtual_device",
        ]
        if hasReader { process.environment?["FP_VIRTUAL_DEVICE"] = scanner }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output.flatMap { FileHandle(forWritingAtPath: $0) } ?? FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    func waitUntil(_ what: String, _ patience: Int = 1000, _ condition: () throws -> Bool) throws {
        for _ in 0..<patience {
            if try condition() { return }
            usleep(20_000)
        }
        throw Silence(what: what)
    }

    struct Silence: Error { let what: String }
}
