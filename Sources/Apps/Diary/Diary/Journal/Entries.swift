import DiaryClient
import DiaryViews
import Localization
import Secrets
import TextIndex
import Zones

/// Entries made, changed, removed and taken back, each in one transaction; and one of them read as a whole.
final class Entries {
    private enum Limit {
        static let names = 1024
        /// So many, with long names, still fit into one answer.
        static let media = 300
    }

    private let clock: () -> Int64
    private let records: DiaryRecords
    private let heads: EntryHeads
    private let search: EntrySearch

    init(_ records: DiaryRecords, _ heads: EntryHeads, _ search: EntrySearch, clock: @escaping () -> Int64) {
        self.records = records
        self.heads = heads
        self.search = search
        self.clock = clock
    }

    private var now: Int64 { clock() }

    /// Makes an entry, with the files that were staged for it.
    ///
    /// - Returns: its name.
    func create(_ new: NewEntry, text: String, staged: [StagedMedia]) throws -> Identifier {
        try new.head.check()
        try heads.loadAll()
        guard new.mediaCount == staged.count, staged.count <= Limit.media else { throw Self.lostMedia }
        var header = EntryHeader(head: new.head, created: now)
        header.isDraft = new.isDraft
        header.media = staged.map(\.media)
        let entry = Identifier.makeRandom()
        try put(&header, of: entry, EntryBody(text: text), staged)
        return entry
    }

    /// Replaces an entry's text and head; of its files those stay that are named, in their order, and what was staged
    /// is added behind them.
    ///
    /// - Throws: `DiaryError` with code `conflict` where it was changed since `base`.
    func edit(
        _ entry: Identifier, base: UInt64, head: EntryHead, media: [String], isDraft: Bool, text: String,
        staged: [StagedMedia]
    ) throws {
        try head.check()
        var header = try heads.header(entry)
        guard header.deleted == nil else {
            throw DiaryError(.invalid, marked("the entry is in the trash; restore it first"))
        }
        guard header.revision == base else {
            throw Self.changedMeanwhile
        }
        let kept = try media.map { wanted in
            guard let file = header.media.first(where: { $0.id.description == wanted }) else {
                throw DiaryError(.notFound, marked("the entry has no such file"))
            }
            return file
        }
        guard Set(media).count == media.count else { throw DiaryError(.invalid, marked("a file is named twice")) }
        guard kept.count + staged.count <= Limit.media else { throw Self.lostMedia }
        let dropped = header.media.filter { file in !kept.contains { $0.id == file.id } }
        var body = try records.body(of: header)
        let former = search.indexed(entry, header, body.text)
        body.text = text
        header.head = head
        header.isDraft = isDraft
        header.media = kept + staged.map(\.media)
        header.markChanged(at: now)
        try put(&header, of: entry, body, staged, former: former)
        records.discard(dropped.flatMap(\.assets))
        // The text of before is kept nowhere, and no key of a file that was taken out.
        records.scrub()
    }

    private static var changedMeanwhile: DiaryError {
        DiaryError(.conflict, marked("the entry was changed in between; read it again"))
    }

    /// An entry of another diary, once: what has come from the same source is not made twice.
    func importEntry(_ head: ImportedHead, text: String, staged: [StagedMedia]) throws -> ImportOutcome {
        try heads.loadAll()
        try head.head.check()
        guard !head.source.isEmpty, head.source.utf8.count <= Limit.names else {
            throw DiaryError(.invalid, marked("an imported entry names its source in at most \(Limit.names) bytes"))
        }
        if let known = heads.index.entry(from: head.source) {
            return ImportOutcome(id: known.description, change: .unchanged)
        }
        guard head.mediaCount == staged.count, staged.count <= Limit.media else { throw Self.lostMedia }
        var header = EntryHeader(head: head.head, created: head.created ?? now)
        header.modified = max(header.created, head.modified ?? header.created)
        header.source = head.source
        header.media = staged.map(\.media)
        let entry = Identifier.makeRandom()
        try put(&header, of: entry, EntryBody(text: text, foreign: head.foreign ?? ""), staged)
        return ImportOutcome(id: entry.description, change: .added)
    }

    /// Photos of an entry, or of all, that nobody has looked at yet.
    func waitingPhotos(of entry: Identifier? = nil) -> [(entry: Identifier, photo: EntryMedia)] {
        (entry.map { [$0] } ?? heads.index.ordered).filter {
            heads.index.outline(of: $0)?.hasWaitingPhotos == true
        }.flatMap { entry in
            (heads[entry]?.media ?? []).filter(\.waitsForLook).map { (entry: entry, photo: $0) }
        }
    }

    /// Puts what was seen of a photo beside it; that is no change of the entry.
    func take(_ look: PhotoLook, of photo: Identifier, in entry: Identifier) throws {
        guard var header = heads[entry],
            let place = header.media.firstIndex(where: { $0.id == photo && $0.waitsForLook })
        else { return }
        header.media[place].take(look, in: records.assets)
        do {
            try records.write { writer in
                _ = try writer.put(entry, type: RecordType.header, header.encoded, in: records.zone)
            }
        } catch {
            if let small = header.media[place].thumbnail, !ZoneError.mayHaveHappened(error) {
                records.discard([small.asset])
            }
            throw error
        }
        heads.put(header, of: entry)
    }

