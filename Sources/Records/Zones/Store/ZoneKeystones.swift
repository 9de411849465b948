import DurableDatabase
import Envelopes
import SQLite
import Secrets

/// The rows of a store on which all others hang: they lie once more in the folder `spare`, and this keeps both alike.
///
/// Every transaction of the store goes through it. See specs/zone-store.md, "The spare".
final class ZoneKeystones {
    private let durable: DurableDatabase
    /// Types of records on which others hang.
    private let types: Set<UInt16>
    let spare: SpareDatabase
    /// Whether the store's own rows of the small tables are damaged, and could not be written anew from the spare.
    ///
    /// Each change tries it again first; the spare is left as it is until then.
    private(set) var isSpareAlone = false
    /// What was damaged or missing and has been made good from the spare, in words for a log.
    private(set) var mended: [String] = []

    init(_ durable: DurableDatabase, _ spare: SpareDatabase, of types: Set<UInt16>) {
        self.durable = durable
        self.spare = spare
        self.types = types
    }

    // MARK: A change

    /// Runs `body` in one transaction: all of it is on the disk when this returns, or nothing.
    func write<Result>(_ body: (ZoneWriter) throws -> Result) throws -> Result {
        guard isSpareAlone else { return try transact(body) }
        var refusal: (any Error)?
        do { try putTables() } catch { refusal = error }
        return try transact { writer in
            let result = try body(writer)
            // Nothing is written on which others hang while it cannot lie twice.
            if let refusal, writer.hasKeystones { throw refusal }
            return result
        }
    }

    private func transact<Result>(_ body: (ZoneWriter) throws -> Result) throws -> Result {
        do {
            var used: ZoneWriter?
            let result = try durable.transaction { database in
                let writer = ZoneWriter(database: database, keystones: types)
                used = writer
                let result = try body(writer)
                try writer.finish()
                return result
            }
            if let used, used.hasKeystones {
                // What others hang on waits for nobody: its second copy is written behind the commit.
                if durable.isInBatch { try durable.commitBatch() }
                copy(of: used)
            }
            return result
        } catch let error as DatabaseError { throw ZoneError(error) } catch let error as DurabilityError {
            throw ZoneError(error)
        }
    }

    /// The small tables: without a row of them nothing opens.
    private static let tables = [(name: "account", columns: ZoneStore.accountColumns)] + zoneTables
    private static let zoneTables = [
        (name: "zone", columns: "id, zone, account, scope, seq"), (name: "log", columns: "zone, n, entry, sig"),
        (name: "keyring", columns: "zone, generation, member, head, wrap"),
    ]
    /// A record's columns as the reader wants them, and what else it has.
    private static let recordColumns = ZoneReader.columns + ", tombstone, zone"
    private static let tombstone = ZoneReader.columnCount

    /// Which change nothing of the keys: the sequence goes on with every write.
    private static func keys(of table: String, _ rows: [[DatabaseValue]]) -> [[DatabaseValue]] {
        table == "zone" ? rows.map { Array($0.dropLast()) } : rows
    }

    // MARK: After a change

    /// Brings to the spare what a transaction has changed of it.
    ///
    /// What the store does not give stays in the spare as it is, for it may be all that is left. Only where keys were
    /// destroyed nothing of before may stay.
    private func copy(of writer: ZoneWriter) {
        if writer.movesRecords {
            let names = try? durable.look { try Self.names(of: types, in: $0) }
            let records = names.flatMap { try? $0.map(readRecord) }
            let tables = try? Self.tables.map(readTable)
            spare.write { spare in
                guard let records, let tables else { throw ZoneError.damagedStore }
                try spare.execute("DELETE FROM record")
                for copy in tables + records { try copy.write(to: spare) }
            }
        } else {
            let tables = writer.changesTables ? Self.tables.compactMap { try? readTable($0) } : []
            let records = writer.touched.subtracting(writer.removed).compactMap { try? readRecord($0) }
            spare.write { spare in
                for copy in tables + records { try copy.write(to: spare) }
                for name in writer.removed { try spare.execute("DELETE FROM record WHERE name = x'\(name)'") }
            }
        }
    }

