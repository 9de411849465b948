import Envelopes
import Foundation
import Linux
import SQLite
import Secrets
import Testing

@testable import Zones

/// A look at everything in a zone: what does not open is named, all else is looked at.
@Suite struct LookTests {
    /// All parts of a look, each of so many turns.
    private func look(
        _ test: TestStore, turns: Int = .max, files: (ZoneRecord) throws -> [AssetReference] = { _ in [] }
    ) throws -> (looks: [ZoneLook], names: [Identifier]) {
        var (looks, names): ([ZoneLook], [Identifier]) = ([], [])
        var place: ZoneLook.Place?
        let inspector = ZoneInspector(test.store)
        repeat {
            var left = turns
            let part = try inspector.look(at: test.zone, from: place) {
                left -= 1
                return left <= 0
            } files: { record in
                if names.last != record.name { names.append(record.name) }
                return try files(record)
            }
            looks.append(part)
            place = part.next
        } while place != nil
        return (looks: looks, names: names)
    }

    @Test(arguments: [1, 2, 7, .max]) func `each record is looked at once, however short the turns are`(turns: Int)
        throws
    {
        let test = try TestStore()
        let names = try (0..<20).map { try test.put([UInt8($0)], type: UInt16(1 + $0 % 5)) }
        try test.store.write { try $0.remove(names[3], in: test.zone) }
        let found = try look(test, turns: turns)
        #expect(found.names == names.filter { $0 != names[3] })
        #expect(found.looks.reduce(0) { $0 + $1.records } == 19 && found.looks.allSatisfy { $0.damage.isEmpty })
        #expect(try ZoneInspector(test.store).recordCount(of: test.zone) == 19)
        #expect(try ZoneInspector(test.store).missing([names[3], names[4]], in: test.zone) == [names[3]])
        #expect(turns != 1 || found.looks.count >= 19)
    }

