import Foundation
import Glibc
import Linux
import Testing
import Thoroughness

/// Imports go to the disk many at a time; what is said of each holds as if it had come alone.
@Suite(.serialized, .enabled(if: getuid() == 0 && SmallDisk.isPossible, "only root may mount a small disk"))
struct BatchesOnFullDisks {
    private let disk: SmallDisk
    private let device: LiveDevice
    private let source = NSTemporaryDirectory() + "tresor-source-" + UUID().uuidString

    init() throws {
        disk = try SmallDisk(kibibytes: 6144)
        device = try LiveDevice(folder: disk.path + "/home")
        try FileSystem.makeDirectories(source)
    }

    private func writeNotes(_ count: Int) throws {
        for number in 0..<count {
            let text = "# Note \(number)\n\n" + String(repeating: "word\(number) ", count: 300) + "\n"
            try FileSystem.replace("\(source)/note\(number).md", with: Array(text.utf8))
        }
    }

    @Test func `notes that a full disk refuses are in no list, and come at a second run`() throws {
        defer { try? FileManager.default.removeItem(atPath: source) }
        try writeNotes(2000)
        let first = try device.notes("import", "markdown", source)
        #expect(first.code == 73, "\(first.text)\(first.errors)")
        let listed = try device.notes("list").text.split(separator: "\n").count
        #expect(listed > 0 && listed < 2000)
        // What the running program has in memory is what the disk has.
        try device.stopNotes()
        #expect(try device.notes("list").text.split(separator: "\n").count == listed)
        let search = try device.notes("search", "word1")
        #expect(search.code == 0 && search.text.contains("Note 1"), "\(search.errors)")
        // A search finds none that did not come in.
        try disk.remount(kibibytes: 65_536)
        let second = try device.notes("import", "markdown", source)
        #expect(second.code == 0, "\(second.text)\(second.errors)")
        #expect(try device.notes("list").text.split(separator: "\n").count == 2000)
    }

    @Test func `items that a full disk refuses are not there, and keys that were made with them are none`() throws {
        defer { try? FileManager.default.removeItem(atPath: source) }
        var csv = "name,url,username,password,note\n"
        for number in 0..<9000 { csv += "site \(number),https://host\(number).example,anna,secret \(number),\n" }
        try FileSystem.replace(source + "/export.csv", with: Array(csv.utf8))
        let first = try device.run("keychain", "import", source + "/export.csv")
        #expect(first.code == 73, "\(first.text)\(first.errors)")
        func count() throws -> Int {
            try device.run("keychain", "list", "--kind", "internet").text.split(separator: "\n").count
        }
        let listed = try count()
        #expect(listed > 0 && listed < 9000)
        device.kill()
        try disk.remount(kibibytes: 65_536)
        try device.start()
        #expect(try count() == listed)
        let second = try device.run("keychain", "import", source + "/export.csv")
        #expect(second.code == 4, "\(second.text)\(second.errors)")
        #expect(try count() == 9000)
        for number in [0, listed - 1, listed, 8999] {
            let got = try device.run("keychain", "get", "--server", "host\(number).example", "--account", "anna")
            #expect(got.output == Data("secret \(number)".utf8), "\(number): \(got.errors)")
        }
    }
}

/// The same where the disk fails, and where the power does.
@Suite(.serialized, .enabled(if: CallInjection.isPossible, "needs root, and strace that the kernel permits"))
struct BatchesOnFailingDisks {
    private let device: LiveDevice
    private let source = NSTemporaryDirectory() + "tresor-source-" + UUID().uuidString

    init() throws {
        device = try LiveDevice()
        try FileSystem.makeDirectories(source)
        var csv = "name,url,username,password,note\n"
        for number in 0..<300 { csv += "site \(number),https://host\(number).example,anna,secret \(number),\n" }
        try FileSystem.replace(source + "/export.csv", with: Array(csv.utf8))
        for number in 0..<300 {
            try FileSystem.replace("\(source)/note\(number).md", with: Array("# Note \(number)\n".utf8))
        }
    }

