import Testing

@testable import AppleImport

/// Unpacking within limits.
@Suite struct Unpacking {
    @Test func `what was packed comes back`() throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try Gunzip.unpack(Gzip.pack(bytes)) == bytes)
    }

    @Test func `what is cut short, changed or no gzip is refused`() {
        let packed = Gzip.pack(Array("a note of some length".utf8))
        for count in packed.indices {
            #expect(throws: BodyError.self) { try Gunzip.unpack(Array(packed.prefix(count))) }
        }
        var changed = packed
        changed[20] ^= 1
        #expect(throws: BodyError.notGzip) { try Gunzip.unpack(changed) }
        #expect(throws: BodyError.notGzip) { try Gunzip.unpack(Array(repeating: 0, count: 100)) }
    }

    @Test func `a bomb is refused, and a small one let through until it fails`() {
        #expect(throws: BodyError.tooLarge) { try Gunzip.unpack(Gzip.bomb(repeats: 100_000)) }
        // Its checksum is wrong.
        #expect(throws: BodyError.notGzip) { try Gunzip.unpack(Gzip.bomb(repeats: 100)) }
    }
}
