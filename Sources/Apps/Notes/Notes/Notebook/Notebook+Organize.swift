import Envelopes
package import NotesClient
import Resident
package import Secrets
import TextIndex
import Zones

// Folders, tags, pins, the trash; lists and searches.
extension Notebook {
    /// - Parameter path: names parted by `/`; empty for none.
    static func folder(_ path: String) throws -> String {
        let names = path.split(separator: "/").map { $0.trimmingSpaces() }.filter { !$0.isEmpty }
        guard names.count <= 32, path.utf8.count <= 1024 else {
            throw NotesError(.invalid, "a folder's path has at most 32 names and 1024 bytes")
        }
        return names.joined(separator: "/")
    }

    static func tag(_ text: String) throws -> String {
        var tag = text.trimmingSpaces()
        if tag.hasPrefix("#") { tag.removeFirst() }
        guard !tag.isEmpty, tag.utf8.count <= 256 else {
            throw NotesError(.invalid, "a tag has 1 to 256 bytes")
        }
        return tag
    }

    /// Each once, in the order in which they were given.
    static func tags(_ texts: [String]) throws -> [String] {
        var known: Set<String> = []
        return try texts.map(tag).filter { known.insert($0).inserted }
    }

    private func update(_ note: Identifier, _ body: (inout NoteHeader) throws -> Void) throws {
        var header = try header(note)
        let before = header
        try body(&header)
        guard header != before else { return }
        try change { try put(header, of: note, $0) }
    }

    package func move(_ note: Identifier, to folder: String) throws {
        try update(note) { $0.folder = try Self.folder(folder) }
    }

    package func pin(_ note: Identifier, _ isPinned: Bool) throws { try update(note) { $0.isPinned = isPinned } }

    /// A locked note's tags are sealed with its text: they change only while its session is open.
    package func tag(_ note: Identifier, add: [String], remove: [String]) throws {
        let added = try Self.tags(add)
        let removed = Set(try remove.map(Self.tag))
        let header = try header(note)
        let key = try key(of: note, header)
        var body = try whole(note, header, key)
        let tags = body.tags.filter { !removed.contains($0) }
        body.tags = tags + added.filter { !tags.contains($0) }
        var next = header
        let filled = fill(&next, with: body, isLocked: header.isLocked)
        try change { writer in
            if header.isLocked {
                try store(
                    filled.encoded, in: header.body, type: RecordType.body, as: .body(of: note, header), key,
                    writer)
            }
            try put(next, of: note, writer)
        }
        try indexAnew(note, next, filled)
    }

    /// To the trash, or from the trash for good.
    package func delete(_ note: Identifier, forever: Bool) throws {
        let header = try header(note)
        guard forever else {
            guard header.deleted == nil else { return }
            try update(note) { $0.deleted = now }
            return try search.remove(note)
        }
        guard header.deleted != nil else {
            throw NotesError(.refused, "the note is not in the trash; only what is there is deleted for good")
        }
        try erase(note, header)
    }

    /// Takes a note out of the trash, or puts one together again whose head is damaged or gone.
    ///
    /// - Returns: the note; where only a text was left of it, under a new name.
    @discardableResult
    package func restore(_ note: Identifier) throws -> Identifier {
        if headless.contains(note) || strayTexts.contains(note) { return try renewHead(note) }
        try update(note) { $0.deleted = nil }
        let header = try header(note)
        var body: NoteBody?
        if isReadable(header) {
            // Where it cannot be read now it is indexed, or named, when its turn comes.
            do { body = try self.body(of: note, header) } catch { progress.waiting.append(note) }
        }
        try indexAnew(note, header, body)
        return note
    }

    /// The owner has put both sides of a conflict in order.
    package func resolve(_ note: Identifier) throws { try update(note) { $0.hasConflict = false } }

    private func erase(_ note: Identifier, _ header: NoteHeader) throws {
        let past = try history(header)
        try change { writer in
            let names = past.entries.map(\.version) + past.joined + header.attachments
            if let lock = header.lock { try removeLock(lock, writer) }
            let single = [header.body, header.history, header.draft, header.origin].compactMap(\.self)
            for name in names + single + [note] { try writer.remove(name, in: zone) }
            forget(note)
        }
        discard(header.assets)
        try search.remove(note)
        search.forgetRemoved()
        scrub()
    }

    // MARK: Lists

