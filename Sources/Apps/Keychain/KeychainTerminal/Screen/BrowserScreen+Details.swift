import TerminalScreen

/// One item's page, and the help.
extension BrowserScreen {
    /// A warning where there is one, then every attribute, folded.
    func detailLines(of record: Record) -> [StyledLine] {
        var lines: [StyledLine] = []
        if let warning = record.certificate?.warningSentence(at: now.date) {
            lines.append(StyledLine(" ! " + warning, .warning, width: columns))
        }
        lines += draw(Record.Fact(name: "Kind", value: record.kind.rawValue))
        for fact in record.facts { lines += draw(fact) }
        if record.secretReference != nil {
            lines += draw(Record.Fact(name: "Secret", value: "hidden; r reveals it, y copies it"))
        }
        return lines
    }

    private func draw(_ fact: Record.Fact) -> [StyledLine] {
        let nameWidth = columns >= 60 ? 18 : 13
        // One column stays free at the right, one between name and value.
        let view = TextView(width: columns - nameWidth - 1, height: 200)
        let texts = TextBuffer(fact.value).lines
        return view.rows(of: texts).enumerated().map { index, row in
            var line = StyledLine()
            line.append(" " + (index == 0 ? fact.name : ""), .bold, width: nameWidth)
            line.append(" ")
            line.append(String(texts[row.line][row.range]), width: columns - line.width)
            return line
        }
    }

    static let help = [
        " j k ↑ ↓        next and previous; g G first and last",
        " Tab Shift+Tab  the next kind, the one before",
        " K              the next keychain; System and System Roots are read-only",
        " /              search in label, account, service",
        " Enter          all of an item but its secret",
        " Esc            back; in the list: end the search",
        " r              reveal the secret for 30 seconds",
        " y              copy the secret for 45 seconds",
        " d              delete, after a question",
        " Ctrl+R         read everything anew",
        " Ctrl+Z         suspend",
        " q              quit",
        "",
        " Readable says when an item can be read:",
        " unlocked    while the device is unlocked",
        " 1st unlock  from the first unlock on",
        " always      also while it is locked",
        " passcode    as long as a passcode is set",
        " *           on this device only",
    ]
}
