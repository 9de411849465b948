import SQLite
package import Secrets

/// Looks at everything in a zone, part by part, and takes what is damaged or lost from an earlier copy, if one lies
/// there.
///
/// ```
/// let inspector = ZoneInspector(store)
/// let part = try inspector.look(at: zone, from: place, until: { isDue }) { record in try files(of: record) }
/// ```
package final class ZoneInspector {
    private let store: ZoneStore
    /// What ``source()`` found.
    private var knownSource: ZoneSource??

    package init(_ store: ZoneStore) { self.store = store }

    /// How many records there are in a zone, tombstones left out.
    package func recordCount(of zone: OpenZone) throws -> Int {
        try store.look { database in
            let sql = "SELECT count(*) FROM record WHERE zone = ? AND tombstone = 0"
            return Int(try database.integer(sql, [zone.row]) ?? 0)
        }
    }

    /// Those of some names under which there is no record, whatever its state.
    package func missing(_ names: some Sequence<Identifier>, in zone: OpenZone) throws -> Set<Identifier> {
        try store.look { database in
            let statement = try database.cachedStatement(
                "SELECT EXISTS (SELECT 1 FROM record WHERE zone = ? AND name = ? AND tombstone = 0)")
            return Set(try names.filter { name in try statement.row([zone.row, name.bytes])?.integer(0) != 1 })
        }
    }

    /// Looks at what follows a place until a time has come.
    ///
    /// - Parameters:
    ///   - place: ``ZoneLook/next`` of the part before; nil at first.
    ///   - isDue: whether others have waited long enough.
    ///   - files: the files that a record names; it throws where the content is none that its type allows.
    package func look(
        at zone: OpenZone, from place: ZoneLook.Place?, until isDue: () -> Bool,
        files: (ZoneRecord) throws -> [AssetReference]
    ) throws -> ZoneLook {
        var look = ZoneLook()
        var place = place ?? ZoneLook.Place(record: 0, chunk: 0)
        let isWhole = { (record: ZoneRecord) in (try? files(record)) != nil }
        var taken: Identifier?
        var rows: ArraySlice<LookedRow> = []
        while true {
            if rows.isEmpty, place.record < .max { rows = try nextRows(in: zone, after: &place, &look)[...] }
            guard let row = rows.first else { return try takeMissing(at: zone, from: place, isWhole, look) }
            do {
                let record = try row.record.get().open(in: zone)
                let named: [AssetReference]
                do { named = try files(record) } catch is DecodingError {
                    throw ZoneError.damagedRecord(record.name)
                }
                place.chunk = try read(named, of: record, from: place.chunk, until: isDue, &look)
            } catch ZoneError.damagedRecord(let name) {
                if name != taken, let record = try takeRecord(name, of: zone, isWhole: isWhole) {
                    // Its row is looked at again.
                    taken = name
                    rows = []
                    look.taken.append(.record(name, type: record.type))
                    continue
                }
                look.damage.append(.record(name, type: row.type))
                place.chunk = 0
            }
            if place.chunk == 0 {
                place.record = row.id
                look.records += 1
                rows.removeFirst()
            }
            if isDue() {
                look.next = place
                return look
            }
        }
    }

    /// Behind the last record: what the copy has and the store lacks.
    private func takeMissing(
        at zone: OpenZone, from place: ZoneLook.Place, _ isWhole: (ZoneRecord) -> Bool, _ look: ZoneLook
    ) throws -> ZoneLook {
        var look = look
        let row = place.record == .max ? Int64(place.chunk) : 0
        let next = try takeMissing(of: zone, after: row, isWhole: isWhole) { record in
            look.taken.append(.record(record.name, type: record.type))
        }
        look.next = next.map { ZoneLook.Place(record: .max, chunk: Int($0)) }
        return look
    }

    /// - Returns: how many chunks were read when time was up; 0 where all are.
    private func read(
        _ files: [AssetReference], of record: ZoneRecord, from first: Int, until isDue: () -> Bool,
        _ look: inout ZoneLook
    ) throws -> Int {
        var number = 0
        for file in files {
            let size = UInt64(AssetReader.chunkByteCount)
            let count = max(1, Int(clamping: (file.byteCount + size - 1) / size))
            guard number + count > first else {
                number += count
                continue
            }
            do {
                let reader = try store.assets.makeReader(file)
                for index in max(0, first - number)..<reader.chunkCount {
                    look.bytes += UInt64(try reader.chunk(index).count)
                    if isDue() { return number + index + 1 }
                }
            } catch ZoneError.damagedAsset {
                if try store.assets.takeRenamed(file) || takeFile(file) {
                    look.taken.append(.file(file, of: record.name, type: record.type))
                } else {
                    look.damage.append(.file(file, of: record.name, type: record.type))
                }
            }
            number += count
        }
        return 0
    }

    /// A few rows behind a place; none behind the last.
    ///
    /// Where a page cannot be read, those that stood on it are passed over.
    private func nextRows(
        in zone: OpenZone, after place: inout ZoneLook.Place, _ look: inout ZoneLook
    ) throws -> [LookedRow] {
        while true {
            let after = place.record
            do { return try store.read { try $0.rows(in: zone, after: after) } } catch let error as ZoneError
                where error.isOfPage
            {
                look.damage.append(.page)
                place = ZoneLook.Place(record: try store.read { try $0.placeBehindLostPage(after: after) }, chunk: 0)
            }
        }
    }

    // MARK: Taking from the copy

    /// An earlier copy of this store, if one lies there to take from.
    ///
    /// - Throws: where it cannot be opened now.
    private func source() throws -> ZoneSource? {
        if let knownSource { return knownSource }
        let found = try store.openSource()
        knownSource = .some(found)
        return found
    }

    /// Puts the copy's record into the place of one that does not open, or is not there.
    ///
    /// It is written as a change of today: it gets a revision and a place in the sequence of its own.
    ///
    /// - Parameter isWhole: whether its content is what its type says.
    /// - Returns: the record as it is now; nil where the copy has none that opens.
    private func takeRecord(
        _ name: Identifier, of zone: OpenZone, isWhole: (ZoneRecord) -> Bool
    ) throws -> ZoneRecord? {
        guard let found = try source()?.record(name, in: zone), isWhole(found) else { return nil }
        _ = try store.write { try $0.put(name, type: found.type, found.content, in: zone) }
        return try store.read { try $0.record(name, in: zone) }
    }

    /// Puts the copy's file into the place of one that is damaged, or is not there.
    ///
    /// - Returns: whether the copy has one that opens as a whole.
    private func takeFile(_ file: AssetReference) throws -> Bool {
        guard let source = try source() else { return false }
        do {
            let reader = try source.assets.makeReader(file)
            for chunk in 0..<reader.chunkCount { _ = try reader.chunk(chunk) }
        } catch ZoneError.damagedAsset { return false }
        try store.assets.take(file.asset, from: source.assets)
        return true
    }

    /// Takes records that are in the copy and not in the store, where no tombstone says that they were removed.
    ///
    /// - Parameter row: behind which of the copy's it goes on.
    /// - Returns: where the next part begins; nil at the end.
    private func takeMissing(
        of zone: OpenZone, after row: Int64, isWhole: (ZoneRecord) -> Bool, _ taken: (ZoneRecord) -> Void
    ) throws -> Int64? {
        guard let (names, last) = try source()?.names(after: row) else { return nil }
        for name in names where try !isKnown(name, in: zone) {
            if let record = try takeRecord(name, of: zone, isWhole: isWhole) { taken(record) }
        }
        return last
    }

    private func isKnown(_ name: Identifier, in zone: OpenZone) throws -> Bool {
        try store.look { database in
            let sql = "SELECT EXISTS (SELECT 1 FROM record WHERE zone = ? AND name = ?)"
            return try database.integer(sql, [zone.row, name.bytes]) != 0
        }
    }
}

