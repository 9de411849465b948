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

/// What an entry and its editor look like.
extension OpenDiary {
    /// The rows at the top of the screen.
    private static let topRows = 2
    /// The rows of facts above an entry's pictures.
    private static let factRows = 2

    // MARK: Reading

    func draw(_ entry: EntryPage) -> [StyledLine] {
        let head = entry.summary.head
        var lines = [row(" " + facts(of: head), .faint), row(" " + tagWords(of: head), .faint)]
        let strip = entry.strip
        if strip.boxes.isEmpty {
            if strip.height > 0 { lines.append(row(" " + fileWords(entry.summary.media), .faint)) }
        } else {
            lines += (0..<strip.height).map { draw(strip, $0, entry) }
        }
        guard entry.text != nil else { return lines }
        return lines + entry.view.rows(of: entry.lines).map { entry.view.draw($0, of: entry.lines) }
    }

    /// When, how and where.
    func facts(of head: EntryHead) -> String {
        let time = head.localTime
        var facts = [language.heading(time.day) + ", " + time.clock + " " + head.timeZone]
        if !time.isZoneKnown { facts.append(DiaryPhrase.unknownZone.text(in: language)) }
        if head.isStarred { facts.append("★") }
        if let mood = head.mood {
            facts.append(ScreenPhrase.mood.text(in: language) + ": " + mood.text(in: language))
        }
        return facts.joined(separator: " · ")
    }

    func tagWords(of head: EntryHead) -> String {
        var words = head.tags.map { "#" + $0 }
        if let place = head.place {
            let names = [place.name, place.locality, place.region, place.country].compactMap(\.self)
                .filter { !$0.isEmpty }
            words.append(
                "@ " + (names.isEmpty ? "\(place.latitude), \(place.longitude)" : names.joined(separator: ", ")))
        }
        return words.joined(separator: " ")
    }

    private func fileWords(_ files: [MediaSummary]) -> String {
        files.map { "[\($0.name), \(Self.size($0.byteCount))]" }.joined(separator: " ")
    }

    /// Such as `3.4 MB`, in powers of ten as files are sold.
    static func size(_ bytes: UInt64) -> String {
        if bytes < 1000 { return "\(bytes) B" }
        let units = ["kB", "MB", "GB", "TB"]
        var tenths = Int(min(bytes, 1 << 53)) / 100
        var unit = 0
        while tenths >= 10_000, unit < units.count - 1 {
            tenths /= 1000
            unit += 1
        }
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(tenths / 10) \(units[unit])"
    }

    /// One row of the boxes: a frame where there is no picture, and the name below.
    private func draw(_ strip: PictureStrip, _ index: Int, _ entry: EntryPage) -> StyledLine {
        var line = StyledLine()
        for box in strip.boxes {
            line.pad(to: box.column)
            line.append(
                text(of: box, index, strip.height, hasPicture: entry.pictures[box.file.id] != nil), width: box.width)
        }
        if index == 0, strip.rest > 0 {
            let words = " " + ScreenPhrase.more(strip.rest, in: language)
            if line.width + CellWidth.of(words) <= size.columns { line.append(words, .faint) }
        }
        line.pad(to: size.columns)
        return line
    }

    private func text(of box: PictureStrip.Box, _ index: Int, _ height: Int, hasPicture: Bool) -> String {
        if index == height - 1 { return box.file.name }
        if hasPicture { return "" }
        let inner = max(0, box.width - 2)
        switch index {
        case 0: return "┌" + String(repeating: "─", count: inner) + "┐"
        case height - 2: return "└" + String(repeating: "─", count: inner) + "┘"
        case (height - 2) / 2:
            let words = Self.size(box.file.byteCount)
            let left = max(0, (inner - words.count) / 2)
            let right = max(0, inner - words.count - left)
            return "│" + String(repeating: " ", count: left) + words + String(repeating: " ", count: right) + "│"
        default: return "│" + String(repeating: " ", count: inner) + "│"
        }
    }

    /// Where thumbnails that have come are drawn; none where something lies over the page.
    var picturePlaces: [PicturePlace] {
        guard case .entry(let entry) = page, !isHelpShown else { return [] }
        return entry.strip.boxes.filter { entry.pictures[$0.file.id] != nil }.map { box in
            PicturePlace(
                file: box.file.id, row: Self.topRows + Self.factRows, column: box.column, width: box.width,
                height: entry.strip.height - 1)
        }
    }

    func picture(of file: String) -> [UInt8]? {
        if case .entry(let entry) = page { entry.pictures[file] } else { nil }
    }

