import Protection
import TerminalScreen
import Tresor

/// One-time codes: shown on the page of their login while they are good, and copied; what makes them is neither.
extension BrowserScreen {
    /// Rows of a login's page that are kept for its code: digits, and below them how long they are good.
    var codeRows: Int {
        guard case .details(let record, _) = page, record.code != nil else { return 0 }
        return rows >= 8 ? 2 : 1
    }

    /// Where the driver writes the digits; nil while none are shown.
    var codeArea: CodeArea? {
        guard code != nil, codeRows > 0, columns >= 20, rows >= 6 else { return nil }
        return CodeArea(row: 2, column: Self.codeLabelWidth(columns) + 1)
    }

    private static func codeLabelWidth(_ columns: Int) -> Int { columns >= 60 ? 18 : 9 }

    /// The rows of the code, whose digits the driver fills in.
    func codeLines(of record: Record) -> [StyledLine] {
        guard codeRows > 0, let held = record.code else { return [] }
        let width = Self.codeLabelWidth(columns) + 1
        func line(_ label: String, _ words: String) -> StyledLine {
            var line = StyledLine()
            line.append(label, .bold, width: width)
            line.append(words, width: columns - width)
            return line
        }
        guard let code else {
            let words = held.control == [] ? "none can be made" : "hidden; o shows it, c copies it"
            return Array([line(" Code", words), line("", "")].prefix(codeRows))
        }
        let left = code.until > now.uptime ? (code.until - now.uptime + 999) / 1000 : 0
        return Array([line(" Code", ""), line("", "good for \(left) s; c copies it")].prefix(codeRows))
    }

    /// Asks for the code of the page that is shown, and drops one that no page shows any more.
    mutating func followCode() -> [Effect] {
        guard case .details(let record, _) = page, let wantedCode = record.code, !isDisconnected else {
            askedCode = nil
            guard code != nil else { return [] }
            code = nil
            return [.forgetCode, .clear]
        }
        var effects: [Effect] = []
        if let shown = code, shown.until <= now.uptime || shown.reference != wantedCode.reference {
            (code, askedCode) = (nil, nil)
            effects.append(.forgetCode)
        }
        guard code == nil, askedCode != wantedCode.reference else { return effects }
        // One that demands its owner is shown when it is asked for.
        guard wantedCode.control == [], wanted == nil else { return effects }
        askedCode = wantedCode.reference
        return effects + readCode(record, .showCode)
    }

    mutating func readCode(_ record: Record, _ purpose: Reading.Purpose) -> [Effect] {
        guard let code = record.code else {
            message = "There is no one-time code beside it."
            return []
        }
        let isFromDetails = if case .details = page { true } else { false }
        wanted = (record: record, isFromDetails: isFromDetails)
        return [.read(Reading(reference: code.reference, purpose: purpose), typed: nil)]
    }

    mutating func showCode(_ reading: Reading, _ until: UInt64) -> [Effect] {
        wanted = nil
        guard case .details(let record, _) = page, record.code?.reference == reading.reference else {
            return [.forgetCode]
        }
        code = ShownCode(reference: reading.reference, until: until)
        askedCode = reading.reference
        return []
    }

    /// A secret that says by itself that it makes codes is treated as one, wherever it lies.
    mutating func makeCode(of reading: Reading) -> [Effect] {
        guard let wanted, wanted.record.secretReference == reading.reference else { return [] }
        var record = wanted.record
        record.code = Record.Code(reference: reading.reference, control: record.control)
        message = "This secret makes one-time codes, and is not shown itself."
        if reading.purpose == .copy { return readCode(record, .copyCode) }
        self.wanted = nil
        page = .details(record, top: 0)
        return []
    }
}
