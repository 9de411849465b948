import Conformance
import Foundation
import Glibc
import Linux
import Protection
import Secrets
import Testing
import Tresor
import Wire

/// Programs that want to be taken for others.
@Suite(.serialized) struct ImpostorStories {
    /// What each script begins with: the frames of `identify` and of an echo, and the groups in a reply.
    private static let preamble = """
        import ctypes, os, signal, socket, struct, sys, time
        def connect():
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.settimeout(20); return s
        def send(s, opcode, body=b""):
            payload = bytes([1]) + struct.pack(">I", 1) + bytes([opcode]) + body
            s.sendall(struct.pack(">I", len(payload)) + payload)
        def receive(s):
            def exactly(n):
                data = b""
                while len(data) < n:
                    part = s.recv(n - len(data))
                    if not part: raise EOFError
                    data += part
                return data
            return exactly(struct.unpack(">I", exactly(4))[0])
        def text(data, at):
            n = struct.unpack_from(">I", data, at)[0]
            return data[at + 4:at + 4 + n].decode(), at + 4 + n
        def identify(s):
            send(s, 24); data = receive(s)
            if data[5] != 9: return "refused"
            name, at = text(data, 6)
            count = struct.unpack_from(">I", data, at + 1)[0]; at += 5
            groups = []
            for _ in range(count):
                group, at = text(data, at); groups.append(group)
            return ",".join(groups) + (" here" if data[at] else " later")

        """

    private func run(_ script: String, _ device: LiveDevice, _ arguments: String...) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", Self.preamble + script, device.home.socket] + arguments
        process.environment = ["TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin"]
        let (input, file) = (Pipe(), device.folder + "/script-" + Identifier.makeRandom().description)
        _ = FileManager.default.createFile(atPath: file, contents: nil)
        process.standardInput = input
        process.standardOutput = FileHandle(forWritingAtPath: file)
        process.standardError = FileHandle(forWritingAtPath: file)
        try process.run()
        process.waitUntilExit()
        try input.fileHandleForWriting.close()
        // A child may write the last words.
        for _ in 0..<500 {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            if text.contains("end\n") { return text.split(separator: "\n").map(String.init) }
            usleep(20_000)
        }
        return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// A connection that waits to be accepted while its maker becomes the victim.
    @Test func `a connection that waited while its maker became another program gains nothing`() throws {
        let cast = try Cast(try LiveDevice())
        try cast.make("mail")
        let prefix = try cast.makeDeveloper()
        let manifest = try cast.sign("org.example.mail", by: prefix, executables: ["mail"], groups: ["mail"])
        #expect(try cast.device.run("app", "register", manifest).code == 0)
        let script = """
            daemon = int(sys.argv[2])
            a = connect(); send(a, 16, struct.pack(">I", 1) + b"x"); receive(a)
            os.kill(daemon, signal.SIGSTOP); time.sleep(0.3); b = connect()
            if os.fork():
                send(a, 24)
                os.execv(sys.argv[3], [sys.argv[3], "--wait", "groups"])
            time.sleep(0.7); os.kill(daemon, signal.SIGCONT)
            receive(a); print(identify(b)); print(identify(b)); print("end", flush=True)
            os.kill(os.getppid(), signal.SIGKILL)
            """
        let lines = try run(script, cast.device, "\(cast.device.daemon)", cast.folder + "/mail")
        // It is told what the process is now, and that this does not hold here, however often it asks.
        #expect(lines.count == 3 && lines[0].hasSuffix(" later") && lines[1] == lines[0], "\(lines)")
        #expect(try cast.groups("mail").first == "\(prefix).mail", "the app itself is what it was")
    }

    @Test(.enabled(if: getuid() == 0))
    func `a description of a sandbox that is no file, or cannot be read, neither stops the daemon nor helps out`()
        throws
    {
        let device = try LiveDevice()
        let jail = device.folder + "/jail"
        try FileManager.default.createDirectory(atPath: jail, withIntermediateDirectories: true)
        for (kind, group) in [
            ("pipe", "sandbox.flatpak:?"), ("link", "sandbox.flatpak:?"), ("70000", "sandbox.flatpak:?"),
            ("10", "sandbox.flatpak:org.example.Mail"),
        ] {
            let lines = try run(
                """
                jail, kind = sys.argv[2], sys.argv[3]
                path = jail + "/.flatpak-info"
                if os.path.lexists(path): os.unlink(path)
                if kind == "pipe": os.mkfifo(path)
                elif kind == "link": os.symlink("/proc/self/environ", path)
                else:
                    with open(path, "w") as f: f.write("[Application]\\nname=org.example.Mail\\n" + "x" * int(kind))
                s = connect(); os.chroot(jail)
                print(identify(s)); print("end", flush=True)
                """, device, jail, kind)
            #expect(lines.first == group + " later", "\(kind): \(lines)")
        }
        #expect(try device.run("status").code == 0)
    }

