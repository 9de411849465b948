import DiaryClient
import DiaryViews
import Secrets
import TextIndex
import Zones

// Entries made, changed, removed and taken back; each in one transaction.
extension Journal {
    private enum Limit {
        static let tags = 100
        static let tagBytes = 256
        static let names = 1024
        /// So many, with long names, still fit into one answer.
        static let media = 300
    }

    /// Makes an entry, with the files that were staged for it.
    ///
    /// - Returns: its name.
    func create(_ new: NewEntry, text: String, staged: [StagedMedia]) throws -> Identifier {
        try check(new.head)
        try loadAll()
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
        try check(head)
        var header = try header(entry)
        guard header.deleted == nil else { throw DiaryError(.invalid, "the entry is in the trash; restore it first") }
        guard header.revision == base else {
            throw Self.changedMeanwhile
        }
        let kept = try media.map { wanted in
            guard let file = header.media.first(where: { $0.id.description == wanted }) else {
                throw DiaryError(.notFound, "the entry has no such file")
            }
            return file
        }
        guard Set(media).count == media.count else { throw DiaryError(.invalid, "a file is named twice") }
        guard kept.count + staged.count <= Limit.media else { throw Self.lostMedia }
        let dropped = header.media.filter { file in !kept.contains { $0.id == file.id } }
        var body = try body(of: header)
        let former = indexed(entry, header, body.text)
        body.text = text
        header.head = head
        header.isDraft = isDraft
        header.media = kept + staged.map(\.media)
        header.markChanged(at: now)
        try put(&header, of: entry, body, staged, former: former)
        discard(dropped.flatMap(\.assets))
        // The text of before is kept nowhere, and no key of a file that was taken out.
        scrub()
    }

    private static var changedMeanwhile: DiaryError {
        DiaryError(.conflict, "the entry was changed in between; read it again")
    }

