import Conformance
import Envelopes
import Foundation
import Glibc
import Linux
import Protection
import Secrets
import Testing
import Tresor
import Wire

/// Who asks: what is ours is reached by ours alone.
@Suite(.serialized) struct CallerStories {
    /// A device with a note, whose account keys lie in the group of the notes.
    private func liveDevice() throws -> LiveDevice {
        let device = try LiveDevice()
        _ = try device.newNote("a note\n")
        return device
    }

    private func statusOfFind(_ attributes: Attributes, _ device: LiveDevice) throws -> KeychainStatus? {
        var query = KeychainQuery()
        query.kind = ItemKind.password.code
        query.attributes = attributes
        query.returns = .data
        do {
            try device.connect().exchange(.find(query)) { payload in
                var reader = ByteReader(payload)
                guard try KeychainReply.header(&reader).tag == .error else { return }
                throw try KeychainError(from: &reader)
            }
            return nil
        } catch let error as KeychainError { return error.status }
    }

    @Test func `the account keys of the notes are out of reach for other programs`() throws {
        let device = try liveDevice()
        #expect(try !device.run("keychain", "list", "--json").text.contains("tresor.notes"), "nor for the command")
        #expect(try device.run("keychain", "get", "--service", "tresor.account").code == 3)
        var attributes = Attributes()
        attributes[.service] = .string("tresor.account")
        #expect(try statusOfFind(attributes, device) == .itemNotFound)
        attributes[.accessGroup] = .string(AccessGroup.notes)
        #expect(try statusOfFind(attributes, device) == .missingEntitlement)
        var mine = Attributes()
        mine[.service] = .string("mine")
        mine[.accessGroup] = .string(AccessGroup.notes)
        #expect(throws: KeychainError.self) {
            try device.perform(
                .add(
                    ItemAddition(
                        kind: ItemKind.password.code, attributes: mine, secret: SecretBytes(text: "x"))))
        }
        // And the notes still open, also after a restart of all.
        try device.restart()
        #expect(try device.notes("search", "note").code == 0)
    }

    @Test func `a copy of our program elsewhere is not ours`() throws {
        let device = try liveDevice()
        try device.run("keychain", "add", "--service", "mine", input: Data("secret".utf8))
        let copy = device.folder + "/copy"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: device.programs + "/tresor", toPath: copy + "/tresor")
        #expect(try device.run("keychain", "get", "--service", "mine").code == 0)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: copy + "/tresor")
        process.arguments = ["keychain", "get", "--service", "mine"]
        process.environment = ["TRESOR_HOME": device.folder]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 3)
    }

    @Test func `what the daemon takes a program for, it says`() throws {
        let device = try LiveDevice()
        let report = try #require(Introduction.introduce(device.home))
        // By its path where root alone can change its file, and else by its content.
        let path = try FileSystem.target(ofLink: "/proc/self/exe")
        let isInstalled = try FileSystem.isRootsAlone(path)
        let content = Hexadecimal.encode(Digest.sha256(try FileSystem.read(path, limit: 1 << 30)))
        #expect(report.grade == .executable && report.name == (isInstalled ? "path." + path : "sha256." + content))
        #expect(report.accessGroups == [report.name, AccessGroup.owner], "its own first, then what it was granted")
    }

    /// Root can look at every process; another user's daemon cannot look at one that hides.
    @Test(.enabled(if: getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")))
    func `an ordinary user's notes have their group as well, over a lock`() throws {
        let folder = NSTemporaryDirectory() + "tresor-story-user-" + Identifier.makeRandom().description.prefix(12)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["", "/programs", "/home", "/elsewhere"] {
            try FileManager.default.createDirectory(atPath: folder + name, withIntermediateDirectories: true)
        }
        for name in ["tresor", "tresord", "tresor-notes", "tresor-thumb", "tresor-enclave"] {
            let copy = folder + "/programs/" + name
            try FileManager.default.copyItem(atPath: LiveDevice.programs + "/" + name, toPath: copy)
            #expect(chmod(copy, 0o755) == 0)
        }
        try FileManager.default.copyItem(
            atPath: LiveDevice.programs + "/tresor", toPath: folder + "/elsewhere/tresor")
        #expect(chown(folder + "/home", 65_534, 65_534) == 0)
        func run(_ program: String, _ arguments: String..., input: String = "") throws -> String {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
            process.arguments =
                ["--reuid=65534", "--regid=65534", "--clear-groups", folder + "/" + program] + arguments
            process.environment = ["TRESOR_HOME": folder + "/home", "PATH": "/usr/bin:/bin"]
            let (given, file) = (Pipe(), folder + "/output-" + Identifier.makeRandom().description)
            process.standardInput = given
            _ = FileManager.default.createFile(atPath: file, contents: nil)
            process.standardOutput = FileHandle(forWritingAtPath: file)
            process.standardError = FileHandle.nullDevice
            try process.run()
            try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try given.fileHandleForWriting.close()
            process.waitUntilExit()
            return try String(contentsOfFile: file, encoding: .utf8)
        }
        _ = try run("programs/tresor", "up", "--detach")
        defer { _ = try? run("programs/tresor", "down") }
        _ = try run("programs/tresor", "notes", "new", input: "hello\n")
        _ = try run("programs/tresor", "passcode", "set", input: "12345678\n12345678\n")
        _ = try run("programs/tresor", "lock")
        _ = try run("programs/tresor", "unlock", input: "12345678\n")
        #expect(try run("programs/tresor", "notes", "list").contains("hello"))
        #expect(try run("programs/tresor", "keychain", "add", "--service", "mine", input: "secret") == "")
        #expect(try run("programs/tresor", "keychain", "list", "--json").contains("mine"))
        #expect(try !run("elsewhere/tresor", "keychain", "list", "--json").contains("mine"))
    }

    /// A connection that is shared with a child, whose maker then becomes our own program.
    @Test func `a connection gains nothing by what its maker executes later`() throws {
        let device = try liveDevice()
        var query = KeychainQuery()
        query.kind = ItemKind.password.code
        query.attributes[.service] = .string("tresor.account")
        query.returns = .data
        var frame = try SecretBuffer(capacity: 256)
        try KeychainRequest.find(query).encode(id: 1, into: &frame)
        var identify = try SecretBuffer(capacity: 64)
        try KeychainRequest.identify.encode(id: 2, into: &identify)
        let requests = [frame.withBytes { $0.copyToArray() }, identify.withBytes { $0.copyToArray() }]
        let script = """
            import os, socket, sys, time
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.settimeout(5)
            def ask(frame):
                s.sendall(bytes.fromhex(frame)); return s.recv(4096).hex()
            reading, writing = os.pipe()
            if os.fork():
                s.set_inheritable(True); os.dup2(reading, 0)
                os.execve(sys.argv[4], ["tresor", "keychain", "add", "--service", "x"], dict(os.environ))
            time.sleep(1)
            print(ask(sys.argv[2])); ask(sys.argv[3]); print(ask(sys.argv[2]), flush=True)
            os.write(writing, b"secret")
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments =
            ["-c", script, device.home.socket] + requests.map(Hexadecimal.encode) + [device.programs + "/tresor"]
        process.environment = ["TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        process.waitUntilExit()
        let replies = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .split(separator: "\n").compactMap { Hexadecimal.decode(String($0)) }
        #expect(replies.count == 2)
        for reply in replies { #expect(reply.count > 9 && reply[9] == KeychainReply.Tag.error.rawValue) }
    }

    /// The socket goes to a child of the process that connected, and that process ends.
    @Test func `a connection whose program has ended reaches nothing`() throws {
        let device = try LiveDevice()
        try device.run("keychain", "add", "--service", "mail", input: Data("secret\n".utf8))
        #expect(try device.run("app", "allow", "/usr/bin/python3".resolvingLinks).errors.contains("runs scripts"))
        var query = KeychainQuery()
        query.kind = ItemKind.password.code
        query.returns = .data
        var frame = try SecretBuffer(capacity: 256)
        try KeychainRequest.find(query).encode(id: 1, into: &frame)
        var identify = try SecretBuffer(capacity: 64)
        try KeychainRequest.identify.encode(id: 2, into: &identify)
        let requests = [
            frame.withBytes { $0.copyToArray() }, identify.withBytes { $0.copyToArray() },
        ]
        let script = """
            import os, socket, sys, time
            def connect():
                s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.settimeout(5); return s
            s = connect(); s.sendall(bytes.fromhex(sys.argv[3])); s.recv(4096)
            s = connect(); frame = bytes.fromhex(sys.argv[2])
            def ask():
                s.sendall(frame); print(s.recv(4096).hex(), flush=True)
            ask()
            parent = os.getpid()
            if os.fork(): os._exit(0)
            while os.getppid() == parent: time.sleep(0.01)
            time.sleep(0.1); ask()
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, device.home.socket] + requests.map(Hexadecimal.encode)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        process.waitUntilExit()
        let replies = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .split(separator: "\n").compactMap { Hexadecimal.decode(String($0)) }
        try #require(replies.count == 2)
        // Length, version, id, then the tag.
        #expect(replies[0][9] == KeychainReply.Tag.page.rawValue)
        #expect(replies[1][9] == KeychainReply.Tag.error.rawValue)
        let error = try replies[1].withSpan { (span) throws in
            var reader = ByteReader(span.extracting(10..<span.byteCount))
            return try KeychainError(from: &reader)
        }
        #expect(error.status == .missingEntitlement)
    }
}

extension String {
    fileprivate var resolvingLinks: String { URL(fileURLWithPath: self).resolvingSymlinksInPath().path }
}
