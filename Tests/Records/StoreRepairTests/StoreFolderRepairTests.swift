import Foundation
import Linux
import SQLite
import StoreRepair
import StoreTables
import Testing

/// The folder of a store is made anew beside the damaged one, and takes its place as a whole or not at all.
@Suite struct StoreFolderRepairs {
    private let home = NSTemporaryDirectory() + "tresor-folder-" + UUID().uuidString
    private var folder: String { home + "/notes" }

    init() throws {
        try FileSystem.makeDirectories(folder + "/assets/unnamed")
        try FileSystem.makeDirectories(folder + "/spare")
        for path in ["/notes.sqlite", "/spare/notes.sqlite"] {
            let database = try Database(folder + path)
            try database.transaction {
                try database.execute(StoreTables.zones.sql)
                for number in 1...200 {
                    try database.execute(
                        """
                        INSERT INTO record VALUES
                            (?, 1, randomblob(16), 2, 1, 1, randomblob(16), 0, randomblob(40), ?, 0, randomblob(200))
                        """, [number, number])
                }
            }
            database.close()
        }
        try FileSystem.replace(folder + "/assets/00112233445566778899aabbccddeeff", with: [1, 2, 3])
        try FileSystem.replace(folder + "/assets/unnamed/ffeeddccbbaa99887766554433221100", with: [4])
        try FileSystem.replace(folder + "/tresor-notes.log", with: Array("a line\n".utf8))
        try FileSystem.replace(folder + "/tresor-notes.lock", with: [])
    }

    private func damage(_ file: String = "/notes.sqlite", page: Int = 1) throws {
        let file = try FileDescriptor.open(folder + file, FileFlags.readWrite)
        try file.write([UInt8](repeating: 0xa5, count: 4096), at: (page - 1) * 4096)
    }

    private var repair: StoreFolderRepair {
        StoreFolderRepair(folder, file: "notes.sqlite", tables: .zones, stamp: "20261125-101500")
    }

    /// Every file below a folder with its bytes.
    private func contents(_ path: String) throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            guard try FileSystem.status(path + "/" + name)?.isRegular == true else { continue }
            found[name] = try FileSystem.read(path + "/" + name)
        }
        return found
    }

    private func records(_ path: String) throws -> Int {
        let database = try Database(path)
        defer { database.close() }
        return Int(try database.integer("SELECT count(*) FROM record") ?? 0)
    }

    @Test func `a sound store is left as it is, and no folder is made`() throws {
        let before = try contents(home)
        let report = try repair.run()
        #expect(report?.outcome == .sound && report?.kept == nil)
        #expect(try contents(home) == before)
        #expect(try FileSystem.names(in: home) == ["notes"])
    }

    @Test func `a damaged one is kept byte for byte, and the new one has all that could be read, and every file`()
        throws
    {
        try damage()
        let before = try contents(folder)
        let report = try #require(try repair.run())
        let kept = try #require(report.kept)
        #expect(kept == folder + ".damaged-20261125-101500")
        #expect(try contents(kept) == before)
        #expect(try records(folder + "/notes.sqlite") == 200 && records(folder + "/spare/notes.sqlite") == 200)
        var expected = before
        var here = try contents(folder)
        for name in ["notes.sqlite", "spare/notes.sqlite"] { (expected[name], here[name]) = (nil, nil) }
        #expect(here == expected)
        #expect(try FileSystem.status(folder)?.mode == 0o700)
        #expect(try FileSystem.status(folder + "/notes.sqlite")?.mode == 0o600)
        #expect(try Set(FileSystem.names(in: home)) == ["notes", "notes.damaged-20261125-101500"])
        // A second time there is nothing to do; another damage is kept under another name.
        #expect(try repair.run()?.outcome == .sound)
        try damage()
        #expect(try repair.run()?.kept == folder + ".damaged-20261125-101500-2")
    }

    @Test func `a log that is written on does not change the one that is kept`() throws {
        try damage()
        let kept = try #require(try repair.run()?.kept)
        let log = try FileDescriptor.open(folder + "/tresor-notes.log", FileFlags.append)
        try log.write(Array("more\n".utf8), at: 0)
        #expect(try FileSystem.read(kept + "/tresor-notes.log") == Array("a line\n".utf8))
    }

    @Test func `of a spare that cannot be read none is made`() throws {
        try damage()
        try FileSystem.replace(folder + "/spare/notes.sqlite", with: [])
        _ = try repair.run()
        #expect(try FileSystem.status(folder + "/spare/notes.sqlite") == nil)
        #expect(try records(folder + "/notes.sqlite") == 200)
    }

    @Test func `where nothing can be read all stays, and an earlier copy takes its place where there is one`() throws {
        let copy = home + "/copy.sqlite"
        try FileManager.default.copyItem(atPath: folder + "/notes.sqlite", toPath: copy)
        try FileSystem.replace(folder + "/notes.sqlite", with: [UInt8](repeating: 7, count: 9000))
        let before = try contents(home)
        #expect(try repair.run()?.outcome == .nothing)
        #expect(try contents(home) == before)
        let repair = StoreFolderRepair(folder, file: "notes.sqlite", tables: .zones, stamp: "s", earlier: copy)
        let report = try #require(try repair.run())
        #expect(report.outcome == .earlier && report.kept == folder + ".damaged-s")
        #expect(try records(folder + "/notes.sqlite") == 200)
        #expect(try FileSystem.read(copy) == before["copy.sqlite"])
    }

    @Test func `a run that was cut is done again, or goes on where all was made`() throws {
        try damage()
        // Cut while the new one was made.
        try FileSystem.makeDirectories(folder + ".repairing/work")
        try FileSystem.replace(folder + ".repairing/notes.sqlite", with: [1])
        let kept = try #require(try repair.run()?.kept)
        #expect(try records(folder + "/notes.sqlite") == 200)
        // Cut between the two renames: the store has no folder.
        try FileSystem.rename(folder, to: folder + ".repairing")
        try FileSystem.replace(folder + ".repairing/complete", with: [])
        #expect(try repair.run()?.outcome == .sound)
        #expect(try records(folder + "/notes.sqlite") == 200 && FileSystem.status(kept) != nil)
        #expect(try FileSystem.status(folder + "/complete") == nil)
        // The same, and a start has made an empty folder in its place since.
        try FileSystem.rename(folder, to: folder + ".repairing")
        try FileSystem.replace(folder + ".repairing/complete", with: [])
        try FileSystem.makeDirectories(folder)
        try FileSystem.replace(folder + "/tresor-notes.lock", with: [])
        #expect(try repair.run()?.outcome == .sound)
        #expect(try records(folder + "/notes.sqlite") == 200 && FileSystem.status(folder + ".repairing") == nil)
        // What is not complete takes nobody's place.
        try FileSystem.rename(folder, to: home + "/aside")
        try FileSystem.makeDirectories(folder + ".repairing")
        #expect(try repair.run() == nil)
        #expect(try FileSystem.status(folder) == nil)
    }
}
