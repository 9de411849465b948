/// A picture in characters: each cell shows an upper half block, so that it has two pixels, one above the other.
enum BlockPicture {
    static func bytes(_ picture: Pixels, in box: PictureBox, colors: CellColors) -> [UInt8] {
        let size = picture.size(within: (box.width, box.height * 2))
        let small = picture.scaled(to: size)
        let rows = (small.height + 1) / 2
        var output = ""
        for row in 0..<rows {
            output += box.move(row: (box.height - rows) / 2 + row, column: (box.width - small.width) / 2)
            var former = ""
            for column in 0..<small.width {
                let style = Self.style(small, column, row, colors)
                if style != former { output += style }
                output += "▀"
                former = style
            }
            output += "\u{1B}[0m"
        }
        return Array(output.utf8)
    }

    /// The upper pixel in front, the lower one behind it; behind the last of an odd number is the terminal's own.
    private static func style(_ picture: Pixels, _ column: Int, _ row: Int, _ colors: CellColors) -> String {
        let front = color(picture[column, 2 * row], colors)
        guard 2 * row + 1 < picture.height else { return "\u{1B}[38;\(front);49m" }
        return "\u{1B}[38;\(front);48;\(color(picture[column, 2 * row + 1], colors))m"
    }

    /// As SGR says it behind 38 or 48 (ISO 8613-6).
    private static func color(_ pixel: (red: UInt8, green: UInt8, blue: UInt8), _ colors: CellColors) -> String {
        switch colors {
        case .direct: "2;\(pixel.red);\(pixel.green);\(pixel.blue)"
        case .indexed: "5;\(index(of: pixel))"
        }
    }

    /// Levels of each colour in the palette's cube of 216 (xterm's 256colres).
    private static let levels = [0, 95, 135, 175, 215, 255]

    /// The nearest colour of xterm's palette, in its cube or on its ramp of greys.
    private static func index(of pixel: (red: UInt8, green: UInt8, blue: UInt8)) -> Int {
        let values = [Int(pixel.red), Int(pixel.green), Int(pixel.blue)]
        let steps = values.map { value in
            levels.indices.min { abs(levels[$0] - value) < abs(levels[$1] - value) } ?? 0
        }
        let mean = values.reduce(0, +) / 3
        let grey = min(max((mean - 8 + 5) / 10, 0), 23)
        func distance(_ color: [Int]) -> Int { zip(color, values).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } }
        let isGrey = distance(Array(repeating: 8 + 10 * grey, count: 3)) < distance(steps.map { levels[$0] })
        return isGrey ? 232 + grey : 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
    }
}
