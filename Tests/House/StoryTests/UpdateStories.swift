import Foundation
import Glibc
import Linux
import StoreTables
import Testing
import Thoroughness

/// The first start of this version on a home that 0.1 wrote: cut at any step, and without room.
@Suite(.serialized) struct UpdateStories {
    static let stores = ["keychain", "notes", "diary"]
    /// As 0.1 left them, and as this version has them.
    private static let formats = ["keychain": (old: 2, new: 3), "notes": (old: 1, new: 2), "diary": (old: 1, new: 2)]

    private func database(_ store: String, _ device: LiveDevice) -> String {
        "\(device.folder)/\(store)/\(store).sqlite"
    }

    /// The rows of a store that a person wrote, each as its bytes.
    private func rows(_ path: String, _ store: String) throws -> [[String]] {
        let sql =
            store == "keychain"
            // Our own programs write theirs anew.
            ? "SELECT uuid, sync, class FROM item ORDER BY uuid"
            : "SELECT name, sealed FROM record ORDER BY name"
        return try StoppedDatabase(path: path).rows(sql)
    }

    private func format(_ path: String) throws -> Int {
        try #require(Int(StoppedDatabase(path: path).rows("PRAGMA user_version")[0][0]))
    }

    /// Runs a program of the device's until it ends, or is killed at a step on the way to the disk.
    ///
    /// - Returns: whether it was.
    private func run(_ arguments: [String], on device: LiveDevice, input: String, killedAt kill: String) throws -> Bool
    {
        let options = ["-e", "trace=\(kill.prefix { $0 != ":" })", "-e", "inject=" + kill]
        return try traced(arguments, on: device, input: input, options).calls.contains("killed by SIGKILL")
    }

