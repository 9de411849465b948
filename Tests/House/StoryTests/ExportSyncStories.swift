import Foundation
import Testing

/// An export is done when the disk has it: strace(1) looks on.
@Suite(.serialized, .enabled(if: CallInjection.isPossible, "needs root, and strace that the kernel permits"))
struct ExportSyncStories {
    private let device: LiveDevice

    init() throws {
        device = try LiveDevice()
        let file = device.folder + "/tone.ogg"
        try Data("OggS and the rest".utf8).write(to: URL(fileURLWithPath: file))
        let note = try device.newNote("# Plans\n\nWords.\n", "--folder", "Work")
        #expect(try device.notes("attach", note, file).code == 0)
        try device.openDiary()
        _ = try device.newEntry("# Harbour", "--audio", file, "--date", "2024-02-29 14:05")
    }

    /// Runs a command under strace(1).
    ///
    /// - Parameter injection: as strace's `-e inject=` has it.
    /// - Returns: how it ended, and the paths of what it has waited for.
    private func trace(
        _ arguments: [String], _ injection: String? = nil
    ) throws -> (code: Int32, errors: String, synced: Set<String>) {
        let log = NSTemporaryDirectory() + "tresor-trace-" + UUID().uuidString
        let said = log + ".err"
        _ = FileManager.default.createFile(atPath: said, contents: nil)
        defer { for path in [log, said] { try? FileManager.default.removeItem(atPath: path) } }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
        var words = ["-f", "-y", "-o", log, "-e", "trace=fsync"]
        if let injection { words += ["-e", "inject=" + injection] }
        words.append(device.programs + "/tresor")
        process.arguments = words + arguments
        process.environment = ["TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin", "TZ": "Europe/Oslo"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle(forWritingAtPath: said)
        try process.run()
        process.waitUntilExit()
        // fsync(5</tmp/out/a.md>) = 0
        let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        let synced = calls.compactMap { call -> String? in
            guard let start = call.firstIndex(of: "<"), let end = call[start...].firstIndex(of: ">") else { return nil }
            return call.contains("fsync(") ? String(call[call.index(after: start)..<end]) : nil
        }
        return (
            code: process.terminationStatus, errors: try String(contentsOfFile: said, encoding: .utf8),
            synced: Set(synced)
        )
    }

    private static let exports = [
        ["notes", "export", "--format", "markdown"], ["notes", "export", "--format", "html"],
        ["diary", "export", "--format", "markdown"], ["diary", "export", "--format", "html"],
        ["diary", "export", "--format", "day-one"],
    ]

    @Test func `an export is done when each file and folder of it is on the disk`() throws {
        for (number, export) in Self.exports.enumerated() {
            try expectSynced(export, below: device.folder + "/exports-\(number)")
        }
    }

    private func expectSynced(_ export: [String], below above: String) throws {
        let out = above + "/out"
        let isArchive = export.contains("day-one")
        if isArchive {
            try FileManager.default.createDirectory(atPath: above, withIntermediateDirectories: true)
        }
        let done = try trace(export + [out])
        #expect(done.code == 0, "\(export): \(done.errors)")
        var wanted: Set<String> = [out, above]
        if !isArchive {
            let inside = try FileManager.default.subpathsOfDirectory(atPath: out)
            #expect(inside.count >= 3, "\(export): \(inside)")
            for name in inside { wanted.insert(out + "/" + name) }
            // The folder that holds it was made as well, and its name has to stay, too.
            wanted.insert(device.folder)
        }
        let missing = wanted.subtracting(done.synced)
        #expect(missing.isEmpty, "\(export): \(missing.sorted())")
    }

    @Test func `an export whose file the disk does not keep has failed, and says which`() throws {
        for (number, export) in Self.exports.enumerated() {
            let out = device.folder + "/out-\(number)"
            let failed = try trace(export + [out], "fsync:error=EIO:when=1")
            #expect(failed.code == 73, "\(export): \(failed.code) \(failed.errors)")
            #expect(failed.errors.contains("cannot be written: " + out), "\(export): \(failed.errors)")
            #expect(!export.contains("day-one") || !FileManager.default.fileExists(atPath: out))
        }
    }
}
