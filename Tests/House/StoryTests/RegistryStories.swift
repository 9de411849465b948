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

/// Which programs may use which access groups, through real processes.
@Suite(.serialized) struct RegistryStories {
    /// An app of the first developer, with the group `shared` of that developer and `mail` of its own.
    private func stage() throws -> (cast: Cast, prefix: String, identifier: String) {
        let cast = try Cast(try LiveDevice())
        try cast.make("mail")
        let prefix = try cast.makeDeveloper()
        let manifest = try cast.sign(
            "org.example.mail", by: prefix, executables: ["mail"], groups: ["mail", "shared"],
            applicationGroups: ["group.org.example"])
        let registered = try cast.device.run("app", "register", manifest)
        #expect(registered.text == "\(prefix).org.example.mail\n", "\(registered.errors)")
        return (cast: cast, prefix: prefix, identifier: "\(prefix).org.example.mail")
    }

    @Test func `an app has its developer's groups, then itself, then its application groups`() throws {
        let (cast, prefix, identifier) = try stage()
        let content = Hexadecimal.encode(
            Digest.sha256(try FileSystem.read(cast.folder + "/mail", limit: 1 << 30)))
        #expect(
            try cast.groups("mail") == [
                "\(prefix).mail", "\(prefix).shared", identifier, "group.org.example", "sha256." + content,
            ])
        #expect(try cast.device.run("app", "list").text.hasPrefix("\(identifier)  org.example.mail, version 1\n"))
        #expect(try cast.device.run("app", "show", identifier).text.contains("group       \(prefix).shared\n"))
        // It is the same over a restart, and before the first unlock but for the application group.
        try cast.device.setPasscode()
        try cast.device.restart()
        #expect(try cast.groups("mail") == ["\(prefix).mail", "\(prefix).shared", identifier, "sha256." + content])
        try cast.device.unlock()
        #expect(try cast.groups("mail").contains("group.org.example"))
    }

    // MARK: The matrix

    /// Adds, finds, updates and deletes: by a program of the same developer, of another, by one that nobody registered
    /// and by a script; in the program's own group, in one that the first developer's apps share, in the first app's
    /// own, and in none that is named.
    @Test func `the matrix of programs, calls and groups`() throws {
        let (cast, prefix, _) = try stage()
        for name in ["news", "other", "stranger"] { try cast.make(name) }
        let other = try cast.makeDeveloper()
        let manifests = [
            try cast.sign("org.example.news", by: prefix, executables: ["news"], groups: ["news", "shared"]),
            try cast.sign("com.other", by: other, executables: ["other"], groups: ["own"]),
        ]
        for manifest in manifests { #expect(try cast.device.run("app", "register", manifest).code == 0) }
        let foreign = "\(prefix).mail"
        #expect(try cast.run("mail", "add", "of mail", foreign) == "0")

        let calls = ["add", "find", "update", "delete"]
        let ok = "0", refused = "-34018", absent = "-25300"
        let script = try Script(cast)
        for (program, isOfDeveloper) in [("news", true), ("other", false), ("stranger", false), ("script", false)] {
            func run(_ call: String, _ service: String, _ group: String?) throws -> String {
                if program == "script" { return try script.run(call, service, group) }
                return try group.map { try cast.run(program, call, service, $0) } ?? cast.run(program, call, service)
            }
            let own = try program == "script" ? script.group : #require(cast.groups(program).first)
            func row(_ service: String, _ group: String?) throws -> [String] {
                try calls.map { try run($0, service, group) }
            }
            #expect(try row("own", own) == [ok, ok, ok, ok], "\(program), own group")
            let shared = isOfDeveloper ? ok : refused
            #expect(
                try row("shared", "\(prefix).shared") == Array(repeating: shared, count: 4), "\(program), shared")
            #expect(
                try row("of mail", foreign) == [refused, refused, refused, refused], "\(program), foreign group")
            // Without a group: a new item goes to the first of its own; what is in others' is not there.
            #expect(try ["find", "update", "delete"].map { try run($0, "of mail", nil) } == [absent, absent, absent])
            #expect(try run("add", "of mail", nil) == ok)
            #expect(try run("find", "of mail", own) == ok, "\(program): the first group is the default")
            #expect(try ["find", "update", "delete"].map { try run($0, "of mail", nil) } == [ok, ok, ok])
        }
        #expect(try cast.run("mail", "find", "of mail") == "0", "nobody touched it")
        // What one app of the developer puts into the shared group, the other reads; a stranger doesn't.
        #expect(try cast.run("news", "add", "for both", "\(prefix).shared") == "0")
        #expect(try cast.run("mail", "find", "for both") == "0")
        #expect(try cast.run("stranger", "find", "for both") == absent)
    }

    // MARK: Manifests that are refused

    @Test func `manifests that are forged, old, expired or of others are refused, and change nothing`() throws {
        let (cast, prefix, identifier) = try stage()
        let device = cast.device
        let before = try device.run("app", "list", "--json").text
        func refuses(_ command: String, _ file: String, _ code: Int32, _ words: String) throws {
            let outcome = try device.run("app", command, file)
            #expect(outcome.code == code, "\(outcome.errors)")
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
            #expect(try device.run("app", "list", "--json").text == before)
        }
        let newer = try cast.sign("org.example.mail", by: prefix, version: 2, executables: ["mail"])
        var bytes = try Data(contentsOf: URL(fileURLWithPath: newer))
        bytes[bytes.count - 90] ^= 1
        let forged = cast.folder + "/forged.tam"
        try bytes.write(to: URL(fileURLWithPath: forged))
        try refuses("update", forged, 8, "signature")
        try refuses("register", cast.folder + "/mail", 64, "too long")
        let same = try cast.sign("org.example.mail", by: prefix, executables: ["mail"], groups: ["more"])
        try refuses("register", same, 7, "says something else")
        let end = Date().addingTimeInterval(2)
        let expired = try cast.sign(
            "org.example.mail", by: prefix, version: 3, executables: ["mail"], expires: end.formatted(.iso8601))
        usleep(useconds_t(max(0, end.timeIntervalSinceNow) * 1_000_000))
        try refuses("update", expired, 7, "expired")
        // Another developer: the program, the name of the application group.
        let other = try cast.makeDeveloper()
        try refuses(
            "register", try cast.sign("com.other", by: other, executables: ["mail"]), 7, "another developer's app")
        try cast.make("other")
        let name = try cast.sign(
            "com.other", by: other, executables: ["other"], applicationGroups: ["group.org.example"])
        try refuses("register", name, 7, "belongs to another developer")
        try refuses("update", name, 3, "not registered")

        // A newer one takes its place, and the old one is no way back.
        #expect(try device.run("app", "update", newer).text == "\(identifier): version 1, now 2\n")
        #expect(try cast.groups("mail").first == identifier, "it gave its other groups up")
        let old = try cast.sign("org.example.mail", by: prefix, executables: ["mail"])
        #expect(try device.run("app", "update", old).code == 7)
        // The name stays its developer's when the app is gone.
        #expect(try device.run("app", "remove", identifier).code == 0)
        #expect(try device.run("app", "register", name).code == 7)
    }

    @Test func `a manifest ends when it expires, and its items come back with the next`() throws {
        let cast = try Cast(try LiveDevice())
        try cast.make("mail")
        let prefix = try cast.makeDeveloper()
        let end = Date().addingTimeInterval(4)
        let manifest = try cast.sign(
            "org.example.mail", by: prefix, executables: ["mail"], groups: ["mail"], expires: end.formatted(.iso8601))
        #expect(try cast.device.run("app", "register", manifest).code == 0)
        #expect(try cast.run("mail", "add", "s", "\(prefix).mail") == "0")
        usleep(useconds_t(max(0, end.timeIntervalSinceNow + 1) * 1_000_000))
        #expect(try cast.run("mail", "find", "s") == "-25300")
        #expect(try cast.device.run("app", "list").text.contains("expired"))
        let next = try cast.sign("org.example.mail", by: prefix, version: 2, executables: ["mail"], groups: ["mail"])
        #expect(try cast.device.run("app", "update", next).code == 0)
        #expect(try cast.run("mail", "find", "s") == "0")
    }

    // MARK: Programs that are not what they seem

    @Test func `a binary that was changed after registration is another program`() throws {
        let (cast, prefix, _) = try stage()
        #expect(try cast.run("mail", "add", "s") == "0")
        try cast.make("mail", tail: "changed")
        #expect(try cast.groups("mail").map { $0.hasPrefix("sha256.") } == [true])
        #expect(try cast.run("mail", "find", "s") == "-25300")
        #expect(try cast.run("mail", "find", "s", "\(prefix).mail") == "-34018")
    }

    @Test func `a program is known by what it runs: through a link, when its file is gone, in the place of another`()
        throws
    {
        let (cast, prefix, _) = try stage()
        let mail = cast.folder + "/mail"
        try FileManager.default.createSymbolicLink(atPath: cast.folder + "/link", withDestinationPath: mail)
        #expect(try cast.groups("link").first == "\(prefix).mail")
        try cast.make("evil")
        try FileManager.default.createSymbolicLink(
            atPath: cast.folder + "/alias", withDestinationPath: cast.folder + "/evil")
        #expect(try cast.groups("alias").first?.hasPrefix("sha256.") == true)
        // Deleted or replaced while it runs: it is still the program that was started.
        let deleted = try cast.groups("mail") { try FileManager.default.removeItem(atPath: mail) }
        #expect(deleted.first == "\(prefix).mail")
        try cast.make("mail")
        let replaced = try cast.groups("evil") {
            try FileManager.default.removeItem(atPath: cast.folder + "/evil")
            try FileManager.default.copyItem(atPath: mail, toPath: cast.folder + "/evil")
        }
        #expect(replaced.count == 1 && replaced[0].hasPrefix("sha256."))
    }

    /// In a mount namespace of its own, another file lies where root's program lies.
    @Test(.enabled(if: getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare")))
    func `a program mounted over another is not that`() throws {
        let cast = try Cast(try LiveDevice())
        let evil = try cast.make("evil")
        let script = "mount --bind \(evil) /usr/bin/true && exec /usr/bin/true groups"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["-m", "/bin/sh", "-c", script]
        process.environment = ["TRESOR_HOME": cast.device.folder, "PATH": "/usr/bin:/bin"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        // Where mounting is forbidden, nothing is shown.
        guard process.terminationStatus == 0 else { return }
        #expect(text.hasPrefix("sha256.") && !text.contains("/usr/bin/true"), "\(text)")
    }

    // MARK: The owner's word

    @Test func `others are asked about what is the owner's`() throws {
        let cast = try Cast(try LiveDevice())
        let device = cast.device
        try cast.make("stranger")
        try device.run("keychain", "add", "--service", "s", input: Data("secret".utf8))
        #expect(try cast.run("stranger", "find", "s") == "-25300")
        #expect(try cast.run("stranger", "find", "s", "user") == "-34018")
        let requests = try device.run("app", "requests").text
        let name = try #require(cast.groups("stranger").first)
        #expect(requests.contains("  \(name)  user  (executable)\n"), "\(requests)")
        try device.setPasscode()
        #expect(try device.run("app", "allow", name, input: Data("0000\n".utf8)).code == 6, "a wrong passcode")
        #expect(try cast.run("stranger", "find", "s", "user") == "-34018")
        #expect(try device.run("app", "allow", cast.folder + "/stranger", input: Data("1234\n".utf8)).code == 0)
        #expect(try cast.run("stranger", "find", "s") == "0")
        #expect(try !device.run("app", "requests").text.contains(name))
        #expect(try cast.run("stranger", "add", "t") == "0")
        #expect(try device.run("keychain", "get", "--service", "t").code == 3, "its own group is its default still")
        #expect(try device.run("app", "deny", name, input: Data("1234\n".utf8)).code == 0)
        #expect(try cast.run("stranger", "find", "s") == "-25300")
        #expect(try cast.run("stranger", "find", "t") == "0")
    }

    @Test func `nobody but the command tresor says who may read what`() throws {
        let (cast, _, identifier) = try stage()
        let transport = try cast.device.connect()
        func refused(_ request: consuming KeychainRequest) -> KeychainStatus? {
            do {
                try transport.exchange(request) { payload in
                    var reader = ByteReader(payload)
                    guard try KeychainReply.header(&reader).tag == .error else { return }
                    throw try KeychainError(from: &reader)
                }
                return nil
            } catch { return (error as? KeychainError)?.status }
        }
        let grant = AccessGrant(program: "path./usr/bin/env", group: "user")
        #expect(refused(.apps(after: "")) == .missingEntitlement)
        #expect(refused(.groups) == .missingEntitlement)
        #expect(refused(.registerApp(AppRegistration(passcode: nil, manifest: [1]))) == .missingEntitlement)
        #expect(refused(.removeApp(AppRemoval(passcode: nil, identifier: identifier))) == .missingEntitlement)
        let change = GrantChange(passcode: nil, grant: grant, isGranted: true)
        #expect(refused(.changeGrant(change)) == .missingEntitlement)
        #expect(refused(.purgeGroup(GroupPurge(passcode: nil, group: "x"))) == .missingEntitlement)
        // The time of an answer tells how names of other programs begin.
        #expect(refused(.findNames(NameQuery(beginning: "a"))) == .missingEntitlement)
        // Nor does anybody reach where that is kept.
        var query = KeychainQuery(kind: .password)
        query.attributes[.accessGroup] = .string("tresor.apps")
        #expect(refused(.find(query)) == .missingEntitlement)
        #expect(try cast.device.run("keychain", "list", "--json").text.contains("tresor.app") == false)
    }

    // MARK: Orphans

    @Test func `what an app leaves behind is found, and purged on request`() throws {
        let (cast, prefix, identifier) = try stage()
        let device = cast.device
        for service in ["a", "b"] { #expect(try cast.run("mail", "add", service) == "0") }
        #expect(try device.run("doctor", "--orphans").text.isEmpty)
        #expect(try device.run("app", "purge", "\(prefix).mail").code == 7, "it is an app's")
        #expect(try device.run("app", "remove", identifier).text == "\(prefix).mail  2 items of nobody's\n")
        #expect(try device.run("doctor", "--orphans").text == "\(prefix).mail  2 items\n")
        #expect(try device.run("doctor").text.contains("orphans      2 items"))
        try device.setPasscode()
        #expect(try device.run("app", "purge", "\(prefix).mail", input: Data("0000\n".utf8)).code == 6)
        #expect(try device.run("app", "purge", "\(prefix).mail", input: Data("1234\n".utf8)).code == 0)
        #expect(try device.run("doctor", "--orphans").text.isEmpty)
        #expect(try device.run("app", "purge", "user", input: Data("1234\n".utf8)).code == 7)
    }

    // MARK: Identifiers

    @Test func `a vendor's identifier is its apps', and ends with the last of them`() throws {
        let (cast, prefix, identifier) = try stage()
        let device = cast.device
        for name in ["news", "other", "stranger"] { try cast.make(name) }
        let other = try cast.makeDeveloper()
        for manifest in [
            try cast.sign("org.example.news", by: other, executables: ["news"]),
            try cast.sign("com.other", by: prefix, executables: ["other"]),
        ] { #expect(try device.run("app", "register", manifest).code == 0) }
        func vendor(_ program: String) throws -> Substring {
            try cast.run(program, "identifiers").split(separator: "\n")[0]
        }
        let example = try vendor("mail")
        #expect(example.wholeMatch(of: /[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}/) != nil)
        #expect(try vendor("news") == example, "whoever signed it")
        #expect(try vendor("other") != example && vendor("stranger") == "none")
        try device.setPasscode()
        try device.restart()
        #expect(try vendor("mail") == example, "the same before the first unlock")
        try device.unlock()
        let passcode = Data("1234\n".utf8)
        #expect(try device.run("app", "remove", identifier, input: passcode).code == 0)
        #expect(try vendor("news") == example, "one app of the vendor is left")
        #expect(try device.run("app", "remove", "\(other).org.example.news", input: passcode).code == 0)
        let again = try cast.sign("org.example.news", by: other, executables: ["news"])
        #expect(try device.run("app", "register", again, input: passcode).code == 0)
        #expect(try vendor("news") != example)
    }

    @Test func `the identifier for advertising is the same for all until the owner resets it`() throws {
        let (cast, _, _) = try stage()
        try cast.make("stranger")
        func told(_ program: String, meanwhile: (() throws -> Void)? = nil) throws -> [Substring] {
            Array(try cast.run(program, "identifiers", meanwhile: meanwhile).split(separator: "\n").dropFirst())
        }
        let first = try told("mail")
        #expect(first.count == 2 && first[1] == "false")
        #expect(try told("stranger") == first)
        let shown = try cast.device.run("app", "advertising").text
        #expect(shown.replacing("-", with: "") == "\(first[0])  tracking off\n" && shown.count == 36 + 15, "\(shown)")
        #expect(
            try cast.device.run("app", "advertising", "--reset", "--tracking", "on").text.hasSuffix("tracking on\n"))
        let second = try told("mail")
        #expect(second[0] != first[0] && second[1] == "true")
        // One that runs goes on with what it was told.
        let running = try cast.run("mail", "identifiers-twice") {
            usleep(500_000)
            try cast.device.run("app", "advertising", "--reset")
        }.split(separator: "\n")
        #expect(running.count == 2 && running[0] == running[1] && running[0] == second[0])
        #expect(try told("mail")[0] != second[0])
    }

    @Test func `a reset of the passcode gives all apps another identifier for advertising, whoever crashes meanwhile`()
        throws
    {
        let (cast, _, _) = try stage()
        let device = cast.device
        func told() throws -> [Substring] {
            Array(try cast.run("mail", "identifiers").split(separator: "\n").dropFirst())
        }
        for isCrash in [false, true] {
            #expect(try device.run("app", "advertising", "--tracking", "on").code == 0)
            let before = try told()
            #expect(before[1] == "true")
            try device.setPasscode()
            #expect(try device.run("passcode", "reset", input: Data("destroy\n".utf8)).code == 0)
            if isCrash {
                device.kill()
                try device.start()
            }
            let after = try told()
            #expect(after[0] != before[0] && after[1] == "false", "a reset, \(isCrash)")
            #expect(try device.run("app", "advertising").text.hasSuffix("tracking off\n"))
            // Removing a passcode is no reset.
            try device.setPasscode()
            #expect(try device.run("passcode", "remove", input: Data("1234\n".utf8)).code == 0)
            #expect(try told() == after)
        }
    }
}

/// A program in Python: known by its interpreter alone.
private struct Script {
    private static let source = """
        import os, socket, sys
        def connect():
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.settimeout(10); return s
        def ask(s, frame):
            s.sendall(bytes.fromhex(frame)); return s.recv(65536)
        s = connect(); print(ask(s, sys.argv[2]).hex()); s = connect()
        print(ask(s, sys.argv[3]).hex() if len(sys.argv) > 3 else "")
        """
    let cast: Cast
    let group: String

    init(_ cast: Cast) throws {
        self.cast = cast
        let report = try Self.replies(cast, []).first ?? []
        group = try report.withSpan { payload in
            var reader = ByteReader(payload.extracting(droppingFirst: StreamFrame.headerByteCount))
            guard try KeychainReply.header(&reader).tag == .identity else { throw DecodingError.invalid }
            return try CallerReport(from: &reader).accessGroups.first ?? ""
        }
        #expect(group.hasPrefix("interpreter."))
    }

    private static func replies(_ cast: Cast, _ requests: [[UInt8]]) throws -> [[UInt8]] {
        var identify = try SecretBuffer(capacity: 64)
        try KeychainRequest.identify.encode(id: 1, into: &identify)
        let frames = [identify.withBytes { $0.copyToArray() }] + requests
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", source, cast.device.home.socket] + frames.map(Hexadecimal.encode)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        process.waitUntilExit()
        return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .split(separator: "\n").compactMap { Hexadecimal.decode(String($0)) }
    }

    func run(_ call: String, _ service: String, _ group: String?) throws -> String {
        var query = KeychainQuery(kind: .password)
        query.attributes[.service] = .string(service)
        if let group { query.attributes[.accessGroup] = .string(group) }
        var changes = Attributes()
        changes[.comment] = .string("changed")
        var frame = try SecretBuffer(capacity: 512)
        switch call {
        case "add":
            let item = ItemAddition(
                kind: ItemKind.password.code, attributes: query.attributes, secret: try SecretBytes(text: "x"))
            try KeychainRequest.add(item).encode(id: 2, into: &frame)
        case "find": try KeychainRequest.find(query).encode(id: 2, into: &frame)
        case "update":
            let update = ItemUpdate(query: query, changes: changes, secret: nil)
            try KeychainRequest.update(update).encode(id: 2, into: &frame)
        default: try KeychainRequest.remove(query).encode(id: 2, into: &frame)
        }
        let reply = try Self.replies(cast, [frame.withBytes { $0.copyToArray() }]).last ?? []
        return try reply.withSpan { payload in
            var reader = ByteReader(payload.extracting(droppingFirst: StreamFrame.headerByteCount))
            guard try KeychainReply.header(&reader).tag == .error else { return "0" }
            return "\(try KeychainError(from: &reader).status.rawValue)"
        }
    }
}
