import PrintStream

/// Something that stands between the margins, one below the other.
enum Piece {
    case text(TextPiece)
    case row(PictureRow)
    /// A line across a part of the page.
    case rule(width: Double)
}

/// Lines of a text.
struct TextPiece {
    enum Mark { case none, bar, shade }
    enum Outline {
        case year(String)
        case month(String)
        /// What is no time, such as the list of months itself.
        case part(String)
    }

    let lines: Lines
    /// From the margins, on the left and on the right.
    var left = 0.0
    var spaceBefore = 0.0
    var spaceAfter = 0.0
    var mark = Mark.none
    /// What stands before the first line, and where, from the margin.
    var marker: (lines: Lines, x: Double)?
    /// What of the outline begins with it.
    var outline: Outline?
    /// Where it leads.
    var target: OutlinePlace?
}

/// Where a year or a month begins.
struct OutlinePlace {
    let name: String
    let isYear: Bool
    let page: Int
    /// From the page's top.
    let y: Double
}

/// Pictures side by side, with their caption, if they have one.
struct PictureRow {
    struct Cell {
        /// Nil where the picture is none.
        let jpeg: [UInt8]?
        /// Width by height.
        let shape: Double
    }

    let cells: [Cell]
    let height: Double
    /// Of all of them, with what is between.
    let width: Double
    let caption: Lines?
    /// What stands in the place of what is no picture.
    let words: Lines

    static let gap = 8.0
    static let captionGap = 5.0
    static let spaceAround = 7.0
    static let wordsWidth = 200.0

    var captionHeight: Double { caption.map { $0.height + Self.captionGap } ?? 0 }
    var totalHeight: Double { height + captionHeight }

    /// A picture that is made smaller than this looks lost.
    private static let leastShare = 0.5
    private static let leastHeight = 90.0

    /// The same with less height for its pictures; nil where that would be too little.
    func scaled(to height: Double) -> PictureRow? {
        guard height < self.height else { return self }
        guard height >= self.height * Self.leastShare, height >= Self.leastHeight else { return nil }
        let gaps = Self.gap * Double(cells.count - 1)
        let width = (self.width - gaps) * height / self.height + gaps
        return PictureRow(cells: cells, height: height, width: width, caption: caption, words: words)
    }
}