    @Test func `what does not open is named, and what its type does not allow`() throws {
        let test = try TestStore()
        let names = try (0..<5).map { try test.put([UInt8($0)], type: UInt16($0 + 1)) }
        try test.execute("UPDATE record SET sealed = zeroblob(92) WHERE type = 2")
        let found = try look(test) { record in
            if record.type == 4 { throw DecodingError.invalid }
            return []
        }
        #expect(
            found.looks.flatMap(\.damage) == [.record(names[1], type: 2), .record(names[3], type: 4)])
        #expect(found.looks.reduce(0) { $0 + $1.records } == 5)
    }

    /// Lays a copy of the store beside it, to take from.
    private func layCopy(_ test: TestStore) throws -> String {
        test.store.close()
        let folder = test.folder + "/from"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: test.folder + "/notes.sqlite", toPath: folder + "/notes.sqlite")
        try test.reopen()
        return folder + "/notes.sqlite"
    }

    @Test func `what a copy has is taken from it, and is damaged no more`() throws {
        let test = try TestStore()
        let names = try (0..<5).map { try test.put([UInt8($0)], type: UInt16($0 + 1)) }
        _ = try layCopy(test)
        try test.execute("UPDATE record SET sealed = zeroblob(length(sealed)) WHERE type IN (2, 3)")
        try test.execute("DELETE FROM record WHERE type = 5")
        let found = try look(test).looks
        #expect(found.flatMap(\.damage) == [])
        #expect(found.flatMap(\.taken) == [2, 3, 5].map { .record(names[$0 - 1], type: UInt16($0)) })
        for number in 0..<5 { #expect(try test.record(names[number])?.content == [UInt8(number)]) }
    }

    @Test func `a copy that cannot be read now is no copy that lacks something`() throws {
        let test = try TestStore()
        let name = try test.put([1], type: 2)
        let copy = try layCopy(test)
        try Database(copy).execute("ALTER TABLE record RENAME TO gone")
        #expect(throws: ZoneError.self, "what the store lacks nobody knows") { try look(test) }
        try test.execute("UPDATE record SET sealed = zeroblob(length(sealed))")
        #expect(throws: ZoneError.self) { try look(test) }
        // The copy is let go of with the store that had opened it.
        try test.reopen()
        try Database(copy).execute("ALTER TABLE gone RENAME TO record")
        #expect(try look(test).looks.flatMap(\.taken) == [.record(name, type: 2)])
    }

    @Test(arguments: [1, 2, .max]) func `files are read to their end, and a damaged one costs no other`(turns: Int)
        throws
    {
        let test = try TestStore()
        let size = 2 * AssetReader.chunkByteCount + 5
        let files = try (0..<3).map { try test.store.assets.store([UInt8](repeating: UInt8($0), count: size)) }
        let gone = try test.store.assets.store([1])
        // As many as are read at once, and some more.
        let before = try (0..<70).map { _ in try test.put([0]) }
        let name = try test.put([1])
        let last = try test.put([2])
        let path = test.folder + "/assets/" + files[1].asset.description
        let file = try FileDescriptor.open(path, FileFlags.readWrite)
        var byte = try file.read(count: 1, at: AssetReader.chunkByteCount + 100)
        byte[0] ^= 1
        try file.write(byte, at: AssetReader.chunkByteCount + 100)
        try test.store.assets.remove(gone.asset)
        let found = try look(test, turns: turns) { $0.name == name ? files + [gone] : [] }
        #expect(
            found.looks.flatMap(\.damage) == [.file(files[1], of: name, type: 1), .file(gone, of: name, type: 1)])
        let bytes = found.looks.reduce(0) { $0 + $1.bytes }
        #expect(bytes == UInt64(2 * size + AssetReader.chunkByteCount))
        #expect(found.names == before + [name, last])
    }

    @Test func `a file that fsck has named is known by what it contains`() throws {
        let test = try TestStore()
        let folder = test.folder + "/assets/"
        let size = AssetReader.chunkByteCount + 5
        let files = try (0..<3).map { try test.store.assets.store([UInt8](repeating: UInt8($0), count: size)) }
        let name = try test.put([1])
        let paths = files.map { folder + $0.asset.description }
        try FileSystem.rename(paths[0], to: folder + "#131075")
        try FileSystem.rename(paths[1], to: folder + "#131076")
        // One lies damaged under its own name, and whole under another; a third is damaged under both.
        for path in [paths[1], paths[2]] { try FileSystem.replace(path, with: [UInt8](repeating: 7, count: size)) }
        try FileSystem.replace(folder + "#131077", with: [UInt8](repeating: 8, count: size + 64))
        try FileSystem.makeDirectories(folder + "#131078")
        let found = try look(test) { $0.name == name ? files : [] }
        #expect(found.looks.flatMap(\.damage) == [.file(files[2], of: name, type: 1)])
        #expect(
            found.looks.flatMap(\.taken) == [.file(files[0], of: name, type: 1), .file(files[1], of: name, type: 1)])
        for (number, file) in files.prefix(2).enumerated() {
            let reader = try test.store.assets.makeReader(file)
            #expect(try reader.chunk(1) == [UInt8](repeating: UInt8(number), count: 5))
        }
        #expect(try Set(FileSystem.names(in: folder)) == Set(files.map(\.asset.description) + ["#131077", "#131078"]))
        #expect(try look(test) { $0.name == name ? files : [] }.looks.flatMap(\.taken).isEmpty)
    }

    @Test func `where something else stands under a file's name, the look says so and goes on`() throws {
        let test = try TestStore()
        let folder = test.folder + "/assets/"
        let files = try (0..<2).map { try test.store.assets.store([UInt8](repeating: UInt8($0), count: 40)) }
        let names = try files.map { _ in try test.put([1]) }
        let path = folder + files[0].asset.description
        try FileSystem.rename(path, to: folder + "#131075")
        try FileSystem.makeDirectories(path + "/in-the-way")
        let found = try look(test) { record in names.firstIndex(of: record.name).map { [files[$0]] } ?? [] }
        #expect(found.looks.flatMap(\.damage) == [.file(files[0], of: names[0], type: 1)])
        #expect(found.names == names && found.looks.flatMap(\.taken).isEmpty)
        #expect(try FileSystem.status(folder + "#131075")?.isRegular == true)
        // Once it has gone, the next look takes the file.
        try FileSystem.removeTree(path)
        #expect(
            try look(test) { $0.name == names[0] ? [files[0]] : [] }.looks.flatMap(\.taken)
                == [.file(files[0], of: names[0], type: 1)])
    }

    @Test func `behind a page that is overwritten the look goes on`() throws {
        let test = try TestStore()
        let names = try (0..<400).map { try test.put([UInt8](repeating: UInt8($0 & 0xff), count: 300)) }
        let size = try #require(try test.number("PRAGMA page_size"))
        let leaf = try #require(
            try test.number("SELECT pageno FROM dbstat WHERE name = 'record' AND pagetype = 'leaf' LIMIT 1 OFFSET 20"))
        test.store.close()
        let file = try FileDescriptor.open(test.folder + "/notes.sqlite", FileFlags.readWrite)
        try file.write([UInt8](repeating: 0xa5, count: size), at: (leaf - 1) * size)
        try test.reopen()
        let found = try look(test)
        #expect(found.looks.flatMap(\.damage) == [.page])
        #expect(found.names.count > 360 && found.names.count < 400)
        #expect(found.names.first == names.first && found.names.last == names.last)
    }

    @Test func `a walk over records goes on behind a page that is overwritten, and a record on it is damaged alone`()
        throws
    {
        let test = try TestStore()
        let names = try (0..<400).map { try test.put([UInt8](repeating: UInt8($0 & 0xff), count: 300)) }
        let size = try #require(try test.number("PRAGMA page_size"))
        let leaves = try ["record", "record_type"].map { kind in
            let sql =
                "SELECT pageno FROM dbstat WHERE name = '\(kind)' AND pagetype = 'leaf' LIMIT 1 OFFSET \(kind == "record" ? 1 : 0)"
            return (kind: kind, leaf: try #require(try test.number(sql)))
        }
        for (kind, leaf) in leaves {
            test.store.close()
            let file = try FileDescriptor.open(test.folder + "/notes.sqlite", FileFlags.readWrite)
            try file.write([UInt8](repeating: 0xa5, count: size), at: (leaf - 1) * size)
            try test.reopen()
            var found: [Identifier] = []
            var lost = 0
            _ = try test.store.read { reader in
                try reader.records(ofType: 1, in: test.zone, damaged: { name in lost += name == .zero ? 1 : 0 }) {
                    found.append($0.name)
                }
            }
            #expect(found.count > 360 && found.count < 400 && lost == 1, "\(kind): \(found.count), \(lost)")
            #expect(found.first == names.first && found.last == names.last && Set(found).count == found.count)
            let gone = try #require(names.first { !found.contains($0) })
            if kind == "record" { #expect(throws: ZoneError.damagedRecord(gone)) { try test.record(gone) } }
        }
    }

    @Test func `a text without its head is what no head names`() throws {
        var census = TextCensus()
        let (one, other) = (Identifier.makeRandom(), Identifier.makeRandom())
        (census.seen, census.named) = ([one, other], [one])
        #expect(census.headless == [other])
        // Of a head that does not open the text is known to be left.
        census.lostHeads = 1
        #expect(census.headless.isEmpty)
    }
}
