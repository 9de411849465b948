import Localization
import NotesClient
import TerminalScreen

/// What folders and the list look like.
extension NoteShelf {
    func drawFolders(_ room: PaneRoom) -> [StyledLine] {
        let names = places.map { folderName($0) }
        let selected = places.firstIndex(of: place)
        return [room.heading(localized("Folders"))]
            + room.visible(names.count, around: folderRow).map { row in
                room.row(room.mark(row == selected) + names[row], room.style(row == selected))
            }
    }

    /// A folder stands indented under its nearest ancestor, and is called by what its path has beyond that.
    private func folderName(_ place: Place) -> String {
        guard case .folder(let path) = place else { return place.title }
        let ancestors = folders.map { $0.path + "/" }.filter { path.hasPrefix($0) }
        let nearest = ancestors.max { $0.count < $1.count } ?? ""
        return String(repeating: "  ", count: min(ancestors.count, 8)) + path.dropFirst(nearest.count)
    }

    /// The place that a line of the pane shows, counted below its heading; nil for none.
    func place(atLine line: Int, _ room: PaneRoom) -> Place? {
        let rows = room.visible(places.count, around: folderRow)
        return rows.dropFirst(max(0, line)).first.flatMap { line < 0 ? nil : places[$0] }
    }

    /// The row of the list that a line of the pane shows, counted below its heading; nil for none.
    func noteRow(atLine line: Int, _ room: PaneRoom) -> Int? {
        let rows = visibleNotes(room)
        return line < 0 ? nil : rows.dropFirst(line / noteHeight).first
    }

    /// What a search finds has its place in the text below its title.
    private var noteHeight: Int { place.isSearch ? 2 : 1 }

    private func visibleNotes(_ room: PaneRoom) -> Range<Int> {
        room.visible(notes.count, around: row, rowHeight: noteHeight)
    }

    func drawList(_ room: PaneRoom, _ dates: NoteDates) -> [StyledLine] {
        var lines = [room.heading("\(place.title) (\(total))" + ScreenWords.order(order, isSearch: place.isSearch))]
        if notes.isEmpty {
            let words =
                place.isSearch
                ? " " + localized("Nothing found.")
                : place == .trash ? " " + localized("Empty.") : " " + localized("Press n for a note.")
            return lines + [room.row(words)]
        }
        for index in visibleNotes(room) {
            let note = notes[index]
            let time = order == .created ? note.created : note.modified
            // A date has room beside a title only where that has some left.
            let marks = note.marks + (room.width >= 36 && time != 0 ? " " + dates.day(time) : "")
            let style = room.style(index == row)
            var line = StyledLine()
            line.append(room.mark(index == row) + note.titleWords, style, width: room.width - CellWidth.of(marks))
            line.append(marks, style)
            lines.append(line)
            if place.isSearch {
                let excerpt = note.isLocked ? "" : note.excerpt ?? ""
                lines.append(room.row("   " + excerpt, .faint))
            }
        }
        return Array(lines.prefix(room.height + 1))
    }
}
