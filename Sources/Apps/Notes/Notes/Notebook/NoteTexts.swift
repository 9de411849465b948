import Envelopes
import Localization
import NotesClient
import Secrets
import Zones

/// The texts of notes, present and former: made, replaced, merged with what somebody else has written, and read.
final class NoteTexts {
    private let clock: () -> SecureSession.Instant
    private let records: NoteRecords
    private let heads: NoteHeads
    private let keys: NoteKeys
    private let parts: SealedParts
    private let search: NoteSearch
    /// Former texts that are kept of one note.
    static let mostVersions = 200

    init(
        _ records: NoteRecords, _ heads: NoteHeads, _ keys: NoteKeys, _ parts: SealedParts, _ search: NoteSearch,
        clock: @escaping () -> SecureSession.Instant
    ) {
        self.records = records
        self.heads = heads
        self.keys = keys
        self.parts = parts
        self.search = search
        self.clock = clock
    }

    private var now: Int64 { clock().wall }

    /// - Parameter markdown: the text.
    /// - Returns: the new note's name.
    @discardableResult
    func create(_ new: NewNote, markdown: String) throws -> Identifier {
        let note = Identifier.makeRandom()
        var header = NoteHeader(title: "", created: now)
        header.folder = try NoteFiling.folder(new.folder ?? "")
        header.isPinned = new.isPinned
        let tags = try NoteFiling.tags(new.tags)
        let body = NoteBody(blocks: Markdown.split(Array(markdown.utf8)), tags: tags)
        try add(note, header, body, lockKey: new.isLocked ? try keys.currentOpenLockKey() : nil)
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
        try heads.loadAll()
        var header = start
        let made = try lockKey.map { try keys.makeLock(of: note, under: $0) }
        let filled = parts.fill(&header, with: body, isLocked: made != nil)
        header.lock = made?.name
        try heads.change(taking: attachments.map(\.staged)) { writer in
            if let made { try heads.put(made.lock, as: made.name, writer) }
            for (name, staged) in attachments {
                try parts.store(staged.attachment(of: note), as: name, made?.key, writer)
            }
            if let origin, let name = header.origin { try parts.store(origin, as: name, made?.key, writer) }
            try parts.store(
                filled.encoded, in: header.body, type: RecordType.body, as: .body(of: note, header),
                made?.key, writer)
            try heads.put(header, of: note, writer)
        }
        try search.indexAnew(note, header, filled)
    }

    // MARK: Reading

    /// The note as Markdown: what was typed, byte for byte.
    func markdown(of note: Identifier, version: Int? = nil) throws -> String {
        let header = try heads.header(note)
        let key = try keys.key(of: note, header)
        let present = Int(clamping: header.textRevision)
        guard let version, version != present else { return try parts.body(of: note, header, key).markdown }
        let history = try parts.history(header)
        if let entry = history.entries.last(where: { $0.number == version }) {
            return try parts.version(entry, of: note, key).markdown
        }
        if history.isPartLost, (1..<present).contains(version) {
            throw NotesError(.damaged, marked("the list of this note's former texts cannot be read; it is kept"))
        }
        throw NotesError(.notFound, marked("the note has no version \(version); 'versions' lists those that it has"))
    }

    /// Former texts and the present one, those that are known not to open among them.
    func versions(of note: Identifier) throws -> [VersionSummary] {
        let header = try heads.header(note)
        // Where it is damage that keeps it shut, that is said.
        let key = try keys.key(of: note, header)
        let summaries = try parts.history(header).entries.map { entry in
            VersionSummary(
                number: entry.number, modified: entry.modified, byteCount: Int(entry.byteCount),
                isDamaged: entry.isLostList || records.damaged.contains(entry.version) ? true : nil)
        }
        var present = VersionSummary(
            number: Int(clamping: header.textRevision), modified: header.modified, byteCount: 0)
        do { present.byteCount = try parts.body(of: note, header, key).markdown.utf8.count } catch let error
            as NotesError
            where error.code == .damaged
        { present.isDamaged = true }
        return summaries + [present]
    }

    // MARK: Replacing

    /// Replaces the text; what somebody else has changed since `base` is kept as well.
    ///
    /// A draft of the note goes with it, so ``NoteEdits`` takes up an earlier one before.
    ///
    /// - Returns: whether the text is another than `markdown` now.
    @discardableResult
    func replace(_ note: Identifier, base: UInt64, markdown: String) throws -> Bool {
        var header = try heads.header(note)
        let key = try keys.key(of: note, header)
        let current = try parts.whole(note, header, key)
        let merged = try merge(markdown, base: base, note, header, current, key)
        header.hasConflict = header.hasConflict || merged.hasConflict
        // Blocks of the same text may be cut in another way.
        let isOther = merged.blocks.text != Array(markdown.utf8)
        if merged.blocks.text == current.blocks.text {
            if header.draft != nil { try heads.change { try dropDraft(of: note, &header, $0) } }
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
        let ancestor = try parts.history(header).entries.last { $0.revision == base }
        guard let ancestor, let start = try parts.readableVersion(ancestor, of: note, key)?.blocks else {
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
        var past = NotePast(try parts.history(header))
        past.keep(old, header.modified, of: &header)
        past.trim(to: Self.mostVersions, keeping: header.sourceRevision)
        let filled = parts.fill(&header, with: body, isLocked: header.isLocked)
        header.markChanged(at: now)
        try heads.change { writer in
            try parts.store(past, of: note, header, key, writer)
            try parts.store(
                filled.encoded, in: header.body, type: RecordType.body, as: .body(of: note, header), key,
                writer)
            try parts.removeDraft(&header, writer)
            try heads.put(header, of: note, writer)
        }
        try search.indexAnew(note, header, filled)
    }

    /// The head names its draft no more.
    func dropDraft(of note: Identifier, _ header: inout NoteHeader, _ writer: ZoneWriter) throws {
        try parts.removeDraft(&header, writer)
        try heads.put(header, of: note, writer)
    }
}
