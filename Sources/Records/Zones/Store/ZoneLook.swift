import Envelopes
import FoundationEssentials
import GRDB
package import Secrets

/// A part of a look at everything in a zone: every record is opened, every file read, and all of it thrown away.
package struct ZoneLook {
    /// Where a look goes on.
    package struct Place: Equatable, Sendable {
        /// The last record that was looked at as a whole.
        package var record: Int64
        /// How many chunks of the next one's files were looked at; behind the last record, which row of the copy that
        /// is taken from.
        package var chunk: Int

        /// - Parameters:
        ///   - record: the last that was looked at as a whole; 0 before the first.
        ///   - chunk: of the next one's files.
        package init(record: Int64, chunk: Int) {
            self.record = record
            self.chunk = chunk
        }
    }

    /// What does not open.
    package enum Damage: Equatable, Sendable {
        /// The type is what its row says, nil where that says nothing.
        case record(Identifier, type: UInt16?)
        /// A file that a record names.
        case file(AssetReference, of: Identifier, type: UInt16)
        /// A page of the database: nobody can tell how many records stood on it.
        case page
    }

    /// Nil at the end.
    package var next: Place?
    /// Records that were opened in this part.
    package var records = 0
    /// Of files.
    package var bytes: UInt64 = 0
    /// What does not open, in the order in which it was met.
    package var damage: [Damage] = []
    /// What was damaged or lost, and was taken from an earlier copy.
    package var taken: [Damage] = []
}

/// Which texts a look has seen, and which of them a head has named: a text without its head is all that is left of
/// something.
package struct TextCensus {
    /// The names of texts that were met.
    package var seen: Set<Identifier> = []
    /// The names of texts that heads point to.
    package var named: Set<Identifier> = []
    /// Heads that do not open: each has left a text behind, and is named itself.
    package var lostHeads = 0

    /// A census before the first record.
    package init() {}

    /// Texts of which more are left than there are lost heads; none where each of them may belong to one.
    package var headless: Set<Identifier> {
        let found = seen.subtracting(named)
        return found.count > lostHeads ? found : []
    }
}

extension ZoneStore {
    /// Records of which each is named by one head, and that no head names: what is left where a head is lost.
    ///
    /// - Parameters:
    ///   - heads: how many heads open.
    ///   - named: what they name; asked for only where there are more records than heads.
    package func strays(
        ofType type: UInt16, in zone: OpenZone, heads: Int, named: () -> Set<Identifier>
    ) throws -> Set<Identifier> {
        do {
            return try read { reader in
                guard try reader.count(ofType: type, in: zone) > heads else { return [] }
                return try reader.names(ofType: type, in: zone).subtracting(named())
            }
        } catch let error as ZoneError where error.isOfPage {
            // Which they are stands on a page that cannot be read; a look names the page.
            return []
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
                let reader = try assets.makeReader(file)
                for index in max(0, first - number)..<reader.chunkCount {
                    look.bytes += UInt64(try reader.chunk(index).count)
                    if isDue() { return number + index + 1 }
                }
            } catch ZoneError.damagedAsset {
                if try assets.takeRenamed(file) || takeFile(file) {
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
            do { return try read { try $0.rows(in: zone, after: after) } } catch let error as ZoneError
                where error.isOfPage
            {
                look.damage.append(.page)
                place = ZoneLook.Place(record: try read { try $0.placeBehindLostPage(after: after) }, chunk: 0)
            }
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
            sql: """
                SELECT \(Self.columns), id FROM record NOT INDEXED
                WHERE id >= ? AND zone = ? AND tombstone = 0 ORDER BY id LIMIT 64
                """)
        var found: [LookedRow] = []
        var byteCount = 0
        do {
            let rows = try Row.fetchCursor(statement, arguments: [place + 1, zone.row])
            while byteCount < 1 << 16, let row = try rows.next() {
                let record = Result { () throws(ZoneError) in try StoredRecord(row) }
                byteCount += (try? record.get().byteCount) ?? 0
                let id = row.integer(Self.columnCount) ?? (found.last?.id ?? place) + 1
                found.append(
                    LookedRow(id: id, type: row.integer(1).flatMap(UInt16.init(exactly:)), record: record))
            }
        } catch {
            // Behind others, the next reading begins at the row that could not be read.
            if found.isEmpty { throw error }
        }
        return found
    }
}