    private var isHelpShown: Bool { if case .help = dialog { true } else { false } }

    // MARK: Writing

    func draw(_ editor: EntryEditor) -> [StyledLine] {
        let fields: [(EntryEditor.Field, String, String)] = [
            (.date, ScreenPhrase.date.text(in: language), dateWords(editor)),
            (.tags, DiaryPhrase.tags.text(in: language), editor.tags.text),
            (.mood, ScreenPhrase.mood.text(in: language), editor.mood.map { $0.text(in: language) } ?? "–"),
            (.star, ScreenPhrase.star.text(in: language), editor.isStarred ? "★" : "–"),
            (.files, ScreenPhrase.files.text(in: language), filesWords(editor)),
        ]
        let rows = fields.map { field, name, value in
            var line = StyledLine()
            let isFocused = editor.field == field
            line.append((isFocused ? ">" : " ") + name, isFocused ? .inverse : .bold, width: fieldColumn)
            line.append(visible(value, isFocused: isFocused), width: size.columns - fieldColumn)
            return line
        }
        let text = editor.view.rows(of: editor.buffer.lines).map { editor.view.draw($0, of: editor.buffer.lines) }
        guard isHeadWhole else { return [editor.field == .text ? row("") : rows[editor.field.rawValue]] + text }
        return [row("")] + rows + [row(String(repeating: "─", count: size.columns), .faint)] + text
    }

    private var isHeadWhole: Bool { EntryEditor.headHeight(size) > 1 }

    /// Where the fields' values begin.
    private var fieldColumn: Int {
        let names = [
            ScreenPhrase.date.text(in: language), DiaryPhrase.tags.text(in: language),
            ScreenPhrase.mood.text(in: language), ScreenPhrase.files.text(in: language),
        ]
        return min((names.map { CellWidth.of($0) }.max() ?? 0) + 3, max(4, size.columns / 3))
    }

    private func dateWords(_ editor: EntryEditor) -> String {
        guard editor.date.isEmpty, editor.field != .date else { return editor.date.text }
        return ScreenPhrase.dateNow.text(in: language)
    }

    private func filesWords(_ editor: EntryEditor) -> String {
        let kept = (editor.original?.media.map(\.name) ?? []) + editor.paths.map { NewMedia(path: $0).name }
        let list = kept.isEmpty ? "" : kept.joined(separator: ", ") + "  "
        if editor.field == .files { return list + editor.path.text }
        return list.isEmpty && editor.path.isEmpty ? ScreenPhrase.filesHint.text(in: language) : list + editor.path.text
    }

    /// Of a value that is typed, its end is what is seen.
    private func visible(_ value: String, isFocused: Bool) -> String {
        let room = size.columns - fieldColumn - 1
        let safe = SafeText.line(value)
        guard isFocused, CellWidth.of(safe) > room else { return value }
        var rest = safe[...]
        while CellWidth.of(String(rest)) > room - 1, !rest.isEmpty { rest.removeFirst() }
        return "…" + rest
    }

    func cursor(in editor: EntryEditor) -> (row: Int, column: Int)? {
        let row = isHeadWhole ? Self.topRows + 1 + editor.field.rawValue : Self.topRows
        switch editor.field {
        case .text: return textCursor(in: editor)
        case .mood, .star: return (row, fieldColumn)
        case .date: return fieldCursor(editor.date.text, behind: editor.date, at: row)
        case .tags: return fieldCursor(editor.tags.text, behind: editor.tags, at: row)
        case .files: return fieldCursor(filesWords(editor), behind: editor.path, at: row)
        }
    }

    /// The caret in a value; where that is too long, at its end.
    private func fieldCursor(_ value: String, behind line: TypedLine, at row: Int) -> (row: Int, column: Int) {
        let tail = line.buffer.lines[0][line.buffer.cursor.column...]
        let width = CellWidth.of(SafeText.line(value)) - CellWidth.of(SafeText.line(String(tail)))
        return (row, fieldColumn + min(max(width, 0), size.columns - fieldColumn - 1))
    }

    private func textCursor(in editor: EntryEditor) -> (row: Int, column: Int)? {
        let lines = editor.buffer.lines
        let place = editor.view.place(of: editor.buffer.cursor, in: lines)
        let fold = editor.view.fold(lines[editor.buffer.cursor.line])[place.row]
        let row = TextView.Row(line: editor.buffer.cursor.line, range: fold)
        return editor.view.rows(of: lines).firstIndex(of: row).map { index in
            (row: Self.topRows + EntryEditor.headHeight(size) + index, column: place.column)
        }
    }
}
