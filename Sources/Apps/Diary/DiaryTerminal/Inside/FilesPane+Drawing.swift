import DiaryClient
import DiaryViews
import TerminalScreen

/// What the files of an entry look like.
extension FilesPane {
    func draw(_ here: Surroundings) -> [StyledLine] {
        let files = entry.media
        let columns = here.size.columns
        let list = here.visible(files.count, around: row, height: listHeight).map { index in
            let isSelected = index == row
            let size = " \(FileSize.words(files[index].byteCount)) "
            var line = StyledLine()
            let style: Style = isSelected ? .inverse : .plain
            let room = max(0, columns - size.count)
            line.append((isSelected ? " > " : "   ") + "\(index + 1)  \(files[index].name)", style, width: room)
            line.append(size, style, width: columns - room)
            return line
        }
        guard let file = selected else { return list }
        return list + [here.row("")] + drawFacts(of: file, here)
    }

    /// The facts, and left of them the room for the picture.
    private func drawFacts(of file: MediaSummary, _ here: Surroundings) -> [StyledLine] {
        let columns = here.size.columns
        let margin = pictureWidth > 0 && here.drawsPictures && file.hasThumbnail ? pictureWidth + 3 : 1
        let facts = file.factWords(in: here.language)
        let width = min((facts.map { CellWidth.of($0.name) }.max() ?? 0) + 2, max(4, columns / 3))
        return facts.flatMap { fact in
            let texts = TextBuffer(SafeText.line(fact.value)).lines
            let view = TextView(width: max(4, columns - margin - width), height: 3)
            return view.rows(of: texts).enumerated().map { index, part in
                var line = StyledLine()
                line.pad(to: margin)
                line.append(index == 0 ? fact.name : "", .bold, width: width)
                line.append(String(texts[part.line][part.range]), width: max(0, columns - line.width))
                return line
            }
        }
    }
}