    /// Rows of the store, and which of the spare's they take the place of.
    private struct KeystoneCopy {
        let table: String
        let columns: String
        let condition: String
        let rows: [[DatabaseValue]]

        func write(to spare: Database) throws {
            try spare.execute("DELETE FROM \(table) WHERE \(condition)")
            try spare.put(rows, columns, into: table)
        }
    }

    private func readTable(_ table: (name: String, columns: String)) throws -> KeystoneCopy {
        let rows = try durable.look { try $0.cells(table.columns, of: table.name) }
        return KeystoneCopy(table: table.name, columns: table.columns, condition: "1", rows: rows)
    }

    /// With its zone it is found by the index of names, and no page is read that is not its own.
    private func readRecord(_ name: Identifier) throws -> KeystoneCopy {
        let condition = "name = x'\(name)'"
        let rows = try durable.look { database in
            try database.cells(
                Self.recordColumns, of: "record",
                where: "zone IN (SELECT id FROM zone) AND tombstone = 0 AND \(condition)")
        }
        return KeystoneCopy(table: "record", columns: Self.recordColumns, condition: condition, rows: rows)
    }

    /// The records of a type as the spare has them: for one that stands on a page of the store that cannot be read.
    func records(ofType type: UInt16, in zone: OpenZone) -> [ZoneRecord] {
        let sql = "SELECT \(ZoneReader.columns) FROM record WHERE zone = ? AND type = ? AND tombstone = 0"
        let rows = spare.read { try $0.rows(sql, [zone.row, Int(type)]) }
        return (rows ?? []).compactMap { try? ZoneReader.open($0, in: zone) }
    }

    private static func names(of types: Set<UInt16>, in database: Database) throws -> Set<Identifier> {
        let list = types.map { "\($0)" }.joined(separator: ", ")
        // With its zone each is found by the index of types, and not by reading all records.
        let rows = try database.rows(
            """
            SELECT name FROM record
            WHERE zone IN (SELECT id FROM zone) AND type IN (\(list)) AND tombstone = 0
            """)
        return Set(rows.compactMap { $0.bytes(0).flatMap(Identifier.init) })
    }

    // MARK: At an opening

    /// The store's own rows open: they count again.
    func trustStore() { isSpareAlone = false }

    /// At an opening it is said where nothing lies twice now.
    func noteMissingSpare() {
        if spare.hasFailed { mended.append("no second copy of the store's keys can be kept now") }
    }

    /// Runs `body` with the spare's tables; nil where there is none, or nothing comes of it.
    func withSpare<Result>(_ body: (Database) throws -> Result) -> Result? { spare.read(body) }

    /// Whether records are sealed under a zone that the spare has opened: else it is of an earlier day, and its rows
    /// must not take the place of any.
    func isOfRecords(_ zone: OpenZone) -> Bool {
        let found = try? durable.look { database in
            guard try database.row("SELECT 1 FROM record LIMIT 1") != nil else { return true }
            let rows = try database.rows(
                "SELECT \(ZoneReader.columns) FROM record WHERE zone = ? LIMIT 16", [zone.row])
            return rows.contains { Self.opens($0, in: zone) }
        }
        // What cannot be looked at is not written over either.
        return found ?? false
    }

    /// Puts the spare's rows of the small tables into the place of those under which nothing opens.
    ///
    /// Where they cannot be written the spare counts, and is left as it is until they can.
    func restoreTables() {
        do {
            try putTables()
            mended.append("a key of the store was damaged or missing, and was written anew from the spare")
        } catch {
            mended.append("a key of the store was damaged or missing, and cannot be written; the spare counts")
        }
    }

