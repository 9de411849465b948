import Foundation
import Glibc
import Linux
import Testing
import Thoroughness
import Wire

/// How a device starts and ends, and what it says where it cannot.
@Suite(.serialized) struct LifeCycleStories {
    @Test func `two that start at once are one device, and both say that it runs`() throws {
        for round in 0..<Thoroughness.count(3, soak: 8) {
            let device = try LiveDevice(starting: false)
            try FileSystem.makeDirectories(device.folder)
            let commands = try (0..<2).map { _ in try device.begin("up", "--detach") }
            for command in commands {
                command.waitUntilExit()
                #expect(command.terminationStatus == 0, "round \(round)")
            }
            #expect(try device.run("down").code == 0, "round \(round)")
            // One that waited for its turn would take it now.
            usleep(300_000)
            #expect(try device.run("status").code == 69, "round \(round)")
        }
    }

    @Test(arguments: [true, false])
    func `a program that ends before it has answered is told as that, or as the lock that ended it`(
        locks: Bool
    ) throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let folder = device.folder + "-source"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileSystem.makeDirectories(folder)
        for number in 0..<2000 {
            try Data("# Note \(number)\n".utf8).write(to: URL(fileURLWithPath: folder + "/\(number).md"))
        }
        let ward = try device.notesProcess()
        let watch = try device.notesConnection()
        let errors = Pipe()
        let command = try device.begin("notes", "import", "markdown", folder, errors: errors.fileHandleForWriting)
        try errors.fileHandleForWriting.close()
        // In the middle of it.
        for _ in 0..<5000 {
            if case .status(let status) = try watch.ask(.status).reply, status.notes >= 20 { break }
            usleep(2000)
        }
        kill(ward, SIGSTOP)
        usleep(100_000)
        #expect(command.isRunning, "the control: it waits")
        if locks { try device.run("lock") } else { kill(ward, SIGKILL) }
        let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        command.waitUntilExit()
        #expect(command.terminationStatus == (locks ? 5 : 69), "\(said)")
        #expect(said.contains("device was locked before") == locks, "\(said)")
        #expect(said.contains("ended before it answered") != locks, "\(said)")
    }

    enum Damage: String, CaseIterable { case noJSON, empty, folder, long, otherType }

    @Test(arguments: Damage.allCases)
    func `settings that cannot be read are the strictest, are told of, and are kept`(damage: Damage) throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.setPasscode()
        #expect(try device.run("settings", "--idle-lock", "7200").code == 0)
        try device.stop()
        let path = device.home.settings
        let bytes: [UInt8] =
            switch damage {
            case .noJSON: Array("{\"idleLockSeconds\":7".utf8)
            case .otherType: Array("{\"idleLockSeconds\":\"never\"}".utf8)
            case .long: [UInt8](repeating: 32, count: 100_000)
            case .empty, .folder: []
            }
        try FileManager.default.removeItem(atPath: path)
        if damage == .folder {
            try FileSystem.makeDirectories(path)
        } else {
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        }
        for round in 0..<3 {
            // As a full disk leaves it, where the damaged one was put aside and nothing else could be written.
            if round == 2 { try FileManager.default.removeItem(atPath: path) }
            #expect(try device.start() == nil)
            let status = try device.run("status")
            #expect(status.text.contains("after 60 s") && status.errors.contains(path + ".damaged"), "\(status)")
            let doctor = try device.run("doctor")
            #expect(doctor.code == 8 && doctor.text.contains(path + ".damaged"), "\(doctor.text)")
            try device.stop()
        }
        #expect(try FileSystem.status(path + ".damaged")?.isDirectory == (damage == .folder))
        if damage != .folder { #expect(try FileSystem.read(path + ".damaged", limit: 200_000) == bytes) }
        #expect(try String(decoding: FileSystem.read(device.home.log), as: UTF8.self).contains("settings.json"))
    }

    @Test func `a group of commands without one of them answers no input`() throws {
        let device = try LiveDevice(starting: false)
        for group in [["diary", "password"], ["passcode"], ["keychain"], ["widget"], ["notes", "passphrase"]] {
            let outcome = try device.run(group, input: Data("a secret\n".utf8))
            #expect(outcome.code == 64 && outcome.text.isEmpty, "\(group): \(outcome.code) \(outcome.text)")
            #expect(outcome.errors.contains("say which of these"), "\(group): \(outcome.errors)")
        }
    }

    @Test(.enabled(if: NoProc.isPossible, "needs root, and a kernel that lets /proc be unmounted"))
    func `without proc a command says so, and does not pretend`() throws {
        let device = try LiveDevice(starting: false)
        for command in ["lock", "status", "keychain list"] {
            let (code, output) = try NoProc.run("\(device.programs)/tresor \(command)", home: device.folder)
            #expect(code == 69 && output.contains("/proc is not there"), "\(command): \(code) \(output)")
        }
    }

    @Test(
        .enabled(if: OrdinaryUser.isThere, "needs root, setpriv and python3"),
        arguments: [("ulimit -l 64", "memlock"), ("ulimit -f 8", "ulimit -f")]
            + [5, 8, 9, 10, 16, 31].map { ("ulimit -n \($0)", "only \($0) files may be open at once") })
    func `a device that has too little to start says what it needs`(limit: String, word: String) throws {
        let user = try OrdinaryUser()
        let output = user.folder + "/started"
        let line = limit + "; exec " + user.programs + "/tresor up --detach"
        let process = try user.begin("/bin/sh", ["-c", line], output: output)
        process.waitUntilExit()
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(process.terminationStatus != 0, "\(text)")
        #expect(text.contains(word), "\(limit): \(text)")
    }
}

/// A namespace without /proc.
private enum NoProc {
    static var isPossible: Bool {
        guard getuid() == 0, let outcome = try? run("/bin/true", home: "/tmp") else { return false }
        return outcome.code == 0
    }

    static func run(_ command: String, home: String) throws -> (code: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["--mount", "/bin/sh", "-c", "umount -l /proc && exec \(command) 2>&1"]
        process.environment = ["TRESOR_HOME": home, "PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}
