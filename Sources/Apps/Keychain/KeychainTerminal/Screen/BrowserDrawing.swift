import Localization
import TerminalScreen
import Tresor

/// What the screen looks like.
struct BrowserDrawing {
    private let screen: BrowserScreen
    private let columns: Int
    private let rows: Int

    init(_ screen: BrowserScreen) { (self.screen, columns, rows) = (screen, screen.columns, screen.rows) }

    private var records: RecordList { screen.records }
    private var page: BrowserPage { screen.page }
    private var message: String { screen.message }
    private var now: Moment { screen.now }

    func frame() -> Frame {
        guard !screen.isTooSmall else {
            return Frame(
                lines: [StyledLine(localized("Window too small"), width: columns)] + blank(rows - 1), cursor: nil)
        }
        var frame = Frame(lines: isSquare ? [] : [head()] + body(), cursor: nil)
        frame.lines = Array((frame.lines + blank(rows)).prefix(rows))
        drawFoot(on: &frame)
        return frame
    }

    /// Whether a QR code fills the screen.
    private var isSquare: Bool {
        if case .secret(let shown) = page { shown.side != nil } else { false }
    }

    private func blank(_ count: Int) -> [StyledLine] {
        Array(repeating: StyledLine("", width: columns), count: max(0, count))
    }

    // MARK: Head

