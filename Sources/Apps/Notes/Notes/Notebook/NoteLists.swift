import NotesClient
import Resident
import Secrets
import TextIndex

/// What lists and searches say of notes; of one that is locked or lost, no more than may be said.
final class NoteLists {
    private let heads: NoteHeads
    private let keyring: Keyring
    private let keys: NoteKeys
    private let parts: SealedParts
    private let search: NoteSearch
    /// Of texts that a search opens for the lines around its hits.
    private let excerptByteLimit: Int

    init(
        _ heads: NoteHeads, _ keyring: Keyring, _ keys: NoteKeys, _ parts: SealedParts, _ search: NoteSearch,
        excerptByteLimit: Int
    ) {
        self.heads = heads
        self.keyring = keyring
        self.keys = keys
        self.parts = parts
        self.search = search
        self.excerptByteLimit = excerptByteLimit
    }

    func summary(of note: Identifier) throws -> NoteSummary { summary(note, try heads.header(note)) }

    func summary(_ note: Identifier, _ header: NoteHeader) -> NoteSummary {
        let isHidden = header.isLocked && !keyring.settings.showsLockedTitles
        var summary = NoteSummary(
            id: note.description, title: isHidden ? "" : header.title, created: header.created,
            modified: header.modified, revision: header.textRevision)
        summary.isLocked = header.isLocked
        summary.isOpen = keys.isReadable(header)
        if keys.hasDamagedLock(header) { summary.damage = [.lock] }
        if keys.hasOlderPassphrase(header) { summary.hasOlderPassphrase = true }
        summary.isPinned = header.isPinned
        summary.folder = header.folder
        summary.tags = header.tags
        summary.deleted = header.deleted
        summary.attachmentCount = header.attachments.count
        summary.hasDraft = header.draft != nil
        summary.hasConflict = header.hasConflict
        return summary
    }

    /// Notes in one answer.
    static let mostListed = 200
    /// So far down a search may go on; nobody reads further.
    private static let deepest = 100_000

    func list(_ filter: NoteFilter) throws -> NoteList {
        try heads.loadAll()
        if let order = filter.order, order != .changed { return list(filter, in: order) }
        var notes: [NoteSummary] = []
        var total = 0
        let (offset, limit) = (max(0, filter.offset), min(max(0, filter.limit), Self.mostListed))
        let isWhole = filter.folder == nil && filter.tag == nil
        for (note, header) in heads.index.ordered where matches(header, filter) {
            if total >= offset && notes.count < limit { notes.append(summary(note, header)) }
            total += 1
            if isWhole && notes.count == limit { break }
        }
        if isWhole {
            total = filter.isInTrash ? heads.index.trashedCount : heads.index.count - heads.index.trashedCount
        }
        // Where it belongs nobody knows, so it is missing nowhere but in the trash.
        for note in filter.isInTrash ? [] : heads.headlessNotes {
            if total >= offset && notes.count < limit { notes.append(NoteSummary.headless(note)) }
            total += 1
        }
        return NoteList(notes: notes, total: total)
    }

    /// All that match, put in order, and a page of them.
    private func list(_ filter: NoteFilter, in order: NoteOrder) -> NoteList {
        let showsTitles = keyring.settings.showsLockedTitles
        // Where a locked note's title may not be seen, its place must not tell it.
        let found = heads.index.ordered.filter { matches($0.header, filter) }.map { entry in
            let isHidden = entry.header.isLocked && !showsTitles
            return (entry: entry, title: order == .title && !isHidden ? entry.header.title.lowercased() : "")
        }
        // Of equals, the one that was changed last stands first, as in the index.
        let sorted = found.enumerated().sorted { one, other in
            let (a, b) = (one.element.entry.header, other.element.entry.header)
            if a.isPinned != b.isPinned { return a.isPinned }
            if order == .created, a.created != b.created { return a.created > b.created }
            let (first, second) = (one.element.title, other.element.title)
            return first != second ? first < second : one.offset < other.offset
        }
        let lost = filter.isInTrash ? [] : heads.headlessNotes.sorted { $0.precedes($1) }
        let (offset, limit) = (max(0, filter.offset), min(max(0, filter.limit), Self.mostListed))
        var notes = sorted.dropFirst(offset).prefix(limit).map {
            summary($0.element.entry.note, $0.element.entry.header)
        }
        let rest = max(0, offset - sorted.count)
        notes += lost.dropFirst(rest).prefix(limit - notes.count).map(NoteSummary.headless)
        return NoteList(notes: notes, total: sorted.count + lost.count)
    }

