import TerminalScreen

/// The last row: what is being typed, a question, a message, or the keys there are.
extension BrowserScreen {
    func drawFoot(on frame: inout Frame) {
        switch dialog {
        case .search(let field, _): frame.put("Search: ", field, columns: columns)
        case .proof(let proof, _):
            // A wrong try and how long to wait stand above the prompt.
            let label = proof == .passcode ? "Passcode: " : "Password of the item: "
            if !message.isEmpty { frame.put(message, .bold, rowsBelow: 1, columns: columns) }
            frame.put(label, .bold, columns: columns)
            frame.cursor = (rows - 1, CellWidth.of(label))
        case .deletion(let record): frame.put(question(record), .warning, columns: columns)
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
        case .list where choice.isReadOnly:
            return columns < 60
                ? " ? help  K keychain  q quit" : " ? help  / search  K next keychain  Enter details  q quit"
        case .list where columns < 60: return " ? help  / search  Enter details  q quit"
        case .list: return " ? help  / search  Tab kind  Enter details  r reveal  y copy  d delete  q quit"
        case .details(let record, _) where record.isReadOnly: return " Esc back  j/k scroll"
        case .details: return columns < 60 ? " Esc back  r y d" : " Esc back  j/k scroll  r reveal  y copy  d delete"
        case .help, .secret: return " j/k scroll  any other key closes"
        }
    }

    private func question(_ record: Record) -> String {
        let name = SafeText.line(record.label)
        let short = name.count > 30 ? name.prefix(29) + "…" : name
        let removed = listing?.removal(of: record).count ?? 1
        let what =
            switch record.kind {
            case _ where record.isNotesKey: "“\(short)”, and with it every note that it opens"
            case .identity where removed > 1: "the certificate “\(short)” and its key"
            case .identity: "the certificate “\(short)”; its key stays with another one"
            default: "“\(short)”"
            }
        return "Delete \(what)? It cannot be brought back. y/n"
    }
}
