import Envelopes
import Localization
import NotesClient
import Secrets
import Zones

/// A note that comes in once more: what its source has changed since is joined with what was changed here.
final class NoteReimport {
    private let clock: () -> SecureSession.Instant
    private let records: NoteRecords
    private let heads: NoteHeads
    private let keys: NoteKeys
    private let parts: SealedParts
    private let search: NoteSearch
    private let sources: ImportSources

    init(
        _ records: NoteRecords, _ heads: NoteHeads, _ keys: NoteKeys, _ parts: SealedParts, _ search: NoteSearch,
        _ sources: ImportSources, clock: @escaping () -> SecureSession.Instant
    ) {
        self.records = records
        self.heads = heads
        self.keys = keys
        self.parts = parts
        self.search = search
        self.sources = sources
        self.clock = clock
    }

    private var now: Int64 { clock().wall }

    /// A note and what is known of it, while its source is compared with it.
    private struct Known {
        let note: Identifier
        let header: NoteHeader
        let key: NoteKey?
        let body: NoteBody
        /// Nil where an older version imported it, or it was written here.
        let origin: NoteOrigin?
    }

    /// What the note will be.
    private struct Joined {
        /// As the source has it.
        var source: [SourceBlock]
        var blocks: [SourceBlock]
        var hasConflict: Bool
        var header: NoteHeader
        var tags: [String]
        var files: [Identifier]
        var fresh: [(name: Identifier, staged: StagedAttachment)]
    }

    func take(_ incoming: IncomingNote, into note: Identifier) throws -> ImportOutcome {
        let head = incoming.head
        let header = try heads.header(note)
        guard keys.isReadable(header) else {
            throw NotesError(
                .noteLocked, marked("it is locked here and no session is open, so it was not compared with its source"))
        }
        let key = try keys.key(of: note, header)
        let isOurs = header.source == incoming.source
        let origin = isOurs ? try parts.origin(of: note, header, key) : nil
        if origin?.state == incoming.state { return ImportOutcome(id: note.description, change: .unchanged) }
        // A note that has been locked there must not put its text into an open one here.
        guard !head.isLocked || header.isLocked else {
            throw NotesError(
                .refused, marked("it is locked at its source and open here: lock it here, and import again"))
        }
        let known = Known(
            note: note, header: header, key: key, body: try parts.whole(note, header, key), origin: origin)
        guard header.deleted == nil || origin?.isDeleted ?? head.isDeleted else {
            throw NotesError(
                .refused, marked("it has changed at its source, and is in the trash here: restore it, and import again")
            )
        }
        return try store(try join(known, incoming), known, incoming)
    }

    private func join(_ known: Known, _ incoming: IncomingNote) throws -> Joined {
        let (names, fresh) = try pair(incoming, known)
        let labels = try names.enumerated().map { number, name in
            let isFresh = fresh.contains { $0.name == name }
            let label = isFresh ? incoming.staged[number].description.name : try label(name, known)
            return (name: name, label: label)
        }
        let written = incoming.blocks(labels)
        var joined = Joined(
            source: written, blocks: written, hasConflict: false, header: known.header, tags: known.body.tags,
            files: names, fresh: fresh)
        if let base = try base(known, incoming) {
            joined.source = BlockIdentity.carry(from: base.blocks, to: written)
            let merged = BlockMerge.merge(base: base.blocks, mine: joined.source, theirs: known.body.blocks)
            joined.blocks = merged.blocks
            joined.hasConflict = merged.hasConflict
        } else {
            // Nobody knows what it began from: it becomes the text, and the present one a version.
            joined.source = BlockIdentity.carry(from: known.body.blocks, to: written)
            joined.blocks = joined.source
            joined.hasConflict = joined.source.text != known.body.blocks.text
        }
        organize(&joined, known, incoming)
        return joined
    }

    /// Folder, tags, pin and trash follow the source, where nothing else was chosen here since.
    private func organize(_ joined: inout Joined, _ known: Known, _ incoming: IncomingNote) {
        let header = known.header
        guard let before = known.origin else {
            // An exported note that nobody has touched here since: what its file says was said after that.
            guard let modified = incoming.head.modified, incoming.head.id != nil, header.modified == modified else {
                return
            }
            joined.header.folder = incoming.folder
            joined.header.isPinned = incoming.head.isPinned
            // Other formats spell some tags otherwise: one that only looks so is the note's own.
            let (known, came) = (Set(joined.tags.map(Self.plain)), Set(incoming.tags.map(Self.plain)))
            joined.tags.removeAll { !came.contains(Self.plain($0)) }
            joined.tags += incoming.tags.filter { !known.contains(Self.plain($0)) }
            return
        }
        joined.header.folder =
            ThreeWayMerge.pick(base: before.folder, incoming.folder, header.folder) ?? header.folder
        joined.header.isPinned =
            ThreeWayMerge.pick(base: before.isPinned, incoming.head.isPinned, header.isPinned) ?? header.isPinned
        if before.isDeleted, !incoming.head.isDeleted { joined.header.deleted = nil }
        let removed = Set(before.tags).subtracting(incoming.tags)
        joined.tags.removeAll { removed.contains($0) }
        joined.tags += incoming.tags.filter { !before.tags.contains($0) && !joined.tags.contains($0) }
    }

