import Envelopes
import SQLite
import Secrets
import Wire

/// The call behind a shell's completion: from a beginning to a page of the items that may be meant.
struct NameSearch {
    private let table: ItemTable
    private let shelf: NameShelf

    init(table: ItemTable, shelf: NameShelf) {
        self.table = table
        self.shelf = shelf
    }

    /// Finds items of which a name begins so, and writes a page of them, with attributes.
    ///
    /// What does not open is left out. A page may hold none and not be the last: no more than ``ItemSearch/PageLimit``
    /// rows are opened for it.
    ///
    /// - Returns: where to go on.
    /// - Throws: `KeychainError`.
    func find(
        _ query: NameQuery, caller: Caller, into page: inout PageWriter, _ buffer: inout SecretBuffer
    ) throws -> PageEnd {
        shelf.forget(unless: table.storage.database.allChangesCount, table.classes.lockState)
        let plan = QueryPlan(allOf: caller)
        let beginning = NameBeginning(query.beginning)
        let end = PageEnd()
        var last = Int64(bitPattern: query.cursor)
        for id in shelf.rows(beginning, after: last) {
            if let row = try table.row(id: id), try append(row, plan, into: &page, &buffer) == .full {
                return end.goingOn(after: last)
            }
            last = id
        }
        last = max(last, shelf.last)
        // A gap is not closed: whoever goes on behind it began before the shelf was cleared.
        let isNext = last == shelf.last
        var opened = 0
        while true {
            let rows = try table.candidates(plan, after: last, count: 128, withSecret: false)
            if rows.isEmpty { return end }
            for row in rows {
                let names = try names(of: row)
                if isNext { shelf.append(row.id, names) }
                if names.contains(where: beginning.mayBegin), try append(row, plan, into: &page, &buffer) == .full {
                    return end.goingOn(after: last)
                }
                last = row.id
                opened += 1
                if opened >= ItemSearch.PageLimit.rows { return end.goingOn(after: last) }
            }
        }
    }

    private enum Outcome { case passed, full }

    private func append(
        _ row: ItemRow, _ plan: QueryPlan, into page: inout PageWriter, _ buffer: inout SecretBuffer
    ) throws -> Outcome {
        do {
            guard let kind = row.kind, let metadata = try table.openMatch(row, plan) else { return .passed }
            let added = PageWriter.itemOverhead + metadata.count
            let isFull = page.count >= ItemSearch.PageLimit.rows || buffer.count + added > ItemSearch.PageLimit.bytes
            if page.count > 0 && isFull { return .full }
            let reference = PersistentReference(kind: kind, item: row.identity.item)
            try metadata.withBytes { try page.append(reference, attributes: $0, secret: nil, into: &buffer) }
        } catch let error as KeychainError where error.isOfRow {}
        return .passed
    }

    /// None where the row does not open.
    private func names(of row: ItemRow) throws -> [String] {
        do {
            let metadata = try table.openMetadata(row)
            return (try? metadata.withBytes { try Attributes.encodedTexts($0, of: NameQuery.names) }) ?? []
        } catch let error as KeychainError where error.isOfRow { return [] }
    }
}

extension KeychainError {
    /// Whether a row is shut or damaged, and the store is well.
    fileprivate var isOfRow: Bool { [.locked, .damagedItem, .noPasscodeSet].contains(reason) }
}

extension PageEnd {
    fileprivate func goingOn(after row: Int64) -> PageEnd {
        var end = self
        end.next = UInt64(bitPattern: row)
        return end
    }
}