    package func status(process: Int32) throws -> NotesStatus {
        try loadAll()
        return NotesStatus(
            session: session, account: "On this device", notes: index.count - index.trashedCount,
            locked: index.lockedCount, trashed: index.trashedCount,
            damaged: damaged.union(headlessNotes).map(\.description).sorted(), indexed: search.count,
            settings: publicSettings,
            process: process)
    }

    /// Everything that was read leaves memory.
    package func close() {
        search.close()
        store.close()
    }

    package func summary(of note: Identifier) throws -> NoteSummary { summary(note, try header(note)) }

    func summary(_ note: Identifier, _ header: NoteHeader) -> NoteSummary {
        let isHidden = header.isLocked && !settings.showsLockedTitles
        var summary = NoteSummary(
            id: note.description, title: isHidden ? "" : header.title, created: header.created,
            modified: header.modified, revision: header.textRevision)
        summary.isLocked = header.isLocked
        summary.isOpen = isReadable(header)
        if hasDamagedLock(header) { summary.damage = [.lock] }
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
    package static let mostListed = 200

    package func list(_ filter: NoteFilter) throws -> NoteList {
        try loadAll()
        var notes: [NoteSummary] = []
        var total = 0
        let (offset, limit) = (max(0, filter.offset), min(max(0, filter.limit), Self.mostListed))
        let isWhole = filter.folder == nil && filter.tag == nil
        for (note, header) in index.ordered where matches(header, filter) {
            if total >= offset && notes.count < limit { notes.append(summary(note, header)) }
            total += 1
            if isWhole && notes.count == limit { break }
        }
        if isWhole { total = filter.isInTrash ? index.trashedCount : index.count - index.trashedCount }
        // Where it belongs nobody knows, so it is missing nowhere but in the trash.
        for note in filter.isInTrash ? [] : headlessNotes {
            if total >= offset && notes.count < limit { notes.append(Self.headlessSummary(note)) }
            total += 1
        }
        return NoteList(notes: notes, total: total)
    }

    /// Which notes a list of all shows is decided here; what it says of each is what it is when its row is made.
    func listAll(_ filter: NoteFilter) throws -> NotesAnswer {
        try loadAll()
        var found = index.ordered.compactMap { matches($0.header, filter) ? $0.note : nil }
        // Where it belongs nobody knows, so it is missing nowhere but in the trash.
        let lost = Set(filter.isInTrash ? [] : headlessNotes)
        found += lost.sorted { $0.precedes($1) }
        let page = Array(found.dropFirst(max(0, filter.offset)).prefix(max(0, filter.limit)))
        let rows = RowBody(of: page) { [self] note in
            if lost.contains(note) { return Self.headlessSummary(note) }
            return index[note].flatMap { matches($0, filter) ? summary(note, $0) : nil }
        }
        return .rows(.list(NoteList(notes: [], total: found.count)), rows)
    }

    /// What no search can look at.
    private func unreadNotes() -> [NoteSummary]? {
        var notes = headlessNotes.map(Self.headlessSummary)
        for note in unsearched.sorted(by: { $0.precedes($1) }) {
            guard let header = index[note], header.deleted == nil else { continue }
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

    package func folders() throws -> [FolderSummary] {
        try loadAll()
        var counts: [String: Int] = [:]
        for (_, header) in index.ordered where header.deleted == nil && !header.folder.isEmpty {
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
    package func find(_ text: String, limit: Int) throws -> NoteList {
        try loadAll()
        let query = SearchQuery(text)
        let hadLostSession = hasLostSession
        var openedByteCount = 0
        let found = try search.find(query, limit: limit).compactMap { hit -> NoteSummary? in
            guard let header = index[hit.id], header.deleted == nil else { return nil }
            var summary = summary(hit.id, header)
            // A few texts of many megabytes are as much as others wait for.
            if isReadable(header), openedByteCount < excerptByteLimit, let body = try? body(of: hit.id, header) {
                let markdown = body.markdown
                openedByteCount += markdown.utf8.count
                summary.excerpt = query.excerpt(of: SearchText.beginning(of: markdown, header, body))
            }
            return summary
        }
        // A session that had ended without a word shows no more than before it.
        if hasLostSession, !hadLostSession { return try find(text, limit: limit) }
        return NoteList(notes: found, total: found.count, isPartial: isIndexing, unread: unreadNotes())
    }
}

extension StringProtocol {
    fileprivate func trimmingSpaces() -> String {
        var text = Substring(self)
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
