import Foundation
import Linux
import Testing

/// The integrity check at the start of the real programs: a library that somebody puts into them is two signs.
@Suite(.serialized, .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/cc"), "needs a C compiler"))
struct IntegrityStories {
    private let device: LiveDevice
    private let preload: [String: String]

    init() throws {
        device = try LiveDevice()
        let (source, library) = (device.folder + "/library.c", device.folder + "/library.so")
        try Data("__attribute__((constructor)) static void start(void) {}".utf8)
            .write(to: URL(fileURLWithPath: source))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/cc")
        process.arguments = ["-shared", "-fPIC", "-o", library, source]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        preload = ["LD_PRELOAD": library]
    }

    /// Each program's first command, which starts it.
    private static let programs = [
        ("tresor-notes", ["notes", "list"]), ("tresor-diary", ["diary", "status"]),
        ("tresor-widgets", ["widget", "list"]),
    ]

    private func end(_ program: String) throws {
        switch program {
        // The keeper is the oldest, and takes its ward along.
        case "tresor-notes", "tresor-widgets": endKeeper(program)
        default: try device.restart()
        }
        usleep(200_000)
    }

    private func endKeeper(_ program: String) {
        for process in device.keeperAndWard(program).sorted() { ChildProcess.kill(process) }
    }

    private func signs(_ outcome: LiveDevice.Outcome, of program: String) -> Set<String> {
        Set(
            ["injected-variables", "foreign-code"].filter {
                outcome.errors.contains("\(program): ") && outcome.errors.contains("(\($0))")
            })
    }

    @Test(arguments: programs.indices)
    func `a start tells of each sign once, and again when it had gone`(index: Int) throws {
        let (program, command) = Self.programs[index]
        let first = try device.run(command, environment: preload)
        #expect(first.code == 0, "\(first.errors)")
        #expect(signs(first, of: program) == ["injected-variables", "foreign-code"], "\(first.errors)")
        #expect(try device.run(command).errors.isEmpty, "told once")
        try end(program)
        #expect(try device.run(command, environment: preload).errors.isEmpty, "a second start")
        try end(program)
        #expect(try device.run(command).errors.isEmpty, "nothing is found any more")
        try end(program)
        #expect(try signs(device.run(command, environment: preload), of: program).count == 2, "back again")
        let folder = device.folder + "/" + program.dropFirst("tresor-".count)
        let log = try String(contentsOfFile: folder + "/\(program).log", encoding: .utf8)
        #expect(log.contains("integrity: foreign-code"))
        #expect(!log.contains(device.folder), "no path of the user's")
    }

    @Test func `a library of the installation's own is no foreign code, and one beside it is`() throws {
        let prefix = device.folder + "-prefix"
        defer { try? FileManager.default.removeItem(atPath: prefix) }
        for folder in ["/bin", "/lib/tresor/swift-6", "/lib/tresor-other"] {
            try FileSystem.makeDirectories(prefix + folder)
        }
        try FileManager.default.copyItem(atPath: LiveDevice.programs + "/tresor", toPath: prefix + "/bin/tresor")
        /// What doctor says of foreign code where a library from this folder is in it.
        func finding(_ folder: String) throws -> String {
            let library = prefix + folder + "/library.so"
            try FileManager.default.copyItem(atPath: device.folder + "/library.so", toPath: library)
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: prefix + "/bin/tresor")
            process.arguments = ["doctor"]
            process.environment = ["TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin", "LD_PRELOAD": library]
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return try #require(text.split(separator: "\n").first { $0.contains("foreign-code") }.map(String.init))
        }
        #expect(try finding("/lib/tresor/swift-6").contains("ok"))
        #expect(try finding("/lib/tresor-other").contains("bad"))
    }

    @Test func `a start obeys what its owner chose`() throws {
        func settings(_ arguments: String...) throws -> LiveDevice.Outcome {
            try device.run(["settings", "integrity"] + arguments)
        }
        func start() throws -> LiveDevice.Outcome {
            let outcome = try device.run(["notes", "list"], environment: preload)
            endKeeper("tresor-notes")
            usleep(200_000)
            return outcome
        }
        #expect(try settings().text == "policy     warn\nthreshold  32\n")
        #expect(try settings("--policy", "off").code == 0)
        #expect(try start().errors.isEmpty)
        #expect(try settings("--policy", "log").code == 0)
        #expect(try start().errors.isEmpty)
        let log = device.folder + "/notes/tresor-notes.log"
        #expect(try String(contentsOfFile: log, encoding: .utf8).contains("integrity: injected-variables"))
        #expect(try settings("--policy", "refuse").code == 0)
        let refused = try device.run(["notes", "list"], environment: preload)
        #expect(refused.code == 69 && refused.errors.contains("somebody else's hands"), "\(refused.errors)")
        #expect(try device.run("notes", "list").code == 0, "on its own it starts")
        endKeeper("tresor-notes")
        usleep(200_000)
        // One sign is none where the other weighs nothing.
        #expect(try settings("--weight", "injected-variables=0").code == 0)
        #expect(try start().code == 0)
        #expect(try settings("--reset", "--policy", "refuse", "--threshold", "33").code == 0)
        #expect(try start().code == 0)
        #expect(try settings("--reset", "--policy", "refuse", "--allow-code", preload["LD_PRELOAD"] ?? "").code == 0)
        #expect(try start().code == 0)
        for wrong in [
            ["--policy", "never"], ["--weight", "container=3"], ["--weight", "swap"], ["--threshold", "0"],
        ] {
            #expect(try device.run(["settings", "integrity"] + wrong).code == 64, "\(wrong)")
        }
    }

    @Test func `doctor ends with 8 on a bad verdict, by its owner's weights, and says all the rest`() throws {
        #expect(try device.run("doctor").code == 0)
        let bad = try device.run(["doctor"], environment: preload)
        #expect(bad.code == 8 && bad.text.contains("somebody else's hands") && bad.text.contains("orphans"))
        #expect(try device.run(["doctor", "--orphans"], environment: preload).code == 0)
        #expect(try device.run("settings", "integrity", "--threshold", "33").code == 0)
        #expect(try device.run(["doctor"], environment: preload).code == 0)
        #expect(try device.run("settings", "integrity", "--reset").code == 0)
        try device.stop()
        #expect(try device.run("doctor").code == 69)
        #expect(try device.run(["doctor"], environment: preload).code == 8, "also where nothing runs")
    }
}
