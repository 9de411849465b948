import Foundation
import Glibc
import Linux
import Testing
import Thoroughness

/// What stands in the way while a note or an entry whose head is lost gets another: a kill, a full disk, another client.
///
/// Whatever it is, the text is there behind it: as a note, or without a head as before, to be put together again.
@Suite(.serialized) struct RestoreStories {
    /// Whose head is lost.
    ///
    /// One that is damaged keeps its id; of one that is gone only its text has a name.
    enum Kind: CaseIterable {
        case damagedNote, lostNote, lockedNote, entry
        var group: String { self == .entry ? "diary" : "notes" }
    }

    /// A stopped home in which the second of three has lost its head, and what is in them.
    private final class Loss {
        let kind: Kind
        let folder: String

        init(_ kind: Kind, _ folder: String? = nil) throws {
            self.kind = kind
            let device = try LiveDevice(folder: folder, lettingTestIn: false)
            self.folder = device.folder + "-kept"
            if kind == .entry {
                _ = try device.openDiary()
                for name in ["First", "Victim", "Last"] { _ = try device.newEntry("\(name), words") }
            } else {
                let ids = try ["First", "Victim", "Last"].map { try device.newNote("# \($0)\n\nwords\n") }
                if kind == .lockedNote {
                    #expect(try device.notes("passphrase", "set", input: "quince\nquince\n").code == 0)
                    let locked = try device.notes("lock", ids[1])
                    #expect(locked.code == 0, "\(locked.errors)")
                } else {
                    // A note with such a file cannot be locked.
                    let file = device.folder + "/small.bin"
                    try Data("small".utf8).write(to: URL(fileURLWithPath: file))
                    #expect(try device.notes("attach", ids[1], file).code == 0)
                    try FileSystem.remove(file)
                }
            }
            #expect(try device.down() == 0)
            let path = kind == .entry ? device.home.diaryDatabase : device.home.notesDatabase
            let head = "(SELECT id FROM record WHERE type = 1 AND tombstone = 0 ORDER BY id LIMIT 1 OFFSET 1)"
            let change = kind == .lostNote ? "DELETE FROM record" : "UPDATE record SET sealed = zeroblob(99)"
            try StoppedDatabase(path: path).rows("\(change) WHERE id = \(head)")
            try FileManager.default.moveItem(atPath: device.folder, toPath: self.folder)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        /// A device of its own on a copy of the home, with all sessions open.
        func device(_ folder: String? = nil) throws -> LiveDevice {
            let folder = folder ?? self.folder + "-\(UInt32.random(in: 0...UInt32.max))"
            try FileManager.default.copyItem(atPath: self.folder, toPath: folder)
            let device = try LiveDevice(folder: folder, lettingTestIn: false)
            try open(device)
            return device
        }

        func open(_ device: LiveDevice) throws {
            guard kind == .entry || kind == .lockedNote else { return }
            let opened =
                kind == .entry
                ? try device.diary("sign-in", input: "a blue door\n") : try device.notes("unlock", input: "quince\n")
            #expect(opened.code == 0, "\(opened.errors)")
        }

        /// Under which name lists have what is lost; nil where nothing is.
        func lost(_ device: LiveDevice) throws -> String? {
            let list = try device.run([kind.group, "list"])
            guard list.code != 0 else { return nil }
            #expect(list.code == 8, "\(list.errors)")
            // Notes are named among the others, entries behind them.
            let words = Set((list.text + list.errors).split { " \n".contains($0) }.filter { $0.count == 32 })
            #expect(words.count == 1, "\(list.text)\(list.errors)")
            return words.first.map { String($0) }
        }

        func restore(_ device: LiveDevice, _ id: String) throws -> LiveDevice.Outcome {
            try device.run([kind.group, "restore", id])
        }

        /// All three are there, each once and whole.
        func expectAll(_ device: LiveDevice, _ step: String, starts: Int) throws {
            for start in 0...starts {
                if start > 0 {
                    try device.restart()
                    try open(device)
                }
                let list = try device.run([kind.group, "list"])
                #expect(list.code == 0, "\(step): \(list.errors)")
                let lines = list.text.split(separator: "\n").filter { !$0.isEmpty }
                for name in ["First", "Victim", "Last"] {
                    #expect(lines.count { $0.contains(name) } == 1, "\(step): \(list.text)")
                }
                let found = try device.run([kind.group, "search", "words"])
                let hits = found.text.split(separator: "\n").filter { !$0.hasPrefix(" ") && $0.contains("Victim") }
                #expect(hits.count == 1, "\(step): \(found.text)")
                let look = try device.run("doctor", "--data")
                #expect(look.code == 0, "\(step): \(look.text)")
                guard kind != .entry, let line = lines.first(where: { $0.contains("Victim") }) else { continue }
                let id = String(line.prefix(8))
                #expect(try device.notes("show", id).text.hasPrefix("# Victim\n\nwords\n"), "\(step)")
                guard kind != .lockedNote else { continue }
                #expect(try device.notes("extract", id, "small.bin").output == Data("small".utf8), "\(step)")
            }
        }
    }

