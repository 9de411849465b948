import Envelopes
import SQLite
package import Secrets

/// Writes records inside one transaction, and reads what it has written.
package final class ZoneWriter {
    let database: Database
    private let keystones: Set<UInt16>
    /// Records of a type on which others hang that were written or removed.
    private(set) var touched: Set<Identifier> = []
    /// Those of them that were removed.
    private(set) var removed: Set<Identifier> = []
    /// Whether a row of another table than that of the records was added or removed.
    var changesTables = false
    /// Whether all records are others now.
    var movesRecords = false
    /// Whether something was changed that lies twice.
    var hasKeystones: Bool { changesTables || !touched.isEmpty }
    /// The last change of each zone that was written to.
    private var sequences: [Int64: UInt64] = [:]

    init(database: Database, keystones: Set<UInt16> = []) {
        self.database = database
        self.keystones = keystones
    }

    /// Reads in the same transaction, and so what was written in it.
    package var reader: ZoneReader { ZoneReader(database: database) }

    /// Makes or replaces a record; its revision rises by one, and it takes the next place in the zone's sequence.
    ///
    /// - Returns: the new revision.
    @discardableResult
    package func put(
        _ name: Identifier, type: UInt16, _ content: [UInt8], in zone: OpenZone
    ) throws -> UInt64 {
        if keystones.contains(type) {
            touched.insert(name)
            removed.remove(name)
        }
        let revision = try lastRevision(name, zone) + 1
        try store(name, type: type, content, revision: revision, isTombstone: false, zone)
        return revision
    }

    /// Replaces a record by a tombstone, so that other devices will learn that it is gone.
    ///
    /// Types from ``localTypes`` on never leave the device, and are simply deleted.
    package func remove(_ name: Identifier, in zone: OpenZone) throws {
        let row = try database.row(
            "SELECT type, revision FROM record WHERE zone = ? AND name = ? AND tombstone = 0", [zone.row, name.bytes])
        guard let row, let type = row.integer(0).flatMap(UInt16.init(exactly:)) else { return }
        if keystones.contains(type) {
            touched.insert(name)
            removed.insert(name)
        }
        guard type < Self.localTypes else {
            return try database.execute("DELETE FROM record WHERE zone = ? AND name = ?", [zone.row, name.bytes])
        }
        let revision = row.integer(1).flatMap(UInt64.init(exactly:)) ?? 0
        try store(name, type: type, [], revision: revision + 1, isTombstone: true, zone)
    }

    /// Types of records that stay on the device that made them.
    package static let localTypes: UInt16 = 128

    private func lastRevision(_ name: Identifier, _ zone: OpenZone) throws -> UInt64 {
        let statement = try database.cachedStatement("SELECT revision FROM record WHERE zone = ? AND name = ?")
        // A damaged cell may hold any number, or none.
        let last = try statement.row([zone.row, name.bytes])?.integer(0)
        return last.flatMap { (0..<Int64.max).contains($0) ? UInt64($0) : nil } ?? 0
    }

    private func store(
        _ name: Identifier, type: UInt16, _ content: [UInt8], revision: UInt64, isTombstone: Bool, _ zone: OpenZone
    ) throws {
        let context = zone.context(name, type: type, revision: revision)
        let record = try content.withSpan { try zone.seal($0, context) }
        let statement = try database.cachedStatement(
            """
            INSERT INTO record
                (zone, name, type, generation, revision, writer, head, wrapped_key, seq, tombstone, sealed)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (zone, name) DO UPDATE SET
                type = excluded.type, generation = excluded.generation, revision = excluded.revision,
                writer = excluded.writer, head = excluded.head, wrapped_key = excluded.wrapped_key,
                seq = excluded.seq, tombstone = excluded.tombstone, sealed = excluded.sealed
            """)
        let sequence = Int64(try nextSequence(zone))
        try statement.run([
            zone.row, name.bytes, Int(type), Int64(zone.generation), Int64(revision), zone.writer.bytes, zone.head,
            record.wrappedKey, sequence, isTombstone, record.sealed,
        ])
    }

    private func nextSequence(_ zone: OpenZone) throws -> UInt64 {
        let last = try sequences[zone.row] ?? reader.sequence(of: zone)
        sequences[zone.row] = last + 1
        return last + 1
    }

    /// Records how far each zone's sequence has come.
    func finish() throws {
        guard !sequences.isEmpty else { return }
        let statement = try database.cachedStatement("UPDATE zone SET seq = ? WHERE id = ?")
        for (zone, sequence) in sequences { try statement.run([Int64(sequence), zone]) }
    }
}
