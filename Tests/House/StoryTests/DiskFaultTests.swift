import Foundation
import Glibc
import Linux
import Secrets
import Testing
import Wire

/// Disks that are full or can't be written, and servers that are somebody else's; only root can make them.
@Suite(.serialized, .enabled(if: getuid() == 0 && SmallDisk.isPossible, "only root may mount a small disk"))
struct DiskFaults {
    @Test func `a full disk refuses new items and keeps the old ones`() throws {
        let disk = try SmallDisk(kibibytes: 1024)
        let device = try LiveDevice(folder: disk.path + "/home")
        try device.run("keychain", "add", "--service", "old", input: Data("x".utf8))
        let big = Data(repeating: 7, count: 200_000)
        var code: Int32 = 0
        for number in 0..<20 where code == 0 {
            code = try device.run("keychain", "add", "--service", "big\(number)", input: big).code
        }
        #expect(code == 73)
        #expect(try device.run("keychain", "get", "--service", "old").output == Data("x".utf8))
        device.kill()
        #expect(try device.start() == nil)
        #expect(try device.run("keychain", "get", "--service", "old").output == Data("x".utf8))
        #expect(try device.run("keychain", "get", "--service", "big0").output == big)
    }

    @Test func `what the enclave did on a full disk is done, and the store follows when there is room`() throws {
        let disk = try SmallDisk(kibibytes: 2048)
        let device = try LiveDevice(folder: disk.path + "/home")
        let database = StoppedDatabase(path: device.home.database)
        try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        try device.setPasscode("old")
        try device.stop()
        let generations = "SELECT value FROM meta WHERE name = 'generation'"
        let before = try database.rows(generations)
        let filler = try disk.fill()
        // A full disk keeps nobody from starting, nor from reading.
        #expect(try device.start() == nil)
        try device.unlock("old")
        let changed = try device.run("passcode", "change", input: Data("old\nnew\nnew\n".utf8))
        #expect(changed.code == 0, "\(changed)")
        try device.run("lock")
        try device.unlock("new")
        let log = String(decoding: try FileSystem.read(device.home.log), as: UTF8.self)
        #expect(log.contains("the store could not follow the enclave yet"), "the disk was not full: \(log)")
        try FileSystem.remove(filler)
        Thread.sleep(forTimeInterval: 1.6)
        // A start would follow as well: what is read was written before it.
        device.kill()
        #expect(try database.rows(generations).joined().first! > before.joined().first!)
        try device.start()
        try device.unlock("new")
        #expect(try device.run("keychain", "get", "--service", "s").output == Data("x".utf8))
    }

    @Test func `the diary's right password counts as wrong for no full disk`() throws {
        let disk = try SmallDisk(kibibytes: 24_576)
        let device = try LiveDevice(folder: disk.path + "/home")
        try device.openDiary()
        try device.diary("lock")
        // The logs are emptied by then: what is written needs room.
        Thread.sleep(forTimeInterval: 1.6)
        let filler = try disk.fill()
        let codes = try (0..<6).map { _ in
            defer { _ = try? device.diary("lock") }
            return try device.diary("sign-in", input: "a blue door\n").code
        }
        #expect(codes.filter { $0 == 73 }.count >= 5 && codes.allSatisfy { [0, 73].contains($0) }, "\(codes)")
        try FileSystem.remove(filler)
        let right = try device.diary("sign-in", input: "a blue door\n")
        #expect(right.code == 0, "\(right.errors)")
    }

    @Test func `an import that fills the disk says what came in before, and goes on from there`() throws {
        let disk = try SmallDisk(kibibytes: 24_576)
        let device = try LiveDevice(folder: disk.path + "/home")
        try device.openDiary()
        let journal = disk.path + "-journal.txt"
        defer { try? FileManager.default.removeItem(atPath: journal) }
        let words = String(repeating: "Water under the bridge. ", count: 8000)
        let entries = (10..<50).map { "[2024-07-22 09:\($0)] Entry \($0).\n\(words)\n" }
        try Data(entries.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: journal))
        _ = try disk.fill()
        try disk.remount(kibibytes: 24_576 + 3072)
        let stopped = try device.diary("import", "jrnl", journal)
        let done = Int(stopped.text.prefix { $0.isNumber }) ?? 0
        #expect(stopped.code == 73 && stopped.errors.contains("the disk is full"), "\(stopped.errors)")
        #expect((1..<40).contains(done) && stopped.text.contains(" added with 0 files"), "\(stopped.text)")
        #expect(stopped.errors.contains("\(done) entries had come in before"), "\(stopped.errors)")
        try disk.remount(kibibytes: 131_072)
        let rest = try device.diary("import", "jrnl", journal)
        #expect(rest.code == 0 && rest.text.contains("\(40 - done) added with 0 files, \(done) there"), "\(rest)")
    }

    @Test func `on a read-only disk the daemon says so, and changes nothing`() throws {
        let disk = try SmallDisk(kibibytes: 8192)
        let device = try LiveDevice(folder: disk.path + "/home")
        try device.run("keychain", "add", "--service", "old", input: Data("x".utf8))
        try device.stop()
        try disk.remount(readOnly: true)
        let refused = try device.run("up", "--detach")
        #expect(refused.code == 73 && refused.errors.contains("Read-only file system"))
        try disk.remount(readOnly: false)
        #expect(try device.start() == nil)
        #expect(try device.run("keychain", "get", "--service", "old").output == Data("x".utf8))
    }

    @Test func `a server of another user is not spoken to`() throws {
        let device = try LiveDevice(starting: false)
        try FileSystem.makeDirectories(device.folder)
        try FileSystem.setMode(device.folder, 0o777)
        let server = Process()
        server.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        server.arguments = [
            "-c",
            """
            import os, socket, sys, time
            os.setgid(65534); os.setuid(65534)
            s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen()
            time.sleep(20)
            """, device.home.socket,
        ]
        try server.run()
        defer { server.terminate() }
        while try FileSystem.status(device.home.socket) == nil { usleep(10_000) }
        let refused = try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        #expect(refused.code == 7 && refused.errors.contains("another user"))
    }
}

/// A file system in memory of a few kibibytes.
final class SmallDisk {
    let path: String

    /// Containers may forbid it even to root.
    static let isPossible: Bool = {
        guard getuid() == 0, let disk = try? SmallDisk(kibibytes: 64) else { return false }
        return disk.isMounted
    }()

    private var isMounted = false

    init(kibibytes: Int) throws {
        path = NSTemporaryDirectory() + "tresor-disk-" + Identifier.makeRandom().description
        try FileSystem.makeDirectories(path)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(kibibytes)k,mode=0700") == 0 else {
            throw LinuxError(call: "mount", code: errno, path: path)
        }
        isMounted = true
    }

    /// Writes a file that takes all the room there is, and says which.
    func fill() throws -> String {
        let path = path + "/filler"
        let file = try FileDescriptor.open(path, FileFlags.readWriteOrCreate)
        var size = 1024 * 1024
        var used = 0
        while size >= 4096 {
            do {
                try file.write([UInt8](repeating: 1, count: size), at: used)
                used += size
            } catch { size /= 2 }
        }
        return path
    }

    func remount(readOnly: Bool) throws {
        let flags = UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)
        guard mount("tmpfs", path, "tmpfs", flags, nil) == 0 else {
            throw LinuxError(call: "remount", code: errno, path: path)
        }
    }

    /// Gives it another size.
    func remount(kibibytes: Int) throws {
        guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(kibibytes)k") == 0 else {
            throw LinuxError(call: "remount", code: errno, path: path)
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }
}
