/// Takes the metadata out of an image's file and leaves its picture as it is, bit for bit.
///
/// What is kept is what the picture is drawn from: pixels, tables, colour profiles, frames. What nobody knows is
/// dropped, so that nothing unforeseen is passed on. Runs in the decoder's process, behind its sandbox.
package enum MetadataStripper {
    /// - Throws: `notStrippable` for HEIC, AVIF and TIFF; `damaged` where the file is not whole.
    package static func strip(_ image: [UInt8]) throws(ImageRefusal) -> [UInt8] {
        switch ImageKind(of: image) {
        case .jpeg: try JPEGStripper.strip(image)
        case .png: try PNGStripper.strip(image)
        case .webp: try WebPStripper.strip(image)
        case .gif: try GIFStripper.strip(image)
        case .tiff, .heif: throw .notStrippable
        case nil: throw .notAnImage
        }
    }
}

/// A place in a file, with an end that can't be passed.
struct ImageReader {
    private let bytes: [UInt8]
    private(set) var position: Int
    private(set) var end: Int

    init(_ bytes: [UInt8], from position: Int = 0) {
        self.bytes = bytes
        self.position = min(position, bytes.count)
        end = bytes.count
    }

    /// A part of it that lies ahead.
    func limited(to count: Int) throws(ImageRefusal) -> ImageReader {
        guard count >= 0, count <= remaining else { throw .damaged }
        var part = self
        part.end = position + count
        return part
    }

    var remaining: Int { end - position }

    mutating func take(_ count: Int) throws(ImageRefusal) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw .damaged }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func byte() throws(ImageRefusal) -> UInt8 {
        guard position < end else { throw .damaged }
        defer { position += 1 }
        return bytes[position]
    }

    /// Up to a byte 0xFF that neither a zero nor a restart of a JPEG's scan follows.
    mutating func takeScan() throws(ImageRefusal) -> ArraySlice<UInt8> {
        let start = position
        while position < end - 1 {
            guard bytes[position] == 0xFF else {
                position += 1
                continue
            }
            let next = bytes[position + 1]
            guard next == 0 || (0xD0...0xD7).contains(next) else { return bytes[start..<position] }
            position += 2
        }
        throw .damaged
    }

    mutating func bigEndian(_ count: Int) throws(ImageRefusal) -> Int {
        try take(count).reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func littleEndian(_ count: Int) throws(ImageRefusal) -> Int {
        try take(count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