    private func head() -> StyledLine {
        let state =
            switch screen.lockState {
            case .unlocked: localized("🔓 unlocked")
            case .locked: localized("🔒 device locked")
            case .beforeFirstUnlock: localized("🔒 before first unlock")
            case nil: ""
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
        if screen.absence != nil { return WithoutDaemon.draw(screen) }
        if case .help(let top, _) = screen.dialog {
            let lines = Help.lines.map { StyledLine($0, width: columns) }
            return [heading(localized("Help"))] + window(lines, from: top, height: screen.bodyHeight)
        }
        switch page {
        case .list: return records.draw(columns: columns, height: screen.listHeight, date: now.date)
        case .details(let record, let top):
            return [heading(record.label)] + codeLines(of: record)
                + window(record.detailLines(columns: columns, date: now.date), from: top, height: screen.detailHeight)
        case .secret(let shown): return [heading(localized("Secret of \(shown.record.label)"))]
        case .form(let form):
            return [heading(form.title)] + form.draw(columns: columns, height: screen.bodyHeight).lines
        }
    }

    private func heading(_ title: String) -> StyledLine { StyledLine(" " + title, .inverse, width: columns) }

    private func window(_ lines: [StyledLine], from top: Int, height: Int) -> [StyledLine] {
        Array(lines.dropFirst(ScrolledRows(lines.count, height: height).top(top)).prefix(height))
    }

    // MARK: Foot

    /// The last row: what is being typed, a question, a message, or the keys there are.
    private func drawFoot(on frame: inout Frame) {
        switch screen.dialog {
        case .help: frame.lines[rows - 1] = StyledLine(Self.scrollingKeys, .faint, width: columns)
        case .search(let field, _): frame.put(localized("Search: "), field, columns: columns)
        case .proof(let proof, _):
            let offer = proof.mayBeFinger(screen.demanded) ? localized("Enter alone waits for a finger.") : ""
            drawPrompt(message.isEmpty ? offer : message, on: &frame)
        case .newSecret: drawPrompt(message, on: &frame)
        case .unlock(let after): drawPrompt(lockedWords(after: after), on: &frame)
        case .finger:
            let words = message.isEmpty ? localized("A finger is demanded.") : message
            frame.put(localized("\(words) Enter: touch the reader. Esc: cancel."), .bold, columns: columns)
        case .leaving: frame.put(localized("Leave without saving? y/n"), .warning, columns: columns)
        case .quitting:
            let question = localized("Quit? What waits for the unlock is dropped then. y/n")
            frame.put(question, .warning, columns: columns)
        case .deletion(let record):
            let question = record.deletionQuestion(removing: records.removal(of: record).count)
            frame.put(question, .warning, columns: columns)
        case nil: drawNews(on: &frame)
        }
    }

    /// A prompt with a dot for each character, and above it what was wrong or is to be known.
    private func drawPrompt(_ words: String, on frame: inout Frame) {
        if !words.isEmpty { frame.put(words, .bold, rowsBelow: 1, columns: columns) }
        let label = screen.prompt ?? ""
        let room = max(0, columns - 1 - CellWidth.of(label))
        let dots = String(repeating: "•", count: min(screen.typedCount, room))
        var line = StyledLine()
        line.append(label + dots, .bold, width: columns)
        frame.lines[rows - 1] = line
        frame.cursor = (rows - 1, min(columns - 1, CellWidth.of(label + dots)))
    }

    private func drawNews(on frame: inout Frame) {
        if case .form(let form) = page, let cursor = form.draw(columns: columns, height: screen.bodyHeight).cursor {
            frame.cursor = (cursor.row + 2, cursor.column)
        }
        if !message.isEmpty && !isSquare { return frame.put(message, .bold, columns: columns) }
        if case .secret(let shown) = page {
            let left = shown.until > now.uptime ? (shown.until - now.uptime + 999) / 1000 : 0
            let words =
                isSquare
                ? localized(" Hidden again in \(left) s. Any key hides it")
                : localized(" Hidden again in \(left) s. Esc hides  y copies")
            return frame.put(words, .bold, most: isSquare ? 1 : 3, columns: columns)
        }
        frame.lines[rows - 1] = StyledLine(keys, .faint, width: columns)
    }

    private var keys: String {
        if let absence = screen.absence { return " " + absence.keys }
        switch page {
        case .list where records.choice.isReadOnly:
            return columns < 60
                ? localized(" ? help  K keychain  q quit")
                : localized(" ? help  / search  K next keychain  Enter details  q quit")
        case .list where columns < 60: return localized(" ? help  / search  n new  q quit")
        case .list where screen.lockState != .unlocked:
            return localized(" ? help  u unlock  / search  Enter details  q quit")
        case .list: return localized(" ? help  / search  Enter open  y copy  c code  n new  e edit  d delete  q quit")
        case .details(let record, _) where record.isReadOnly: return localized(" ? help  Esc back  j/k scroll")
        case .details(let record, _): return detailKeys(record)
        case .form:
            return columns < 60
                ? localized(" Ctrl+S save  Esc leave")
                : localized(" F1 help  Tab next  ←/→ choose  Enter next, at last save  ^S save  Esc leave")
        case .secret: return Self.scrollingKeys
        }
    }

    private static var scrollingKeys: String { localized(" j/k scroll  any other key closes") }

    private func detailKeys(_ record: Record) -> String {
        guard columns >= 60 else {
            return record.code == nil ? localized(" Esc back  r y e d") : localized(" Esc back  r y c e d")
        }
        switch (record.kind == .code, record.code == nil) {
        case (true, true): return localized(" ? help  Esc back  j/k scroll  e edit  d delete")
        case (true, false): return localized(" ? help  Esc back  j/k scroll  c copy code  e edit  d delete")
        case (false, true): return localized(" ? help  Esc back  j/k scroll  r reveal  y copy  e edit  d delete")
        case (false, false):
            return localized(" ? help  Esc back  j/k scroll  r reveal  y copy  c copy code  e edit  d delete")
        }
    }

    // MARK: Codes

    /// Columns in front of a code's digits.
    static func codeLabelWidth(_ columns: Int) -> Int { columns >= 60 ? 19 : 10 }

    /// The rows of the code, whose digits the driver fills in.
    private func codeLines(of record: Record) -> [StyledLine] {
        guard screen.codeRows > 0, let held = record.code else { return [] }
        let width = Self.codeLabelWidth(columns)
        func line(_ label: String, _ words: String) -> StyledLine {
            var line = StyledLine()
            line.append(label, .bold, width: width)
            line.append(words, width: columns - width)
            return line
        }
        guard let code = screen.codes.shown else {
            let words =
                held.control == [] ? localized("none can be made") : localized("hidden; o shows it, c copies it")
            return Array([line(" " + localized("Code"), words), line("", "")].prefix(screen.codeRows))
        }
        let left = code.until > now.uptime ? (code.until - now.uptime + 999) / 1000 : 0
        return Array(
            [line(" " + localized("Code"), ""), line("", localized("good for \(left) s; c copies it"))].prefix(
                screen.codeRows))
    }

    // MARK: Locked

    /// What stands above the prompt for the passcode.
    private func lockedWords(after: UInt64) -> String {
        let state =
            screen.lockState == .beforeFirstUnlock
            ? localized("The device was not unlocked since it started.") : localized("The device is locked.")
        let wait = after > now.uptime ? " " + Self.wait(milliseconds: after - now.uptime) : ""
        guard message.isEmpty else { return "\(state) \(message)\(wait)" }
        return screen.waiting == .held
            ? localized("\(state) What was typed into the form waits, unseen.")
            : localized("\(state) Esc: look at what is open all the same.")
    }

    private static func wait(milliseconds: UInt64) -> String {
        let seconds = (milliseconds + 999) / 1000
        return seconds < 120
            ? localized("The next try is possible in \(seconds) s.")
            : localized("The next try is possible in \((seconds + 59) / 60) min.")
    }
}