    /// Runs a program of the device's under strace(1), and then ends the device.
    ///
    /// - Returns: the calls, the exit code, and what was said on standard error.
    private func traced(
        _ arguments: [String], on device: LiveDevice, input: String = "", _ options: [String]
    ) throws -> (calls: String, code: String, said: String) {
        let trace = device.folder + "-trace"
        defer { try? FileManager.default.removeItem(atPath: trace) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
        let done = device.folder + "-done"
        defer { try? FileManager.default.removeItem(atPath: done) }
        let script = "\"$@\" 2> '\(done)-said'; echo $? > '\(done)-code'; : > '\(done)'"
        defer { for end in ["-said", "-code"] { try? FileManager.default.removeItem(atPath: done + end) } }
        process.arguments = ["-f", "-o", trace] + options + ["/bin/sh", "-c", script, "sh"] + arguments
        process.environment = ["TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin"]
        let pipe = Pipe()
        process.standardInput = pipe
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try pipe.fileHandleForWriting.close()
        for _ in 0..<6000 where !FileManager.default.fileExists(atPath: done) && process.isRunning { usleep(5000) }
        // As what was written shows it: at its end the enclave is killed in any case.
        usleep(100_000)
        let lines = try String(contentsOfFile: trace, encoding: .utf8)
        // What the command has started goes on; strace(1) ends with the last of them.
        _ = try? device.run("down")
        device.kill()
        for _ in 0..<400 where process.isRunning { usleep(5000) }
        // At any other signal strace(1) waits for the next call.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        let read = { (end: String) in (try? String(contentsOfFile: done + end, encoding: .utf8)) ?? "" }
        return (calls: lines, code: read("-code").trimmingCharacters(in: .newlines), said: read("-said"))
    }

    /// Where the programs start on a home of 0.1's, the change is cut, and all is there at the next start.
    @Test(.enabled(if: CallInjection.isPossible, "needs root, and strace that the kernel permits"), arguments: stores)
    func `an update that is cut at any step starts again, and every row stays`(store: String) throws {
        let (old, new) = try #require(Self.formats[store])
        let killed = try KillSteps(every: 16).each { kill, step in
            let former = try FormerHome()
            let device = try LiveDevice(folder: former.old + "/home", starting: false)
            let path = database(store, device)
            let original = former.parts + "/original"
            for end in ["", "-wal"] where FileManager.default.fileExists(atPath: path + end) {
                try FileManager.default.copyItem(atPath: path + end, toPath: original + end)
            }
            let before = try rows(original, store)
            #expect(try format(original) == old)
            let unlock = ["unlock"]
            let opening: (words: [String], secret: String) =
                switch store {
                case "notes": (["notes", "unlock"], "quince 2\n")
                case "diary": (["diary", "sign-in"], "a green gate\n")
                default: (["up", "--detach"], "")
                }
            if store != "keychain" {
                #expect(try device.start() == nil)
                try device.run(unlock, input: Data("seven slow boats 3\n".utf8))
            }
            let isHit = try run(
                [device.programs + "/tresor"] + opening.words, on: device, input: opening.secret, killedAt: kill)
            #expect(try device.start() == nil, "step \(step)")
            #expect(try device.run(unlock, input: Data("seven slow boats 3\n".utf8)).code == 0, "step \(step)")
            if store == "keychain" {
                #expect(try device.run("keychain", "list").text.split(separator: "\n").count == 30, "step \(step)")
            } else {
                #expect(try device.run(opening.words, input: Data(opening.secret.utf8)).code == 0, "step \(step)")
            }
            try device.stop()
            #expect(try format(path) == new, "step \(step)")
            let after = Set(try rows(path, store).map { $0.joined(separator: " ") })
            // Rows of our own have come, and none of theirs is gone.
            #expect(before.allSatisfy { after.contains($0.joined(separator: " ")) }, "step \(step)")
            let kept = path + ".before-" + Version.text
            #expect(try format(kept) == old && rows(kept, store) == before, "step \(step)")
            #expect(!FileManager.default.fileExists(atPath: kept + ".new"), "step \(step)")
            return isHit
        }
        print("an update of \(store): killed \(killed) times")
        #expect(killed > Thoroughness.count(0, soak: 1))
    }

    @Test(.enabled(if: CallInjection.isPossible, "needs root, and strace that the kernel permits"))
    func `a copy that takes long says how far it is, and is waited for`() throws {
        let former = try FormerHome()
        let device = try LiveDevice(folder: former.old + "/home", starting: false)
        // Pages that nothing is on any more.
        for sql in ["CREATE TABLE padding AS SELECT zeroblob(9000000) AS bytes", "DROP TABLE padding"] {
            try StoppedDatabase(path: database("keychain", device)).rows(sql)
        }
        // The copy's alone.
        let target = database("keychain", device) + ".before-\(Version.text).new"
        let slow = ["-P", target, "-e", "trace=pwrite64", "-e", "inject=pwrite64:delay_enter=800000:when=1..10"]
        let (_, code, said) = try traced([device.programs + "/tresor", "up", "--detach"], on: device, slow)
        #expect(code == "0", "\(said)")
        #expect(said.contains("the database is copied: ") && said.contains(" of 8 MiB of "), "\(said)")
        #expect(try device.start() == nil)
    }

    @Test(.enabled(if: CallInjection.isPossible, "needs root, and strace that the kernel permits"))
    func `a block that the disk does not give keeps no device from its update`() throws {
        func calls(_ device: LiveDevice) -> [String] { ["-P", database("keychain", device), "-e", "trace=pread64"] }
        let whole = try FormerHome()
        let first = try LiveDevice(folder: whole.old + "/home", starting: false)
        let size = try #require(FileSystem.status(database("keychain", first))?.byteCount)
        let up = ["up", "--detach"]
        let lines = try traced([first.programs + "/tresor"] + up, on: first, calls(first)).calls.split(separator: "\n")
        // The one read of all of it is the copy's.
        let copy = try #require(lines.first { $0.contains(", \(size), 0) = \(size)") })
        let process = copy.prefix { $0 != " " }
        let number = try #require(lines.filter { $0.hasPrefix(process + " ") }.firstIndex(of: copy)) + 1

        let former = try FormerHome()
        let device = try LiveDevice(folder: former.old + "/home", starting: false)
        let failing = calls(device) + ["-e", "inject=pread64:error=EIO:when=\(number)..\(number + 1)"]
        let (_, code, said) = try traced([device.programs + "/tresor"] + up, on: device, failing)
        #expect(code == "0", "\(said)")
        let log = String(decoding: try FileSystem.read(device.home.log), as: UTF8.self)
        #expect(log.contains("the disk did not give 1 blocks of"), "\(log)")
        #expect(try device.start() == nil)
        try device.run("unlock", input: Data("seven slow boats 3\n".utf8))
        #expect(try device.run("keychain", "list").text.split(separator: "\n").count == 30)
    }

    @Test(.enabled(if: getuid() == 0 && SmallDisk.isPossible, "only root may mount a small disk"))
    func `without room for a copy nothing is changed, and with room it starts`() throws {
        let former = try FormerHome()
        let disk = try SmallDisk(kibibytes: 4096)
        try FileManager.default.copyItem(atPath: former.old + "/home", toPath: disk.path + "/home")
        let device = try LiveDevice(folder: disk.path + "/home", starting: false)
        let path = database("keychain", device)
        let before = try FileSystem.read(path)
        let filler = try disk.fill()
        #expect(try device.start() == .exited(code: 73))
        #expect(try FileSystem.read(path) == before)
        #expect(try FileSystem.names(in: device.folder + "/keychain").allSatisfy { !$0.contains(".before-") })
        try FileSystem.remove(filler)
        #expect(try device.start() == nil)
        #expect(try FileSystem.read(path + ".before-" + Version.text) == before)
        try device.run("unlock", input: Data("seven slow boats 3\n".utf8))
        #expect(try device.run("keychain", "list").text.split(separator: "\n").count > 20)
    }

    @Test func `a store of a later version is refused by the name of that version, and not changed`() throws {
        let device = try LiveDevice()
        try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        let id = try device.newNote("kept\n")
        try device.stop()
        let mark = device.folder + "/version"
        #expect(try String(decoding: FileSystem.read(mark), as: UTF8.self) == Version.text + "\n")
        let databases = ["keychain", "notes"].map { database($0, device) }
        let formats = try databases.map { try format($0) }
        for path in databases { try StoppedDatabase(path: path).rows("PRAGMA user_version = 99") }
        try FileSystem.replace(mark, with: Array("0.12.3\n".utf8))
        let before = try databases.map { try FileSystem.read($0) }
        let up = try device.run("up", "--detach")
        #expect(up.code == 69 && up.errors.contains("install Tresor 0.12.3"), "\(up.errors)")
        let repair = try device.run("repair", "--offline")
        #expect(repair.code == 8 && repair.errors.contains("repair it with Tresor 0.12.3"), "\(repair.errors)")
        #expect(try databases.map { try FileSystem.read($0) } == before)
        // What says so is no program's word that is believed for more: noise in it is none.
        try FileSystem.replace(mark, with: Array("\u{1B}[2J1.0\n".utf8))
        let again = try device.run("up", "--detach")
        #expect(again.code == 69 && again.errors.contains("install that version"), "\(again.errors)")
        try StoppedDatabase(path: databases[0]).rows("PRAGMA user_version = \(formats[0])")
        // Nor does it keep a device from starting, whatever stands in its place.
        try FileSystem.remove(mark)
        try FileSystem.makeDirectories(mark)
        #expect(try device.start() == nil)
        let notes = try device.notes("show", id)
        #expect(notes.code == 69 && notes.errors.contains("later version"), "\(notes.errors)")
        #expect(try FileSystem.read(databases[1]) == before[1])
        try StoppedDatabase(path: databases[1]).rows("PRAGMA user_version = \(formats[1])")
        #expect(try device.notes("show", id).text == "kept\n")
        #expect(try device.run("keychain", "get", "--service", "s").output == Data("x".utf8))
    }
}