    /// An entry of another diary, once: what has come from the same source is not made twice.
    func importEntry(_ head: ImportedHead, text: String, staged: [StagedMedia]) throws -> ImportOutcome {
        try loadAll()
        try check(head.head)
        guard !head.source.isEmpty, head.source.utf8.count <= Limit.names else {
            throw DiaryError(.invalid, "an imported entry names its source in at most \(Limit.names) bytes")
        }
        if let known = index.entry(from: head.source) {
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
        (entry.map { [$0] } ?? index.ordered).filter { index.outline(of: $0)?.hasWaitingPhotos == true }.flatMap {
            entry in
            (index[entry]?.media ?? []).filter(\.waitsForLook).map { (entry: entry, photo: $0) }
        }
    }

    /// Puts what was seen of a photo beside it; that is no change of the entry.
    func take(_ look: PhotoLook, of photo: Identifier, in entry: Identifier) throws {
        guard var header = index[entry],
            let place = header.media.firstIndex(where: { $0.id == photo && $0.waitsForLook })
        else { return }
        header.media[place].take(look, in: store.assets)
        do {
            try store.write { writer in
                _ = try writer.put(entry, type: RecordType.header, header.encoded, in: zone)
            }
        } catch {
            if let small = header.media[place].thumbnail, !ZoneError.mayHaveHappened(error) { discard([small.asset]) }
            throw error
        }
        index.put(header, of: entry)
    }

    /// To the trash; from there, where it is said, for good.
    ///
    /// - Throws: `DiaryError` with code `conflict` where it was changed since `base`, if there is one.
    func delete(_ entry: Identifier, forever: Bool, base: UInt64? = nil) throws {
        var header = try header(entry)
        guard base.map({ $0 == header.revision }) ?? true else { throw Self.changedMeanwhile }
        guard forever else {
            guard header.deleted == nil else { return }
            let former = (try? body(of: header)).map { indexed(entry, header, $0.text) }
            header.deleted = max(now, 1)
            try store.write { writer in
                _ = try writer.put(entry, type: RecordType.header, header.encoded, in: zone)
            }
            index.put(header, of: entry)
            return search { try search.remove(entry, former: former) }
        }
        guard header.deleted != nil else {
            throw DiaryError(.refused, "only what is in the trash is removed for good; delete it first")
        }
        try store.write { writer in
            try writer.remove(entry, in: zone)
            try writer.remove(header.body, in: zone)
        }
        index.remove(entry)
        discard(header.assets)
        scrub()
    }

    /// Takes an entry back from the trash, or makes one of a text whose head is lost.
    ///
    /// - Parameter id: of the entry, or the beginning of it.
    /// - Returns: the entry; where only a text was left of it, under a new name.
    func restore(_ id: String) throws -> Identifier {
        try loadAll()
        if let lost = findHeadless(id), (try? index.find(id)) == nil { return try renewHead(lost) }
        let entry = try find(id)
        var header = try header(entry)
        guard header.deleted != nil else { return entry }
        header.deleted = nil
        try put(&header, of: entry, body(of: header), [])
        return entry
    }

    /// Stores header and body, and makes the entry findable.
    ///
    /// - Parameter text: a text without a head, which this entry takes over.
    func put(
        _ header: inout EntryHeader, of entry: Identifier, _ body: EntryBody, _ staged: [StagedMedia],
        former: IndexedText? = nil, replacing text: Identifier? = nil
    ) throws {
        (header.opening, header.words) = Self.beginning(of: body.text)
        let sealed = header.encoded
        // Nothing is stored that could not be read again.
        guard try EntryHeader(from: sealed) == header else { throw DiaryError(.invalid, "the entry cannot be stored") }
        do {
            try store.write { writer in
                _ = try writer.put(header.body, type: RecordType.body, body.encoded, in: zone)
                _ = try writer.put(entry, type: RecordType.header, sealed, in: zone)
                if let text { try writer.remove(text, in: zone) }
            }
        } catch {
            // The entry may be there at the next start, and name them.
            if ZoneError.mayHaveHappened(error) { for file in staged { file.isTaken = true } }
            throw error
        }
        // From here on it is an entry, whatever becomes of the index.
        for file in staged { file.isTaken = true }
        index.put(header, of: entry)
        scrubWhereDue()
        let (kept, text) = (header, body.text)
        search { try search.replace([indexed(entry, kept, text)], former: former.map { [$0] } ?? []) }
    }

    /// Changes the index of words; a failure costs finding by words, and nothing else.
    private func search(_ change: () throws -> Void) {
        do { try change() } catch { Log.error("the index of words could not be changed", error) }
    }

    func header(_ entry: Identifier) throws -> EntryHeader {
        guard let header = index[entry] else { throw DiaryError.noSuchEntry }
        return header
    }

    private func check(_ head: EntryHead) throws {
        try checkTags(head.tags)
        let names = [head.place?.name, head.place?.locality, head.place?.region, head.place?.country]
        guard !head.timeZone.isEmpty, head.timeZone.utf8.count <= 64,
            names.allSatisfy({ ($0?.utf8.count ?? 0) <= Limit.names })
        else { throw DiaryError(.invalid, "the time zone or a place has no name, or one that is too long") }
    }

    func checkTags(_ tags: [String]) throws(DiaryError) {
        guard tags.count <= Limit.tags, tags.allSatisfy({ !$0.isEmpty && $0.utf8.count <= Limit.tagBytes }) else {
            throw DiaryError(.invalid, "an entry has at most 100 tags of 1 to 256 bytes")
        }
    }

    private static let lostMedia = DiaryError(.invalid, "the files of the entry did not all come, or are too many")

    /// Characters of the opening words.
    static let openingLength = 120

    /// The first words without the marks of Markdown, and how many words there are.
    static func beginning(of text: String) -> (opening: String, words: UInt32) {
        (OpeningWords.of(text, length: openingLength), UInt32(clamping: WordCount.words(in: text)))
    }
}