/// A row that a look has read, and will open.
private struct LookedRow {
    let id: Int64
    /// Nil where the row says none.
    let type: UInt16?
    let record: Result<StoredRecord, ZoneError>
}

extension ZoneReader {
    /// As many rows as are worth one reading: a few dozen, or one that is large.
    fileprivate func rows(in zone: OpenZone, after place: Int64) throws -> [LookedRow] {
        let statement = try database.cachedStatement(
            """
            SELECT \(Self.columns), id FROM record NOT INDEXED
            WHERE id >= ? AND zone = ? AND tombstone = 0 ORDER BY id LIMIT 64
            """)
        var found: [LookedRow] = []
        var byteCount = 0
        do {
            try statement.forEachRow([place + 1, zone.row]) { row in
                let record = Result { () throws(ZoneError) in try StoredRecord(row) }
                byteCount += (try? record.get().byteCount) ?? 0
                let id = row.integer(Self.columnCount) ?? (found.last?.id ?? place) + 1
                found.append(
                    LookedRow(id: id, type: row.integer(1).flatMap(UInt16.init(exactly:)), record: record))
                return byteCount < 1 << 16
            }
        } catch {
            // Behind others, the next reading begins at the row that could not be read.
            if found.isEmpty { throw error }
        }
        return found
    }
}
