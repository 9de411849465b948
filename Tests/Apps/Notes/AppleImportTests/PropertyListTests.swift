import Testing

@testable import AppleImport

/// Binary property lists and archives, honest and hostile.
@Suite struct PropertyLists {
    private let archive = PropertyListWriter.archive([
        ("name", .string("a longer name than fifteen")), ("data", .data([1, 2, 3])), ("number", .integer(20_000)),
    ])

    @Test func `an archive gives its fields`() throws {
        let root = try KeyedArchive(archive).root
        #expect(root?["name"]?.text == "a longer name than fifteen")
        #expect(root?["data"]?.bytes == [1, 2, 3])
        #expect(root?["number"]?.integer == 20_000)
        #expect(root?["none"]?.integer == nil)
    }

    @Test func `an archived dictionary gives its entries`() throws {
        let bytes = PropertyListWriter.archive([
            ("NS.keys", .array([.uid(4)])), ("NS.objects", .array([.uid(5)])), ("key", .string("CryptoSalt")),
            ("value", .data([9])),
        ])
        #expect(try KeyedArchive(bytes).root?.entry("CryptoSalt")?.bytes == [9])
    }

    @Test func `references in a circle end nowhere`() throws {
        let bytes = PropertyListWriter.archive([("self", .uid(2)), ("top", .uid(1))])
        var cursor = try KeyedArchive(bytes).root
        for _ in 0..<100 { cursor = cursor?["top"] ?? cursor?["self"] }
        #expect(cursor?.bytes == nil)
    }

    @Test func `every cut and every flipped byte is read or refused`() {
        for count in 0..<archive.count { _ = try? KeyedArchive(Array(archive.prefix(count))).root?["name"]?.text }
        for position in archive.indices {
            for value: UInt8 in [0, 0x0F, 0x5F, 0x7F, 0x80, 0xDF, 0xFF] {
                var damaged = archive
                damaged[position] = value
                _ = try? KeyedArchive(damaged).root?["data"]?.bytes
            }
        }
    }

    @Test func `objects that share bytes cannot multiply them`() {
        // A thousand objects at one offset, each a string of the same 200 bytes.
        var bytes = Array("bplist00".utf8) + [0x5F, 0x10, 200] + Array(repeating: 0x61, count: 200)
        let table = UInt8(bytes.count)
        bytes += Array(repeating: 8, count: 1000) + [0, 0, 0, 0, 0, 0, 1, 2]
        bytes += [0, 0, 0, 0, 0, 0, 3, 232] + Array(repeating: 0, count: 8) + [0, 0, 0, 0, 0, 0, 0, table]
        #expect(throws: ArchiveError.self) { try ArchivedObjects(bytes) }
    }
}
