/// The world's coast lines.
///
/// Source: Natural Earth (naturalearthdata.com), "Coastline", 1:50 million, in the public domain, as the data set
/// `coastline50` of R's package rnaturalearthdata 0.1.0 has it (CC0; Debian's r-cran-rnaturalearthdata 0.1.0-2).
/// Changed: simplified by Douglas and Peucker's algorithm to 0.045° (0.2° south of 60° S), islands below 0.15° left
/// out (1° there), rounded to 0.01°. That is about 5 km on the ground: enough for a country on a screen, not for a
/// harbour.
///
/// Encoded: for each line the number of its points, then for each point the difference of its longitude and of its
/// latitude from the point before (from 0° 0° for the first), in hundredths of a degree. A number is zigzagged
/// (0, −1, 1, −2 … become 0, 1, 2, 3 …) and written in digits of base 32, lowest first, each but the last with 32
/// added, as one character of `0–9A–Za–z+-` each. Line breaks mean nothing.
enum CoastData {
    /// Decoded at first use; 18,510 points.
    static let lines: [CoastLine] = decoded((firstPart + secondPart).utf8)

    /// A piece of coast, closed where its ends meet, and the box around it.
    struct CoastLine: Sendable {
        let points: [MapPoint]
        let west: Double
        let east: Double
        let south: Double
        let north: Double

        init(_ points: [MapPoint]) {
            self.points = points
            west = points.lazy.map(\.x).min() ?? 0
            east = points.lazy.map(\.x).max() ?? 0
            south = points.lazy.map(\.y).min() ?? 0
            north = points.lazy.map(\.y).max() ?? 0
        }
    }

    /// Lines up to the first character or number that does not fit.
    static func decoded(_ text: some Sequence<UInt8>) -> [CoastLine] {
        var lines: [CoastLine] = []
        var numbers = Numbers(text)
        while let count = numbers.next(), count > 0 {
            var points: [MapPoint] = []
            var x = 0
            var y = 0
            for _ in 0..<count {
                guard let eastward = numbers.next(), let northward = numbers.next() else { return lines }
                x += eastward
                y += northward
                points.append(MapPoint(x: Double(x) / 100, y: Double(y) / 100))
            }
            lines.append(CoastLine(points))
        }
        return lines
    }

    private struct Numbers<Text: Sequence<UInt8>>: IteratorProtocol {
        private var characters: Text.Iterator

        init(_ text: Text) { characters = text.makeIterator() }

        mutating func next() -> Int? {
            var value = 0
            // Seven digits hold more than any difference on Earth.
            for shift in stride(from: 0, to: 35, by: 5) {
                guard let digit = nextDigit() else { return nil }
                value |= (digit & 31) << shift
                if digit < 32 { return value & 1 == 0 ? value >> 1 : -(value >> 1) - 1 }
            }
            return nil
        }

        private mutating func nextDigit() -> Int? {
            while let byte = characters.next() {
                switch byte {
                case 0x30...0x39: return Int(byte) - 0x30
                case 0x41...0x5a: return Int(byte) - 0x41 + 10
                case 0x61...0x7a: return Int(byte) - 0x61 + 36
                case 0x2b: return 62
                case 0x2d: return 63
                case 0x0a: continue
                default: return nil
                }
            }
            return nil
        }
    }
}

/// A point of a plane: degrees east and north, or units of a picture to the right and down.
package struct MapPoint: Sendable, Equatable {
    /// East, or right.
    package var x: Double
    /// North, or down.
    package var y: Double
}