    private func items() throws -> Int {
        try device.run("keychain", "list", "--kind", "internet").text.split(separator: "\n").count
    }

    @Test func `no item and no note is acknowledged before the disk has it`() throws {
        defer { try? FileManager.default.removeItem(atPath: source) }
        let injection = try CallInjection(into: device.daemon, "fdatasync,fsync:error=EIO")
        let refused = try device.run("keychain", "import", source + "/export.csv")
        #expect(refused.code == 74, "\(refused.text)\(refused.errors)")
        #expect(try injection.count() > 0)
        injection.end()
        device.kill()
        try device.start()
        #expect(try items() == 0)
        #expect(try device.run("keychain", "import", source + "/export.csv").code == 0)
        #expect(try items() == 300)

        _ = try device.newNote("# First\n")
        let notes = try CallInjection(into: device.notesProcess(), "fdatasync,fsync:error=EIO")
        let failed = try device.notes("import", "markdown", source)
        #expect(failed.code != 0, "\(failed.text)\(failed.errors)")
        #expect(try notes.count() > 0)
        notes.end()
        #expect(try device.notes("list").text.split(separator: "\n").count == 1)
        device.kill()
        try device.start()
        #expect(try device.notes("list").text.split(separator: "\n").count == 1)
    }

    @Test func `where one sync fails, what an import was told of is there, and it does not end well`() throws {
        defer { try? FileManager.default.removeItem(atPath: source) }
        // The keys of its class are there, and the first sync is that of a batch.
        let warm = "name,url,username,password,note\nfirst,https://first.example,anna,secret,\n"
        try FileSystem.replace(source + "/first.csv", with: Array(warm.utf8))
        #expect(try device.run("keychain", "import", source + "/first.csv").code == 0)
        // What was deleted is overwritten half a second later, which is a sync of its own.
        usleep(1_500_000)
        let injection = try CallInjection(into: device.daemon, "fdatasync,fsync:error=EIO:when=1")
        let failed = try device.run("keychain", "import", source + "/export.csv")
        #expect(failed.code == 74, "\(failed.text)\(failed.errors)")
        #expect(try injection.count() == 1)
        injection.end()
        device.kill()
        try device.start()
        #expect(try items() < 301)
        #expect(try device.run("keychain", "import", source + "/export.csv").code != 74)
        #expect(try items() == 301)

        _ = try device.newNote("# First\n")
        let notes = try CallInjection(into: device.notesProcess(), "fdatasync,fsync:error=EIO:when=1")
        #expect(try device.notes("import", "markdown", source).code != 0)
        #expect(try notes.count() == 1)
        notes.end()
        device.kill()
        try device.start()
        #expect(try device.notes("list").text.split(separator: "\n").count < 301)
        #expect(try device.notes("import", "markdown", source).code == 0)
        #expect(try device.notes("list").text.split(separator: "\n").count == 301)
    }

    @Test func `an import that is killed at any moment goes on, and nothing comes twice`() throws {
        defer { try? FileManager.default.removeItem(atPath: source) }
        for round in stride(from: 0, to: 8, by: Thoroughness.count(3, soak: 1)) {
            let command = try device.begin("keychain", "import", source + "/export.csv")
            usleep(UInt32.random(in: 1000...UInt32(round * 12_000 + 20_000)))
            device.kill()
            command.waitUntilExit()
            try device.start()
            #expect(try device.run("doctor", "--data").code == 0)
        }
        let last = try device.run("keychain", "import", source + "/export.csv")
        #expect([0, 4].contains(last.code), "\(last.errors)")
        #expect(try items() == 300)
        for number in stride(from: 0, to: 300, by: 37) {
            let got = try device.run("keychain", "get", "--server", "host\(number).example", "--account", "anna")
            #expect(got.output == Data("secret \(number)".utf8), "\(number): \(got.errors)")
        }
    }
}
