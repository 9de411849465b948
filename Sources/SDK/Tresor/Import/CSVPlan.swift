import Secrets
import Wire

/// The items that a file becomes, found by reading it once.
struct CSVPlan: Sendable {
    let format: CSVFormat
    private(set) var rowCount = 0
    private(set) var items: [CSVItem] = []
    private(set) var duplicates: [CSVDuplicate] = []
    private(set) var badRows: [CSVError] = []
    private(set) var leftOut: [String: Int] = [:]
    /// Where in `items` each primary key is.
    private var taken: [Key: Int] = [:]

    private struct Key: Hashable {
        let kind: ItemKind
        let attributes: ItemAttributes
    }

    init(_ file: RawSpan) throws {
        var reader = CSVReader(file)
        guard let header = try reader.next() else { throw CSVError(row: 0, line: 1, .emptyFile) }
        let layout = try CSVLayout(header, in: file)
        format = layout.format
        var isAtEnd = false
        while !isAtEnd {
            do {
                if let row = try reader.next() { try add(row, layout, file) } else { isAtEnd = true }
            } catch let error as CSVError {
                badRows.append(error)
            }
        }
        rowCount = reader.rowCount - 1
        taken = [:]
    }

    /// What entries become that were read already; those without a name are bad.
    init(
        _ format: CSVFormat, _ entries: [CSVEntry], _ badRows: [CSVError], _ leftOut: [String: Int], _ file: RawSpan
    ) throws {
        self.format = format
        self.leftOut = leftOut
        self.badRows = badRows
        rowCount = entries.count + badRows.count
        for entry in entries {
            do { try add(entry, file) } catch let error as CSVError { self.badRows.append(error) }
        }
        self.badRows.sort { $0.row < $1.row }
        taken = [:]
    }

    private mutating func add(_ row: CSVRow, _ layout: CSVLayout, _ file: RawSpan) throws {
        try add(try layout.entry(row, in: file), file)
    }

    private mutating func add(_ entry: CSVEntry, _ file: RawSpan) throws {
        var entry = entry
        entry.hasBlankNotes = entry.notes?.isBlank(in: file) ?? false
        let items = try entry.items()
        for column in entry.leftOut { leftOut[column, default: 0] += 1 }
        for item in items { try add(item, file) }
    }

    /// Two rows may have one primary key: the first is imported, the second reported.
    private mutating func add(_ item: CSVItem, _ file: RawSpan) throws {
        let key = Key(kind: item.kind, attributes: item.key)
        guard let index = taken[key] else {
            taken[key] = items.count
            return items.append(item)
        }
        let same = try hasSameSecret(item, as: items[index], in: file)
        duplicates.append(CSVDuplicate(item, of: .earlierRow(items[index].row, sameSecret: same)))
    }

    /// Nothing is decoded where lengths tell them apart: a long secret would be once more for each short row.
    private func hasSameSecret(_ one: CSVItem, as other: CSVItem, in file: RawSpan) throws -> Bool {
        guard one.secret?.count ?? 0 == other.secret?.count ?? 0 else { return false }
        let secret = try Self.secret(one, in: file)
        return try Self.secret(other, in: file).equals(secret)
    }

    static func secret(_ item: CSVItem, in file: RawSpan) throws(SecretMemoryError) -> SecretBytes {
        let empty = CSVField(start: 0, end: 0, doubledQuotes: 0)
        return try (item.secret ?? empty).secret(in: file)
    }
}
