import Foundation
import Glibc
import Linux
import Testing
import Wire

/// A device that starts with the first program that asks: a small program plays systemd.
@Suite(.serialized, .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "wants python3"))
struct ActivationStories {
    /// Listens as tresord.socket does, starts a program when somebody connects, and says what became of it.
    private final class Starter {
        private static let script = """
            import os, select, socket, sys
            path, program, log, name = sys.argv[1:5]
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(path); os.chmod(path, 0o600); listener.listen(64)
            told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            told.bind(path + ".told"); told.setblocking(False)
            failures = 0
            print("listening", flush=True)
            while name != "nothing":
                select.select([listener], [], [])
                process = os.fork()
                if process == 0:
                    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
                    os.dup2(out, 1); os.dup2(out, 2)
                    if listener.fileno() != 3: os.dup2(listener.fileno(), 3)
                    os.set_inheritable(3, True)
                    os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", LISTEN_FDNAMES=name)
                    os.environ.update(NOTIFY_SOCKET=path + ".told")
                    os.execv(program, [program])
                print("started", flush=True)
                code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
                words = []
                try:
                    while True: words.append(told.recv(4096).decode())
                except BlockingIOError: pass
                print("told", *words, flush=True); print("ended", code, flush=True)
                # TriggerLimitBurst=
                failures = failures + 1 if code > 0 else 0
                if failures == 5:
                    listener.close(); print("gave up", flush=True); break
            select.select([], [], [])
            """

        let log: String
        private let said: String
        private let process: UserProcess

        /// - Parameter name: what the socket is called; with "nothing", nothing is ever started.
        init(_ device: LiveDevice, path: String? = nil, name: String = "keychain") throws {
            try FileSystem.makeDirectories(device.folder)
            (log, said) = (device.folder + "/starter.log", device.folder + "/starter.said")
            let output = try FileDescriptor.open(said, FileFlags.append)
            let null = try FileDescriptor.open("/dev/null", FileFlags.read)
            process = try UserProcess(
                [
                    "/usr/bin/python3", "-c", Self.script, path ?? device.home.socket, device.programs + "/tresord",
                    log,
                    name,
                ], environment: ["TRESOR_HOME=" + device.folder, "PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"],
                descriptors: [null.raw, output.raw, output.raw])
            #expect(try wait(for: "listening"))
        }

        deinit { process.end() }

