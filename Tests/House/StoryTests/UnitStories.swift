import Foundation
import Glibc
import Linux
import Testing

/// The units that are installed: what they forbid, no program of theirs needs.
@Suite struct UnitStories {
    private static let tools = ["/usr/bin/strace", "/usr/bin/systemd-analyze"]
    private static var hasTools: Bool { tools.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) } }

    private static func unit(_ name: String) throws -> [String] {
        try String(contentsOf: LiveDevice.root.appendingPathComponent("packaging/" + name), encoding: .utf8)
            .components(separatedBy: "\n")
    }

    /// Groups of system calls by name, as this machine's systemd has them; a group may hold others.
    private static func groups() throws -> [String: [String]] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tools[1])
        process.arguments = ["syscall-filter", "--no-pager"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        var (groups, open): ([String: [String]], String) = ([:], "")
        for line in text.split(separator: "\n") {
            let word = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("@") {
                open = word
            } else if !word.hasPrefix("#") {
                groups[open, default: []].append(word)
            }
        }
        return groups
    }

    private static func calls(_ words: [String], _ groups: [String: [String]]) -> Set<String> {
        words.reduce(into: []) { calls, word in
            if word.hasPrefix("@") {
                calls.formUnion(Self.calls(groups[word] ?? [], groups))
            } else {
                calls.insert(word)
            }
        }
    }

    /// What a unit lets through: its first list says what is allowed, each further one adds or takes away.
    private static func allowed(_ unit: [String], _ groups: [String: [String]]) -> Set<String> {
        var allowed: Set<String> = []
        for line in unit where line.hasPrefix("SystemCallFilter=") {
            let words = line.dropFirst("SystemCallFilter=".count)
            let isTaken = words.hasPrefix("~")
            let named = calls((isTaken ? words.dropFirst() : words).split(separator: " ").map(String.init), groups)
            if isTaken { allowed.subtract(named) } else { allowed.formUnion(named) }
        }
        return allowed
    }

    /// Which system calls `tresord` and its enclave make while a device is used.
    private func traced() throws -> Set<String> {
        let device = try LiveDevice(starting: false)
        try FileSystem.makeDirectories(device.folder)
        let trace = device.folder + "/trace"
        let null = try FileDescriptor.open("/dev/null", O_RDWR)
        let daemon = try UserProcess(
            [Self.tools[0], "-f", "-qq", "-o", trace, device.programs + "/tresord"],
            environment: ["TRESOR_HOME=" + device.folder, "PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"],
            descriptors: [null.raw, null.raw, null.raw])
        defer { daemon.end() }
        for _ in 0..<2000 {
            if (try? device.status()) != nil { break }
            usleep(10_000)
        }
        try device.succeed("keychain", "add", "--service", "s", input: Data("secret".utf8))
        try device.setPasscode()
        try device.succeed("lock")
        try device.succeed("unlock", input: Data("1234\n".utf8))
        try device.succeed("keychain", "get", "--service", "s")
        try device.succeed("notes", "new", input: Data("# Heron\n".utf8))
        try device.succeed("settings", "--idle-lock", "7200")
        try device.succeed("down")
        _ = daemon.waitForEnd()
        let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
        return Set(lines.compactMap { $0.firstMatch(of: #/^[0-9]+ +([a-z_0-9]+)\(/#).map { String($0.output.1) } })
    }

    @Test(.enabled(if: hasTools, "wants strace and systemd-analyze"))
    func `no unit forbids a system call that tresord or its enclave makes`() throws {
        let groups = try Self.groups()
        var calls = try traced()
        for expected in ["accept4", "memfd_secret", "seccomp", "execve"] { #expect(calls.contains(expected)) }
        // SQLite's, as root alone, and it looks past a failure.
        calls.remove("fchown")
        for name in ["tresord.service", "tresord-system.service"] {
            let allowed = Self.allowed(try Self.unit(name), groups)
            #expect(allowed.count > 100 && !allowed.contains("mount") && !allowed.contains("ptrace"), "\(name)")
            #expect(calls.subtracting(allowed).sorted() == [], "\(name)")
        }
    }

    @Test func `the units and the program name the same socket`() throws {
        let socket = try Self.unit("tresord.socket")
        #expect(socket.contains("ListenStream=%t/tresor/tresord.sock"))
        #expect(socket.contains("FileDescriptorName=keychain"))
        #expect(try Self.unit("tresord.service").contains("Requires=tresord.socket"))
        let tree = LiveDevice.root.appendingPathComponent("packaging/tree.py")
        #expect(try String(contentsOf: tree, encoding: .utf8).contains(#""tresord.socket": "share/systemd/user""#))
    }
}
