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
        line.append(" " + records.choice.title, .bold, width: max(0, columns - chip.width))
        line.append(chip)
        return line
    }

    /// The page's heading and what stands under it.
    private func body() -> [StyledLine] {
        if isDisconnected { return notice("tresord does not answer.", "Trying again. q quits.") }
        switch page {
        case .list: return records.draw(columns: columns, height: listHeight, date: now.date)
        case .details(let record, let top):
            return [heading(record.label)] + window(record.detailLines(columns: columns, date: now.date), from: top)
        case .secret(let shown): return [heading("Secret of " + shown.record.label)]
        case .help(let top):
            return [heading("Help")] + window(Help.lines.map { StyledLine($0, width: columns) }, from: top)
        }
    }

    private func heading(_ title: String) -> StyledLine { StyledLine(" " + title, .inverse, width: columns) }

    private func window(_ lines: [StyledLine], from top: Int) -> [StyledLine] {
        Array(lines.dropFirst(ScrolledRows(lines.count, height: bodyHeight).top(top)).prefix(bodyHeight))
    }

    private func notice(_ first: String, _ second: String) -> [StyledLine] {
        [
            StyledLine("", width: columns), StyledLine(" " + first, .bold, width: columns),
            StyledLine(" " + second, width: columns),
        ]
    }

    // MARK: Foot

    /// The last row: what is being typed, a question, a message, or the keys there are.
    private func drawFoot(on frame: inout Frame) {
        switch dialog {
        case .search(let field, _): frame.put("Search: ", field, columns: columns)
        case .proof(let proof, _):
            // A wrong try and how long to wait stand above the prompt.
            if !message.isEmpty { frame.put(message, .bold, rowsBelow: 1, columns: columns) }
            frame.put(proof.label, .bold, columns: columns)
            frame.cursor = (rows - 1, CellWidth.of(proof.label))
        case .deletion(let record):
            let question = record.deletionQuestion(removing: records.removal(of: record).count)
            frame.put(question, .warning, columns: columns)
        case nil: drawNews(on: &frame)
        }
    }

    private func drawNews(on frame: inout Frame) {
        if !message.isEmpty { return frame.put(message, .bold, columns: columns) }
        if case .secret(let shown) = page {
            let left = shown.until > now.uptime ? (shown.until - now.uptime + 999) / 1000 : 0
            return frame.put(" Hidden again in \(left) s. Esc hides  y copies", .bold, columns: columns)
        }
        frame.lines[rows - 1] = StyledLine(keys, .faint, width: columns)
    }

    private var keys: String {
        if isDisconnected { return " q quit" }
        switch page {
        case .list where records.choice.isReadOnly:
            return columns < 60
                ? " ? help  K keychain  q quit" : " ? help  / search  K next keychain  Enter details  q quit"
        case .list where columns < 60: return " ? help  / search  Enter details  q quit"
        case .list: return " ? help  / search  Tab kind  Enter details  r reveal  y copy  d delete  q quit"
        case .details(let record, _) where record.isReadOnly: return " Esc back  j/k scroll"
        case .details: return columns < 60 ? " Esc back  r y d" : " Esc back  j/k scroll  r reveal  y copy  d delete"
        case .help, .secret: return " j/k scroll  any other key closes"
        }
    }
}
