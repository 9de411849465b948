import Envelopes
package import NotesClient
package import Secrets
import Zones

// Making notes, changing their text, and what became of former texts.
extension Notebook {
    /// Former texts that are kept of one note.
    static let mostVersions = 200

    /// - Parameter markdown: the text.
    /// - Returns: the new note's name.
    @discardableResult
    package func create(_ new: NewNote, markdown: String) throws -> Identifier {
        let note = Identifier.makeRandom()
        var header = NoteHeader(title: "", created: now)
        header.folder = try Self.folder(new.folder ?? "")
        header.isPinned = new.isPinned
        let tags = try Self.tags(new.tags)
        let body = NoteBody(blocks: Markdown.split(Array(markdown.utf8)), tags: tags)
        try add(note, header, body, lockKey: new.isLocked ? try currentOpenLockKey() : nil)
        return note
    }

    /// Stores a note that is not there yet.
    ///
    /// - Parameters:
    ///   - lockKey: locks it from its first moment on.
    ///   - attachments: their files are the note's once it is stored.
    func add(
        _ note: Identifier, _ start: NoteHeader, _ body: NoteBody, lockKey: Identifier?,
        attachments: [(name: Identifier, staged: StagedAttachment)] = [], origin: NoteOrigin? = nil
    ) throws {
        try loadAll()
        var header = start
        let made = try lockKey.map { try makeLock(of: note, under: $0) }
        let filled = fill(&header, with: body, isLocked: made != nil)
        header.lock = made?.name
        try change(taking: attachments.map(\.staged)) { writer in
            if let made { try put(made.lock, as: made.name, writer) }
            for (name, staged) in attachments {
                try store(staged.attachment(of: note), as: name, made?.key, writer)
            }
            if let origin, let name = header.origin { try store(origin, as: name, made?.key, writer) }
            try store(
                filled.encoded, in: header.body, type: RecordType.body, as: .body(of: note, header),
                made?.key, writer)
            try put(header, of: note, writer)
        }
        try indexAnew(note, header, filled)
    }

    /// Sets what the header shows of a text, and gives the text back as it is to be stored.
    func fill(_ header: inout NoteHeader, with body: NoteBody, isLocked: Bool) -> NoteBody {
        let title = Markdown.title(ofText: body.markdown)
        header.title = isLocked && !settings.showsLockedTitles ? "" : title
        header.tags = isLocked ? [] : body.tags
        return NoteBody(blocks: body.blocks, title: isLocked ? title : "", tags: isLocked ? body.tags : [])
    }

    /// The text and tags of a note, wherever they stand.
    func whole(_ note: Identifier, _ header: NoteHeader, _ key: NoteKey?) throws -> NoteBody {
        var body = try body(of: note, header, key)
        if !header.isLocked { body.tags = header.tags }
        return body
    }

    /// The note as Markdown: what was typed, byte for byte.
    package func markdown(of note: Identifier, version: Int? = nil) throws -> String {
        let header = try header(note)
        let key = try key(of: note, header)
        let present = Int(clamping: header.textRevision)
        guard let version, version != present else { return try body(of: note, header, key).markdown }
        let history = try history(header)
        if let entry = history.entries.last(where: { $0.number == version }) {
            return try self.version(entry, of: note, key).markdown
        }
        if history.isPartLost, (1..<present).contains(version) {
            throw NotesError(.damaged, "the list of this note's former texts cannot be read; it is kept")
        }
        throw NotesError(.notFound, "the note has no version \(version); 'versions' lists those that it has")
    }

    /// Replaces the text; what somebody else has changed since `base` is kept as well.
    ///
    /// - Returns: whether the text is another than `markdown` now.
    @discardableResult
    package func edit(_ note: Identifier, base: UInt64, markdown: String) throws -> Bool {
        try takeUpEarlierDraft(of: note)
        return try replace(note, base: base, markdown: markdown)
    }

    @discardableResult
    private func replace(_ note: Identifier, base: UInt64, markdown: String) throws -> Bool {
        var header = try header(note)
        let key = try key(of: note, header)
        let current = try whole(note, header, key)
        let merged = try merge(markdown, base: base, note, header, current, key)
        header.hasConflict = header.hasConflict || merged.hasConflict
        // Blocks of the same text may be cut in another way.
        let isOther = merged.blocks.text != Array(markdown.utf8)
        if merged.blocks.text == current.blocks.text {
            if header.draft != nil { try change { try dropDraft(of: note, &header, $0) } }
            return isOther
        }
        try write(NoteBody(blocks: merged.blocks, tags: current.tags), replacing: current, note, &header, key)
        return isOther
    }

    private func merge(
        _ markdown: String, base: UInt64, _ note: Identifier, _ header: NoteHeader, _ current: NoteBody, _ key: NoteKey?
    ) throws -> (blocks: [SourceBlock], hasConflict: Bool) {
        let written = Markdown.split(Array(markdown.utf8))
        guard base != header.textRevision else {
            return (blocks: BlockIdentity.carry(from: current.blocks, to: written), hasConflict: false)
        }
        let ancestor = try history(header).entries.last { $0.revision == base }
        guard let ancestor, let start = try readableVersion(ancestor, of: note, key)?.blocks else {
            // Nobody knows what it began from: it becomes the text, and the present one a version.
            return (blocks: BlockIdentity.carry(from: current.blocks, to: written), hasConflict: true)
        }
        let mine = BlockIdentity.carry(from: start, to: written)
        return BlockMerge.merge(base: start, mine: mine, theirs: current.blocks)
    }

