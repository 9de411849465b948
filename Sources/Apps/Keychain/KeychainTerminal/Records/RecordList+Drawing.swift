import Certificates
import Localization
import TerminalScreen
import Tresor

/// What the list looks like.
extension RecordList {
    /// The kinds, the headings, and as many rows as there is room for.
    ///
    /// - Parameters:
    ///   - height: rows below the headings.
    ///   - date: in seconds since 1970, UTC; of certificates it says whether they are valid.
    func draw(columns: Int, height: Int, date: Int64) -> [StyledLine] {
        let columns = RecordColumns(columns)
        let headings = columns.line(
            " " + localized("Label"), "", localized("Account"), localized("Kind"),
            isByChange ? localized("Changed") : localized("Readable"), .bold)
        guard isKnown else {
            return [bar(columns.whole), headings, StyledLine(localized(" Reading …"), width: columns.whole)]
        }
        guard rowCount > 0 else {
            let words =
                isEmptyOfFiles ? localized("No certificates.") : search.isEmpty ? nothing : localized("Nothing found.")
            return [bar(columns.whole), headings, StyledLine(" " + words, width: columns.whole)]
        }
        let first = firstRow(height: height)
        return [bar(columns.whole), headings]
            + (first..<min(rowCount, first + height)).map { index in
                columns.draw(row(at: index), isSelected: index == row, date: date, isByChange: isByChange)
            }
    }

    /// The row that is drawn first: the selected one is in the middle where that is possible.
    func firstRow(height: Int) -> Int { max(0, min(row - height / 2, rowCount - height)) }

    /// The kind whose name is drawn in a column; nil for none.
    func filter(at column: Int, columns: Int) -> Filter? {
        guard CellWidth.of(kinds + foundWords) + 1 <= columns else { return nil }
        var end = 0
        return Filter.allCases.first { filter in
            end += CellWidth.of(filter.title) + 2
            return column < end
        }
    }

    /// The one that is shown in brackets.
    private var kinds: String {
        Filter.allCases.map { $0 == filter ? "[\($0.title)]" : " \($0.title) " }.joined()
    }
    private var foundWords: String { search.isEmpty ? "" : " · “\(search)”" }

    private var isByChange: Bool { order == .changed }
    private var nothing: String {
        filter == .all ? localized("Nothing is kept here yet; n adds an item.") : localized("Nothing of this kind.")
    }

    /// The kinds; only the one that is shown where there is no room.
    private func bar(_ columns: Int) -> StyledLine {
        let all = kinds + foundWords
        let text =
            CellWidth.of(all) + 1 <= columns ? all : localized("[\(filter.title)] Tab: other kinds") + foundWords
        return StyledLine(text, .inverse, width: columns)
    }
}

/// The columns of the list; a narrow window has none for account and readability, a very narrow one none for the kind.
private struct RecordColumns {
    let whole: Int
    private let label: Int
    private let account: Int
    private let kind: Int
    private let access: Int

    /// As wide as `internet password`.
    private static let kindWidth = 17

    init(_ columns: Int) {
        whole = columns
        kind = columns >= 36 ? Self.kindWidth : 0
        guard columns >= 60 else {
            (label, account, access) = (columns - (kind > 0 ? kind + 2 : 0), 0, 0)
            return
        }
        let rest = columns - kind - 2 - 13
        label = rest * 11 / 20
        account = rest - rest * 11 / 20 - 1
        access = 12
    }

    func draw(_ row: RecordList.Row, isSelected: Bool, date: Int64, isByChange: Bool) -> StyledLine {
        let mark = isSelected ? ">" : " "
        let style: Style = isSelected ? .inverse : .plain
        switch row {
        case .record(let record):
            let warning = record.certificate?.warning(at: date).map { " ! " + $0 } ?? ""
            let access = isByChange ? record.changedDay : Words.short(record.protectionClass)
            return line(mark + record.label, warning, record.account, record.kindWords, access, style)
        case .locked(let group):
            let count = localized(group.count, one: "1 item is locked", many: "\(group.count) items are locked")
            let access = group.protectionClass.map { Words.short($0) } ?? ""
            return line("\(mark)🔒 \(count)", "", "", Self.kind(group.kind), access, style)
        }
    }

    private static func kind(_ kind: ItemKind) -> String {
        switch kind {
        case .password: Record.Kind.password.words
        case .internetPassword: Record.Kind.internet.words
        case .certificate: Record.Kind.certificate.words
        case .key: Record.Kind.key.words
        }
    }

    /// - Parameter warning: at the end of the label's column, cut off only where that is narrower.
    func line(
        _ labelWords: String, _ warning: String, _ accountWords: String, _ kindWords: String, _ accessWords: String,
        _ style: Style
    ) -> StyledLine {
        var line = StyledLine()
        let room = max(0, label - CellWidth.of(warning))
        line.append(labelWords, style, width: room)
        line.append(warning, style, width: label - room)
        if account > 0 {
            line.append(" ", style)
            line.append(accountWords, style, width: account)
        }
        if kind > 0 {
            line.append("  ", style)
            line.append(kindWords, style, width: kind)
        }
        if access > 0 {
            line.append(" ", style)
            line.append(accessWords, style, width: access)
        }
        line.pad(to: whole, style)
        return line
    }
}
