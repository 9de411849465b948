import Envelopes
import Localization
import NotesClient
import Secrets
import Zones

/// What notes were imported from, and the key by which both are known again.
final class ImportSources {
    private let clock: () -> SecureSession.Instant
    private let records: NoteRecords
    private let heads: NoteHeads
    /// Marks what is imported; read when it is needed first.
    private var knownImportKey: ImportKey?

    init(_ records: NoteRecords, _ heads: NoteHeads, clock: @escaping () -> SecureSession.Instant) {
        self.records = records
        self.heads = heads
        self.clock = clock
    }

    private var now: Int64 { clock().wall }

    /// The key of this account's imports, made at the first.
    func importKey() throws -> ImportKey {
        if let known = knownImportKey { return known }
        var found: [[UInt8]] = []
        var lost: Identifier?
        try records.read { reader in
            _ = try reader.records(ofType: RecordType.importKey, in: records.zone, damaged: { lost = $0 }) { record in
                found.append(record.content)
            }
        }
        // Under another key nothing would be known again, and all would come in twice.
        if let lost { throw records.damage(lost) }
        let bytes = try found.first ?? makeImportKey()
        guard bytes.first == 1, let key = try? ImportKey(Array(bytes.dropFirst())) else {
            throw NotesError(.damaged, marked("the key of imports cannot be decoded; it is kept"))
        }
        knownImportKey = key
        return key
    }

    private func makeImportKey() throws -> [UInt8] {
        var writer = RecordLayout.begin()
        writer.raw(ImportKey.makeBytes())
        let content = writer.bytes
        try heads.change { _ = try $0.put(.makeRandom(), type: RecordType.importKey, content, in: records.zone) }
        return content
    }

    /// What notes were imported from, the last first.
    func list() throws -> [ImportSourceSummary] {
        var sources: [ImportSourceSummary] = []
        try records.read { reader in
            _ = try reader.records(ofType: RecordType.importSource, in: records.zone, damaged: records.lose) { record in
                guard let source = try? ImportSource(from: record.content) else {
                    return records.lose(record.name)
                }
                sources.append(
                    ImportSourceSummary(
                        id: record.name.description, kind: source.kind, place: source.place, first: source.first,
                        last: source.last))
            }
        }
        return sources.sorted { ($1.last, $0.id) < ($0.last, $1.id) }
    }

    /// Remembers a source, and where it is now.
    func begin(_ new: ImportSourceHead) throws {
        guard let id = Identifier(new.id), id != .zero, new.kind.utf8.count <= 64, new.place.utf8.count <= 4096 else {
            throw NotesError(
                .invalid, marked("a source has an id of 32 hexadecimal digits, and a place of at most 4096 bytes"))
        }
        let known = try records.read { try $0.record(id, in: records.zone) }
        guard known == nil || known?.type == RecordType.importSource else {
            throw NotesError(.invalid, marked("this id is not a source's"))
        }
        let first = known.flatMap { try? ImportSource(from: $0.content) }?.first ?? now
        let source = ImportSource(kind: new.kind, place: new.place, first: first, last: now)
        try heads.change { _ = try $0.put(id, type: RecordType.importSource, source.encoded, in: records.zone) }
    }
}
