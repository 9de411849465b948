import Envelopes
import NotesClient
import ResidentClient
import Secrets
import Zones

/// A look at everything: each record is opened, each file read, and all of it thrown away.
final class DamageLook {
    private let inspector: ZoneInspector
    private let records: NoteRecords
    private let heads: NoteHeads
    private let keys: NoteKeys
    private let parts: SealedParts
    /// Of a look that began here.
    private var texts: TextCensus?

    init(
        _ inspector: ZoneInspector, _ records: NoteRecords, _ heads: NoteHeads, _ keys: NoteKeys, _ parts: SealedParts
    ) {
        self.inspector = inspector
        self.records = records
        self.heads = heads
        self.keys = keys
        self.parts = parts
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
        var named: [NamedPart] = []
        // These are looked for when the part has ended.
        let isFull = { isDue() || named.count >= Self.namedPartLimit }
        let part = try inspector.look(at: records.zone, from: start, until: isFull) { record in
            try examine(record, &look, &named)
        }
        let missing = try inspector.missing(named.lazy.map(\.name), in: records.zone)
        look.damage += named.filter { missing.contains($0.name) }.map(\.damage)
        look.next = part.next.map { LookPlace(record: $0.record, chunk: $0.chunk) }
        (look.records, look.bytes) = (part.records, part.bytes)
        look.damage += part.damage.map(found)
        if !part.taken.isEmpty { look.taken = part.taken.map(found) }
        texts?.lostHeads += part.damage.count { if case .record(_, RecordType.header) = $0 { true } else { false } }
        if part.next == nil {
            look.damage += (texts?.headless ?? []).map { FoundDamage(kind: "note", id: $0.description, part: "head") }
            texts = nil
        }
        return look
    }

    /// Milliseconds' worth of records that others name.
    private static let namedPartLimit = 200

    /// Whether a record's content is what its type says, and what it names is there.
    ///
    /// What stands under a note's own key has been authenticated with the record; its files are looked at while their
    /// session is open.
    ///
    /// - Returns: the files that it names.
    private func examine(
        _ record: ZoneRecord, _ look: inout DataLook, _ named: inout [NamedPart]
    ) throws -> [AssetReference] {
        switch record.type {
        case RecordType.header: named += try parts(of: record)
        case RecordType.body, RecordType.version:
            if case .open(let bytes) = try PartContent(from: record.content) { _ = try NoteBody(from: bytes) }
            if record.type == RecordType.body { texts?.seen.insert(record.name) }
        case RecordType.lock: _ = try NoteLock(from: record.content)
        case RecordType.lockKey: _ = try LockKey(record.name, from: record.content)
        case RecordType.history: named += try NoteHistory(from: record.content).entries.map(NamedPart.version)
        case RecordType.attachment: return try files(of: record, &look)
        default: break
        }
        return []
    }

    private func parts(of record: ZoneRecord) throws -> [NamedPart] {
        let header = try NoteHeader(from: record.content)
        texts?.named.insert(header.body)
        var parts: [(name: Identifier, part: String)] = [(header.body, "text")]
        parts += header.attachments.map { ($0, "file") }
        for (name, part) in [(header.lock, "lock"), (header.history, "history"), (header.origin, "origin")] {
            if let name { parts.append((name, part)) }
        }
        return parts.map { .part($0.name, $0.part, of: record.name, title: Self.title(header)) }
    }

    private func files(of record: ZoneRecord, _ look: inout DataLook) throws -> [AssetReference] {
        let attachment: NoteAttachment
        switch try PartContent(from: record.content) {
        case .open(let bytes): attachment = try NoteAttachment(from: bytes)
        case .locked:
            guard let note = owner(of: record.name), let header = heads[note], keys.isReadable(header) else {
                look.shut += 1
                return []
            }
            do { attachment = try parts.attachment(record.name, of: note, keys.key(of: note, header)) } catch let error
                as NotesError where error.code == .damaged
            {
                throw ZoneError.damagedRecord(record.name)
            }
        }
        return [attachment.asset] + (attachment.thumbnail.map { [$0] } ?? [])
    }

    /// The note that a record belongs to, by what the heads say.
    private func owner(of name: Identifier) -> Identifier? {
        heads.index.ordered.first { entry in
            let header = entry.header
            return header.body == name || header.attachments.contains(name)
                || [header.lock, header.history, header.origin, header.draft].contains(name)
        }?.note
    }

    private static func title(_ header: NoteHeader) -> String? { header.title.isEmpty ? nil : header.title }

    private func found(_ damage: ZoneLook.Damage) -> FoundDamage {
        switch damage {
        case .page: FoundDamage(kind: "page", id: "", part: "of the database")
        case .file(_, let name, _): found("file", in: name)
        case .record(let name, let type):
            switch type {
            case RecordType.header: FoundDamage(kind: "note", id: name.description, part: "head")
            case RecordType.body: found("text", in: name)
            case RecordType.lock: found("lock", in: name)
            case RecordType.history: found("history", in: name)
            case RecordType.origin: found("origin", in: name)
            case RecordType.draft: found("draft", in: name)
            case RecordType.attachment: found("file", in: name)
            case RecordType.version: FoundDamage(kind: "version", id: name.description, part: "text")
            case RecordType.lockKey: FoundDamage(kind: "passphrase", id: name.description, part: "record")
            default:
                FoundDamage(kind: "record", id: name.description, part: "type \(type.map(String.init) ?? "unknown")")
            }
        }
    }

    private func found(_ part: String, in name: Identifier) -> FoundDamage {
        let note = owner(of: name)
        return FoundDamage(
            kind: "note", id: note?.description ?? "", title: note.flatMap { heads[$0] }.flatMap(Self.title), part: part
        )
    }
}

/// A record that another one names; where it is not there, that is damage.
private enum NamedPart {
    case part(Identifier, String, of: Identifier, title: String?)
    case version(NoteHistory.Entry)

    var name: Identifier {
        switch self {
        case .part(let name, _, _, _): name
        case .version(let entry): entry.version
        }
    }

    var damage: FoundDamage {
        switch self {
        case .part(_, let part, let note, let title):
            FoundDamage(kind: "note", id: note.description, title: title, part: part)
        case .version(let entry):
            FoundDamage(kind: "version", id: entry.version.description, part: entry.isLostList ? "list" : "text")
        }
    }
}