    /// Stores a new text; the present one becomes a version.
    private func write(
        _ body: NoteBody, replacing old: NoteBody, _ note: Identifier, _ header: inout NoteHeader, _ key: NoteKey?
    ) throws {
        var past = NotePast(try history(header))
        past.keep(old, header.modified, of: &header)
        past.trim(to: Self.mostVersions, keeping: header.sourceRevision)
        let filled = fill(&header, with: body, isLocked: header.isLocked)
        header.markChanged(at: now)
        try change { writer in
            try store(past, of: note, header, key, writer)
            try store(
                filled.encoded, in: header.body, type: RecordType.body, as: .body(of: note, header), key,
                writer)
            try removeDraft(&header, writer)
            try put(header, of: note, writer)
        }
        try indexAnew(note, header, filled)
    }

    /// Former texts and the present one, those that are known not to open among them.
    package func versions(of note: Identifier) throws -> [VersionSummary] {
        let header = try header(note)
        // Where it is damage that keeps it shut, that is said.
        let key = try key(of: note, header)
        let summaries = try history(header).entries.map { entry in
            VersionSummary(
                number: entry.number, modified: entry.modified, byteCount: Int(entry.byteCount),
                isDamaged: entry.isLostList || damaged.contains(entry.version) ? true : nil)
        }
        var present = VersionSummary(
            number: Int(clamping: header.textRevision), modified: header.modified, byteCount: 0)
        do { present.byteCount = try body(of: note, header, key).markdown.utf8.count } catch let error as NotesError
            where error.code == .damaged
        { present.isDamaged = true }
        return summaries + [present]
    }

    /// Makes a former text the present one; the present one becomes a version.
    package func revert(_ note: Identifier, to version: Int) throws {
        let markdown = try markdown(of: note, version: version)
        try edit(note, base: try header(note).textRevision, markdown: markdown)
    }

    // MARK: Drafts

    /// Seals what an editor holds and has not saved.
    package func keepDraft(of note: Identifier, base: UInt64, markdown: String) throws {
        try takeUpEarlierDraft(of: note)
        var header = try header(note)
        let key = try editKeys[note] ?? key(of: note, header)
        if let key { editKeys[note] = key }
        if let draft = header.draft, damaged.contains(draft) { header.draft = nil }
        let name = header.draft ?? .makeRandom()
        let draft = NoteDraft(base: base, markdown: markdown)
        try change { writer in
            try store(
                draft.encoded, in: name, type: RecordType.draft, as: LockPart(note: note, kind: .draft, id: name), key,
                writer)
            guard header.draft == nil else { return }
            header.draft = name
            try put(header, of: note, writer)
        }
    }

    package func discardDraft(of note: Identifier) throws {
        var header = try header(note)
        guard header.draft != nil else { return }
        try change { try dropDraft(of: note, &header, $0) }
    }

    private func dropDraft(of note: Identifier, _ header: inout NoteHeader, _ writer: ZoneWriter) throws {
        try removeDraft(&header, writer)
        try put(header, of: note, writer)
    }

    /// One that does not open is let go of and kept.
    private func removeDraft(_ header: inout NoteHeader, _ writer: ZoneWriter) throws {
        if let draft = header.draft, !damaged.contains(draft) { try writer.remove(draft, in: zone) }
        header.draft = nil
    }

    /// Takes up an edit that was cut short: it becomes the text, merged with what came since.
    package func recoverDraft(of note: Identifier) throws {
        guard let header = index[note], let name = header.draft, isReadable(header) else { return }
        do {
            let draft = try draft(name, of: note, key(of: note, header))
            try replace(note, base: draft.base, markdown: draft.markdown)
            waitingDrafts.remove(note)
        } catch {
            if NotesError(error).code == .damaged { waitingDrafts.remove(note) } else { waitingDrafts.insert(note) }
            throw error
        }
    }

    /// Another draft takes no place of one that could not be taken up before.
    private func takeUpEarlierDraft(of note: Identifier) throws {
        guard waitingDrafts.contains(note), let header = index[note] else { return }
        guard let draft = header.draft, !damaged.contains(draft) else { return _ = waitingDrafts.remove(note) }
        guard isReadable(header) else {
            throw NotesError(.noteLocked, "an earlier draft of this note is to be taken up before; unlock the note")
        }
        try recoverDraft(of: note)
    }

    func recoverDrafts(where isWanted: (NoteHeader) -> Bool) {
        let cut = index.ordered.filter { $0.header.draft != nil && isWanted($0.header) }.map(\.note)
        for note in cut {
            // One that does not open, or that a full disk forbids to take up, is kept for another time.
            try? recoverDraft(of: note)
        }
    }
}
