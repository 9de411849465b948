import SQLite

/// One row of the large table, with the columns of ``StoreColumns``.
///
/// A cell of an unexpected type reads as absent.
struct StoredRow {
    private let row: Row

    init(_ row: Row) { self.row = row }

    private static let positions = Dictionary(
        uniqueKeysWithValues: StoreColumns.Column.allCases.enumerated().map { ($0.element, $0.offset) })

    private func value(_ column: StoreColumns.Column) -> DatabaseValue {
        guard let position = Self.positions[column], position < row.count else { return .null }
        return row[position]
    }

    func text(_ column: StoreColumns.Column) -> String? { value(column).text }

    func integer(_ column: StoreColumns.Column) -> Int64? { value(column).integer }

    func isSet(_ column: StoreColumns.Column) -> Bool { (integer(column) ?? 0) != 0 }

    func bytes(_ column: StoreColumns.Column) -> [UInt8]? { value(column).bytes }

    /// A date of Apple's, seconds since 2001, as microseconds since 1970.
    func microseconds(_ column: StoreColumns.Column) -> Int64? {
        guard let seconds = value(column).real, abs(seconds) < 1e11 else { return nil }
        return Int64(((seconds + Self.secondsFrom1970To2001) * 1e6).rounded())
    }

    private static let secondsFrom1970To2001 = 978_307_200.0
}

extension StoredRow {
    /// The row's own lock, in format V1.
    var lockSettings: LockSettings? {
        guard let parameters = LockParameters(format: .v1, salt: bytes(.salt), rounds: integer(.rounds)),
            let wrappedKey = bytes(.wrappedKey), let iv = bytes(.iv), let tag = bytes(.tag)
        else { return nil }
        return LockSettings(
            parameters: parameters, wrappedKey: wrappedKey, iv: iv, tag: tag,
            hint: text(.hint).flatMap { $0.isEmpty ? nil : $0 })
    }

    /// What iCloud has sent and the Mac has not applied to the row yet.
    var pending: PendingRecord? { (bytes(.pendingRecord) ?? bytes(.pendingRecordData)).flatMap(PendingRecord.init) }
}
