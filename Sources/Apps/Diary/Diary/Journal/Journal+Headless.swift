import DiaryClient
import Secrets
import Zones

// Entries whose head does not open or is gone: they are named by lists, and their owner has them put together again of
// their texts.
extension Journal {
    /// Looks for texts that no head names.
    func findStrayTexts() throws {
        strayTexts = try store.strays(ofType: RecordType.body, in: zone, heads: index.count) {
            Set(index.ordered.compactMap { index[$0]?.body })
        }
    }

    /// What lists name: heads that do not open; and where more texts than these are without one, all such texts.
    ///
    /// Where they belong nobody knows, so no list but the trash is whole without them.
    var headlessEntries: [UnreadEntry]? {
        let gone = strayTexts.count > headless.count ? strayTexts : []
        let all = headless.union(gone).map(\.description).sorted()
        return all.isEmpty ? nil : all.prefix(Self.mostListed).map { UnreadEntry(id: $0, part: .head) }
    }

    /// The head that is lost and has this id or one that begins so; nil for none.
    func findHeadless(_ text: String) -> Identifier? {
        let beginning = text.lowercased()
        guard beginning.utf8.count >= 4 else { return nil }
        let found = headless.union(strayTexts).filter { $0.description.hasPrefix(beginning) }
        return found.count == 1 ? found.first : nil
    }

    static func headlessError(_ entry: Identifier) -> DiaryError {
        DiaryError(
            .damaged,
            """
            the head of the entry \(entry) is damaged or gone, so its date and where its text is are not known; all \
            that belongs to it is kept. 'tresor repair --from' takes it from an earlier copy; without one, 'tresor \
            diary restore \(entry)' makes an entry of today of a text without a head
            """)
    }

    /// Makes an entry of now of a text without a head: what only the head knew (date, place, tags, files) is lost.
    ///
    /// - Parameter lost: an entry whose head does not open, which gets one of the texts that no head names, or such a
    ///   text.
    /// - Returns: the entry.
    /// - Throws: `DiaryError` with code `damaged` where no such text opens.
    func renewHead(_ lost: Identifier) throws -> Identifier {
        let candidates = strayTexts.contains(lost) ? [lost] : strayTexts.sorted { $0.description < $1.description }
        guard let (text, body) = try firstText(of: candidates) else {
            throw DiaryError(.damaged, "no text without a head can be read; all is kept")
        }
        // Where several are lost nobody knows whose text it is: no damaged head is replaced by another entry's.
        let entry = headless == [lost] && strayTexts.count == 1 ? lost : Identifier.makeRandom()
        let zone = index.ordered.first.flatMap { index[$0]?.head.timeZone } ?? "UTC"
        var header = EntryHeader(head: EntryHead(date: now, timeZone: zone), created: now)
        // Where an earlier copy brings the old head back, its text comes with it.
        try put(&header, of: entry, body, [], replacing: text)
        strayTexts.remove(text)
        headless.remove(entry)
        damaged.remove(entry)
        scrub()
        return entry
    }

    /// - Throws: where one cannot be read now: another one must not take its place.
    private func firstText(of names: [Identifier]) throws -> (name: Identifier, body: EntryBody)? {
        for name in names {
            do {
                guard let record = try store.read({ try $0.record(name, in: zone) }) else { continue }
                return (name: name, body: try EntryBody(from: record.content))
            } catch ZoneError.damagedRecord { continue } catch is DecodingError { continue }
        }
        return nil
    }
}