        var lines: [String] {
            ((try? String(contentsOfFile: said, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
        }

        var logged: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

        /// - Returns: whether it has said that so often.
        func wait(for line: String, times: Int = 1) throws -> Bool {
            for _ in 0..<2000 {
                if lines.filter({ $0 == line }).count >= times { return true }
                usleep(10_000)
            }
            return false
        }
    }

    /// Which file lies at a path: one that was removed and made anew is another.
    private func file(_ path: String) throws -> UInt64 {
        var info = stat()
        try #require(lstat(path, &info) == 0, "\(path) is there")
        return UInt64(info.st_ino)
    }

    @Test func `the first command starts the device, and the socket outlives its end and a kill`() throws {
        let device = try LiveDevice(starting: false)
        let starter = try Starter(device)
        let socket = try file(device.home.socket)
        let added = try device.run("keychain", "add", "--service", "s1", input: Data("secret".utf8))
        #expect(added.code == 0, "\(added.errors) \(starter.logged)")
        let first = try device.status().daemonProcess
        #expect(try device.run("keychain", "get", "--service", "s1").text == "secret")
        #expect(try device.status().daemonProcess == first, "it is the same one")
        // In order.
        #expect(try device.run("down").code == 0)
        #expect(try starter.wait(for: "ended 0"))
        #expect(try file(device.home.socket) == socket, "its name is systemd's")
        #expect(try device.run("keychain", "get", "--service", "s1").text == "secret")
        let second = try device.status().daemonProcess
        #expect(second != first)
        // As a power cut would.
        kill(Int32(second), SIGKILL)
        #expect(try starter.wait(for: "ended -9"))
        #expect(try file(device.home.socket) == socket)
        #expect(try device.run("keychain", "get", "--service", "s1").text == "secret")
        #expect(try device.run("down").code == 0)
        #expect(try starter.wait(for: "ended 0", times: 2))
        #expect(starter.lines.filter { $0 == "started" }.count == 3)
        #expect(starter.lines.filter { $0 == "told READY=1" }.count == 3, "systemd heard that it served")
    }

    @Test func `programs for notes start with the device that was not there`() throws {
        let device = try LiveDevice(starting: false)
        let starter = try Starter(device)
        let new = try device.run(["notes", "new"], input: Data("# Heron\n".utf8))
        #expect(new.code == 0, "\(new.errors) \(starter.logged)")
        #expect(try device.run("notes", "list").text.contains("Heron"))
        #expect(try device.run("down").code == 0)
        #expect(try starter.wait(for: "ended 0"))
        #expect(try device.run("notes", "list").text.contains("Heron"))
        #expect(try device.run("down").code == 0)
    }

    @Test func `one that is still ending is waited for`() throws {
        let device = try LiveDevice(starting: false)
        let starter = try Starter(device)
        let lock = try FileDescriptor.open(device.home.lock, FileFlags.readWriteOrCreate)
        let isTaken = try lock.lockExclusively()
        #expect(isTaken)
        let command = try device.begin("status")
        #expect(try starter.wait(for: "started"))
        usleep(400_000)
        _ = consume lock
        command.waitUntilExit()
        #expect(command.terminationStatus == 0, "\(starter.logged)")
        #expect(try device.run("down").code == 0)
    }

    @Test func `whoever waits for a start that fails is told, and has it fail once`() throws {
        let device = try LiveDevice(starting: false)
        let starter = try Starter(device)
        let lock = try FileDescriptor.open(device.home.lock, FileFlags.readWriteOrCreate)
        let isTaken = try lock.lockExclusively()
        #expect(isTaken)
        let client = try UnixSocket.connect(device.home.socket, within: .seconds(20))
        #expect(try starter.wait(for: "ended 7"), "\(starter.logged)")
        try client.setReceiveTimeout(.seconds(10))
        var bytes: [UInt8] = []
        let end = try client.read(into: &bytes, room: 16)
        #expect(end == .closed)
        usleep(500_000)
        #expect(starter.lines.filter { $0 == "started" }.count == 1)
        // What was in its way is gone: the next one that asks is served.
        _ = consume lock
        #expect(try device.run("status").code == 0)
        #expect(try device.run("down").code == 0)
    }

    @Test(arguments: ["keychain", "notes"])
    func `a socket of another path or another name is refused, and nothing is made`(name: String) throws {
        let device = try LiveDevice(starting: false)
        let path = name == "keychain" ? device.folder + "/other.sock" : device.home.socket
        let starter = try Starter(device, path: path, name: name)
        let client = try UnixSocket.connect(path, within: .seconds(20))
        #expect(try starter.wait(for: "ended 69"), "\(starter.lines)")
        let why = name == "keychain" ? "is not the one at \(device.home.socket)" : "one was expected: keychain"
        #expect(starter.logged.contains(why), "\(starter.logged)")
        #expect(starter.lines.contains { $0.hasPrefix("told STATUS=") && $0.contains(why) }, "\(starter.lines)")
        #expect(try FileSystem.status(device.home.database) == nil)
        #expect(try FileSystem.status(device.home.enclave) == nil)
        // It is no socket of its own, so whoever waits there waits until systemd gives up.
        #expect(try starter.wait(for: "gave up"))
        try client.setReceiveTimeout(.seconds(10))
        var bytes: [UInt8] = []
        let end = try client.read(into: &bytes, room: 16)
        #expect(end == .closed)
    }

    @Test func `a start by hand leaves the socket to systemd, at which nobody serves yet`() throws {
        let device = try LiveDevice(starting: false)
        let starter = try Starter(device, name: "nothing")
        let socket = try file(device.home.socket)
        let output = try FileDescriptor.open(starter.log, FileFlags.append)
        let null = try FileDescriptor.open("/dev/null", FileFlags.read)
        let daemon = try UserProcess(
            [device.programs + "/tresord"], environment: ["TRESOR_HOME=" + device.folder, "PATH=/usr/bin:/bin"],
            descriptors: [null.raw, output.raw, output.raw])
        #expect(daemon.waitForEnd(seconds: 10) == 7)
        #expect(starter.logged.contains("tresord.socket"), "\(starter.logged)")
        #expect(try file(device.home.socket) == socket)
        #expect(try FileSystem.status(device.home.enclave) == nil, "nothing was made")
    }
}
