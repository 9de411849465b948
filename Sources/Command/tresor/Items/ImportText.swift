import Localization
import Tresor

/// The report of an import in words.
///
/// Only row numbers and names of columns stand in it.
enum ImportText {
    static func lines(_ report: CSVImportReport, _ format: CSVFormat, isDryRun: Bool) -> [String] {
        var lines = [
            isDryRun
                ? localized("\(format.name) export, dry run: nothing was written") : localized("\(format.name) export")
        ]
        lines.append(localized("added \(report.added)"))
        if !report.carriedApart.isEmpty { lines.append(apart(report.carriedApart)) }
        if report.carriedApart[.notes] != nil {
            lines.append(
                localized("  notes are secret, as passwords are; a comment of a login is read without asking anybody"))
        }
        lines.append(localized("duplicates \(report.duplicateRows.count)"))
        lines += duplicates(report)
        lines.append(localized("skipped \(report.skipped.count)"))
        lines += report.skipped.map { "  \($0)" }
        if !report.leftOut.isEmpty {
            let columns = report.leftOut.sorted { $0.key < $1.key }.map {
                "\(printable(translated($0.key))) \($0.value)"
            }
            lines.append(localized("not carried over, by rows: \(columns.joined(separator: ", "))"))
        }
        return lines
    }

    private static func apart(_ counts: [CSVPart: Int]) -> String {
        let parts = CSVPart.allCases.compactMap { part in counts[part].map { "\(part.name) \($0)" } }
        return localized(
            "added as items of their own \(counts.values.reduce(0, +)): \(parts.joined(separator: ", "))")
    }

    private static func duplicates(_ report: CSVImportReport) -> [String] {
        var known: Set<Int> = []
        var lines: [String] = []
        for duplicate in report.duplicates {
            switch duplicate.origin {
            case .keychainItem(let same) where duplicate.hasAnotherAddress: lines.append(besideLogin(duplicate, same))
            case .keychainItem(sameSecret: true): known.insert(duplicate.row)
            case .keychainItem(let same): lines.append(besideItem(duplicate, same))
            case .earlierRow(let earlier, let same): lines.append(besideRow(duplicate, earlier, same))
            }
        }
        guard !known.isEmpty else { return lines }
        return [localized("  in the keychain already: rows \(ranges(known.sorted()))")] + lines
    }

    /// The keychain has the login with another protocol, port or path.
    private static func besideLogin(_ duplicate: CSVDuplicate, _ same: Bool?) -> String {
        let (row, line) = (duplicate.row, duplicate.line)
        return switch same {
        case true: localized("  row \(row) (line \(line)): in the keychain already, at another address of its server")
        case false:
            localized(
                """
                  row \(row) (line \(line)): in the keychain at another address of its server, with ANOTHER SECRET; \
                the file's was not imported
                """)
        case nil:
            localized(
                """
                  row \(row) (line \(line)): in the keychain at another address of its server, and could not be \
                compared
                """)
        }
    }

    /// - Parameter same: nil where the two could not be compared.
    private static func besideItem(_ duplicate: CSVDuplicate, _ same: Bool?) -> String {
        let (row, line, part) = (duplicate.row, duplicate.line, duplicate.part.name)
        return same == nil
            ? localized("  row \(row) (line \(line)): \(part): the keychain's item could not be compared")
            : localized(
                """
                  row \(row) (line \(line)): \(part): the keychain's item has ANOTHER SECRET; the file's was not \
                imported
                """)
    }

    private static func besideRow(_ duplicate: CSVDuplicate, _ earlier: Int, _ same: Bool) -> String {
        let (row, line, part) = (duplicate.row, duplicate.line, duplicate.part.name)
        return same
            ? localized("  row \(row) (line \(line)): \(part) as in row \(earlier), the same secret")
            : localized(
                "  row \(row) (line \(line)): \(part) as in row \(earlier), ANOTHER SECRET, which was not imported")
    }

    /// Ascending numbers, with runs as 3-7.
    private static func ranges(_ numbers: [Int]) -> String {
        var runs: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ", ")
    }

    /// A column's name comes from the file; a terminal must not obey it.
    private static func printable(_ name: String) -> String {
        String(
            name.unicodeScalars.prefix(40).map {
                let category = $0.properties.generalCategory
                return category == .control || category == .format ? "\u{fffd}" : Character($0)
            })
    }
}