    /// To the trash; from there, where it is said, for good.
    ///
    /// - Throws: `DiaryError` with code `conflict` where it was changed since `base`, if there is one.
    func delete(_ entry: Identifier, forever: Bool, base: UInt64? = nil) throws {
        var header = try heads.header(entry)
        guard base.map({ $0 == header.revision }) ?? true else { throw Self.changedMeanwhile }
        guard forever else {
            guard header.deleted == nil else { return }
            let former = (try? records.body(of: header)).map { search.indexed(entry, header, $0.text) }
            header.deleted = max(now, 1)
            try records.write { writer in
                _ = try writer.put(entry, type: RecordType.header, header.encoded, in: records.zone)
            }
            heads.put(header, of: entry)
            return search.remove(entry, former: former)
        }
        guard header.deleted != nil else {
            throw DiaryError(.refused, marked("only what is in the trash is removed for good; delete it first"))
        }
        try records.write { writer in
            try writer.remove(entry, in: records.zone)
            try writer.remove(header.body, in: records.zone)
        }
        heads.remove(entry)
        records.discard(header.assets)
        records.scrub()
    }

    /// Takes an entry back from the trash, or makes one of a text whose head is lost.
    ///
    /// - Parameter id: of the entry, or the beginning of it.
    /// - Returns: the entry; where only a text was left of it, under a new name.
    func restore(_ id: String) throws -> Identifier {
        try heads.loadAll()
        if let lost = heads.findHeadless(id), (try? heads.index.find(id)) == nil { return try renewHead(lost) }
        let entry = try heads.find(id)
        var header = try heads.header(entry)
        guard header.deleted != nil else { return entry }
        header.deleted = nil
        try put(&header, of: entry, records.body(of: header), [])
        return entry
    }

    /// Stores header and body, and makes the entry findable.
    ///
    /// - Parameter text: a text without a head, which this entry takes over.
    private func put(
        _ header: inout EntryHeader, of entry: Identifier, _ body: EntryBody, _ staged: [StagedMedia],
        former: IndexedText? = nil, replacing text: Identifier? = nil
    ) throws {
        (header.opening, header.words) = EntryHeader.beginning(of: body.text)
        let sealed = header.encoded
        // Nothing is stored that could not be read again.
        guard try EntryHeader(from: sealed) == header else {
            throw DiaryError(.invalid, marked("the entry cannot be stored"))
        }
        do {
            try records.write { writer in
                _ = try writer.put(header.body, type: RecordType.body, body.encoded, in: records.zone)
                _ = try writer.put(entry, type: RecordType.header, sealed, in: records.zone)
                if let text { try writer.remove(text, in: records.zone) }
            }
        } catch {
            // The entry may be there at the next start, and name them.
            if ZoneError.mayHaveHappened(error) { for file in staged { file.isTaken = true } }
            throw error
        }
        // From here on it is an entry, whatever becomes of the index.
        for file in staged { file.isTaken = true }
        heads.put(header, of: entry)
        records.scrubWhereDue()
        search.replace(search.indexed(entry, header, body.text), former: former)
    }

    private static let lostMedia = DiaryError(
        .invalid, marked("the files of the entry did not all come, or are too many"))

    // MARK: Reading

    /// An entry with its text and what came with it from elsewhere.
    func whole(_ entry: Identifier) throws -> (summary: EntrySummary, text: String) {
        let header = try heads.header(entry)
        let body = try records.body(of: header)
        var summary = EntrySummary(entry, header)
        summary.source = header.source.isEmpty ? nil : header.source
        summary.foreign = body.foreign.isEmpty ? nil : body.foreign
        return (summary: summary, text: body.text)
    }

    /// A file of an entry.
    ///
    /// - Parameter wanted: the file's identity or its beginning, or its number in the entry, from 0.
    func media(_ wanted: String, of entry: Identifier) throws -> EntryMedia {
        guard let file = Self.file(wanted, in: try heads.header(entry)) else {
            throw DiaryError(.notFound, marked("the entry has no such file"))
        }
        return file
    }

    private static func file(_ wanted: String, in header: EntryHeader) -> EntryMedia? {
        if let number = Int(wanted), header.media.indices.contains(number) { return header.media[number] }
        let beginning = wanted.lowercased()
        guard beginning.utf8.count >= 4 else { return nil }
        return header.media.first { $0.id.description.hasPrefix(beginning) }
    }

    // MARK: Lost heads

    /// Makes an entry of now of a text without a head: what only the head knew (date, place, tags, files) is lost.
    ///
    /// - Parameter lost: an entry whose head does not open, which gets one of the texts that no head names, or such a
    ///   text.
    /// - Returns: the entry.
    /// - Throws: `DiaryError` with code `damaged` where no such text opens.
    private func renewHead(_ lost: Identifier) throws -> Identifier {
        let candidates =
            heads.strayTexts.contains(lost) ? [lost] : heads.strayTexts.sorted { $0.description < $1.description }
        guard let (text, body) = try firstText(of: candidates) else {
            throw DiaryError(.damaged, marked("no text without a head can be read; all is kept"))
        }
        // Where several are lost nobody knows whose text it is: no damaged head is replaced by another entry's.
        let entry = heads.headless == [lost] && heads.strayTexts.count == 1 ? lost : Identifier.makeRandom()
        let zone = heads.index.ordered.first.flatMap { heads[$0]?.head.timeZone } ?? "UTC"
        var header = EntryHeader(head: EntryHead(date: now, timeZone: zone), created: now)
        // Where an earlier copy brings the old head back, its text comes with it.
        try put(&header, of: entry, body, [], replacing: text)
        heads.found(text, of: entry)
        records.scrub()
        return entry
    }

    /// - Throws: where one cannot be read now: another one must not take its place.
    private func firstText(of names: [Identifier]) throws -> (name: Identifier, body: EntryBody)? {
        for name in names {
            do {
                guard let record = try records.read({ try $0.record(name, in: records.zone) }) else { continue }
                return (name: name, body: try EntryBody(from: record.content))
            } catch ZoneError.damagedRecord { continue } catch is DecodingError { continue }
        }
        return nil
    }
}