    /// A tag without what a format may have no place for: a comma, a mark in front, spaces around it.
    private static func plain(_ tag: String) -> String {
        let words = tag.drop { $0 == "#" }.split { $0 == "," || $0.isWhitespace }
        return words.joined(separator: " ")
    }

    /// The text that the source had when it was last looked at; nil where nobody knows it.
    private func base(_ known: Known, _ incoming: IncomingNote) throws -> NoteBody? {
        let (note, header) = (known.note, known.header)
        let entries = try parts.history(header).entries
        let said = { (revision: UInt64) -> NoteBody? in
            if revision == header.textRevision { return known.body }
            return try entries.last { $0.revision == revision }
                .flatMap { try self.parts.readableVersion($0, of: note, known.key) }
        }
        if known.origin != nil { return try said(header.sourceRevision) }
        // An exported note says when its text was written.
        if incoming.head.id != nil, let modified = incoming.head.modified {
            if header.modified == modified { return known.body }
            if let entry = entries.last(where: { $0.modified == modified && !$0.isLostList }) {
                return try parts.readableVersion(entry, of: note, known.key)
            }
        }
        if let revision = try revision(thatSays: incoming, of: note, header, known.key) { return try said(revision) }
        return try said(1)
    }

    /// The newest of its texts that is the incoming one; of a note whose origin is not known.
    func revision(
        thatSays incoming: IncomingNote, of note: Identifier, _ header: NoteHeader, _ key: NoteKey?
    ) throws -> UInt64? {
        // Version 0.1 stored texts in a form of its own.
        let words = { (blocks: [SourceBlock]) in
            let text = String(decoding: blocks.text, as: UTF8.self)
            return Markdown.render(Markdown.blocks(from: text).filter { $0.content.attachment == nil })
        }
        let files = incoming.staged.map { (name: Identifier.makeRandom(), label: $0.description.name) }
        let wanted = words(incoming.blocks(files))
        if try words(parts.body(of: note, header, key).blocks) == wanted { return header.textRevision }
        for entry in try parts.history(header).entries.reversed()
        where try parts.readableVersion(entry, of: note, key).map({ words($0.blocks) }) == wanted {
            return entry.revision
        }
        return nil
    }

    // MARK: Files

    /// Which attachment each incoming file is: one that is known, or a fresh one.
    private func pair(
        _ incoming: IncomingNote, _ known: Known
    ) throws -> (names: [Identifier], fresh: [(name: Identifier, staged: StagedAttachment)]) {
        var files: [[UInt8]: [Identifier]] = [:]
        for file in try known.origin?.files ?? (incoming.staged.isEmpty ? [] : filesHere(known)) {
            files[file.mark, default: []].append(file.attachment)
        }
        var names: [Identifier] = []
        var fresh: [(name: Identifier, staged: StagedAttachment)] = []
        for (mark, staged) in zip(incoming.fileMarks, incoming.staged) {
            if let name = files[mark]?.first {
                files[mark]?.removeFirst()
                names.append(name)
                continue
            }
            if known.header.isLocked, !staged.description.kind.isLockable {
                throw NotesError.unlockable(staged.description.name, staged.description.kind)
            }
            names.append(.makeRandom())
            fresh.append((name: names[names.count - 1], staged: staged))
        }
        return (names: names, fresh: fresh)
    }

    /// The files of a note whose origin is not known, by what they hold.
    private func filesHere(_ known: Known) throws -> [NoteOrigin.File] {
        let importKey = try sources.importKey()
        return try known.header.attachments.compactMap { name in
            let attachment = try parts.attachment(name, of: known.note, known.key)
            guard let reader = try? records.assets.makeReader(attachment.asset) else { return nil }
            var digest = ContentDigest()
            for index in 0..<reader.chunkCount { digest.update(try reader.chunk(index)) }
            let mark = importKey.mark(ofFile: attachment.name, digest: digest.finish())
            return NoteOrigin.File(mark: mark, attachment: name)
        }
    }

