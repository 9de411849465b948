import Envelopes
import NotesClient
import Secrets
import Zones

// Notes whose head does not open or is gone: they are listed as damaged, and their owner has them put together again
// of their texts.
extension Notebook {
    /// Looks for texts that no head names.
    func findStrayTexts() throws {
        strayTexts = try store.strays(ofType: RecordType.body, in: zone, heads: index.count) {
            Set(index.ordered.map(\.header.body))
        }
    }

    /// What lists name: heads that do not open; and where more texts than these are without one, all such texts.
    var headlessNotes: [Identifier] {
        let gone = strayTexts.count > headless.count ? strayTexts : []
        return headless.union(gone).sorted { $0.precedes($1) }
    }

    static func headlessSummary(_ note: Identifier) -> NoteSummary {
        var summary = NoteSummary(id: note.description, title: "", created: 0, modified: 0, revision: 0)
        summary.damage = [.head]
        return summary
    }

    static func headlessError(_ note: Identifier) -> NotesError {
        NotesError(
            .damaged,
            """
            the head of the note \(note) is damaged or gone, so its title and where its text is are not known; \
            all that belongs to it is kept. 'tresor repair --from' takes it from an earlier copy; without one, \
            'tresor notes restore \(note)' makes a note of a text without a head
            """)
    }

    /// A text that no head names, opened.
    private struct StrayText {
        let name: Identifier
        let body: NoteBody
        /// Whose it is, and under which key; nil for an open one, of which neither is known.
        var lock: StrayLock?
        var key: NoteKey?
        var revision: UInt64 = 1
        var history: Identifier?
    }

    /// A lock of a note whose head is lost.
    private typealias StrayLock = (name: Identifier, lock: NoteLock)

    /// Gives a text without a head a new one: what only the head knew (folder, times, tags and former texts of an open
    /// note) is lost.
    ///
    /// - Parameter lost: a note whose head does not open, which gets one of the texts that no head names, or such a
    ///   text.
    /// - Returns: the note.
    /// - Throws: `NotesError` with code `damaged` where no such text opens, and `noteLocked` where one may with its
    ///   passphrase.
    func renewHead(_ lost: Identifier) throws -> Identifier {
        let text = try strayText(of: lost)
        // Where several are lost nobody knows whose an open text is: no damaged head is replaced by another note's.
        let isSure = headless == [lost] && strayTexts.count == 1
        let note = text.lock?.lock.note ?? (isSure ? lost : Identifier.makeRandom())
        var header = NoteHeader(title: "", created: now)
        (header.lock, header.textRevision, header.history) = (text.lock?.name, text.revision, text.history)
        let files = AttachmentText.attachments(in: text.body.blocks).compactMap { name in
            strayAttachment(name, text).map { (name: name, attachment: $0) }
        }
        header.attachments = files.map(\.name)
        header.assets = files.flatMap(\.attachment.assets)
        let filled = fill(&header, with: text.body, isLocked: header.isLocked)
        try change { writer in
            for file in files {
                var attachment = file.attachment
                attachment.note = note
                try store(attachment, as: file.name, text.key, writer)
            }
            try store(
                filled.encoded, in: header.body, type: RecordType.body, as: .body(of: note, header), text.key, writer)
            // Where an earlier copy brings the old head back, its text comes with it.
            try writer.remove(text.name, in: zone)
            try put(header, of: note, writer)
        }
        strayTexts.remove(text.name)
        headless.remove(note)
        damaged.remove(note)
        try indexAnew(note, header, filled)
        return note
    }

    /// The text for a lost head: where the note was locked its own, else the first that opens.
    private func strayText(of lost: Identifier) throws -> StrayText {
        let candidates = strayTexts.contains(lost) ? [lost] : strayTexts.sorted { $0.precedes($1) }
        let locks = try strayLocks(of: headless.contains(lost) ? lost : nil)
        let isLocked = headless.contains(lost) && !locks.isEmpty
        var isShut = false
        for name in candidates {
            guard let content = try? PartContent(from: content(name)) else { continue }
            switch content {
            case .open(let bytes):
                guard !isLocked, let body = try? NoteBody(from: bytes) else { continue }
                return StrayText(name: name, body: body)
            case .locked(let suite, let sealed, let isBound):
                for lock in locks where lock.lock.suite == suite {
                    guard sessions.isOpen(lock.lock.lockKey) else {
                        isShut = true
                        continue
                    }
                    if let text = try openText(name, sealed, isBound, lock) { return text }
                }
            }
        }
        if isShut { throw NotesError.noSession }
        throw NotesError(.damaged, "no text without a head can be read; all is kept")
    }

    /// Locks that no head names.
    ///
    /// - Parameter note: whose; nil for all notes without a head.
    private func strayLocks(of note: Identifier?) throws -> [StrayLock] {
        let named = Set(index.ordered.compactMap(\.header.lock))
        return index.locks.keys.filter { !named.contains($0) }.compactMap { name in
            guard let lock = try? NoteLock(from: content(name)), index[lock.note] == nil, lock.note == note ?? lock.note
            else { return nil }
            return (name: name, lock: lock)
        }
    }

    /// Bytes that are tried for the revision of a locked text, and how many revisions.
    private static let (mostTried, highestTried): (Int, UInt64) = (64 << 20, 4096)

    /// A locked text opens as of its revision alone, which its head knew: the list of its former texts ends with the
    /// one before, and without that the numbers from 1 are tried.
    private func openText(
        _ name: Identifier, _ sealed: [UInt8], _ isBound: Bool, _ lock: StrayLock
    ) throws -> StrayText? {
        let key: NoteKey
        do { key = try self.key(of: lock.lock) } catch let error as NotesError where error.code == .noteLocked {
            throw error
        } catch { return nil }
        let open = { (revision: UInt64, history: Identifier?) -> StrayText? in
            let part = LockPart(note: lock.lock.note, kind: .body, revision: isBound ? revision : nil)
            guard
                let bytes = try? NoteLockEnvelope.open(sealed, under: key.bytes, of: part, suite: key.suite),
                let body = try? NoteBody(from: bytes)
            else { return nil }
            return StrayText(name: name, body: body, lock: lock, key: key, revision: revision, history: history)
        }
        for (history, last) in try strayHistories() {
            // The list itself says not whose it is; its texts do.
            guard (try? version(last, of: lock.lock.note, key)) != nil else { continue }
            if let text = open(last.revision + 1, history) { return text }
        }
        let most = min(Self.highestTried, UInt64(1 + Self.mostTried / max(1, sealed.count)))
        return (1...most).lazy.compactMap { open($0, nil) }.first
    }

    /// Lists of former texts that no head names, each with the last of them.
    private func strayHistories() throws -> [(name: Identifier, last: NoteHistory.Entry)] {
        let names = try store.strays(ofType: RecordType.history, in: zone, heads: 0) {
            Set(index.ordered.compactMap(\.header.history))
        }
        return names.compactMap { name in
            guard let last = try? NoteHistory(from: content(name)).entries.last, last.revision < .max else {
                return nil
            }
            return (name: name, last: last)
        }
    }

    /// A file's record that no head names, and that opens.
    private func strayAttachment(_ name: Identifier, _ text: StrayText) -> NoteAttachment? {
        guard !index.ordered.contains(where: { $0.header.attachments.contains(name) }) else { return nil }
        if let lock = text.lock { return try? attachment(name, of: lock.lock.note, text.key) }
        guard case .open(let bytes) = try? PartContent(from: content(name)) else { return nil }
        return try? NoteAttachment(from: bytes)
    }
}
