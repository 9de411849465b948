import Localization
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
        guard codes.shown != nil, codeRows > 0, columns >= 20, rows >= 6 else { return nil }
        return CodeArea(row: 2, column: BrowserDrawing.codeLabelWidth(columns))
    }

    /// Asks for the code of the page that is shown, and drops one that no page shows any more.
    mutating func followCode() -> [Effect] {
        guard case .details(let record, _) = page, let held = record.code, absence == nil, dialog?.isHelp != true else {
            return codes.drop() ? [.forgetCode, .clear] : []
        }
        let isOver = codes.dropOver(held.reference, at: now.uptime)
        // One that demands its owner is shown when it is asked for.
        let asks = held.control == [] && wanted == nil && codes.ask(held.reference)
        return (isOver ? [.forgetCode] : []) + (asks ? readCode(record, .showCode) : [])
    }

    mutating func readCode(_ record: Record, _ purpose: Reading.Purpose) -> [Effect] {
        guard let code = record.code else {
            message = localized("There is no one-time code beside it.")
            return []
        }
        wanted = (record: record, isFromDetails: page.isDetails)
        return [.read(Reading(reference: code.reference, purpose: purpose), typed: nil)]
    }

    mutating func showCode(_ reading: Reading, _ until: UInt64) -> [Effect] {
        wanted = nil
        guard case .details(let record, _) = page, record.code?.reference == reading.reference else {
            return [.forgetCode]
        }
        codes.show(ShownCode(reference: reading.reference, until: until))
        return []
    }

    /// A secret that says by itself that it makes codes is treated as one, wherever it lies.
    mutating func makeCode(of reading: Reading) -> [Effect] {
        guard let wanted, wanted.record.secretReference == reading.reference else { return [] }
        var record = wanted.record
        record.code = Record.Code(reference: reading.reference, control: record.control)
        message = localized("This secret makes one-time codes, and is not shown itself.")
        if reading.purpose == .copy { return readCode(record, .copyCode) }
        self.wanted = nil
        page = .details(record, top: 0)
        return []
    }
}
