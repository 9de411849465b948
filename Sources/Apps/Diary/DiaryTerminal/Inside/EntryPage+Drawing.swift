import DiaryClient
import DiaryViews
import TerminalScreen

/// Where the driver draws a thumbnail, all counted from 0 and in character cells.
struct PicturePlace: Equatable, Sendable {
    let file: String
    let row: Int
    let column: Int
    let width: Int
    let height: Int
}

/// What an entry looks like.
extension EntryPage {
    func draw(_ here: Surroundings) -> [StyledLine] {
        let head = summary.head
        var drawn = [
            here.row(" " + head.facts(in: here.language), .faint), here.row(" " + head.tagWords, .faint),
        ]
        if here.size.isLow {
            let facts = [head.facts(in: here.language), head.tagWords, fileWords].filter { !$0.isEmpty }
            drawn = [here.row(" " + facts.joined(separator: "  "), .faint)]
        }
        let strip = self.strip
        if strip.boxes.isEmpty {
            if strip.height > 0 { drawn.append(here.row(" " + fileWords, .faint)) }
        } else {
            drawn += (0..<strip.height).map { draw(strip, $0, here) }
        }
        guard text != nil else { return drawn }
        return drawn + view.rows(of: lines).map { view.draw($0, of: lines) }
    }

    private var fileWords: String {
        summary.media.map { "[\($0.name), \(FileSize.words($0.byteCount))]" }.joined(separator: " ")
    }

    /// One row of the boxes: a frame where there is no picture, and the name below.
    private func draw(_ strip: PictureStrip, _ index: Int, _ here: Surroundings) -> StyledLine {
        var line = StyledLine()
        for box in strip.boxes {
            line.pad(to: box.column)
            let words = self.words(of: box, index, strip.height, hasPicture: pictures[box.file.id] != nil)
            line.append(words, width: box.width)
        }
        if index == 0, strip.rest > 0 {
            let words = " " + ScreenPhrase.more(strip.rest, in: here.language)
            if line.width + CellWidth.of(words) <= here.size.columns { line.append(words, .faint) }
        }
        line.pad(to: here.size.columns)
        return line
    }

    private func words(of box: PictureStrip.Box, _ index: Int, _ height: Int, hasPicture: Bool) -> String {
        if index == height - 1 { return box.file.name }
        if hasPicture { return "" }
        let inner = max(0, box.width - 2)
        switch index {
        case 0: return "┌" + String(repeating: "─", count: inner) + "┐"
        case height - 2: return "└" + String(repeating: "─", count: inner) + "┘"
        case (height - 2) / 2:
            let words = FileSize.words(box.file.byteCount)
            let left = max(0, (inner - words.count) / 2)
            let right = max(0, inner - words.count - left)
            return "│" + String(repeating: " ", count: left) + words + String(repeating: " ", count: right) + "│"
        default: return "│" + String(repeating: " ", count: inner) + "│"
        }
    }
}
