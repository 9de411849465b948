import TerminalScreen
import Tresor

/// What the screen looks like.
extension BrowserScreen {
    /// Below this, only a sentence is shown.
    private var isTooSmall: Bool { columns < 20 || rows < 6 }
    /// Rows between the head's two lines and the last row.
    var bodyHeight: Int { max(1, rows - 3) }
    /// The same without the list's headings.
    var listHeight: Int { max(1, rows - 4) }

    /// Rows of a secret that is shown: no message, which has three rows at most, ever covers one of them.
    var secretHeight: Int { max(1, rows - 5) }

    /// Where the driver writes the secret; nil while none is shown.
    var secretArea: SecretArea? {
        guard case .secret(let shown) = page, !isTooSmall else { return nil }
        return SecretArea(row: 2, column: 1, width: columns - 2, height: secretHeight, top: shown.top)
    }

    func frame() -> Frame {
        guard !isTooSmall else {
            return Frame(lines: [StyledLine("Window too small", width: columns)] + blank(rows - 1), cursor: nil)
        }
        var frame = Frame(lines: [head()] + body(), cursor: nil)
        frame.lines = Array((frame.lines + blank(rows)).prefix(rows))
        drawFoot(on: &frame)
        return frame
    }

    private func blank(_ count: Int) -> [StyledLine] {
        Array(repeating: StyledLine("", width: columns), count: max(0, count))
    }

    // MARK: Head

    private func head() -> StyledLine {
        let state =
            switch lockState {
            case .unlocked: "🔓 unlocked"
            case .locked: "🔒 device locked"
            case .beforeFirstUnlock: "🔒 before first unlock"
            case nil: isDisconnected ? "no answer" : ""
            }
        var chip = StyledLine()
        chip.append(" " + state + " ", .bold)
        var line = StyledLine()
        line.append(" " + choice.title, .bold, width: max(0, columns - chip.width))
        line.append(chip)
        return line
    }

    /// The page's heading and what stands under it.
    private func body() -> [StyledLine] {
        if isDisconnected { return notice("tresord does not answer.", "Trying again. q quits.") }
        switch page {
        case .list: return [bar()] + drawList()
        case .details(let record, let top):
            return [heading(record.label)] + window(detailLines(of: record), from: top)
        case .secret(let shown): return [heading("Secret of " + shown.record.label)]
        case .help(let top):
            return [heading("Help")] + window(Self.help.map { StyledLine($0, width: columns) }, from: top)
        }
    }

    private func heading(_ title: String) -> StyledLine { StyledLine(" " + title, .inverse, width: columns) }

    private func window(_ lines: [StyledLine], from top: Int) -> [StyledLine] {
        Array(lines.dropFirst(min(top, max(0, lines.count - bodyHeight))).prefix(bodyHeight))
    }

    private func notice(_ first: String, _ second: String) -> [StyledLine] {
        [
            StyledLine("", width: columns), StyledLine(" " + first, .bold, width: columns),
            StyledLine(" " + second, width: columns),
        ]
    }

    // MARK: The list

    /// The kinds, the one that is shown in brackets; only that one where there is no room.
    private func bar() -> StyledLine {
        let found = search.isEmpty ? "" : " · “\(search)”"
        let all = Filter.allCases.map { $0 == filter ? "[\($0.title)]" : " \($0.title) " }.joined()
        let text = CellWidth.of(all + found) + 1 <= columns ? all + found : "[\(filter.title)] Tab: other kinds" + found
        return StyledLine(text, .inverse, width: columns)
    }

    private struct Widths {
        let label: Int
        let account: Int
        let kind = 11
        let access: Int
    }

    private var widths: Widths {
        guard columns >= 60 else { return Widths(label: columns - 13, account: 0, access: 0) }
        let rest = columns - 13 - 13
        return Widths(label: rest * 11 / 20, account: rest - rest * 11 / 20 - 1, access: 12)
    }

    private func drawList() -> [StyledLine] {
        let list = list
        let headings = line(" Label", "", "Account", "Kind", "Readable", .bold)
        guard let shown else { return [headings] }
        guard !list.isEmpty else {
            let isEmpty = choice.isReadOnly && shown.records.isEmpty
            let words =
                isEmpty ? "No certificates." : search.isEmpty ? "Nothing of this kind." : "Nothing found."
            return [headings, StyledLine(" " + words, width: columns)]
        }
        let first = max(0, min(row - listHeight / 2, list.count - listHeight))
        return [headings]
            + list.indices[first..<min(list.count, first + listHeight)].map { draw(list[$0], isSelected: $0 == row) }
    }

    private func draw(_ row: Row, isSelected: Bool) -> StyledLine {
        let mark = isSelected ? ">" : " "
        let style: Style = isSelected ? .inverse : .plain
        switch row {
        case .record(let record):
            let warning = record.certificate?.warning(at: now.date).map { " ! " + $0 } ?? ""
            return line(
                mark + record.label, warning, record.account, record.kind.rawValue, Words.short(record.protectionClass),
                style)
        case .locked(let group):
            let count = group.count == 1 ? "1 item is locked" : "\(group.count) items are locked"
            let access = group.protectionClass.map { Words.short($0) } ?? ""
            return line("\(mark)🔒 \(count)", "", "", Self.kind(group.kind), access, style)
        }
    }

    private static func kind(_ kind: ItemKind) -> String {
        switch kind {
        case .password: Record.Kind.password.rawValue
        case .internetPassword: Record.Kind.internet.rawValue
        case .certificate: Record.Kind.certificate.rawValue
        case .key: Record.Kind.key.rawValue
        }
    }

    /// - Parameter warning: at the end of the label's column, cut off only where that is narrower.
    private func line(
        _ label: String, _ warning: String, _ account: String, _ kind: String, _ access: String, _ style: Style
    ) -> StyledLine {
        let widths = widths
        var line = StyledLine()
        let room = max(0, widths.label - CellWidth.of(warning))
        line.append(label, style, width: room)
        line.append(warning, style, width: widths.label - room)
        if widths.account > 0 {
            line.append(" ", style)
            line.append(account, style, width: widths.account)
        }
        line.append("  ", style)
        line.append(kind, style, width: widths.kind)
        if widths.access > 0 {
            line.append(" ", style)
            line.append(access, style, width: widths.access)
        }
        line.pad(to: columns, style)
        return line
    }
}
