import Checkout
import Foundation
import Glibc
import Linux
import Testing

/// The program that checks itself, started with something done to it.
struct TestedProgram {
    /// Where `tresor-integrity-testing` lies: what `make test` staged, else the debug build.
    static let path = Checkout.programs + "/tresor-integrity-testing"

    /// Swift's libraries where they are linked dynamically, which a toolchain may keep anywhere: this process has the
    /// same.
    static let allowed: [String] = {
        let maps = try? FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps")).readToEnd()
        let paths = String(decoding: maps ?? Data(), as: UTF8.self).split(separator: "\n").compactMap {
            $0.hasSuffix("/libswiftCore.so") ? $0.drop { $0 != "/" } : nil
        }
        return paths.first.map { ["--allow", String($0.dropLast("/libswiftCore.so".count))] } ?? []
    }()

    /// What it printed: of each finding its state, and the verdict.
    struct Report {
        private(set) var states: [String: String] = [:]
        private(set) var verdict: [String] = []
        let text: String

        init(_ text: String) throws {
            self.text = text
            for line in text.split(separator: "\n") where line != "ready" {
                let words = line.split(separator: " ").map(String.init)
                try #require(words.count >= 3, "\(text)")
                if words[0] == "verdict" { verdict = words } else { states[words[0]] = words[1] }
            }
            try #require(verdict.count == 4, "\(text)")
        }

        var isCompromised: Bool { verdict[3] == "compromised" }
        /// The names of what is bad among these, as others depend on where the test runs.
        func bad(of names: String...) -> [String] { names.filter { states[$0] == "bad" } }
    }

    static func isThere(_ program: String) -> Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// Runs a program to its end; its standard output.
    @discardableResult
    static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> (text: String, code: Int32) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"].merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text: text, code: process.terminationStatus)
    }

    /// Runs it, or a copy, with these variables.
    static func report(
        _ arguments: [String] = [], program: String = path, environment: [String: String] = [:]
    ) throws -> Report {
        try Report(run(program, allowed + arguments, environment: environment).text)
    }

    /// Runs it behind a shell script, in mounts of its own; nil where mounting is not permitted.
    ///
    /// `$PROGRAM` of the script is the program with its arguments.
    static func report(inMounts script: String) throws -> Report? {
        let whole = "set -e\n\(script)\nexec \"$0\" \"$@\""
        let result = try run("/usr/bin/unshare", ["-m", "/bin/sh", "-c", whole, path] + allowed)
        return result.code == 0 ? try Report(result.text) : nil
    }

    /// Runs it until it waits, lets `tracer` attach to it, and lets it go on.
    static func report(tracedBy tracer: String, _ arguments: (_ process: String) -> [String]) throws -> Report {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = allowed + ["--wait"]
        process.environment = ["PATH": "/usr/bin:/bin"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try #require(output.fileHandleForReading.readData(ofLength: 6) == Data("ready\n".utf8))
        // Not by Foundation, which hands down the signals that this thread blocks, and gdb waits for one of those.
        let debugger = try ChildProcess(
            detached: tracer, arguments: arguments("\(process.processIdentifier)"),
            output: FileDescriptor.open("/dev/null", FileFlags.readWrite))
        defer { debugger.kill() }
        for _ in 0..<1_200 where !isTraced(process.processIdentifier) { usleep(50_000) }
        try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return try Report(text)
    }

    private static func isTraced(_ process: Int32) -> Bool {
        let status = try? FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(process)/status")).readToEnd()
        return !String(decoding: status ?? Data("TracerPid:\t0\n".utf8), as: UTF8.self).contains("TracerPid:\t0\n")
    }
}
