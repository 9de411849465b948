import DiaryClient
import Localization
import Secrets

/// The headers of all entries, in memory, the newest first.
///
/// They are kept as they are stored and decoded as they are asked for: decoded, they would take five times the room.
/// What every list looks at stands beside them.
struct EntryIndex {
    /// What lists and counts ask of every entry.
    struct Outline {
        /// Microseconds since 1970, UTC.
        fileprivate(set) var date: Int64
        fileprivate(set) var isDeleted: Bool
        fileprivate(set) var isDraft: Bool
        fileprivate(set) var isStarred: Bool
        fileprivate(set) var hasTags: Bool
        /// Whether it has photos that nobody has looked at yet.
        fileprivate(set) var hasWaitingPhotos: Bool
        fileprivate(set) var mediaCount: UInt16

        fileprivate init(_ header: EntryHeader) {
            date = header.head.date
            isDeleted = header.deleted != nil
            isDraft = header.isDraft
            isStarred = header.head.isStarred
            hasTags = !header.head.tags.isEmpty
            hasWaitingPhotos = header.media.contains(where: \.waitsForLook)
            mediaCount = UInt16(clamping: header.media.count)
        }
    }

    private struct Row {
        var outline: Outline
        /// As ``EntryHeader/encoded`` has made it.
        var encoded: [UInt8]

        /// What was decoded once decodes again.
        var header: EntryHeader? { try? EntryHeader(from: encoded) }
    }

    private var rows: [Identifier: Row] = [:]
    /// By date, descending; equal dates by name, so that pages never overlap.
    private(set) var ordered: [Identifier] = []
    /// Where imported entries came from, by the hash that this process has for it.
    private var sources: [Int: Identifier] = [:]

    var count: Int { rows.count }

    subscript(entry: Identifier) -> EntryHeader? { rows[entry]?.header }

    func outline(of entry: Identifier) -> Outline? { rows[entry]?.outline }

    /// Takes a header in as it is read; ``sort()`` follows.
    ///
    /// - Throws: for one that does not decode.
    mutating func load(_ encoded: [UInt8], of entry: Identifier) throws(DecodingError) {
        let header = try EntryHeader(from: encoded)
        // A reading that was cut short begins again where it was.
        let row = Row(outline: Outline(header), encoded: encoded)
        if rows.updateValue(row, forKey: entry) == nil { ordered.append(entry) }
        remember(header.source, entry)
    }

    mutating func sort() {
        let known = rows
        ordered.sort { Self.precedes($0, $1, known) }
    }

    /// Adds a header, or replaces the one that was there.
    mutating func put(_ header: EntryHeader, of entry: Identifier) {
        let old = rows[entry]
        let moves = old?.outline.date != header.head.date
        if let old {
            forget(old)
            if moves { ordered.remove(at: place(of: entry)) }
        }
        rows[entry] = Row(outline: Outline(header), encoded: header.encoded)
        remember(header.source, entry)
        if moves { ordered.insert(entry, at: place(of: entry)) }
    }

    mutating func remove(_ entry: Identifier) {
        guard let old = rows[entry] else { return }
        ordered.remove(at: place(of: entry))
        rows[entry] = nil
        forget(old)
    }

    private mutating func remember(_ source: String, _ entry: Identifier) {
        if !source.isEmpty { sources[source.hashValue] = entry }
    }

    private mutating func forget(_ row: Row) {
        if let source = row.header?.source, !source.isEmpty { sources[source.hashValue] = nil }
    }

    /// The entry that came from there; an export of ours names an entry that was made here by itself.
    func entry(from source: String) -> Identifier? {
        if let own = Identifier(source), rows[own] != nil { return own }
        guard let entry = sources[source.hashValue], self[entry]?.source == source else { return nil }
        return entry
    }

    /// The entry of this name, or of a name that begins so.
    ///
    /// - Parameter text: at least four hexadecimal digits.
    func find(_ text: String) throws(DiaryError) -> Identifier {
        if let exact = Identifier(text) {
            guard rows[exact] != nil else { throw .noSuchEntry }
            return exact
        }
        let beginning = text.lowercased()
        guard beginning.utf8.count >= 4, beginning.allSatisfy(\.isHexDigit) else { throw .noSuchEntry }
        let matches = ordered.filter { $0.description.hasPrefix(beginning) }
        guard let only = matches.first else { throw .noSuchEntry }
        guard matches.count == 1 else {
            throw DiaryError(.ambiguous, marked("several entries begin so; give more digits"))
        }
        return only
    }

    /// Where an entry stands or belongs, by halving.
    private func place(of entry: Identifier) -> Int {
        var (low, high) = (0, ordered.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(ordered[middle], entry, rows) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func precedes(_ left: Identifier, _ right: Identifier, _ rows: [Identifier: Row]) -> Bool {
        let (first, second) = (rows[left]?.outline.date ?? 0, rows[right]?.outline.date ?? 0)
        return first == second ? left.bytes.lexicographicallyPrecedes(right.bytes) : first > second
    }
}