    /// Which notes a list of all shows is decided here; what it says of each is what it is when its row is made.
    func listAll(_ filter: NoteFilter) throws -> NotesAnswer {
        try heads.loadAll()
        var found = heads.index.ordered.compactMap { matches($0.header, filter) ? $0.note : nil }
        // Where it belongs nobody knows, so it is missing nowhere but in the trash.
        let lost = Set(filter.isInTrash ? [] : heads.headlessNotes)
        found += lost.sorted { $0.precedes($1) }
        let page = Array(found.dropFirst(max(0, filter.offset)).prefix(max(0, filter.limit)))
        let rows = RowBody(of: page) { [self] note in
            if lost.contains(note) { return NoteSummary.headless(note) }
            return heads[note].flatMap { matches($0, filter) ? summary(note, $0) : nil }
        }
        return .rows(.list(NoteList(notes: [], total: found.count)), rows)
    }

    /// What no search can look at.
    private func unreadNotes() -> [NoteSummary]? {
        var notes = heads.headlessNotes.map(NoteSummary.headless)
        for note in search.unsearched.sorted(by: { $0.precedes($1) }) {
            guard let header = heads[note], header.deleted == nil else { continue }
            var summary = summary(note, header)
            summary.damage = [.text]
            notes.append(summary)
        }
        return notes.isEmpty ? nil : Array(notes.prefix(Self.mostListed))
    }

    private func matches(_ header: NoteHeader, _ filter: NoteFilter) -> Bool {
        guard (header.deleted != nil) == filter.isInTrash else { return false }
        if let folder = filter.folder, header.folder != folder, !header.folder.hasPrefix(folder + "/") { return false }
        if let tag = filter.tag, !header.tags.contains(tag) { return false }
        return true
    }

    func folders() throws -> [FolderSummary] {
        try heads.loadAll()
        var counts: [String: Int] = [:]
        for (_, header) in heads.index.ordered where header.deleted == nil && !header.folder.isEmpty {
            counts[header.folder, default: 0] += 1
            var parent = header.folder
            while let slash = parent.lastIndex(of: "/") {
                parent = String(parent[..<slash])
                counts[parent, default: 0] += 0
            }
        }
        return counts.sorted { $0.key < $1.key }.map { FolderSummary(path: $0.key, count: $0.value) }
    }

    /// Finds by text; of locked notes without a session, by titles alone, and only where these may be seen.
    ///
    /// - Parameter offset: how many of those that match are passed over.
    func find(_ text: String, limit: Int, offset: Int = 0) throws -> NoteList {
        try heads.loadAll()
        let query = SearchQuery(text)
        let hadLostSession = keys.hasLostSession
        var openedByteCount = 0
        let hits = try search.find(query, limit: limit + min(offset, Self.deepest)).dropFirst(offset)
        let found = hits.compactMap { hit -> NoteSummary? in
            guard let header = heads[hit.id], header.deleted == nil else { return nil }
            var summary = summary(hit.id, header)
            // A few texts of many megabytes are as much as others wait for.
            if keys.isReadable(header), openedByteCount < excerptByteLimit,
                let body = try? parts.body(of: hit.id, header)
            {
                let markdown = body.markdown
                openedByteCount += markdown.utf8.count
                summary.excerpt = query.excerpt(of: SearchText.beginning(of: markdown, header, body))
            }
            return summary
        }
        // A session that had ended without a word shows no more than before it.
        if keys.hasLostSession, !hadLostSession { return try find(text, limit: limit, offset: offset) }
        return NoteList(notes: found, total: offset + found.count, isPartial: search.isIndexing, unread: unreadNotes())
    }
}

extension NoteSummary {
    /// What is known of a note whose head is lost.
    static func headless(_ note: Identifier) -> NoteSummary {
        var summary = NoteSummary(id: note.description, title: "", created: 0, modified: 0, revision: 0)
        summary.damage = [.head]
        return summary
    }
}