    /// What the text calls an attachment that came before, also where it was removed here since.
    private func label(_ name: Identifier, _ known: Known) throws -> String {
        guard known.header.attachments.contains(name) else {
            return try base(named: name, known)
        }
        return try parts.attachment(name, of: known.note, known.key).name
    }

    private func base(named name: Identifier, _ known: Known) throws -> String {
        let texts = try parts.history(known.header).entries.filter { $0.revision == known.header.sourceRevision }
            .compactMap { try parts.readableVersion($0, of: known.note, known.key) }
        for block in (texts + [known.body]).flatMap({ Markdown.blocks(from: $0.markdown) }) {
            if case .attachment(name, let label) = block.content { return label }
        }
        return ""
    }

    // MARK: Storing

    /// Stores what has changed, in one transaction: where both sides were changed, the source's text is a version too.
    private func store(_ joined: Joined, _ known: Known, _ incoming: IncomingNote) throws -> ImportOutcome {
        let old = known.body
        var header = joined.header
        var past = NotePast(try parts.history(header))
        let isWhole = joined.source.text == joined.blocks.text
        let isSame = joined.blocks.text == old.blocks.text
        if !isSame || !isWhole { past.keep(old, header.modified, of: &header) }
        let sourceRevision = header.textRevision
        if !isWhole {
            let written = IncomingNote.clamped(incoming.head.modified ?? now)
            past.keep(NoteBody(blocks: joined.source, tags: incoming.tags), written, of: &header)
        }
        header.hasConflict = header.hasConflict || joined.hasConflict
        header.attachments += joined.fresh.map(\.name)
        header.assets += joined.fresh.flatMap { $0.staged.attachment(of: known.note).assets }
        // A note that has come from elsewhere keeps the name that it has there.
        let isOurs = ["", incoming.source, incoming.formerSource].contains(header.source)
        if isOurs {
            header.source = incoming.source
            header.origin = header.origin ?? .makeRandom()
            header.sourceRevision = sourceRevision
        }
        past.trim(to: NoteTexts.mostVersions, keeping: header.sourceRevision)
        let body = NoteBody(blocks: joined.blocks, tags: joined.tags)
        let filled = parts.fill(&header, with: body, isLocked: header.isLocked)
        let isChanged =
            !isSame || !joined.fresh.isEmpty || Self.shown(header) != Self.shown(known.header) || body.tags != old.tags
        if isChanged { header.markChanged(at: isWhole ? Self.time(incoming, after: header) ?? now : now) }
        try write(header, filled, past, joined.fresh, known) { writer in
            guard isOurs, let name = header.origin else { return }
            try parts.store(incoming.origin(of: known.note, files: joined.files), as: name, known.key, writer)
        }
        return outcome(joined, known, incoming, isChanged: isChanged, isWhole: isWhole)
    }

    private func write(
        _ header: NoteHeader, _ body: NoteBody, _ past: NotePast,
        _ fresh: [(name: Identifier, staged: StagedAttachment)], _ known: Known,
        _ storeOrigin: (ZoneWriter) throws -> Void
    ) throws {
        let (note, key) = (known.note, known.key)
        try heads.change(taking: fresh.map(\.staged)) { writer in
            try parts.store(past, of: note, header, key, writer)
            for (name, staged) in fresh { try parts.store(staged.attachment(of: note), as: name, key, writer) }
            try parts.store(
                body.encoded, in: header.body, type: RecordType.body, as: .body(of: note, header), key, writer
            )
            try storeOrigin(writer)
            try heads.put(header, of: note, writer)
        }
        try search.indexAnew(note, header, body)
    }

    private func outcome(
        _ joined: Joined, _ known: Known, _ incoming: IncomingNote, isChanged: Bool, isWhole: Bool
    ) -> ImportOutcome {
        let change: ImportOutcome.Change =
            joined.hasConflict ? .conflicting : !isChanged ? .unchanged : isWhole ? .updated : .merged
        var outcome = ImportOutcome(id: known.note.description, change: change)
        if incoming.head.isDeleted, known.header.deleted == nil, known.origin?.isDeleted == false {
            outcome.remark = marked("it is in the trash at its source, and stays here")
        }
        return outcome
    }

    /// When the source says that its text was written, if that is later than what is here.
    private static func time(_ incoming: IncomingNote, after header: NoteHeader) -> Int64? {
        incoming.head.modified.map(IncomingNote.clamped).flatMap { $0 > header.modified ? $0 : nil }
    }

    /// What a person sees of a header.
    private static func shown(_ header: NoteHeader) -> [String] {
        [header.title, header.folder, "\(header.isPinned)", "\(header.deleted ?? 0)"] + header.tags
    }
}
