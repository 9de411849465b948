import DiaryClient
import DiaryViews
import TerminalScreen

/// What the map looks like.
extension MapPane {
    func draw(_ here: Surroundings) -> [StyledLine] {
        guard let map else { return [] }
        var cells = map.lines.map { $0.map { String($0) } }
        for marker in map.markers where cells.indices.contains(marker.row) {
            guard cells[marker.row].indices.contains(marker.column) else { continue }
            cells[marker.row][marker.column] = String(marker.symbol)
        }
        let lines = cells.enumerated().map { index, row in
            draw(row, marked: map.markers.filter { $0.row == index }.map(\.column), index, to: here.size.columns)
        }
        guard let place = selectedPlace else {
            let words =
                ids.isEmpty
                ? DiaryPhrase.noPlaces.text(in: here.language) : ScreenPhrase.noneHere.text(in: here.language)
            return lines + [here.row(" " + words)]
        }
        let words = " " + ScreenPhrase.entries(selectedIDs.count, in: here.language) + " · " + place
        return lines + [here.row(words, .bold)]
    }

    /// A row of the map; markers stand out, and the selected one most.
    private func draw(_ cells: [String], marked: [Int], _ row: Int, to columns: Int) -> StyledLine {
        var line = StyledLine()
        var start = 0
        for column in marked.sorted() {
            line.append(cells[start..<column].joined())
            let isSelected = selected?.row == row && selected?.column == column
            line.append(cells[column], isSelected ? .inverse : .bold)
            start = column + 1
        }
        line.append(cells[start...].joined())
        line.pad(to: columns)
        return line
    }
}
