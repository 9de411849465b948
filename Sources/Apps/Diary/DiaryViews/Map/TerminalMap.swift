package import DiaryClient

/// A map of lines of text: coasts of Braille dots, and where the markers stand.
///
/// A cell of a terminal holds two by four dots (Unicode's block "Braille Patterns", U+2800), which are about square.
/// Nothing is asked of any network: the coasts are in the program.
///
/// ```swift
/// let map = TerminalMap(of: places, columns: 60, rows: 18)
/// for line in map.plainLines { print(line) }
/// ```
package struct TerminalMap: Sendable, Equatable {
    package let frame: MapFrame
    /// As many as asked for, each of as many characters; a cell without coast is a blank.
    package let lines: [String]
    /// For the caller to draw over the lines, from top left to bottom right.
    package let markers: [MapMarker]

    /// - Parameters:
    ///   - places: of the entries; one may stand there more than once.
    ///   - columns: from 1 to 500; other numbers become the nearest.
    ///   - rows: from 1 to 200.
    ///   - frame: what to show; all places where nil.
    package init(of places: [DiaryPlace], columns: Int, rows: Int, frame: MapFrame? = nil) {
        let columns = min(max(columns, 1), 500)
        let rows = min(max(rows, 1), 200)
        let chosen = frame ?? MapFrame(fitting: places)
        let projection = MapProjection(chosen, width: Double(columns * 2), height: Double(rows * 4))
        var picture = BraillePicture(columns: columns, rows: rows)
        for line in projection.coast() { picture.draw(line) }
        self.frame = chosen
        lines = picture.lines
        markers = MapMarker.markers(of: places, on: projection, cellWidth: 2, cellHeight: 4)
    }

    /// The lines with the markers' symbols in them.
    package var plainLines: [String] {
        var cells = lines.map(Array.init)
        for marker in markers { cells[marker.row][marker.column] = marker.symbol }
        return cells.map { String($0) }
    }
}

/// Dots, two by four to a character.
struct BraillePicture {
    private let columns: Int
    private let rows: Int
    private var patterns: [UInt8]

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        patterns = [UInt8](repeating: 0, count: columns * rows)
    }

    var lines: [String] {
        (0..<rows).map { row in
            var line = String.UnicodeScalarView()
            for pattern in patterns[row * columns..<(row + 1) * columns] {
                line.append(pattern == 0 ? " " : Unicode.Scalar(0x2800 + UInt32(pattern)) ?? " ")
            }
            return String(line)
        }
    }

    /// The dots numbered as Unicode does: 1 to 3 and 7 down the left, 4 to 6 and 8 down the right.
    private static let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

    private mutating func set(x: Int, y: Int) {
        guard (0..<columns * 2).contains(x), (0..<rows * 4).contains(y) else { return }
        patterns[y / 4 * columns + x / 2] |= Self.bits[y % 4][x % 2]
    }

    /// - Parameter line: in dots, inside the picture.
    mutating func draw(_ line: [MapPoint]) {
        for (start, end) in zip(line, line.dropFirst()) {
            let steps = max(1, Int(max(abs(end.x - start.x), abs(end.y - start.y)).rounded(.up)))
            for step in 0...steps {
                let share = Double(step) / Double(steps)
                set(
                    x: min(Int(start.x + share * (end.x - start.x)), columns * 2 - 1),
                    y: min(Int(start.y + share * (end.y - start.y)), rows * 4 - 1))
            }
        }
    }
}
