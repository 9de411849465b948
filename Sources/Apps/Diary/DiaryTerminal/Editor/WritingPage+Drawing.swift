import DiaryClient
import DiaryViews
import TerminalScreen

/// What an entry looks like while it is written.
extension WritingPage {
    func title(in language: DiaryLanguage) -> String {
        (editor.id == nil || editor.original?.isDraft == true
            ? DiaryPhrase.newEntry.text(in: language) : ScreenPhrase.edit.text(in: language))
            + (editor.isChanged ? " · " + ScreenPhrase.notSaved.text(in: language) : "")
    }

    func draw(_ here: Surroundings) -> [StyledLine] {
        let columns = here.size.columns
        let fieldColumn = Self.fieldColumn(here)
        let rows = EntryEditor.Field.allCases.filter { $0 != .text }.map { field in
            var line = StyledLine()
            let isFocused = editor.field == field
            let name = (isFocused ? ">" : " ") + field.name(in: here.language)
            line.append(name, isFocused ? .inverse : .bold, width: fieldColumn)
            let whole = editor.value(of: field, in: here.language)
            let value = isFocused ? Self.end(of: whole, columns: columns - fieldColumn - 1) : whole
            let hint = self.hint(for: field, here)
            let room = columns - fieldColumn - CellWidth.of(SafeText.line(value)) - 2
            if !hint.isEmpty, room > 12 {
                line.append(value.isEmpty ? "" : value + "  ")
                line.append(hint, .faint, width: columns - line.width)
            } else {
                line.append(value, width: columns - fieldColumn)
            }
            return line
        }
        let body = editor.field == .files ? drawFiles(here) : editor.area.draw()
        guard Self.isHeadWhole(here) else {
            return [editor.field == .text ? here.row("") : rows[editor.field.rawValue]] + body
        }
        return [here.row("")] + rows + [here.row(String(repeating: "─", count: columns), .faint)] + body
    }

    private static func isHeadWhole(_ here: Surroundings) -> Bool { EntryEditor.headHeight(here.size) > 1 }

    /// What may be typed there, or what a photo offers.
    private func hint(for field: EntryEditor.Field, _ here: Surroundings) -> String {
        let isFocused = editor.field == field
        switch field {
        case .date, .place:
            guard isFocused else { return "" }
            guard let offer = editor.offer(here.zone) else {
                return field == .place && editor.place.isEmpty ? ScreenPhrase.placeHint.text(in: here.language) : ""
            }
            let words = field == .date ? offer.date : offer.place.map { PlaceInput.label($0) }
            let present = field == .date ? editor.date.text : editor.place.text
            return words.map { present.hasSuffix($0) ? "" : "^P " + $0 } ?? ""
        case .files:
            guard editor.path.isEmpty, isFocused || editor.files.isEmpty else { return "" }
            return ScreenPhrase.filesHint.text(in: here.language)
        case .tags, .mood, .star, .text: return ""
        }
    }

    /// In place of the text: the files one below the other, with what is known of each.
    private func drawFiles(_ here: Surroundings) -> [StyledLine] {
        let files = editor.files.all
        let columns = here.size.columns
        guard !files.isEmpty else { return [here.row(" " + ScreenPhrase.noFiles.text(in: here.language), .faint)] }
        let seen = here.visible(files.count, around: editor.files.selected, height: editor.area.view.height)
        return seen.map { index in
            let isSelected = index == editor.files.selected
            let file = files[index].summary
            let name = (isSelected ? " > " : "   ") + "\(index + 1)  \(file.name)"
            let isUnsent = files[index].state == .unsent
            let state = isUnsent ? ScreenPhrase.unsent.text(in: here.language) : FileSize.words(file.byteCount)
            let offer = PhotoOffer(file.facts, zone: here.zone)?.words
            let problem = file.problem.map { here.language.text(saidInEnglish: $0) }
            let words = [state, problem ?? offer, file.facts.camera]
            var line = StyledLine()
            let width = min(CellWidth.of(SafeText.line(name)), columns)
            line.append(name, isSelected ? .inverse : .plain, width: width)
            line.append("  " + words.compactMap(\.self).joined(separator: " · "), .faint, width: columns - line.width)
            return line
        }
    }

    /// Where the fields' values begin.
    private static func fieldColumn(_ here: Surroundings) -> Int {
        let fields = EntryEditor.Field.allCases.filter { $0 != .text }
        let names = fields.map { CellWidth.of($0.name(in: here.language)) }
        return min((names.max() ?? 0) + 3, max(4, here.size.columns / 3))
    }

    /// Of a value that is typed, its end is what is seen.
    ///
    /// - Parameter room: columns.
    private static func end(of value: String, columns room: Int) -> String {
        let safe = SafeText.line(value)
        guard CellWidth.of(safe) > room else { return value }
        var rest = safe[...]
        while CellWidth.of(String(rest)) > room - 1, !rest.isEmpty { rest.removeFirst() }
        return "…" + rest
    }

    // MARK: The caret

    func cursor(_ here: Surroundings) -> (row: Int, column: Int)? {
        let row = ScreenSize.topRows + (Self.isHeadWhole(here) ? 1 + editor.field.rawValue : 0)
        switch editor.field {
        case .text:
            let top = ScreenSize.topRows + EntryEditor.headHeight(here.size)
            return editor.area.caret.map { (row: top + $0.row, column: $0.column) }
        case .mood, .star: return (row, Self.fieldColumn(here))
        case .date: return (row, Self.column(of: editor.date, here))
        case .place: return (row, Self.column(of: editor.place, here))
        case .tags: return (row, Self.column(of: editor.tags, here))
        case .files: return (row, Self.column(of: editor.path, here))
        }
    }

    /// The caret in a value; where that is too long, at its end.
    private static func column(of line: TypedLine, _ here: Surroundings) -> Int {
        let tail = line.buffer.lines[0][line.buffer.cursor.column...]
        let width = CellWidth.of(SafeText.line(line.text)) - CellWidth.of(SafeText.line(String(tail)))
        let start = fieldColumn(here)
        return start + min(max(width, 0), here.size.columns - start - 1)
    }
}
