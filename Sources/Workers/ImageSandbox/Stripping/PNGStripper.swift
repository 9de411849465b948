/// A PNG's chunks; PNG specification, third edition, clause 5.
struct PNGStripper {
    private var reader: ImageReader
    private var kept: [UInt8] = []
    /// The first one counts.
    private var orientation: Int?

    private static let signatureByteCount = 8
    /// Header, palette, pixels, transparency, colours, size of a pixel, and the frames of an animation.
    private static let drawing: Set = [
        "PLTE", "IDAT", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD", "hIST", "pHYs",
        "acTL", "fcTL", "fdAT",
    ]

    /// Up to the chunk that ends the image.
    static func strip(_ image: [UInt8]) throws(ImageRefusal) -> [UInt8] {
        var stripper = PNGStripper(image)
        return try stripper.strip()
    }

    private init(_ image: [UInt8]) {
        reader = ImageReader(image, from: Self.signatureByteCount)
        kept.reserveCapacity(image.count)
    }

    private mutating func strip() throws(ImageRefusal) -> [UInt8] {
        let header = try chunk()
        guard header.type == "IHDR", header.content.count == 13 else { throw .damaged }
        while true {
            let chunk = try chunk()
            switch chunk.type {
            case "IEND": return try finished(header, end: chunk)
            case let type where Self.drawing.contains(type): kept += chunk.whole
            case "eXIf": orientation = orientation ?? ExifOrientation.read(chunk.content)
            // One that can't be left out, by the case of its first letter, and that nobody knows.
            case let type where type.utf8.first.map { $0 & 0x20 == 0 } == true: throw .damaged
            default: break
            }
        }
    }

    private struct Chunk {
        let type: String
        let content: ArraySlice<UInt8>
        let whole: ArraySlice<UInt8>
    }

    private mutating func chunk() throws(ImageRefusal) -> Chunk {
        var ahead = reader
        let count = try ahead.bigEndian(4)
        let type = try ahead.take(4)
        let content = try ahead.take(count)
        guard type.allSatisfy({ (0x41...0x5A).contains($0 & ~0x20) }) else { throw .damaged }
        return Chunk(
            type: String(decoding: type, as: UTF8.self), content: content, whole: try reader.take(count + 12))
    }

    private func finished(_ header: Chunk, end: Chunk) throws(ImageRefusal) -> [UInt8] {
        guard end.content.isEmpty else { throw .damaged }
        let turned = orientation.flatMap { $0 == 1 ? nil : $0 }
        let exif = turned.map { Self.chunk("eXIf", ExifOrientation.tiff($0)) } ?? []
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        return signature + header.whole + exif + kept + end.whole
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        var writer = FormatWriter()
        writer.integer(UInt32(clamping: content.count))
        writer.raw(type.utf8)
        writer.raw(content)
        writer.integer(checksum(Array(type.utf8) + content))
        return writer.bytes
    }

    /// The CRC of annex D, bit by bit: it is made of thirty bytes.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320) }
        }
    }
}
