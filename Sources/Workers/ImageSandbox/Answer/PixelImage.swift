/// Pixels as they are seen: rows from the top, three bytes each (red, green, blue; sRGB).
///
/// It cannot be wrong: there are as many bytes as its size says. So whoever draws it needs no codec, and nothing that a
/// hostile image does to its decoder reaches further than the wrong colours.
package struct PixelImage: Equatable, Sendable {
    /// Columns, at least one.
    package let width: Int
    /// Rows, at least one.
    package let height: Int
    /// Row after row.
    package let bytes: [UInt8]

    /// Of each pixel.
    package static let bytesPerPixel = 3

    /// Nil where there are not as many bytes as the size says, or there is no pixel.
    package init?(width: Int, height: Int, _ bytes: [UInt8]) {
        guard width > 0, height > 0, width <= 1 << 16, height <= 1 << 16,
            bytes.count == width * height * Self.bytesPerPixel
        else { return nil }
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}
