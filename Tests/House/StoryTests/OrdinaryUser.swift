import Foundation
import Glibc
import Linux
import Secrets
import Testing

/// The programs as somebody runs them who is not root: what the kernel keeps from an ordinary user it does not keep from
/// a test that runs as root.
final class OrdinaryUser {
    static let isThere =
        getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
        && FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    let folder: String
    let id: UInt32
    var programs: String { folder + "/programs" }
    var home: String { folder + "/home" }

    /// - Parameter left: programs of ours that are not put there, so that a test may put its own.
    init(id: UInt32 = 64_321, without left: [String] = []) throws {
        self.id = id
        folder = NSTemporaryDirectory() + "tresor-user-" + Identifier.makeRandom().description.prefix(12)
        for name in ["", "/programs", "/home"] {
            try FileManager.default.createDirectory(atPath: folder + name, withIntermediateDirectories: true)
        }
        let names = [
            "tresor", "tresord", "tresor-enclave", "tresor-notes", "tresor-diary", "tresor-widgets", "tresor-thumb",
            "tresor-pages", "tresor-draw",
        ]
        for name in names where !left.contains(name) {
            // A link where that is possible: these are large.
            let (from, to) = (LiveDevice.programs + "/" + name, programs + "/" + name)
            if link(from, to) != 0 { try FileManager.default.copyItem(atPath: from, toPath: to) }
        }
        #expect(chown(home, id, id) == 0)
        #expect(chmod(folder, 0o755) == 0)
    }

    deinit {
        _ = try? run("tresor", "down")
        try? FileManager.default.removeItem(atPath: folder)
    }

    struct Outcome {
        var code: Int32
        var text: String
    }

    /// Starts a program of this user; its output goes to a file.
    func begin(
        _ path: String, _ arguments: [String], as user: UInt32? = nil, input: String = "", output: String
    ) throws -> Process {
        let process = Process()
        let user = user ?? id
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        process.arguments = ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", path] + arguments
        process.environment = ["TRESOR_HOME": home, "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"]
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        let given = output + "-in"
        _ = FileManager.default.createFile(atPath: given, contents: Data(input.utf8))
        process.standardInput = FileHandle(forReadingAtPath: given)
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: output)
        try process.run()
        return process
    }

    @discardableResult
    func run(_ name: String, _ arguments: String..., input: String = "") throws -> Outcome {
        let output = folder + "/output-" + Identifier.makeRandom().description
        let process = try begin(programs + "/" + name, arguments, input: input, output: output)
        process.waitUntilExit()
        return Outcome(code: process.terminationStatus, text: try String(contentsOfFile: output, encoding: .utf8))
    }

    func start() throws {
        let started = try run("tresor", "up", "--detach")
        #expect(started.code == 0, "\(started.text)")
    }

    /// Python of this user's, or of another one's.
    final class Script {
        let process: Process
        private let output: String

        init(_ process: Process, _ output: String) {
            self.process = process
            self.output = output
        }

        deinit {
            if process.isRunning { process.terminate() }
            process.waitUntilExit()
        }

        var text: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

        func line(_ start: String, seconds: Int = 60) -> String? {
            for _ in 0..<seconds * 50 {
                if let line = wholeLine(start) { return line }
                if !process.isRunning { break }
                usleep(20_000)
            }
            return wholeLine(start)
        }

        /// What follows the last line break is still being written.
        private func wholeLine(_ start: String) -> String? {
            text.components(separatedBy: "\n").dropLast().first { $0.hasPrefix(start) }
        }
    }

    func script(_ text: String, _ arguments: String..., as user: UInt32? = nil) throws -> Script {
        let output = folder + "/script-" + Identifier.makeRandom().description
        let process = try begin(
            "/usr/bin/python3", ["-u", "-c", text] + arguments, as: user, output: output)
        return Script(process, output)
    }
}

/// Where claims about memory may be tested: with the static enclave, whose every freed block is wiped.
///
/// The enclave of a debug build is linked dynamically, and its runtime frees a key schedule past the zeroing free: what
/// a test finds in it, or does not find, says nothing of the enclave that people run.
enum MemoryClaims {
    /// Whether the programs under test are those that claims are made of.
    static let areTested: Bool = {
        guard getuid() == 0 else { return false }
        guard isEnclaveStatic else {
            if ProcessInfo.processInfo.environment["TRESOR_MEMORY_TESTS"] == "required" {
                Issue.record("\(LiveDevice.programs) has a debug enclave; 'make stage' makes the static one")
            }
            print("memory tests left out: \(LiveDevice.programs)/tresor-enclave is a debug build ('make stage')")
            return false
        }
        return true
    }()

    static let reason: Comment = "needs root, and the static enclave: make stage, and TRESOR_TEST_PROGRAMS"

    /// A static program has no PT_INTERP (3) among its program headers (elf(5)).
    private static var isEnclaveStatic: Bool {
        guard let file = FileHandle(forReadingAtPath: LiveDevice.programs + "/tresor-enclave"),
            let head = try? file.read(upToCount: 4096), head.count == 4096
        else { return false }
        let bytes = [UInt8](head)
        let (start, size, count) = (Int(bytes[32]), Int(bytes[54]), Int(bytes[56]))
        guard bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46]), start + size * count <= bytes.count else { return false }
        return (0..<count).allSatisfy { bytes[start + $0 * size] != 3 }
    }
}

extension LiveDevice {
    /// The keeper of a program and the ward that it has after a lock, which comes a moment later.
    func keeperAndWard(_ name: String) -> [Int32] {
        for _ in 0..<200 where processes(name).count < 2 { usleep(10_000) }
        return processes(name)
    }

    /// Every process of a program of ours that has this home: keepers, wards and workers.
    func processes(_ name: String) -> [Int32] {
        processesOfThisHome().filter { $0.name == String(name.prefix(15)) }.map(\.id)
    }

    /// Every process that has this home, whatever it runs, but the shells around it.
    func processesOfThisHome() -> [(id: Int32, name: String)] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { Int32($0) }.compactMap { id in
            guard let comm = try? String(contentsOfFile: "/proc/\(id)/comm", encoding: .utf8),
                let environment = FileManager.default.contents(atPath: "/proc/\(id)/environ"),
                environment.range(of: Data("TRESOR_HOME=\(folder)\0".utf8)) != nil
            else { return nil }
            let name = comm.trimmingCharacters(in: .newlines)
            return ["sh", "dash", "bash", "cat", "tmux: server"].contains(name) ? nil : (id: id, name: name)
        }
    }
}
