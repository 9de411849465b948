import Certificates
import Localization
import TerminalScreen

/// One item's page.
extension Record {
    /// A warning where there is one, then every attribute, folded.
    ///
    /// - Parameter date: in seconds since 1970, UTC.
    func detailLines(columns: Int, date: Int64) -> [StyledLine] {
        var lines: [StyledLine] = []
        if let warning = certificate?.warningSentence(at: date) {
            lines.append(StyledLine(" ! " + warning, .warning, width: columns))
        }
        lines += Fact(name: localized("Kind"), value: kindWords).draw(columns)
        for fact in facts { lines += fact.draw(columns) }
        if secretReference != nil {
            let keys =
                network == nil
                ? localized("hidden; r reveals it, y copies it")
                : localized("hidden; r reveals it, y copies it, Q draws the code by which phones join")
            lines += Fact(name: localized("Secret"), value: keys).draw(columns)
        } else if kind == .code {
            lines += Fact(name: localized("Secret"), value: localized("not shown here: codes are made from it")).draw(
                columns)
        }
        return lines
    }

    /// When it was changed, for the list; empty where that is not known.
    var changedDay: String {
        guard changed > 0 else { return "" }
        let offset = source.map { $0.reader.offset(changed) } ?? 0
        return ReadableDate.short(wall: changed + Int64(offset))
    }

    /// What is asked before it is deleted.
    ///
    /// - Parameter count: items that go.
    func deletionQuestion(removing count: Int) -> String {
        let name = SafeText.line(label)
        let short = name.count > 30 ? name.prefix(29) + "…" : name
        let what =
            switch kind {
            case _ where isNotesKey: localized("“\(short)”, and with it every note that it opens")
            case .identity where count > 1: localized("the certificate “\(short)” and its key")
            case .identity: localized("the certificate “\(short)”; its key stays with another one")
            default: localized("“\(short)”")
            }
        guard !hasNoTrash else { return localized("Delete \(what)? It cannot be brought back. y/n") }
        return localized("Put \(what) into the trash? 'tresor restore' brings it back. y/n")
    }
}

extension Record.Fact {
    fileprivate func draw(_ columns: Int) -> [StyledLine] {
        let nameWidth = columns >= 60 ? 18 : 13
        // One column stays free at the right, one between name and value.
        let view = TextView(width: columns - nameWidth - 1, height: 200)
        let texts = TextBuffer(value).lines
        return view.rows(of: texts).enumerated().map { index, row in
            var line = StyledLine()
            line.append(" " + (index == 0 ? name : ""), .bold, width: nameWidth)
            line.append(" ")
            line.append(String(texts[row.line][row.range]), width: columns - line.width)
            return line
        }
    }
}
