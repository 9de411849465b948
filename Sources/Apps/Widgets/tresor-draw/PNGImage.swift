/// The parts of a PNG file around its pixels; ISO/IEC 15948.
struct PNGImage {
    let width: Int
    let height: Int
    /// One bit for each pixel, or red, green, blue and opacity with 8 bits each.
    let isBlackAndWhite: Bool

    private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    init(width: Int, height: Int, isBlackAndWhite: Bool) {
        self.width = width
        self.height = height
        self.isBlackAndWhite = isBlackAndWhite
    }

    /// What a file says of itself; nil for one that does not begin as it must.
    init?(header file: [UInt8]) {
        guard file.count >= 33, file.starts(with: Self.signature), file[12..<16].elementsEqual("IHDR".utf8) else {
            return nil
        }
        let side = { (offset: Int) in file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        (width, height) = (side(16), side(20))
        // More than cairo takes.
        guard (1...32_767).contains(width), (1...32_767).contains(height) else { return nil }
        isBlackAndWhite = false
    }

    /// With the byte that names a line's filter.
    var lineByteCount: Int { 1 + (isBlackAndWhite ? (width + 7) / 8 : width * 4) }

    /// - Parameters:
    ///   - compressed: the lines, as zlib writes them.
    ///   - checksum: CRC-32.
    func file(compressed: [UInt8], checksum: ([UInt8]) -> UInt32) -> [UInt8] {
        var file = Self.signature
        let head = Self.bytes(width) + Self.bytes(height)
        // Grey with one bit, or colours and opacity with eight; no interlacing.
        let chunks: [(name: String, body: [UInt8])] = [
            ("IHDR", head + (isBlackAndWhite ? [1, 0, 0, 0, 0] : [8, 6, 0, 0, 0])), ("IDAT", compressed), ("IEND", []),
        ]
        file.reserveCapacity(compressed.count + 57)
        for chunk in chunks {
            let body = Array(chunk.name.utf8) + chunk.body
            file += Self.bytes(chunk.body.count)
            file += body
            file += Self.bytes(Int(checksum(body)))
        }
        return file
    }

    private static func bytes(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }
}

/// From which grey on a pixel is white, so that greys become patterns.
enum DitherPattern {
    private static let order: [UInt8] = [
        0, 32, 8, 40, 2, 34, 10, 42, 48, 16, 56, 24, 50, 18, 58, 26, 12, 44, 4, 36, 14, 46, 6, 38, 60, 28, 52, 20, 62,
        30, 54, 22, 3, 35, 11, 43, 1, 33, 9, 41, 51, 19, 59, 27, 49, 17, 57, 25, 15, 47, 7, 39, 13, 45, 5, 37, 63, 31,
        55, 23, 61, 29, 53, 21,
    ]

    /// 1 to 253: black stays black, and white white.
    static func threshold(_ x: Int, _ y: Int) -> UInt32 { UInt32(order[(y & 7) * 8 + x & 7]) * 4 + 1 }
}
