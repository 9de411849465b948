/// How a terminal takes pictures.
package enum PictureForm: Equatable, Sendable {
    /// The graphics protocol of kitty (sw.kovidgoyal.net/kitty/graphics-protocol), which others speak as well.
    case kitty
    /// Six rows of pixels at a time (DEC STD 070, chapter 9).
    case sixel
    /// Two pixels in each character cell, for every terminal with colours.
    case blocks(CellColors)

    /// What draws a picture in its box, as large as that allows and in its middle; the cursor moves.
    package func bytes(_ picture: Pixels, in box: PictureBox, cell: CellSize) -> [UInt8] {
        switch self {
        case .kitty: KittyPicture.bytes(picture, in: box, cell: cell)
        case .sixel: SixelPicture.bytes(picture, in: box, cell: cell)
        case .blocks(let colors): BlockPicture.bytes(picture, in: box, colors: colors)
        }
    }

    /// What takes pictures off these boxes.
    package func erasure(of boxes: [PictureBox]) -> [UInt8] {
        // Delete all placements, and what was sent for them.
        if self == .kitty { return boxes.isEmpty ? [] : Array("\u{1B}_Ga=d,d=A,q=2\u{1B}\\".utf8) }
        var sequence = "\u{1B}[0m"
        for box in boxes {
            // ECMA-48, ERASE CHARACTER.
            for row in 0..<box.height { sequence += box.move(row: row) + "\u{1B}[\(box.width)X" }
        }
        return boxes.isEmpty ? [] : Array(sequence.utf8)
    }
}

/// The colours that a terminal's cells can have.
package enum CellColors: Equatable, Sendable {
    /// Each of 16 million.
    case direct
    /// The 240 of xterm's palette behind the first 16, which themes change.
    case indexed
}

/// Where a picture stands, counted from 0 and in character cells.
package struct PictureBox: Equatable, Sendable {
    /// Of its first row.
    package let row: Int
    /// Of its first column.
    package let column: Int
    /// Columns.
    package let width: Int
    /// Rows.
    package let height: Int

    /// A box of at least one cell.
    package init(row: Int, column: Int, width: Int, height: Int) {
        (self.row, self.column) = (row, column)
        (self.width, self.height) = (max(width, 1), max(height, 1))
    }

    /// The rows that it covers.
    package var rows: Range<Int> { row..<row + height }

    /// The cursor to a place in it (ECMA-48, CURSOR POSITION).
    func move(row: Int = 0, column: Int = 0) -> String {
        "\u{1B}[\(self.row + row + 1);\(self.column + column + 1)H"
    }
}

/// How many pixels a character cell has.
package struct CellSize: Equatable, Sendable {
    /// At least one.
    package let width: Int
    /// At least one.
    package let height: Int

    /// Where a terminal does not say: those of a VT340's successors.
    package static let usual = CellSize(width: 8, height: 16)

    private init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// Nil for sizes that no font has.
    package init?(pixels width: Int, by height: Int) {
        guard (2...200).contains(width), (2...400).contains(height) else { return nil }
        self.init(width: width, height: height)
    }
}
