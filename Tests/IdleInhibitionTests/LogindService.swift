import Foundation
import IdleInhibition
import Testing

/// A system bus of a test's own, with python-dbusmock's logind on it.
final class LogindService {
    /// What is missing for these tests on this machine; empty when nothing is.
    static let missing: [String] = {
        let programs = [
            "/usr/bin/dbus-daemon": "dbus-daemon", "/usr/bin/python3": "python3",
            "/usr/lib/python3/dist-packages/dbusmock": "python3-dbusmock",
        ]
        return programs.filter { !FileManager.default.fileExists(atPath: $0.key) }.map(\.value).sorted()
    }()

    let folder: String
    var address: String { "unix:path=\(folder)/bus" }
    var place: LogindPlace { LogindPlace(address: address, trustedUser: getuid()) }
    private var running: [Process] = []

    /// - Parameter hasLogind: whether anybody is logind on it.
    init(hasLogind: Bool = true) throws {
        var template = Array((NSTemporaryDirectory() + "/logind.XXXXXX").utf8CString)
        folder = String(cString: try #require(mkdtemp(&template)))
        let policy = """
            <busconfig><listen>unix:path=\(folder)/bus</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/>
            <allow receive_sender="*"/></policy></busconfig>
            """
        try policy.write(toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
        running.append(try start("/usr/bin/dbus-daemon", ["--config-file=\(folder)/bus.conf", "--nofork"]))
        try waitUntil("the bus listens") { FileManager.default.fileExists(atPath: self.folder + "/bus") }
        guard hasLogind else { return }
        running.append(try start("/usr/bin/python3", ["-m", "dbusmock", "--system", "-t", "logind"]))
        try waitUntil("logind answers") { try self.ask("manager.ListInhibitors()") != nil }
        _ = try ask("mock.AddSession('auto', 'seat0', 1000, 'anna', True)")
        _ = try ask("mock.AddSession('other', 'seat0', 1001, 'berta', True)")
    }

    deinit {
        stopLogind()
        running.forEach(Self.end)
        try? FileManager.default.removeItem(atPath: folder)
    }

    func stopLogind() { if running.count > 1 { Self.end(running.removeLast()) } }

    /// Children inherit the signals that the test's thread blocks, SIGTERM among them.
    static func end(_ process: Process) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Who inhibits what, why and how, as logind lists it.
    func inhibitors() throws -> [String] {
        let lines = try ask("'\\n'.join(' '.join(i[:4]) for i in manager.ListInhibitors())") ?? ""
        return lines.split(separator: "\n").map(String.init)
    }

    /// Waits until logind has seen it; it polls too.
    func expectInhibitors(_ expected: [String]) throws {
        try waitUntil("there are \(expected)") { try self.inhibitors() == expected }
    }

    func sleep(_ isComing: Bool) throws {
        _ = try ask(
            "mock.EmitSignal('org.freedesktop.login1.Manager', 'PrepareForSleep', 'b', [\(isComing ? "True" : "False")])"
        )
    }

    /// Locks or unlocks a session, as its desktop does.
    func session(_ name: String, _ member: String) throws {
        _ = try ask(
            "dbus.Interface(bus.get_object('org.freedesktop.login1', '/org/freedesktop/login1/session/\(name)'), "
                + "'org.freedesktop.login1.Session').\(member)()")
    }

    /// Somebody else on the bus says the same.
    func forgeLock() throws {
        _ = try ask(
            "[bus.send_message(m) for m in [dbus.lowlevel.SignalMessage('/org/freedesktop/login1/session/auto', "
                + "'org.freedesktop.login1.Session', 'Lock')]]")
    }

    /// What an expression of Python's has as its value; nil when it fails.
    func ask(_ expression: String) throws -> String? {
        let program = """
            import dbus, dbus.lowlevel
            bus = dbus.bus.BusConnection('\(address)')
            object = bus.get_object('org.freedesktop.login1', '/org/freedesktop/login1')
            manager = dbus.Interface(object, 'org.freedesktop.login1.Manager')
            mock = dbus.Interface(object, 'org.freedesktop.DBus.Mock')
            print(\(expression))
            bus.flush()
            """
        let output = Pipe()
        let process = try start("/usr/bin/python3", ["-c", program], output: output)
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: bytes, as: UTF8.self) : nil
    }

    private func start(_ path: String, _ arguments: [String], output: Pipe? = nil) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": address, "LC_ALL": "C.UTF-8"]
        process.standardInput = FileHandle.nullDevice
        if let output { process.standardOutput = output } else { process.standardOutput = FileHandle.nullDevice }
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    func waitUntil(_ what: String, _ condition: () throws -> Bool) throws {
        for _ in 0..<500 {
            if try condition() { return }
            usleep(20_000)
        }
        throw Silence(what: what)
    }

    struct Silence: Error { let what: String }
}
