import Foundation
import Linux
import Testing
import Widgets

@testable import WidgetPrograms

/// Programs that behave well, badly, and worse.
@Suite(.serialized) struct Runner {
    private func run(_ script: String, milliseconds: Int = 5000, in folder: Folder) throws -> String {
        let runner = ProgramRunner(path: try folder.add("program", script), milliseconds: milliseconds)
        return String(decoding: try runner.run(Array("a request\n".utf8)), as: UTF8.self)
    }

    @Test func `a program is given the request, little environment, and nothing else`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let leak = try FileDescriptor.open(folder.path, 0)
        // It is set almost anywhere; here it has to be.
        setenv("USER", "somebody", 0)
        let answer = try run(
            #"""
            read -r line
            echo "$line|$#|$(env | cut -d= -f1 | tr '\n' ' ')|$(ls /proc/self/fd | tr '\n' ' ')"
            """#,
            in: folder)
        let parts = answer.split(separator: "|").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        #expect(parts[0] == "a request" && parts[1] == "0")
        let names = Set(parts[2].split(separator: " ").map(String.init))
        #expect(names.isSuperset(of: ["PATH", "LANG"]))
        // PWD, OLDPWD, SHLVL and _ are the shell's own.
        #expect(names.subtracting(["PATH", "LANG", "HOME", "TZ", "PWD", "OLDPWD", "SHLVL", "_"]) == [])
        // 3 is the folder that ls reads.
        #expect(parts[3] == "0 1 2 3")
        _ = consume leak
    }

    @Test func `a program has a session of its own and no terminal`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let answer = try run("cut -d' ' -f1,5,6,7 /proc/$$/stat", in: folder)
        #expect(try run("pwd", in: folder) == "/\n")
        let numbers = answer.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(numbers.count == 4 && numbers[1] == numbers[0] && numbers[2] == numbers[0] && numbers[3] == "0")
    }

    @Test func `standard error is nobody's business`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        #expect(try run("head -c 1000000 /dev/zero >&2; echo fine", in: folder) == "fine\n")
    }

    @Test func `a program that does not read its request is none the worse`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        #expect(try run("exec <&-; echo fine", in: folder) == "fine\n")
    }

    @Test func `one that writes forever or too much is stopped`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        #expect(throws: ProgramError.wroteTooMuch) { try run("yes", in: folder) }
        #expect(throws: ProgramError.wroteTooMuch) { try run("head -c 5242880 /dev/zero", in: folder) }
        #expect(try run("head -c 4194304 /dev/zero", in: folder).utf8.count == 4 << 20)
    }

    @Test(arguments: ["sleep 60", "exec >&-; sleep 60", "echo '{}'; exec >&-; while :; do sleep 1; done"])
    func `one that hangs is stopped, with what it has started`(_ script: String) throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let start = ContinuousClock().now
        let pids = "echo $$ > \(folder.path)/pids; sleep 61 & echo $! >> \(folder.path)/pids; "
        #expect(throws: ProgramError.tookTooLong) { try run(pids + script, milliseconds: 400, in: folder) }
        #expect(ContinuousClock().now - start < .seconds(3))
        try expectGone(folder)
    }

    @Test func `a child that keeps the output open keeps nobody waiting, and does not stay`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let start = ContinuousClock().now
        let answer = try run("sleep 60 & echo $! > \(folder.path)/pids; echo '{}'", in: folder)
        #expect(answer == "{}\n" && ContinuousClock().now - start < .seconds(3))
        try expectGone(folder)
    }

    private func expectGone(_ folder: Folder) throws {
        let pids = try #require(folder.text("pids")).split(separator: "\n").compactMap { Int32($0) }
        #expect(!pids.isEmpty)
        // Orphans are waited for by somebody else, in a moment.
        for _ in 0..<200 where pids.contains(where: isRunning) { Thread.sleep(forTimeInterval: 0.01) }
        #expect(!pids.contains(where: isRunning))
    }

    /// Whether it is there and no zombie.
    private func isRunning(_ process: Int32) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return !stat.contains(") Z ")
    }

    @Test func `how a program ended counts`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        #expect(throws: ProgramError.exited(code: 1)) { try run("echo '{}'; exit 1", in: folder) }
        #expect(throws: ProgramError.killed(signal: 11)) { try run("echo '{}'; kill -SEGV $$", in: folder) }
        #expect(throws: ProgramError.notStarted(code: ENOENT)) { try ProgramRunner(path: "/nowhere").run([]) }
        let file = try folder.add("plain", "{}", mode: 0o644)
        #expect(throws: ProgramError.notStarted(code: EACCES)) { try ProgramRunner(path: file).run([]) }
        let noProgram = try folder.add("words", "echo '{}'", interpreter: "words")
        #expect(throws: ProgramError.notStarted(code: ENOEXEC)) { try ProgramRunner(path: noProgram).run([]) }
    }

    @Test func `a program that is being copied is waited for, as long as it may run`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let file = try folder.add("busy", "echo '{}'")
        // Another process writes it: a descriptor of this one would be held by each child that other tests start.
        let writer = Process()
        let release = Pipe()
        writer.executableURL = URL(filePath: "/bin/sh")
        writer.arguments = ["-c", #"exec 9>>"$0"; touch "$1"; read -r line"#, file, folder.path + "/opened"]
        writer.standardInput = release
        try writer.run()
        defer { writer.terminate() }
        while folder.text("opened") == nil { Thread.sleep(forTimeInterval: 0.01) }
        let start = ContinuousClock().now
        #expect(throws: ProgramError.notStarted(code: ETXTBSY)) {
            try ProgramRunner(path: file, milliseconds: 200).run([])
        }
        // The runner counts whole milliseconds, of which the first has begun before.
        #expect(ContinuousClock().now - start >= .milliseconds(199))
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.1)
            try? release.fileHandleForWriting.close()
        }
        #expect(try ProgramRunner(path: file, milliseconds: 60_000).run([]) == Array("{}\n".utf8))
    }

    @Test func `no process and no descriptor is left`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        func descriptors() throws -> Int { try FileSystem.names(in: "/proc/self/fd").count }
        let before = try descriptors()
        for script in ["echo '{}'", "exit 1", "yes", "sleep 9"] {
            for _ in 0..<5 { _ = try? run(script, milliseconds: 50, in: folder) }
        }
        _ = try? ProgramRunner(path: "/nowhere").run([])
        // Tests of other suites run at the same time.
        #expect(try descriptors() < before + 10)
        let status = try String(contentsOfFile: "/proc/self/task/\(getpid())/children", encoding: .utf8)
        for child in status.split(separator: " ") {
            let stat = (try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)) ?? ""
            #expect(!stat.contains("(program) Z"))
        }
    }

    @Test func `hostile answers are refused`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        for (script, wanted) in [
            (#"printf '\377\376'"#, "byte 0: is no JSON"), (#"printf '{"\303\050":1}'"#, "is not UTF-8"),
            ("head -c 10000 /dev/zero | tr '\\0' '['", "lies deeper than 256"), ("", "byte 0: ends too early"),
        ] {
            let program = try folder.program("hostile", script)
            let error = #expect(throws: ProgramError.self) { try program.describe() }
            #expect(error.map { "\($0)" }?.contains(wanted) == true)
        }
    }
}

/// Which files are programs.
@Suite struct Files {
    @Test(arguments: ["we ather", "weather.py", "", "abcdefghijklmnopqrstuvwxy", "Notes", "tresor", "lock", "häuser"])
    func `a name that can't begin a kind, or begins one of ours, is refused`(_ name: String) throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        if !name.isEmpty { try folder.add(name, "") }
        let error = #expect(throws: ProgramError.self) {
            try ExternalProgram(path: folder.path + "/" + name, builtInKinds: ["notes.recent"])
        }
        guard case .unfitFile = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a kind of ours that is new takes its name`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let path = try folder.add("moon", "")
        _ = try ExternalProgram(path: path, builtInKinds: ["sun.rise"])
        #expect(throws: ProgramError.self) { try ExternalProgram(path: path, builtInKinds: ["moon.rise"]) }
    }

    @Test func `a file that others may change is no program`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let path = try folder.add("a", "")
        _ = try ExternalProgram(path: path, builtInKinds: [])
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/b", withDestinationPath: path)
        #expect(throws: ProgramError.self) { try ExternalProgram(path: folder.path + "/b", builtInKinds: []) }
        #expect(throws: ProgramError.notStarted(code: ENOENT)) {
            try ExternalProgram(path: folder.path + "/c", builtInKinds: [])
        }
        #expect(throws: ProgramError.self) { try ExternalProgram(path: "a", builtInKinds: []) }
        for mode in [0o775, 0o757] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(throws: ProgramError.self) { try ExternalProgram(path: path, builtInKinds: []) }
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        #expect(throws: ProgramError.self) { try ExternalProgram(path: path, builtInKinds: []) }
    }

    @Test func `the programs of a folder are found by name`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        for name in ["b", "a", ".c", "a~"] { try folder.add(name, "") }
        #expect(try ExternalProgram.paths(in: folder.path) == [folder.path + "/a", folder.path + "/b"])
        #expect(try ExternalProgram.paths(in: folder.path + "/none") == [])
    }

    @Test func `kinds begin with the file's name, and the program is asked for its own`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let program = try folder.program(
            "moon",
            """
            read -r line; echo "$line" >> \(folder.path)/asked
            case $line in
            *describe*) echo '{"protocol":1,"widgets":[{"kind":"phase","displayName":"Moon","summary":"Its phase.",
                "symbol":"star","families":["systemSmall","accessoryInline"],"protection":"none"}]}';;
            *timeline*) echo '{"entries":[{"date":7,"views":{"systemSmall":{"text":"full"}}}],"policy":"atEnd"}';;
            *) echo '{"views":{"systemSmall":{"text":"new"},"accessoryInline":{"text":"-"}}}';;
            esac
            """)
        let widget = try #require(program.describe().first)
        #expect(widget.kind == "moon.phase")
        let archive = try program.timeline(widget, in: [.systemSmall], at: Moment(microseconds: 9_999_999))
        #expect(archive.entries.map(\.date) == [Moment(seconds: 7)] && archive.policy == .atEnd)
        #expect(try program.placeholders(of: widget).map(\.family) == [.systemSmall, .accessoryInline])
        #expect(
            folder.text("asked") == """
                {"describe":{}}
                {"timeline":{"kind":"phase","families":["systemSmall"],"now":9}}
                {"placeholder":{"kind":"phase"}}

                """)
    }
}
