import Localization
import TerminalScreen

/// What the form looks like.
extension ItemForm {
    /// What stands above it.
    var title: String { record.map { localized("Change \($0.label)") } ?? localized("New item") }

    /// As many of its rows as there is room for, the selected one among them, and the column of the cursor in it.
    func draw(columns: Int, height: Int) -> (lines: [StyledLine], cursor: (row: Int, column: Int)?) {
        let first = max(0, min(selected - height / 2, fields.count - height))
        let seen = fields.indices.dropFirst(first).prefix(height)
        var cursor: (row: Int, column: Int)?
        let lines = seen.map { index in
            let label = self.label(of: fields[index], columns)
            guard index == selected, let line else { return row(label, fields[index], index == selected, columns) }
            let typed = Self.typed(label, line, columns)
            cursor = (index - first, typed.cursor)
            return typed.line
        }
        return (lines, cursor)
    }

    private func label(of field: Field, _ columns: Int) -> String {
        let name =
            switch field {
            case .kind: localized("Kind")
            case .name: localized("Name")
            case .label: localized("Label")
            case .account: localized("Account")
            case .place: record?.kind == .internet ? localized("Server") : localized("Service")
            case .comment: localized("Comment")
            case .protectionClass: localized("Readable")
            case .secret: localized("Secret")
            }
        let width = columns >= 40 ? 12 : 9
        return " " + name + String(repeating: " ", count: max(1, width - name.count))
    }

    private func row(_ label: String, _ field: Field, _ isSelected: Bool, _ columns: Int) -> StyledLine {
        var line = StyledLine()
        line.append(label, .bold)
        let value = isSelected ? "‹ \(value(of: field)) ›" : value(of: field)
        line.append(value, isSelected ? .inverse : .plain, width: columns - line.width)
        return line
    }

    /// A line that is typed: where it is too long, the part around its cursor is seen.
    private static func typed(_ label: String, _ field: TypedLine, _ columns: Int) -> (line: StyledLine, cursor: Int) {
        let texts = field.buffer.lines
        let view = TextView(width: max(2, columns - CellWidth.of(label)), height: 1)
        let place = view.place(of: field.buffer.cursor, in: texts)
        let folds = view.fold(texts[field.buffer.cursor.line])
        var line = StyledLine()
        line.append(label, .bold)
        line.append(view.draw(TextView.Row(line: field.buffer.cursor.line, range: folds[place.row]), of: texts))
        line.pad(to: columns)
        return (line, min(columns - 1, CellWidth.of(label) + place.column))
    }
}