    /// - Throws: where they cannot be written now.
    private func putTables() throws {
        isSpareAlone = true
        let found = spare.read { spare in try Self.tables.map { try spare.cells($0.columns, of: $0.name) } }
        guard let found else { throw ZoneError.damagedStore }
        try transact { writer in
            for (table, rows) in zip(Self.tables, found) {
                try writer.database.execute("DELETE FROM \(table.name)")
                try writer.database.put(rows, table.columns, into: table.name)
            }
            // The spare's sequence may be of an earlier day.
            try writer.database.execute(
                "UPDATE zone SET seq = max(seq, (SELECT coalesce(max(seq), 0) FROM record WHERE zone = zone.id))")
        }
        isSpareAlone = false
    }

    /// Makes the account's row the same in store and spare: the one that is whole.
    ///
    /// - Parameters:
    ///   - used: the account with which its zone has opened; what is public of it is right.
    ///   - isWhole: whether all keys of an account open.
    func settle(_ used: ZoneAccount, isWhole: (ZoneAccount) -> Bool) {
        guard !isSpareAlone else { return }
        let find = { (database: Database) in try ZoneStore.storedAccounts(database).first { $0.id == used.id } }
        let own = (try? durable.look(find)) ?? nil
        let copy = spare.read(find) ?? nil
        guard own != used || copy != used, let whole = [own, copy, used].compactMap({ $0 }).first(where: isWhole) else {
            return
        }
        if own != whole {
            let isWritten: Void? = try? write { try ZoneStore.put(whole, into: $0.database) }
            if isWritten == nil { isSpareAlone = copy == whole }
            let outcome = isWritten == nil ? "cannot be written" : "was written anew"
            mended.append("the account's row was damaged or missing, and \(outcome)")
        }
        if copy != whole { spare.write { try ZoneStore.put(whole, into: $0) } }
    }

    /// Makes store and spare the same again, once the zone is open: each record that opens takes the place of one that
    /// does not, or is not there.
    func settle(_ zone: OpenZone) {
        guard !isSpareAlone else { return }
        let rows = { (database: Database) in
            try Self.zoneTables.map { Self.keys(of: $0.name, try database.cells($0.columns, of: $0.name)) }
        }
        if let stored = try? durable.look(rows), let spared = spare.read(rows), stored != spared,
            let copies = try? Self.zoneTables.map(readTable)
        {
            spare.write { spare in for copy in copies { try copy.write(to: spare) } }
        }
        guard !types.isEmpty else { return }
        let names = (try? durable.look { try Self.names(of: types, in: $0) }) ?? []
        let spareNames = spare.read { try Self.names(of: types, in: $0) } ?? []
        for name in names.union(spareNames) { settle(name, zone) }
    }

    private func settle(_ name: Identifier, _ zone: OpenZone) {
        let condition = "zone = \(zone.row) AND name = x'\(name)'"
        let find = { (database: Database) in
            try database.row("SELECT \(Self.recordColumns) FROM record WHERE \(condition)")
        }
        let own: Row?
        do { own = try durable.look(find) } catch { return }
        let copy = spare.read(find) ?? nil
        guard own != copy else { return }
        if let own, own.integer(Self.tombstone) == 1 || Self.opens(own, in: zone) {
            // A tombstone is no damage: its copy goes.
            guard let record = try? readRecord(name) else { return }
            spare.write { try record.write(to: $0) }
        } else if let copy, Self.opens(copy, in: zone), own != nil || Self.isShared(copy) {
            mended.append("record \(name) was damaged or missing, and was written anew from its spare")
            _ = try? write { writer in
                try writer.database.execute("DELETE FROM record WHERE \(condition)")
                try writer.database.put([copy.cells], Self.recordColumns, into: "record")
            }
        }
    }

    private static func opens(_ record: Row, in zone: OpenZone) -> Bool {
        (try? ZoneReader.open(record, in: zone)) != nil
    }

    /// Whether it leaves a tombstone where it is removed: then one that is not there was lost.
    private static func isShared(_ record: Row) -> Bool {
        (record.integer(1) ?? .max) < Int64(ZoneWriter.localTypes)
    }
}
