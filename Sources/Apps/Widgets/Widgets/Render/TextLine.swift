/// How a piece of a line looks, where there are colours.
struct PieceStyle: Equatable {
    var tint: Tint = .primary
    var isBold = false
    var isDimmed = false
    /// Where a click leads, as ``SafeLink`` lets it through.
    var link: String?
}

/// A piece of a line in one style.
struct TextPiece: Equatable {
    enum Sort: Equatable {
        case words, symbol, mask, gap
        /// Grows to what room is left.
        case filler
    }

    var sort: Sort
    var text: String
    var style: PieceStyle
    /// Columns.
    let width: Int

    /// - Parameter text: clean already.
    init(_ sort: Sort, _ text: String, _ style: PieceStyle = PieceStyle()) {
        self.sort = sort
        self.text = text
        self.style = style
        width = ColumnWidth.of(text)
    }

    static func gap(_ columns: Int) -> TextPiece { TextPiece(.gap, String(repeating: " ", count: max(0, columns))) }
}

/// A line of a host of text.
struct TextLine: Equatable {
    private(set) var pieces: [TextPiece] = []
    private(set) var width = 0

    init(_ pieces: [TextPiece] = []) {
        for piece in pieces { append(piece) }
    }

    var isEmpty: Bool { pieces.isEmpty }
    /// Whether there are words in it that are the widget's own.
    var hasWords: Bool { pieces.contains { $0.sort == .words } }
    /// Whether there is more in it than room and lines between the others.
    var hasContent: Bool { pieces.contains { $0.sort != .gap && $0.sort != .filler && $0.text != "│" } }
    /// Whether nothing is in it but masks.
    var isMask: Bool { !isEmpty && pieces.allSatisfy { $0.sort == .mask || $0.sort == .gap } }

    mutating func append(_ piece: TextPiece) {
        guard piece.width > 0 || piece.sort == .filler else { return }
        pieces.append(piece)
        width += piece.width
    }

    mutating func append(_ line: TextLine) {
        for piece in line.pieces { append(piece) }
    }

    /// Spaces before it.
    func moved(by columns: Int) -> TextLine { columns > 0 ? TextLine([.gap(columns)] + pieces) : self }

    /// Without spaces at its end.
    func trimmed() -> TextLine { TextLine(Array(pieces.reversed().drop { $0.sort == .gap }.reversed())) }

    /// Its room shared among its fillers; where none is left, a space stands for each.
    func filled(to columns: Int) -> TextLine {
        let fillers = pieces.count { $0.sort == .filler }
        guard fillers > 0 else { return self }
        let share = max(1, (columns - width) / fillers)
        return TextLine(pieces.map { $0.sort == .filler ? .gap(share) : $0 })
    }

    /// At most so many columns of it, the last of them an ellipsis where something is missing.
    func truncated(to columns: Int) -> TextLine {
        guard width > columns else { return self }
        var line = TextLine()
        for piece in pieces where line.width < columns {
            let room = columns - 1 - line.width
            if piece.width <= room {
                line.append(piece)
            } else {
                line.append(TextPiece(piece.sort, piece.text.clipped(to: room) + "…", piece.style))
                return line
            }
        }
        return line
    }

    /// The words alone, each piece with its direction kept from the others.
    var plain: String {
        var text = ""
        for piece in pieces { text += DisplayText.isolated(piece.text) }
        return text
    }
}

extension String {
    /// The characters that fit into so many columns.
    func clipped(to columns: Int) -> String {
        var (clipped, width) = ("", 0)
        for character in self {
            width += ColumnWidth.of(character)
            if width > columns { break }
            clipped.append(character)
        }
        return clipped
    }

    /// Its lines, each of at most so many columns: broken between words, and in the middle of one that is longer than
    /// that.
    func wrapped(to columns: Int) -> [String] {
        var lines: [String] = []
        for paragraph in split(separator: "\n", omittingEmptySubsequences: false) {
            var (line, width) = ("", 0)
            for word in paragraph.split(separator: " ") {
                let wordWidth = ColumnWidth.of(String(word))
                if width > 0 && width + 1 + wordWidth <= columns {
                    line += " " + word
                    width += 1 + wordWidth
                    continue
                }
                if width > 0 { lines.append(line) }
                (line, width) = ("", 0)
                for character in word {
                    let characterWidth = ColumnWidth.of(character)
                    if width > 0 && width + characterWidth > columns {
                        lines.append(line)
                        (line, width) = ("", 0)
                    }
                    line.append(character)
                    width += characterWidth
                }
            }
            lines.append(line)
        }
        return lines
    }
}
