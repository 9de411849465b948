package import Envelopes
import SQLite
package import Secrets

extension ZoneStore {
    /// Gives an account's zone another class.
    ///
    /// A zone's class never changes, as it is part of its first log entry: a new zone of the same scope takes the
    /// place of the old one. Its records are sealed anew, with their names, revisions and places in the sequence, in
    /// one transaction; the old zone's key and log go. The caller empties the write-ahead log then, by ``scrub()``.
    ///
    /// - Parameters:
    ///   - accountKey: opens the key that signs.
    ///   - time: microseconds since 1970.
    /// - Returns: the new zone; the old one has no records any more.
    /// - Throws: `ZoneError.damagedRecord` with the first record that does not open; nothing was changed then, as it
    ///   could never be opened in another zone.
    package func changeClass(
        of zone: OpenZone, to zoneClass: ZoneLogEntry.ZoneClass, of account: ZoneAccount, scope: String,
        with accountKey: borrowing SecretBytes, time: UInt64
    ) throws -> OpenZone {
        let signingKey = try AccountEnvelope.open(
            account.sealedSigning, publicKey: account.signingKey, of: account.id, as: .signing, under: accountKey)
        let new = try NewZone.make(
            scope: scope, zoneClass: zoneClass, of: account, signingKey: signingKey, time: time)
        return try write { writer in
            (writer.changesTables, writer.movesRecords) = (true, true)
            let row = try new.insert(into: writer.database, sequence: Self.sequence(of: zone, writer.database))
            let opened = try new.opened(as: row)
            try writer.moveRecords(from: zone, to: opened)
            for (table, column) in [("keyring", "zone"), ("log", "zone"), ("zone", "id")] {
                try writer.database.execute("DELETE FROM \(table) WHERE \(column) = ?", [zone.row])
            }
            return opened
        }
    }

    private static func sequence(of zone: OpenZone, _ database: Database) throws -> Int64 {
        try database.integer("SELECT seq FROM zone WHERE id = ?", [zone.row]) ?? 0
    }
}

extension ZoneWriter {
    /// Seals every record anew, tombstones too; each keeps its name, its revision and its places.
    fileprivate func moveRecords(from old: OpenZone, to new: OpenZone) throws {
        let page = try database.cachedStatement(
            "SELECT \(ZoneReader.columns), id FROM record WHERE zone = ? AND id > ? ORDER BY id LIMIT \(Self.page)")
        let update = try database.cachedStatement(
            """
            UPDATE record SET zone = ?, generation = ?, writer = ?, head = ?, wrapped_key = ?, sealed = ?
            WHERE id = ?
            """)
        var last: Int64 = 0
        while true {
            // A page at a time: no row changes under a reader.
            let rows = try page.rows([old.row, last])
            for row in rows {
                guard let id = row.integer(ZoneReader.columnCount) else { throw ZoneError.damagedStore }
                last = id
                let record = try ZoneReader.open(row, in: old)
                let context = new.context(record.name, type: record.type, revision: record.revision)
                let sealed = try record.content.withSpan { try new.seal($0, context) }
                try update.run([
                    new.row, Int64(new.generation), new.writer.bytes, new.head, sealed.wrappedKey, sealed.sealed, id,
                ])
            }
            guard rows.count == Self.page else { return }
        }
    }

    private static let page = 64
}
