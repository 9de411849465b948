/// A GIF's blocks; CompuServe, "Graphics Interchange Format, version 89a", sections 12 to 27.
struct GIFStripper {
    private var reader: ImageReader
    private var kept: [UInt8] = []

    private enum Block {
        static let image: UInt8 = 0x2C
        static let extending: UInt8 = 0x21
        static let end: UInt8 = 0x3B
    }

    private enum Label {
        /// How the next image is shown: for how long, and what of it is transparent.
        static let control: UInt8 = 0xF9
        static let application: UInt8 = 0xFF
    }

    /// How often an animation runs; two names for the same.
    private static let looping = ["NETSCAPE2.0", "ANIMEXTS1.0"]

    /// Up to the end of the pictures; comments, texts and what programs have put there are dropped.
    static func strip(_ image: [UInt8]) throws(ImageRefusal) -> [UInt8] {
        var stripper = GIFStripper(image)
        return try stripper.strip()
    }

    private init(_ image: [UInt8]) {
        reader = ImageReader(image)
        kept.reserveCapacity(image.count)
    }

    private mutating func strip() throws(ImageRefusal) -> [UInt8] {
        let header = try reader.take(13)
        kept += header
        try keepColours(header[header.startIndex + 10])
        var hasPicture = false
        while true {
            switch try reader.byte() {
            case Block.image:
                hasPicture = true
                let descriptor = try reader.take(9)
                kept += [Block.image] + descriptor
                try keepColours(descriptor[descriptor.endIndex - 1])
                // The width of the first codes, and the codes.
                kept += [try reader.byte()] + (try subBlocks())
            case Block.extending: try readExtension()
            case Block.end:
                guard hasPicture else { throw .damaged }
                return kept + [Block.end]
            default: throw .damaged
            }
        }
    }

    /// The table of colours whose presence and size these bits tell.
    private mutating func keepColours(_ flags: UInt8) throws(ImageRefusal) {
        if flags & 0x80 != 0 { kept += try reader.take(3 << (Int(flags & 7) + 1)) }
    }

    private mutating func readExtension() throws(ImageRefusal) {
        let label = try reader.byte()
        let blocks = try subBlocks()
        // To the byte what they are to be, and nothing that stands beside it.
        let isKept =
            switch label {
            case Label.control: blocks.count == 6 && blocks.first == 4
            case Label.application:
                blocks.count == 17 && blocks.first == 11 && blocks[12] == 3 && blocks[13] == 1
                    && Self.looping.contains { blocks.dropFirst().starts(with: $0.utf8) }
            default: false
            }
        if isKept { kept += [Block.extending, label] + blocks }
    }

    /// Blocks of up to 255 bytes, each behind its length, up to an empty one.
    private mutating func subBlocks() throws(ImageRefusal) -> [UInt8] {
        var blocks: [UInt8] = []
        while true {
            let count = try reader.byte()
            blocks.append(count)
            guard count > 0 else { return blocks }
            blocks += try reader.take(Int(count))
        }
    }
}
