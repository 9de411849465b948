import Envelopes
import Foundation
import Secrets
import Testing

@testable import Zones

@Suite struct AssetFolderTests {
    private static let chunk = AssetEnvelope.chunkByteCount
    private let test: TestStore
    private var assets: AssetFolder { test.store.assets }

    init() throws { test = try TestStore() }

    /// A finished file, and a copy of what opens it.
    private typealias File = (key: [UInt8], prefix: [UInt8], asset: Identifier)

    private func write(_ bytes: [UInt8], pieces: Int = 65_537) throws -> File {
        let writer = try assets.makeWriter(AssetKey.makeRandom())
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try Array(bytes[start..<min(start + pieces, bytes.count)]).withSpan { try writer.append($0) }
        }
        try writer.finish()
        #expect(writer.byteCount == UInt64(bytes.count))
        return writer.withKey { (key: $0.withKey { $0.copyToArray() }, prefix: $0.prefix, asset: $0.asset) }
    }

    private func reader(_ file: File, _ byteCount: Int, asset: Identifier? = nil) throws -> AssetReader {
        let secret = try file.key.withSpan { (span) throws in try SecretBytes(copying: span) }
        guard let key = AssetKey.make(key: secret, prefix: file.prefix, asset: asset ?? file.asset) else {
            throw ZoneError.storage(0)
        }
        return try assets.makeReader(key, byteCount: UInt64(byteCount))
    }

    private func bytes(_ reader: AssetReader) throws -> [UInt8] {
        try (0..<reader.chunkCount).flatMap { try reader.chunk($0) }
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: test.folder + "/assets")) ?? []).sorted()
    }

    @Test(arguments: [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk]) func `a file is what was written`(
        _ count: Int
    ) throws {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 >> 8 ^ $0) }
        let file = try write(content)
        #expect(names == [file.asset.description])
        let reader = try reader(file, count)
        #expect(try bytes(reader) == content && reader.byteCount == UInt64(count))
        #expect(reader.chunkCount == max(1, (count + Self.chunk - 1) / Self.chunk))
    }

    @Test func `a file is under its own name when it is whole, and not before`() throws {
        do {
            let writer = try assets.makeWriter(AssetKey.makeRandom())
            try [1, 2, 3].withSpan { try writer.append($0) }
            #expect(names == [writer.asset.description + ".part"])
            try writer.finish()
            #expect(names == [writer.asset.description])
        }
        #expect(names.count == 1)
        do {
            let writer = try assets.makeWriter(AssetKey.makeRandom())
            try [1, 2, 3].withSpan { try writer.append($0) }
        }
        #expect(names.count == 1)
    }

    @Test func `a reader wants the size that its record says`() throws {
        let file = try write([1, 2, 3])
        for count in [0, 2, 4, Self.chunk, Self.chunk + 1] {
            #expect(throws: ZoneError.damagedAsset(file.asset)) { try reader(file, count) }
        }
        #expect(throws: ZoneError.damagedAsset(file.asset)) {
            try assets.makeReader(AssetKey.makeRandom(asset: file.asset), byteCount: .max)
        }
    }

    @Test func `another key, prefix or name opens no chunk`() throws {
        let file = try write([1, 2, 3])
        var otherKey = file
        otherKey.key[0] ^= 1
        var otherPrefix = file
        otherPrefix.prefix[6] ^= 1
        for forged in [otherKey, otherPrefix] {
            #expect(throws: ZoneError.damagedAsset(file.asset)) { try reader(forged, 3).chunk(0) }
        }
        let other = Identifier.makeRandom()
        try FileManager.default.copyItem(
            atPath: test.folder + "/assets/" + file.asset.description,
            toPath: test.folder + "/assets/" + other.description)
        #expect(throws: ZoneError.damagedAsset(other)) { try reader(file, 3, asset: other).chunk(0) }
        #expect(try reader(file, 3).chunk(0) == [1, 2, 3])
    }

    @Test func `chunks keep their places`() throws {
        let count = 3 * Self.chunk
        let file = try write([UInt8](repeating: 7, count: count))
        let path = URL(fileURLWithPath: test.folder + "/assets/" + file.asset.description)
        let whole = try Data(contentsOf: path)
        let size = Self.chunk + 16
        let (first, second, third) = (whole[..<size], whole[size..<2 * size], whole[(2 * size)...])
        try Data(second + first + third).write(to: path)
        let swapped = try reader(file, count)
        for index in 0...1 { #expect(throws: ZoneError.damagedAsset(file.asset)) { try swapped.chunk(index) } }
        #expect(try swapped.chunk(2).count == Self.chunk)
        // Cut at a chunk's end, with a record that says so: the last chunk is not marked as the last.
        try Data(first + second).write(to: path)
        let cut = try reader(file, 2 * Self.chunk)
        #expect(throws: ZoneError.damagedAsset(file.asset)) { try cut.chunk(1) }
    }

    @Test func `the files are listed, and what was never finished is removed`() throws {
        let files = try [write([1]), write([2])]
        for name in [files[0].asset.description + ".part", "stray", files[1].asset.description + "0"] {
            try Data([3]).write(to: URL(fileURLWithPath: test.folder + "/assets/" + name))
        }
        let listed = try assets.names()
        #expect(listed.count == 2 && Set(listed) == Set(files.map(\.asset)))
        #expect(names.count == 4 && !names.contains { $0.hasSuffix(".part") })
    }

    private static let day: Int64 = 86_400

    private var aside: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: test.folder + "/assets/unnamed")) ?? [])
    }

    @Test func `what lies aside comes back when it is read, and is removed after ninety days, not before`() throws {
        let (kept, old) = (try write([1]), try write([2]))
        let now = Int64(Date().timeIntervalSince1970)
        assets.sort([kept.asset, old.asset], named: [], now: now)
        #expect(try assets.names().isEmpty)
        for day in 1...89 { assets.sort([], named: [], now: now + Int64(day) * Self.day) }
        #expect(try reader(kept, 1).chunk(0) == [1])
        // One that is named again comes back, whoever reads it and when.
        assets.sort([kept.asset], named: [], now: now)
        assets.sort([], named: [kept.asset], now: now + AssetFolder.longAside + Self.day)
        #expect(throws: ZoneError.damagedAsset(old.asset)) { try reader(old, 1) }
        #expect(try assets.names() == [kept.asset] && aside.isEmpty)
    }

    @Test func `a clock that is wrong for a while removes nothing that lies aside`() throws {
        let file = try write([1])
        let now = Int64(Date().timeIntervalSince1970)
        // A century ahead, and back again: some days, each seen many times.
        assets.sort([file.asset], named: [], now: now)
        for _ in 0..<50 { assets.sort([], named: [], now: now + 100 * 365 * Self.day) }
        for day in 0..<50 { assets.sort([], named: [], now: now + Int64(day) * Self.day) }
        #expect(aside.contains(file.asset.description))
        // What is seen on one day alone has not lain there for long, whatever the clock says of the day before.
        try FileManager.default.removeItem(atPath: test.folder + "/assets/unnamed/days")
        for day in 0..<29 { assets.sort([], named: [], now: now + AssetFolder.longAside + Int64(day) * Self.day) }
        #expect(aside.contains(file.asset.description))
        assets.sort([], named: [], now: now + AssetFolder.longAside + 29 * Self.day)
        #expect(aside.isEmpty)
    }

    @Test(arguments: ["", "x", "9999999999999999999999", "1\nff ff\n\u{0}", "18000\n\n \nab 3 4\n"])
    func `a record of days that is none removes nothing`(_ text: String) throws {
        let file = try write([1])
        let now = Int64(Date().timeIntervalSince1970)
        assets.sort([file.asset], named: [], now: now)
        try Data(text.utf8).write(to: URL(fileURLWithPath: test.folder + "/assets/unnamed/days"))
        assets.sort([], named: [], now: now + AssetFolder.longAside + Self.day)
        #expect(aside.contains(file.asset.description))
    }

    @Test func `a folder or a link in the place of a file is damage of it alone`() throws {
        let (file, other) = (try write([1]), try write([2]))
        let path = test.folder + "/assets/" + file.asset.description
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: ZoneError.damagedAsset(file.asset)) { try reader(file, 4096 - 16).chunk(0) }
        #expect(throws: ZoneError.damagedAsset(file.asset)) { try reader(file, 1) }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        #expect(throws: ZoneError.damagedAsset(file.asset)) { try reader(file, 1) }
        #expect(try reader(other, 1).chunk(0) == [2])
    }

    @Test func `a file that was removed is missing, and may be removed again`() throws {
        let file = try write([1])
        try assets.remove(file.asset)
        try assets.remove(file.asset)
        #expect(names.isEmpty)
        #expect(throws: ZoneError.damagedAsset(file.asset)) { try reader(file, 1) }
    }
}
