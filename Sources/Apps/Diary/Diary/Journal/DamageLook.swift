import DiaryClient
import ResidentClient
import Secrets
import Zones

/// A look at everything: each record is opened, each file read, and all of it thrown away.
final class DamageLook {
    private let inspector: ZoneInspector
    private let records: DiaryRecords
    private let heads: EntryHeads
    /// Of a look that began here.
    private var texts: TextCensus?

    init(_ inspector: ZoneInspector, _ records: DiaryRecords, _ heads: EntryHeads) {
        self.inspector = inspector
        self.records = records
        self.heads = heads
    }

    /// Looks at what follows a place until others have waited long enough.
    ///
    /// - Parameter place: ``DataLook/next`` of the part before; nil at first.
    func look(from place: LookPlace?, until isDue: () -> Bool) throws -> DataLook {
        var look = DataLook()
        let place = place ?? .start
        if place == .start {
            look.total = try inspector.recordCount(of: records.zone)
            texts = TextCensus()
        }
        guard !heads.isLoading else {
            // What is damaged is named by what the heads say, and they are read in parts as well.
            try heads.loadSome()
            look.next = place
            return look
        }
        let start = ZoneLook.Place(record: place.record, chunk: place.chunk)
        var named: [(text: Identifier, entry: Identifier, header: EntryHeader)] = []
        // These are looked for when the part has ended.
        let isFull = { isDue() || named.count >= Self.namedTextLimit }
        let part = try inspector.look(at: records.zone, from: start, until: isFull) { record in
            try examine(record) { named.append(($0.body, record.name, $0)) }
        }
        let missing = try inspector.missing(named.lazy.map(\.text), in: records.zone)
        look.damage += named.filter { missing.contains($0.text) }.map { Self.found("text", $0.entry, $0.header) }
        look.next = part.next.map { LookPlace(record: $0.record, chunk: $0.chunk) }
        (look.records, look.bytes) = (part.records, part.bytes)
        look.damage += part.damage.map(found)
        if !part.taken.isEmpty { look.taken = part.taken.map(found) }
        texts?.lostHeads += part.damage.count { if case .record(_, RecordType.header) = $0 { true } else { false } }
        if part.next == nil {
            look.damage += (texts?.headless ?? []).map { FoundDamage(kind: "entry", id: $0.description, part: "head") }
            texts = nil
        }
        return look
    }

    /// Milliseconds' worth of texts that heads name.
    private static let namedTextLimit = 200

    /// Whether a record's content is what its type says, and what it names is there.
    ///
    /// - Parameter head: gets each entry's head, whose text is looked for.
    /// - Returns: the files that it names.
    private func examine(_ record: ZoneRecord, head: (EntryHeader) -> Void) throws -> [AssetReference] {
        switch record.type {
        case RecordType.header:
            let header = try EntryHeader(from: record.content)
            texts?.named.insert(header.body)
            head(header)
            return header.media.flatMap { [$0.original, $0.thumbnail, $0.preview].compactMap { $0 } }
        case RecordType.body:
            _ = try EntryBody(from: record.content)
            texts?.seen.insert(record.name)
        case RecordType.settings: _ = try StoredSettings(from: record.content)
        case RecordType.template: _ = try StoredTemplate(from: record.content)
        // The timeline is made anew where it cannot be read.
        default: break
        }
        return []
    }

    private func found(_ damage: ZoneLook.Damage) -> FoundDamage {
        switch damage {
        case .page: FoundDamage(kind: "page", id: "", part: "of the database")
        case .file(let file, let entry, _): found(file, in: entry)
        case .record(let name, let type):
            switch type {
            case RecordType.header: FoundDamage(kind: "entry", id: name.description, part: "head")
            case RecordType.body: foundText(name)
            case RecordType.settings: FoundDamage(kind: "settings", id: name.description, part: "record")
            case RecordType.template: FoundDamage(kind: "template", id: name.description, part: "text")
            default:
                FoundDamage(kind: "record", id: name.description, part: "type \(type.map(String.init) ?? "unknown")")
            }
        }
    }

    private func found(_ file: AssetReference, in entry: Identifier) -> FoundDamage {
        guard let header = heads[entry] else { return FoundDamage(kind: "entry", id: entry.description, part: "file") }
        let number = header.media.firstIndex { $0.assets.contains(file.asset) }.map { $0 + 1 }
        let isOriginal = number.map { header.media[$0 - 1].original.asset == file.asset } ?? true
        let part = "file \(number ?? 0) of \(header.media.count)\(isOriginal ? "" : ", its small picture")"
        return Self.found(part, entry, header)
    }

    private func foundText(_ name: Identifier) -> FoundDamage {
        for entry in heads.index.ordered {
            if let header = heads[entry], header.body == name { return Self.found("text", entry, header) }
        }
        return FoundDamage(kind: "text", id: name.description, part: "text")
    }

    private static func found(_ part: String, _ entry: Identifier, _ header: EntryHeader) -> FoundDamage {
        FoundDamage(
            kind: "entry", id: entry.description, title: header.opening.isEmpty ? nil : header.opening, part: part)
    }
}
