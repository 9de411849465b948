import DiaryClient
import DiaryViews
import TerminalScreen

/// What an open diary looks like: two rows at the top, the page, and the last row.
extension OpenDiary {
    func frame() -> Frame {
        var frame = Frame(lines: [head(), pages.menu(here)], cursor: nil)
        let height = here.size.bodyHeight
        let rows = Array((dialog?.body(language) ?? body()).prefix(height))
        frame.lines += rows + here.blank(height - rows.count)
        if case .editor(let writing) = page, dialog == nil { frame.cursor = writing.cursor(here) }
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
        case .statistics: overview.drawStatistics(here)
        case .tags(let pane): pane.draw(overview.tags, here)
        case .entry(let entry): entry.draw(here)
        case .files(let files): files.draw(here)
        case .picture(let picture): picture.draw(here)
        case .settings(let pane): pane.draw(standing, here)
        case .templates(let pane): pane.draw(overview.templates, here)
        case .editor(let writing): writing.draw(here)
        }
    }

    private func drawFoot(on frame: inout Frame) {
        let columns = here.size.columns
        if let dialog { return dialog.draw(on: &frame, message, here) }
        if !message.isEmpty { return frame.put(message, .bold, columns: columns) }
        if let left = standing.secondsLeft(at: here.now.uptime) {
            return frame.put(ScreenPhrase.ending(left, in: language), .warning, columns: columns)
        }
        frame.lines[frame.lines.count - 1] = here.row(" " + page.keys.text(in: language), .faint)
    }
}
