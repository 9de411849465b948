/// A picture as a terminal gets it: rows from the top, red, green and blue of each pixel in a byte each (sRGB).
package struct Pixels: Equatable, Sendable {
    /// At least one.
    package let width: Int
    /// At least one.
    package let height: Int
    /// Row after row, three for each pixel.
    package let bytes: [UInt8]

    /// Nil where there is no pixel, or not as many bytes as the size says.
    package init?(width: Int, height: Int, _ bytes: [UInt8]) {
        guard width > 0, height > 0, width <= 1 << 15, height <= 1 << 15, bytes.count == width * height * 3 else {
            return nil
        }
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    private init(trusted width: Int, _ height: Int, _ bytes: [UInt8]) {
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    /// Red, green and blue.
    package subscript(column: Int, row: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        let at = (row * width + column) * 3
        return (bytes[at], bytes[at + 1], bytes[at + 2])
    }

    /// The largest size in proportion that a room of so many pixels has; larger than the picture, too.
    package func size(within most: (width: Int, height: Int)) -> (width: Int, height: Int) {
        let room = (width: max(most.width, 1), height: max(most.height, 1))
        if width * room.height >= height * room.width {
            return (room.width, max(1, (height * room.width + width / 2) / width))
        }
        return (max(1, (width * room.height + height / 2) / height), room.height)
    }

    /// The same picture in exactly so many pixels; each is the mean of those that it stands for.
    package func scaled(to size: (width: Int, height: Int)) -> Pixels {
        let (columns, rows) = (max(size.width, 1), max(size.height, 1))
        guard (columns, rows) != (width, height) else { return self }
        var scaled: [UInt8] = []
        scaled.reserveCapacity(columns * rows * 3)
        for row in 0..<rows {
            let lines = Self.range(row, of: rows, in: height)
            for column in 0..<columns {
                append(mean: Self.range(column, of: columns, in: width), lines, to: &scaled)
            }
        }
        return Pixels(trusted: columns, rows, scaled)
    }

    private func append(mean columns: Range<Int>, _ rows: Range<Int>, to scaled: inout [UInt8]) {
        var (red, green, blue) = (0, 0, 0)
        for row in rows {
            for column in columns {
                let at = (row * width + column) * 3
                red += Int(bytes[at])
                green += Int(bytes[at + 1])
                blue += Int(bytes[at + 2])
            }
        }
        let count = columns.count * rows.count
        for sum in [red, green, blue] { scaled.append(UInt8((sum + count / 2) / count)) }
    }

    /// Which of `all` belong to this part of so many; never none.
    private static func range(_ part: Int, of parts: Int, in all: Int) -> Range<Int> {
        let first = part * all / parts
        return first..<max(first + 1, (part + 1) * all / parts)
    }
}