    @Test(
        .enabled(if: CallInjection.isPossible, "needs root, and strace that the kernel permits"),
        arguments: [Kind.lockedNote, .entry])
    func `a kill at any step leaves the text without a head, or with one`(_ kind: Kind) throws {
        let loss = try Loss(kind)
        var acknowledged = 0
        let steps = try KillSteps(every: 3, calls: ["pwrite64", "fdatasync"]).each { kill, step in
            let device = try loss.device()
            let id = try #require(try loss.lost(device))
            let process = try kind == .entry ? device.diaryProcess() : device.notesProcess()
            let injection = try CallInjection(into: process, kill)
            let outcome = try loss.restore(device, id)
            let isHit = injection.hasEndedProcess()
            device.kill()
            injection.end()
            #expect(try device.start() == nil, "\(step)")
            try loss.open(device)
            let left = try loss.lost(device)
            #expect(left == nil || left == id, "\(step)")
            #expect(outcome.code != 0 || left == nil, "\(step) was acknowledged")
            acknowledged += outcome.code == 0 ? 1 : 0
            if let left { #expect(try loss.restore(device, left).code == 0, "\(step)") }
            try loss.expectAll(device, step, starts: 0)
            return isHit
        }
        print("\(kind): killed \(steps) times while it got a head, \(acknowledged) done by then")
        #expect(steps > Thoroughness.count(1, soak: 3) && acknowledged > 0)
    }

    @Test(
        .enabled(if: getuid() == 0 && SmallDisk.isPossible, "only root may mount a small disk"),
        arguments: Kind.allCases)
    func `a full disk leaves the text without a head, until there is room`(_ kind: Kind) throws {
        let loss = try Loss(kind)
        let disk = try SmallDisk(kibibytes: 8192)
        let device = try loss.device(disk.path + "/home")
        let id = try #require(try loss.lost(device))
        // A log that is still to be emptied would give room back.
        #expect(try isAtRest(disk.path + "/home"))
        let filler = try disk.fill()
        var refused = 0
        for pages in 0...96 {
            if pages > 0 {
                let size = try FileManager.default.attributesOfItem(atPath: filler)[.size] as? Int ?? 0
                #expect(truncate(filler, size - 4096) == 0)
            }
            let outcome = try loss.restore(device, id)
            guard outcome.code != 0 else { break }
            refused += 1
            #expect(outcome.code == 73 && outcome.errors.contains("nothing was changed"), "\(pages): \(outcome.errors)")
            #expect(try loss.lost(device) == id, "\(pages) pages")
        }
        print("\(kind): refused with \(refused) numbers of free pages")
        #expect(refused > 0)
        try FileSystem.remove(filler)
        try loss.expectAll(device, "with \(refused) pages", starts: 1)
    }

    /// Whether, within some seconds, no database's log takes room that it will give back.
    private func isAtRest(_ home: String) throws -> Bool {
        for _ in 0..<200 {
            let logs = try FileManager.default.subpathsOfDirectory(atPath: home).filter { $0.hasSuffix("-wal") }
            if try logs.allSatisfy({ try FileSystem.status(home + "/" + $0)?.byteCount ?? 0 == 0 }) { return true }
            usleep(50_000)
        }
        return false
    }

    @Test(arguments: Kind.allCases)
    func `clients that restore it at once, and others that write, leave it there once`(_ kind: Kind) throws {
        let loss = try Loss(kind)
        let device = try loss.device()
        let id = try #require(try loss.lost(device))
        let first = try #require(
            try device.run([kind.group, "list"]).text.split(separator: "\n").first { $0.contains("First") }
        ).prefix(8)
        let writer = try device.beginEdits(of: String(first), kind.group, times: 20)
        let restorers = try (0..<4).map { _ in try device.begin(kind.group, "restore", id) }
        for process in restorers + [writer] { process.waitUntilExit() }
        #expect(restorers.contains { $0.terminationStatus == 0 })
        #expect(
            restorers.allSatisfy { [0, 3, 64].contains($0.terminationStatus) }, "\(restorers.map(\.terminationStatus))")
        #expect(writer.terminationStatus == 0)
        #expect(try device.run([kind.group, "show", String(first)]).text.contains("edit 20"))
        #expect(try device.run([kind.group, "edit", String(first)], input: Data("# First\n\nwords\n".utf8)).code == 0)
        try loss.expectAll(device, "many clients", starts: 1)
    }
}

extension LiveDevice {
    /// Another client, a program of the shell, that edits a note or an entry one time after another.
    fileprivate func beginEdits(of id: String, _ group: String, times: Int) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-ec",
            """
            for number in $(seq 1 \(times)); do
              printf '# First\\n\\nwords, edit %s\\n' "$number" | "$0" "$1" edit "$2" > /dev/null
            done
            """, programs + "/tresor", group, id,
        ]
        process.environment = ["TRESOR_HOME": folder, "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"]
        try process.run()
        return process
    }
}
