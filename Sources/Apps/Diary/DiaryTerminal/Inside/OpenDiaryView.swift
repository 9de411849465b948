import DiaryClient
import DiaryViews
import TerminalScreen

/// What an open diary looks like: two rows at the top, the page, and the last row.
struct OpenDiaryView {
    let diary: OpenDiary

    private var here: Surroundings { diary.here }
    private var page: PageStack.Page { diary.page }
    private var language: DiaryLanguage { diary.language }

    func frame() -> Frame {
        var frame = Frame(lines: [head(), diary.pages.menu(here)], cursor: nil)
        let height = here.size.bodyHeight
        let rows = Array((diary.dialog?.body(language) ?? body()).prefix(height))
        frame.lines += rows + here.blank(height - rows.count)
        if case .editor(let writing) = page, diary.dialog == nil { frame.cursor = writing.cursor(here) }
        frame.lines.append(StyledLine("", width: here.size.columns))
        drawFoot(on: &frame)
        return frame
    }

    private func head() -> StyledLine {
        let columns = here.size.columns
        let chip = " " + language.heading(here.viewpoint.today) + " "
        let isWide = columns >= 60
        var line = StyledLine()
        let title = " " + DiaryPhrase.title.text(in: language) + " · " + page.title(in: language)
        line.append(title, .bold, width: columns - (isWide ? CellWidth.of(chip) : 0))
        if isWide { line.append(chip, .faint) }
        return line
    }

    private func body() -> [StyledLine] {
        switch page {
        case .list(let pane): draw(pane)
        case .calendar(let pane): pane.draw(here)
        case .map(let pane): pane.draw(here)
        case .statistics: diary.overview.drawStatistics(here)
        case .tags(let pane): pane.draw(diary.overview.tags, here)
        case .entry(let entry): entry.draw(here)
        case .files(let files): files.draw(here)
        case .picture(let picture): picture.draw(here)
        case .settings(let pane): pane.draw(diary.standing, here)
        case .templates(let pane): pane.draw(diary.overview.templates, here)
        case .editor(let writing): writing.draw(here)
        }
    }

    /// A list, and beside it what is selected there, where that is followed.
    private func draw(_ pane: EntryPane) -> [StyledLine] {
        guard let room = BesideRoom(here), diary.beside.entry != nil else { return pane.draw(here) }
        var narrow = here
        narrow.size = ScreenSize(columns: room.listColumns, rows: here.size.rows)
        return diary.beside.draw(beside: pane.draw(narrow), room, here)
    }

    private func drawFoot(on frame: inout Frame) {
        let columns = here.size.columns
        let message = diary.message
        if let dialog = diary.dialog { return dialog.draw(on: &frame, message, here) }
        if !message.isEmpty { return frame.put(message, .bold, columns: columns) }
        if let left = diary.standing.secondsLeft(at: here.now.uptime) {
            return frame.put(ScreenPhrase.ending(left, in: language), .warning, columns: columns)
        }
        frame.lines[frame.lines.count - 1] = here.row(" " + page.keys.text(in: language), .faint)
    }
}
