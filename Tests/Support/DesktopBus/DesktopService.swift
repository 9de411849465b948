import Foundation

/// A system bus and a session's bus of a test's own, with python-dbusmock's logind and screen saver on them.
package final class DesktopService {
    /// What is missing for tests with it on this machine; empty when nothing is.
    package static let missing: [String] = {
        let programs = [
            "/usr/bin/dbus-daemon": "dbus-daemon", "/usr/bin/python3": "python3",
            "/usr/lib/python3/dist-packages/dbusmock": "python3-dbusmock",
        ]
        return programs.filter { !FileManager.default.fileExists(atPath: $0.key) }.map(\.value).sorted()
    }()

    package let folder: String
    package var address: String { "unix:path=\(folder)/bus" }
    package var sessionAddress: String { "unix:path=\(folder)/session" }
    private var running: [Process] = []
    private var logind: Process?

    /// - Parameters:
    ///   - hasLogind: whether anybody is logind on it.
    ///   - user: whose sessions there are: `auto` and `own` of this one, `other` of the next.
    ///   - hasScreenSaver: whether there is a session's bus with a screen saver.
    ///   - hasNotifications: whether there is a session's bus with somebody who shows notifications.
    package init(
        hasLogind: Bool = true, user: UInt32 = getuid(), hasScreenSaver: Bool = false, hasNotifications: Bool = false
    ) throws {
        var template = Array((NSTemporaryDirectory() + "/desktop.XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { throw Silence(what: "a folder") }
        folder = String(cString: made)
        try startBus("bus")
        if hasLogind { try startLogind(user: user) }
        if hasScreenSaver || hasNotifications { try startBus("session") }
        if hasNotifications {
            running.append(
                try start("/usr/bin/python3", ["-m", "dbusmock", "--session", "-t", "notification_daemon"]))
            try waitUntil("somebody shows notifications") { try self.ask("notices.GetServerInformation()") != nil }
        }
        if hasScreenSaver {
            running.append(try start("/usr/bin/python3", ["-m", "dbusmock", "--session", "-t", "gnome_screensaver"]))
            try waitUntil("the screen saver answers") { try self.ask("saver.GetActive()") != nil }
        }
    }

    deinit {
        stopLogind()
        running.forEach(Self.end)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func startBus(_ name: String) throws {
        let policy = """
            <busconfig><listen>unix:path=\(folder)/\(name)</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/>
            <allow receive_sender="*"/></policy></busconfig>
            """
        try policy.write(toFile: folder + "/\(name).conf", atomically: true, encoding: .utf8)
        running.append(try start("/usr/bin/dbus-daemon", ["--config-file=\(folder)/\(name).conf", "--nofork"]))
        try waitUntil("the bus listens") { FileManager.default.fileExists(atPath: self.folder + "/" + name) }
    }

    /// - Parameter isActive: whether the screen shows the user's own session.
    package func startLogind(user: UInt32 = getuid(), isActive: Bool = true) throws {
        logind = try start("/usr/bin/python3", ["-m", "dbusmock", "--system", "-t", "logind"])
        try waitUntil("logind answers") { try self.ask("manager.ListInhibitors()") != nil }
        let active = isActive ? "True" : "False"
        _ = try ask(
            "[mock.AddSession('auto', 'seat0', \(user), 'anna', \(active)), "
                + "mock.AddSession('own', 'seat0', \(user), 'anna', \(active)), "
                + "mock.AddSession('other', 'seat0', \(user + 1), 'berta', True)]")
    }

    package func stopLogind() {
        if let logind { Self.end(logind) }
        logind = nil
    }

    /// Children inherit the signals that the test's thread blocks, SIGTERM among them.
    package static func end(_ process: Process) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Who inhibits what, why and how, as logind lists it.
    package func inhibitors() throws -> [String] {
        let lines = try ask("'\\n'.join(' '.join(i[:4]) for i in manager.ListInhibitors())") ?? ""
        return lines.split(separator: "\n").map(String.init)
    }

    /// Waits until logind has seen it; it polls too.
    package func expectInhibitors(_ expected: [String]) throws {
        try waitUntil("there are \(expected)") { try self.inhibitors() == expected }
    }

    package func sleep(_ isComing: Bool) throws {
        try tell("mock.EmitSignal('org.freedesktop.login1.Manager', 'PrepareForSleep', 'b', [\(python(isComing))])")
    }

    package func lock(_ session: String) throws { try self.session(session, "Lock") }

    /// Locks or unlocks a session, as its desktop does.
    package func session(_ name: String, _ member: String) throws {
        try tell(object(name, "org.freedesktop.login1.Session") + ".\(member)()")
    }

    /// A locker says that it stands before the session, or does no more.
    package func setHint(_ session: String, _ isLocked: Bool) throws {
        try change(session, "'LockedHint': \(python(isLocked))")
    }

    /// The seat changes to this session, or away from it.
    package func setActive(_ session: String, _ isActive: Bool) throws {
        try change(session, "'Active': \(python(isActive))")
    }

    /// - Parameter since: microseconds of CLOCK_MONOTONIC.
    package func setIdle(_ session: String, _ isIdle: Bool, since: UInt64) throws {
        try change(session, "'IdleHint': \(python(isIdle)), 'IdleSinceHintMonotonic': dbus.UInt64(\(since))")
    }

    package func addSession(_ name: String, user: UInt32) throws {
        let path = "/org/freedesktop/login1/session/\(name)"
        try tell(
            "[mock.AddSession('\(name)', 'seat0', \(user), 'anna', True), "
                + "mock.EmitSignal('org.freedesktop.login1.Manager', 'SessionNew', 'so', ['\(name)', '\(path)'])]")
    }

    /// The titles and texts of the notifications that were shown, a line each.
    package func notifications() throws -> [String] {
        let calls = "noticesMock.GetMethodCalls('Notify')"
        let lines = try ask("'\\n'.join(str(c[1][3]) + ' | ' + str(c[1][4]) for c in \(calls))") ?? ""
        return lines.split(separator: "\n").map(String.init)
    }

    package func screenSaver(_ isActive: Bool) throws { try tell("saver.SetActive(\(python(isActive)))") }

    /// Somebody else on the bus says the same as logind.
    package func forgeLock(_ session: String = "auto") throws {
        try tell(
            "[bus.send_message(m) for m in [dbus.lowlevel.SignalMessage('/org/freedesktop/login1/session/\(session)', "
                + "'org.freedesktop.login1.Session', 'Lock')]]")
    }

    private func python(_ flag: Bool) -> String { flag ? "True" : "False" }

    private func object(_ session: String, _ interface: String) -> String {
        "dbus.Interface(bus.get_object('org.freedesktop.login1', '/org/freedesktop/login1/session/\(session)'), "
            + "'\(interface)')"
    }

    private func change(_ session: String, _ properties: String) throws {
        try tell(
            object(session, "org.freedesktop.DBus.Mock")
                + ".UpdateProperties('org.freedesktop.login1.Session', {\(properties)})")
    }

    private func tell(_ expression: String) throws {
        guard try ask(expression) != nil else { throw Silence(what: expression) }
    }

    /// What an expression of Python's has as its value; nil when it fails.
    package func ask(_ expression: String) throws -> String? {
        let program = """
            import dbus, dbus.lowlevel, functools
            bus = dbus.bus.BusConnection('\(address)')
            class Late:
                def __init__(self, name, path, interface, address):
                    self.where = (name, path, interface, address)
                def __getattr__(self, member):
                    name, path, interface, address = self.where
                    connection = dbus.bus.BusConnection(address)
                    return getattr(dbus.Interface(connection.get_object(name, path), interface), member)
            login1 = ('org.freedesktop.login1', '/org/freedesktop/login1')
            manager = Late(*login1, 'org.freedesktop.login1.Manager', '\(address)')
            mock = Late(*login1, 'org.freedesktop.DBus.Mock', '\(address)')
            shown = ('org.freedesktop.Notifications', '/org/freedesktop/Notifications')
            notices = Late(*shown, 'org.freedesktop.Notifications', '\(sessionAddress)')
            noticesMock = Late(*shown, 'org.freedesktop.DBus.Mock', '\(sessionAddress)')
            gnome = ('org.gnome.ScreenSaver', '/org/gnome/ScreenSaver')
            saver = Late(*gnome, 'org.gnome.ScreenSaver', '\(sessionAddress)')
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
        process.environment = [
            "PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": address, "DBUS_SESSION_BUS_ADDRESS": sessionAddress,
            "LC_ALL": "C.UTF-8",
        ]
        process.standardInput = FileHandle.nullDevice
        if let output { process.standardOutput = output } else { process.standardOutput = FileHandle.nullDevice }
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    package func waitUntil(_ what: String, seconds: Int = 10, _ condition: () throws -> Bool) throws {
        for _ in 0..<50 * seconds {
            if try condition() { return }
            usleep(20_000)
        }
        throw Silence(what: what)
    }

    /// Something did not come.
    package struct Silence: Error { package let what: String }
}
