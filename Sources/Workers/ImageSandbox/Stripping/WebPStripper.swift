/// A WebP's chunks; RFC 9649, section 2.
struct WebPStripper {
    private var reader: ImageReader
    private var kept: [UInt8] = []
    /// The first one counts.
    private var orientation: Int?

    private static let headerByteCount = 12
    private static let drawing: Set = ["VP8 ", "VP8L", "ALPH", "ANIM", "ICCP"]
    private static let framed: Set = ["VP8 ", "VP8L", "ALPH"]

    private enum Flag {
        static let xmp: UInt8 = 0x04
        static let exif: UInt8 = 0x08
    }

    /// What the container's length leaves out is dropped.
    static func strip(_ image: [UInt8]) throws(ImageRefusal) -> [UInt8] {
        var stripper = WebPStripper(image)
        return try stripper.strip()
    }

    private init(_ image: [UInt8]) {
        reader = ImageReader(image)
        kept.reserveCapacity(image.count)
    }

    private mutating func strip() throws(ImageRefusal) -> [UInt8] {
        _ = try reader.take(4)
        let count = try reader.littleEndian(4)
        var chunks = try reader.limited(to: count)
        _ = try chunks.take(4)
        var hasPicture = false
        while chunks.remaining > 0 {
            let (type, content) = try Self.chunk(from: &chunks)
            switch type {
            case "VP8X":
                guard content.count == 10, kept.isEmpty, let flags = content.first else { throw .damaged }
                append(type, [flags & ~(Flag.exif | Flag.xmp)] + content.dropFirst())
            case "EXIF": orientation = orientation ?? ExifOrientation.read(content)
            case "ANMF": append(type, try frame(content))
            case let type where Self.drawing.contains(type): append(type, Array(content))
            default: break
            }
            hasPicture = hasPicture || ["VP8 ", "VP8L", "ANMF"].contains(type)
        }
        guard hasPicture else { throw .damaged }
        return try finished()
    }

    /// A frame of an animation: sixteen bytes, and chunks of its own.
    private func frame(_ content: ArraySlice<UInt8>) throws(ImageRefusal) -> [UInt8] {
        var chunks = ImageReader(Array(content))
        var kept = Array(try chunks.take(16))
        while chunks.remaining > 0 {
            let (type, content) = try Self.chunk(from: &chunks)
            if Self.framed.contains(type) { kept += Self.chunk(type, Array(content)) }
        }
        return kept
    }

    private static func chunk(
        from reader: inout ImageReader
    ) throws(ImageRefusal) -> (type: String, content: ArraySlice<UInt8>) {
        let type = String(decoding: try reader.take(4), as: UTF8.self)
        let content = try reader.take(try reader.littleEndian(4))
        // To an even length; some leave the last one out.
        if content.count % 2 == 1 && reader.remaining > 0 { _ = try reader.byte() }
        return (type, content)
    }

    private mutating func append(_ type: String, _ content: [UInt8]) { kept += Self.chunk(type, content) }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Array(type.utf8) + littleEndian(content.count) + content + (content.count % 2 == 1 ? [0] : [])
    }

    private static func littleEndian(_ number: Int) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private func finished() throws(ImageRefusal) -> [UInt8] {
        var chunks = kept
        // Only the extended form says that there is an orientation; the plain one has none to begin with.
        if let orientation, orientation != 1, chunks.starts(with: "VP8X".utf8) {
            chunks[8] |= Flag.exif
            chunks += Self.chunk("EXIF", ExifOrientation.tiff(orientation))
        }
        return Array("RIFF".utf8) + Self.littleEndian(chunks.count + 4) + Array("WEBP".utf8) + chunks
    }
}
