/// A picture as sixels: characters that each stand for six pixels below each other, of one colour of at most 256.
enum SixelPicture {
    /// Of a band.
    private static let rows = 6
    /// Terminals take no sixels beyond some size (xterm: 1000 by 1000), and more would take long to draw.
    private static let longestSide = 996

    static func bytes(_ picture: Pixels, in box: PictureBox, cell: CellSize) -> [UInt8] {
        // A band that is not whole could reach into the row below the box, and scroll the screen.
        let height = max(rows, box.height * cell.height / rows * rows)
        let room = (width: min(box.width * cell.width, longestSide), height: min(height, longestSide))
        let size = picture.size(within: room)
        let sized = picture.scaled(to: size)
        let palette = SixelPalette(sized)
        let margin = (
            row: (box.height * cell.height - size.height) / 2 / cell.height,
            column: (box.width * cell.width - size.width) / 2 / cell.width
        )
        // What is not drawn stays as it is (P2 = 1); the raster attributes tell the size.
        var output = Array("\(box.move(row: margin.row, column: margin.column))\u{1B}P0;1;0q\"1;1".utf8)
        output += Array(";\(sized.width);\(sized.height)".utf8)
        for (index, color) in palette.colors.enumerated() {
            let percents = color.map { (Int($0) * 100 + 127) / 255 }
            output += Array("#\(index);2;\(percents[0]);\(percents[1]);\(percents[2])".utf8)
        }
        for top in stride(from: 0, to: sized.height, by: rows) { append(sized, palette, top, to: &output) }
        return output + Array("\u{1B}\\".utf8)
    }

    /// A band: for each of its colours where it stands, then back to the left edge.
    private static func append(_ picture: Pixels, _ palette: SixelPalette, _ top: Int, to output: inout [UInt8]) {
        var bands: [Int: [UInt8]] = [:]
        for line in 0..<min(rows, picture.height - top) {
            for column in 0..<picture.width {
                let color = palette.index(of: picture[column, top + line])
                bands[color, default: [UInt8](repeating: 0, count: picture.width)][column] |= 1 << UInt8(line)
            }
        }
        for (count, color) in bands.keys.sorted().enumerated() {
            // `$` goes back to the begin of the band.
            output += Array("\(count == 0 ? "" : "$")#\(color)".utf8)
            append(runs: bands[color] ?? [], to: &output)
        }
        output.append(UInt8(ascii: "-"))
    }

    /// `!` and a number repeat the character behind them.
    private static func append(runs bits: [UInt8], to output: inout [UInt8]) {
        var start = 0
        while start < bits.count {
            var end = start + 1
            while end < bits.count, bits[end] == bits[start] { end += 1 }
            let character = 0x3F + bits[start]
            if end - start > 3 {
                output += Array("!\(end - start)".utf8) + [character]
            } else {
                output += [UInt8](repeating: character, count: end - start)
            }
            start = end
        }
    }
}

/// At most 256 colours for a picture: its colours in a box, which is cut in two where they differ most (Heckbert 1982,
/// median cut), until there are enough boxes.
struct SixelPalette {
    /// The mean of each box, red, green and blue.
    private(set) var colors: [[UInt8]] = []
    /// Which box each colour of five bits a channel lies in.
    private var boxes = [UInt8](repeating: 0, count: 1 << 15)

    static let mostColors = 256

    /// Colours of a picture that are the same in their upper five bits, and how often they are there.
    private struct Bin {
        let key: Int
        let count: Int
        let sums: [Int]

        func level(_ channel: Int) -> Int { key >> (10 - 5 * channel) & 31 }
    }

    init(_ picture: Pixels) {
        for (index, box) in Self.cut(Self.count(picture)).enumerated() {
            let count = box.reduce(0) { $0 + $1.count }
            colors.append((0..<3).map { channel in UInt8(box.reduce(0) { $0 + $1.sums[channel] } / max(count, 1)) })
            for bin in box { boxes[bin.key] = UInt8(index) }
        }
    }

    /// The number of the colour that stands for this one.
    func index(of pixel: (red: UInt8, green: UInt8, blue: UInt8)) -> Int { Int(boxes[Self.key(pixel)]) }

    private static func key(_ pixel: (red: UInt8, green: UInt8, blue: UInt8)) -> Int {
        Int(pixel.red >> 3) << 10 | Int(pixel.green >> 3) << 5 | Int(pixel.blue >> 3)
    }

    /// The colours that are there, in the order of their keys.
    private static func count(_ picture: Pixels) -> [Bin] {
        var counts = [Int](repeating: 0, count: 1 << 15)
        var sums = [Int](repeating: 0, count: 3 << 15)
        for at in stride(from: 0, to: picture.bytes.count, by: 3) {
            let pixel = (picture.bytes[at], picture.bytes[at + 1], picture.bytes[at + 2])
            let key = key(pixel)
            counts[key] += 1
            sums[3 * key] += Int(pixel.0)
            sums[3 * key + 1] += Int(pixel.1)
            sums[3 * key + 2] += Int(pixel.2)
        }
        return counts.indices.filter { counts[$0] > 0 }.map { key in
            Bin(key: key, count: counts[key], sums: Array(sums[3 * key..<3 * key + 3]))
        }
    }

    private static func cut(_ bins: [Bin]) -> [[Bin]] {
        var boxes = [bins]
        while boxes.count < mostColors {
            // The box with the widest spread; one colour can't be cut.
            let spreads = boxes.map(Self.spread)
            guard let widest = boxes.indices.max(by: { spreads[$0].range < spreads[$1].range }),
                spreads[widest].range > 0
            else { break }
            let channel = spreads[widest].channel
            let sorted = boxes[widest].sorted { ($0.level(channel), $0.key) < ($1.level(channel), $1.key) }
            let half = sorted.reduce(0) { $0 + $1.count } / 2
            var (seen, at) = (0, 0)
            while at < sorted.count - 1, seen < max(half, 1) {
                seen += sorted[at].count
                at += 1
            }
            boxes[widest] = Array(sorted[..<at])
            boxes.append(Array(sorted[at...]))
        }
        return boxes
    }

    private static func spread(_ box: [Bin]) -> (channel: Int, range: Int) {
        var best = (channel: 0, range: 0)
        for channel in 0..<3 {
            let levels = box.map { $0.level(channel) }
            let range = (levels.max() ?? 0) - (levels.min() ?? 0)
            if range > best.range { best = (channel, range) }
        }
        return best
    }
}
