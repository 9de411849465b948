/// Counts what could cost the library more than time linear in the length; see ``GuardedSource``.
///
/// A run is a stretch of lines without a blank one: no paragraph and no table reaches beyond it.
struct SourceSurvey {
    private let bytes: [UInt8]
    private var masked: [Int] = []
    /// Starts of expensive searches in the run, and its tables.
    private var triggers: [Int] = []
    private var tables: [(position: Int, columns: Int, line: Int)] = []
    private var lines = 0
    /// The colons of what may define links; those of the run start at the index.
    private var definitions: [Int] = []
    private var firstDefinition = 0
    private var longestDefinition = 0
    private var brackets = 0
    private var searchBudget = Self.searchLimit
    private var cellBudget = Self.cellLimit

    /// Steps of searches, about a nanosecond each.
    private static let searchLimit = 1 << 29
    /// Cells of tables, about 200 bytes each.
    private static let cellLimit = 1 << 21
    /// Bytes of link targets, copied for each link that names a definition.
    private static let definitionLimit = 1 << 26

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func positionsToMask() -> [Int] {
        var start = 0
        var run = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: MarkdownText.newline) ?? bytes.count
            if isBlank(start..<end) {
                settle(run..<start)
                run = end
            } else {
                survey(start..<end)
                lines += 1
            }
            start = end + 1
        }
        settle(run..<bytes.count)
        if !fits(brackets, longestDefinition, Self.definitionLimit) { masked += definitions }
        return masked
    }

    /// A line of quote marks is blank inside of the quotes.
    private func isBlank(_ line: Range<Int>) -> Bool {
        bytes[line].allSatisfy { MarkdownText.isBlank($0) || $0 == UInt8(ascii: ">") }
    }

    private mutating func survey(_ line: Range<Int>) {
        var isDelimiterRow = true
        var columns = 1
        var dash: Int?
        var isPrefix = true
        for index in line {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ">"): continue
            case UInt8(ascii: "|"): columns += 1
            case UInt8(ascii: "-"): dash = dash ?? index
            case UInt8(ascii: ":"):
                if index > 0, bytes[index - 1] == UInt8(ascii: "]") { definitions.append(index) }
            default:
                isDelimiterRow = false
                if byte == UInt8(ascii: "]") { brackets += 1 }
                if isTrigger(index, isFirst: isPrefix) { triggers.append(index) }
            }
            isPrefix = false
        }
        if isDelimiterRow, columns > 1, let dash { tables.append((dash, columns, lines)) }
    }

    /// A `<` that is the first of its line opens an HTML block, in which nothing is searched.
    private func isTrigger(_ index: Int, isFirst: Bool) -> Bool {
        let next = index + 1 < bytes.count ? bytes[index + 1] : 0
        switch bytes[index] {
        case UInt8(ascii: "<"): return !isFirst && (next == UInt8(ascii: "!") || next == UInt8(ascii: "?"))
        case UInt8(ascii: "!"): return next == UInt8(ascii: "[")
        case UInt8(ascii: ")"): return next == UInt8(ascii: ")")
        case UInt8(ascii: "."):
            return index >= 3 && bytes[index - 3..<index].allSatisfy { $0 | 0x20 == UInt8(ascii: "w") }
        default: return false
        }
    }

    /// Ends a run: what fits into the budgets stays, the rest is masked.
    private mutating func settle(_ run: Range<Int>) {
        defer {
            triggers = []
            tables = []
            lines = 0
            firstDefinition = definitions.count
        }
        if fits(triggers.count, run.count, searchBudget) {
            searchBudget -= triggers.count * run.count
        } else {
            masked += triggers
        }
        for table in tables {
            let (cells, overflow) = table.columns.multipliedReportingOverflow(by: table.columns + lines - table.line)
            if !overflow, cells <= cellBudget { cellBudget -= cells } else { masked.append(table.position) }
        }
        let starts = definitions[firstDefinition...]
        for (start, end) in zip(starts, starts.dropFirst() + [run.upperBound]) {
            longestDefinition = max(longestDefinition, end - start)
        }
    }

    private func fits(_ count: Int, _ size: Int, _ limit: Int) -> Bool {
        let (product, overflow) = count.multipliedReportingOverflow(by: size)
        return !overflow && product <= limit
    }
}
