import TerminalScreen
import Tresor

/// What the screen looks like.
extension BrowserScreen {
    /// Below this, only a sentence is shown.
    private var isTooSmall: Bool { columns < 20 || rows < 6 }
    /// Rows between the head's two lines and the last row.
    var bodyHeight: Int { max(1, rows - 3) }
    /// The same without the rows of a one-time code.
    var detailHeight: Int { max(1, bodyHeight - codeRows) }
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
            return [heading(record.label)] + codeLines(of: record)
                + window(record.detailLines(columns: columns, date: now.date), from: top, height: detailHeight)
        case .secret(let shown): return [heading("Secret of " + shown.record.label)]
        case .form(let form): return [heading(form.title)] + form.draw(columns: columns, height: bodyHeight).lines
        case .help(let top):
            let lines = Help.lines.map { StyledLine($0, width: columns) }
            return [heading("Help")] + window(lines, from: top, height: bodyHeight)
        }
    }

    private func heading(_ title: String) -> StyledLine { StyledLine(" " + title, .inverse, width: columns) }

    private func window(_ lines: [StyledLine], from top: Int, height: Int) -> [StyledLine] {
        Array(lines.dropFirst(ScrolledRows(lines.count, height: height).top(top)).prefix(height))
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
        case .proof(let proof, let pending):
            let offer = offersFinger(proof, pending) ? "Enter alone waits for a finger." : ""
            drawPrompt(message.isEmpty ? offer : message, on: &frame)
        case .newSecret: drawPrompt(message, on: &frame)
        case .unlock(let after): drawPrompt(lockedWords(after: after), on: &frame)
        case .finger:
            let words = message.isEmpty ? "A finger is demanded." : message
            frame.put("\(words) Enter: touch the reader. Esc: cancel.", .bold, columns: columns)
        case .leaving: frame.put("Leave without saving? y/n", .warning, columns: columns)
        case .deletion(let record):
            let question = record.deletionQuestion(removing: records.removal(of: record).count)
            frame.put(question, .warning, columns: columns)
        case nil: drawNews(on: &frame)
        }
    }

    /// A prompt with a dot for each character, and above it what was wrong or is to be known.
    private func drawPrompt(_ words: String, on frame: inout Frame) {
        if !words.isEmpty { frame.put(words, .bold, rowsBelow: 1, columns: columns) }
        let label = prompt ?? ""
        let room = max(0, columns - 1 - CellWidth.of(label))
        let dots = String(repeating: "•", count: min(typedCount, room))
        var line = StyledLine()
        line.append(label + dots, .bold, width: columns)
        frame.lines[rows - 1] = line
        frame.cursor = (rows - 1, min(columns - 1, CellWidth.of(label + dots)))
    }

    private func drawNews(on frame: inout Frame) {
        if case .form(let form) = page, let cursor = form.draw(columns: columns, height: bodyHeight).cursor {
            frame.cursor = (cursor.row + 2, cursor.column)
        }
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
        case .list where columns < 60: return " ? help  / search  n new  q quit"
        case .list where lockState != .unlocked: return " ? help  u unlock  / search  Enter details  q quit"
        case .list: return " ? help  / search  Enter details  y copy  c code  n new  e edit  d delete  q quit"
        case .details(let record, _) where record.isReadOnly: return " Esc back  j/k scroll"
        case .details(let record, _): return detailKeys(record)
        case .form:
            return columns < 60
                ? " Ctrl+S save  Esc leave"
                : " Tab next  ←/→ choose  Enter next, and at last save  Ctrl+S save  Esc leave"
        case .help, .secret: return " j/k scroll  any other key closes"
        }
    }

    private func detailKeys(_ record: Record) -> String {
        guard columns >= 60 else { return record.code == nil ? " Esc back  r y e d" : " Esc back  r y c e d" }
        let code = record.code == nil ? "" : "c copy code  "
        guard record.kind != .code else { return " Esc back  j/k scroll  \(code)e edit  d delete" }
        return " Esc back  j/k scroll  r reveal  y copy  \(code)e edit  d delete"
    }
}
