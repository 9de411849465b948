import DiaryClient
import DiaryViews
import TerminalScreen

/// What the editor of an entry looks like.
extension OpenDiary {
    func draw(_ editor: EntryEditor) -> [StyledLine] {
        let rows = EntryEditor.Field.allCases.filter { $0 != .text }.map { field in
            var line = StyledLine()
            let isFocused = editor.field == field
            let name = (isFocused ? ">" : " ") + name(of: field)
            line.append(name, isFocused ? .inverse : .bold, width: fieldColumn)
            let value = visible(value(of: field, in: editor), isFocused: isFocused)
            let hint = hint(for: field, in: editor)
            let room = size.columns - fieldColumn - CellWidth.of(SafeText.line(value)) - 2
            if !hint.isEmpty, room > 12 {
                line.append(value.isEmpty ? "" : value + "  ")
                line.append(hint, .faint, width: size.columns - line.width)
            } else {
                line.append(value, width: size.columns - fieldColumn)
            }
            return line
        }
        let body = editor.field == .files ? drawFiles(editor) : editor.area.draw()
        guard isHeadWhole else { return [editor.field == .text ? row("") : rows[editor.field.rawValue]] + body }
        return [row("")] + rows + [row(String(repeating: "─", count: size.columns), .faint)] + body
    }

    private var isHeadWhole: Bool { EntryEditor.headHeight(size) > 1 }

    func name(of field: EntryEditor.Field) -> String {
        switch field {
        case .date: ScreenPhrase.date.text(in: language)
        case .place: ScreenPhrase.place.text(in: language)
        case .tags: DiaryPhrase.tags.text(in: language)
        case .mood: ScreenPhrase.mood.text(in: language)
        case .star: ScreenPhrase.star.text(in: language)
        case .files: ScreenPhrase.files.text(in: language)
        case .text: ScreenPhrase.text.text(in: language)
        }
    }

    /// As it stands behind the field's name.
    func value(of field: EntryEditor.Field, in editor: EntryEditor) -> String {
        switch field {
        case .date:
            guard editor.date.isEmpty, editor.field != .date else { return editor.date.text }
            return editor.dateOtherwise ?? ScreenPhrase.dateNow.text(in: language)
        case .place: return editor.place.text
        case .tags: return editor.tags.text
        case .mood: return editor.mood.map { $0.text(in: language) } ?? "–"
        case .star: return editor.isStarred ? "★" : "–"
        case .files:
            if editor.field == .files { return editor.path.text }
            return editor.files.all.map(\.summary.name).joined(separator: ", ")
        case .text: return editor.buffer.text
        }
    }

    /// What may be typed there, or what a photo offers.
    private func hint(for field: EntryEditor.Field, in editor: EntryEditor) -> String {
        let isFocused = editor.field == field
        switch field {
        case .date, .place:
            guard isFocused else { return "" }
            guard let offer = editor.offer(zone) else {
                return field == .place && editor.place.isEmpty ? ScreenPhrase.placeHint.text(in: language) : ""
            }
            let words = field == .date ? offer.date : offer.place.map { PlaceInput.label($0) }
            let present = field == .date ? editor.date.text : editor.place.text
            return words.map { present.hasSuffix($0) ? "" : "^P " + $0 } ?? ""
        case .files:
            guard editor.path.isEmpty, isFocused || editor.files.isEmpty else { return "" }
            return ScreenPhrase.filesHint.text(in: language)
        case .tags, .mood, .star, .text: return ""
        }
    }

    /// In place of the text: the files one below the other, with what is known of each.
    private func drawFiles(_ editor: EntryEditor) -> [StyledLine] {
        let files = editor.files.all
        guard !files.isEmpty else { return [row(" " + ScreenPhrase.noFiles.text(in: language), .faint)] }
        return visible(files.count, around: editor.files.selected, height: editor.area.view.height).map { index in
            let isSelected = index == editor.files.selected
            let file = files[index].summary
            let name = (isSelected ? " > " : "   ") + "\(index + 1)  \(file.name)"
            let isUnsent = files[index].state == .unsent
            let state = isUnsent ? ScreenPhrase.unsent.text(in: language) : Self.size(file.byteCount)
            let words = [state, file.problem ?? PhotoOffer(file.facts, zone: zone)?.words, file.facts.camera]
            var line = StyledLine()
            let width = min(CellWidth.of(SafeText.line(name)), size.columns)
            line.append(name, isSelected ? .inverse : .plain, width: width)
            line.append(
                "  " + words.compactMap(\.self).joined(separator: " · "), .faint, width: size.columns - line.width)
            return line
        }
    }

    /// Where the fields' values begin.
    private var fieldColumn: Int {
        let names = EntryEditor.Field.allCases.filter { $0 != .text }.map { CellWidth.of(name(of: $0)) }
        return min((names.max() ?? 0) + 3, max(4, size.columns / 3))
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
        case .text:
            let top = Self.topRows + EntryEditor.headHeight(size)
            return editor.area.caret.map { (row: top + $0.row, column: $0.column) }
        case .mood, .star: return (row, fieldColumn)
        case .date: return fieldCursor(editor.date, at: row)
        case .place: return fieldCursor(editor.place, at: row)
        case .tags: return fieldCursor(editor.tags, at: row)
        case .files: return fieldCursor(editor.path, at: row)
        }
    }

    /// The caret in a value; where that is too long, at its end.
    private func fieldCursor(_ line: TypedLine, at row: Int) -> (row: Int, column: Int) {
        let tail = line.buffer.lines[0][line.buffer.cursor.column...]
        let width = CellWidth.of(SafeText.line(line.text)) - CellWidth.of(SafeText.line(String(tail)))
        return (row, fieldColumn + min(max(width, 0), size.columns - fieldColumn - 1))
    }
}