    @Test func `an update leaves a running program what it is`() throws {
        let cast = try Cast(try LiveDevice())
        let path = try cast.make("app")
        let before = try cast.groups("app")
        // It says who it is, its file is replaced, and it connects again.
        let told = try cast.run("app", "groups-twice") {
            usleep(500_000)
            try cast.make("new")
            #expect(rename(cast.folder + "/new", path) == 0)
        }
        let lines = told.split(separator: "\n").map(String.init)
        #expect(lines == [before[0], before[0]], "\(lines)")
        #expect(try cast.groups("app") != before, "what is started from now on is the new one")
    }

    @Test func `two connections that one program makes at once are both its own`() throws {
        let device = try LiveDevice()
        let lines = try run(
            """
            a = connect(); b = connect()
            print(identify(a)); c = connect(); print(identify(b)); print(identify(c)); print("end", flush=True)
            """, device)
        #expect(lines.count == 4 && lines[0] == lines[1], "\(lines)")
        #expect(lines[0].hasSuffix(" later") && lines[2].hasSuffix(" here"))
        #expect(lines[2].split(separator: " ")[0] == lines[0].split(separator: " ")[0])
    }

    // MARK: The owner

    @Test func `after a forgotten passcode an app gets its application groups by registering again`() throws {
        let cast = try Cast(try LiveDevice())
        let device = cast.device
        try cast.make("mail")
        let prefix = try cast.makeDeveloper()
        let manifest = try cast.sign(
            "org.example.mail", by: prefix, executables: ["mail"], applicationGroups: ["group.org.example"])
        #expect(try device.run("app", "register", manifest).code == 0)
        try device.setPasscode()
        #expect(try device.run("passcode", "reset", "--yes").code == 0)
        #expect(try !cast.groups("mail").contains("group.org.example"))
        #expect(try device.run("app", "register", manifest).code == 0)
        #expect(try cast.groups("mail").contains("group.org.example"))
    }

    @Test func `a program is allowed by its path, also through a link, and by no other word`() throws {
        let cast = try Cast(try LiveDevice())
        let device = cast.device
        let path = try cast.make("stranger")
        let link = cast.folder + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(try device.run("app", "allow", link).code == 0)
        #expect(try cast.groups("stranger").contains("user"))
        let python = try device.run("app", "allow", "/usr/bin/python3").text
        #expect(python.hasPrefix("interpreter./usr/bin/python3."), "\(python)")
        for word in ["nonsense", "user", "tresor.notes", "a.b"] {
            #expect(try device.run("app", "allow", word).code == 64)
        }
        #expect(try device.run("app", "allow", "/nowhere").code == 64)
    }

    @Test func `what an app was granted ends with it, and an update says which items it leaves`() throws {
        let cast = try Cast(try LiveDevice())
        let device = cast.device
        try cast.make("mail")
        let prefix = try cast.makeDeveloper()
        let identifier = "\(prefix).org.example.mail"
        let first = try cast.sign("org.example.mail", by: prefix, executables: ["mail"], groups: ["old"])
        let registered = try device.run("app", "register", first)
        #expect(registered.errors.contains("SHA-256") && registered.errors.contains("may read"), "said before")
        #expect(try cast.run("mail", "add", "s") == "0")
        #expect(try device.run("app", "allow", identifier).code == 0)
        let next = try cast.sign("org.example.mail", by: prefix, version: 2, executables: ["mail"], groups: ["new"])
        #expect(try device.run("app", "update", next).text.contains("\(prefix).old  1 item of nobody's"))
        #expect(try device.run("app", "remove", identifier).code == 0)
        #expect(try device.run("app", "register", next).code == 0)
        #expect(try !cast.groups("mail").contains("user"))
    }
}
