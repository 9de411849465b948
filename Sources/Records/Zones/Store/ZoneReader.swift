import Envelopes
import KeyEnvelopes
import SQLite
package import Secrets

/// Reads records; good as long as the call that lent it.
package struct ZoneReader {
    let database: Database

    /// Nil where there is none, or a tombstone.
    ///
    /// - Throws: `ZoneError.damagedRecord` when it does not open, or stands on a page that cannot be read.
    package func record(_ name: Identifier, in zone: OpenZone) throws -> ZoneRecord? {
        let statement = try database.cachedStatement(
            "SELECT \(Self.columns) FROM record WHERE zone = ? AND name = ? AND tombstone = 0")
        do {
            return try statement.row([zone.row, name.bytes]).map { try Self.open($0, in: zone) }
        } catch let error as DatabaseError where ZoneError(error).isOfPage { throw ZoneError.damagedRecord(name) }
    }

    /// Calls `body` with each record of a type, in the order in which they were made.
    ///
    /// - Parameters:
    ///   - after: leaves out what was made up to there; ``ZoneCursor/start`` at first.
    ///   - limit: how many at most.
    ///   - damaged: gets the name of each record that does not open; zeros once for all that stood on a page that
    ///     cannot be read, of which nobody can tell how many there were.
    /// - Returns: where the next call goes on; nil at the end.
    package func records(
        ofType type: UInt16, in zone: OpenZone, after cursor: ZoneCursor = .start, limit: Int = .max,
        damaged: (Identifier) -> Void, _ body: (ZoneRecord) throws -> Void
    ) throws -> ZoneCursor? {
        var last = cursor
        var count = 0
        // The index first; where it, or a page below it, cannot be read, the table.
        var source = "record"
        while true {
            let sql = """
                SELECT \(Self.columns), id FROM \(source)
                WHERE zone = ? AND type = ? AND tombstone = 0 AND id >= ? ORDER BY id LIMIT ?
                """
            let left = limit == .max ? -1 : limit - count
            do {
                let statement = try database.cachedStatement(sql)
                try statement.forEachRow([zone.row, Int(type), last.id + 1, left]) { row in
                    last.id = row.integer(Self.columnCount) ?? last.id
                    count += 1
                    do { try body(Self.open(row, in: zone)) } catch ZoneError.damagedRecord(let name) { damaged(name) }
                    return true
                }
                return count == limit ? last : nil
            } catch let error as DatabaseError where ZoneError(error).isOfPage {
                guard source != "record" else {
                    source = "record NOT INDEXED"
                    continue
                }
                damaged(.zero)
                last.id = try placeBehindLostPage(after: last.id)
            }
        }
    }

    /// The last place before the first row that can be read again behind one after which a page cannot.
    ///
    /// - Throws: SQLite's error where none can.
    func placeBehindLostPage(after id: Int64) throws -> Int64 {
        var (lost, step) = (id, Int64(1))
        while try !isReadable(after: id + step) {
            (lost, step) = (id + step, step * 2)
            guard step < 1 << 40 else { throw DatabaseError(.corrupt) }
        }
        var readable = id + step
        while readable - lost > 1 {
            let middle = lost + (readable - lost) / 2
            if try isReadable(after: middle) { readable = middle } else { lost = middle }
        }
        return readable
    }

    private func isReadable(after id: Int64) throws -> Bool {
        do {
            // Not "> id": that would look for the place of the row before, which may be on the lost page.
            let sql = "SELECT * FROM record NOT INDEXED WHERE id >= ? ORDER BY id LIMIT 1"
            _ = try database.row(sql, [id + 1])
            return true
        } catch let error as DatabaseError where ZoneError(error).isOfPage { return false }
    }

    /// How many records of a type a zone has; tombstones are none.
    package func count(ofType type: UInt16, in zone: OpenZone) throws -> Int {
        let sql = "SELECT count(*) FROM record WHERE zone = ? AND type = ? AND tombstone = 0"
        return Int(try database.integer(sql, [zone.row, Int(type)]) ?? 0)
    }

    /// The names of a type's records, tombstones left out; none of them is opened.
    func names(ofType type: UInt16, in zone: OpenZone) throws -> Set<Identifier> {
        let sql = "SELECT name FROM record WHERE zone = ? AND type = ? AND tombstone = 0"
        let rows = try database.rows(sql, [zone.row, Int(type)])
        return Set(rows.compactMap { $0.bytes(0).flatMap(Identifier.init) })
    }

    /// The place of the zone's last change; each change takes the next.
    ///
    /// - Throws: `ZoneError.damagedStore` where a number stands there that no store of ours counts to.
    package func sequence(of zone: OpenZone) throws -> UInt64 {
        let last = try database.cachedStatement("SELECT seq FROM zone WHERE id = ?").row([zone.row])?.integer(0) ?? 0
        guard (0..<Int64.max).contains(last) else { throw ZoneError.damagedStore }
        return UInt64(last)
    }

    static let columns = "name, type, generation, revision, writer, head, wrapped_key, seq, sealed"
    /// How many these are.
    static let columnCount = 9

    /// A row of ``columns``, opened.
    static func open(_ row: Row, in zone: OpenZone) throws -> ZoneRecord { try StoredRecord(row).open(in: zone) }
}

/// A record as a row of ``ZoneReader/columns`` has it.
struct StoredRecord {
    private let name: Identifier
    private let type: UInt16
    private let generation: UInt32
    private let revision: UInt64
    private let writer: Identifier
    private let head: Int
    private let sequence: UInt64
    private let sealed: SealedRecord

    var byteCount: Int { sealed.sealed.count }

    /// - Throws: `ZoneError.damagedRecord` where a cell holds what none may.
    init(_ row: Row) throws(ZoneError) {
        // A name that is none is one record's damage, and shuts no other.
        guard let name = row.bytes(0).flatMap(Identifier.init) else { throw .damagedRecord(.zero) }
        guard let type = row.integer(1).flatMap(UInt16.init(exactly:)),
            let generation = row.integer(2).flatMap(UInt32.init(exactly:)),
            let revision = row.integer(3).flatMap(UInt64.init(exactly:)),
            let writer = row.bytes(4).flatMap(Identifier.init),
            let head = row.integer(5).flatMap(Int.init(exactly:)),
            let wrappedKey = row.bytes(6), let sequence = row.integer(7).flatMap(UInt64.init(exactly:)),
            let sealed = row.bytes(8)
        else { throw .damagedRecord(name) }
        (self.name, self.type, self.generation, self.revision) = (name, type, generation, revision)
        (self.writer, self.head, self.sequence) = (writer, head, sequence)
        self.sealed = SealedRecord(wrappedKey: wrappedKey, sealed: sealed)
    }

    /// - Throws: `ZoneError.damagedRecord` where it does not open.
    func open(in zone: OpenZone) throws(ZoneError) -> ZoneRecord {
        guard zone.heads.indices.contains(head) else { throw .damagedRecord(name) }
        let context = RecordContext(
            zone: zone.zone, name: name, type: type, generation: generation, revision: revision, writer: writer,
            head: zone.heads[head])
        do {
            let content = try zone.open(sealed, context)
            return ZoneRecord(name: name, type: type, revision: revision, sequence: sequence, content: content)
        } catch EnvelopeError.memory { throw .outOfMemory } catch { throw .damagedRecord(name) }
    }
}

/// A place in a walk over records.
package struct ZoneCursor: Equatable, Sendable {
    var id: Int64
    /// Before the first record.
    package static let start = ZoneCursor(id: 0)
}
