import Envelopes
import Localization
import NotesClient
import Secrets
import Zones

/// Parts of notes whose head is lost: whose they are, as far as they say so or open under a note's key.
///
/// What is tried here and does not open is another note's, and no damage.
final class StrayParts {
    private let records: NoteRecords
    private let heads: NoteHeads
    private let keys: NoteKeys

    init(_ records: NoteRecords, _ heads: NoteHeads, _ keys: NoteKeys) {
        self.records = records
        self.heads = heads
        self.keys = keys
    }

    /// A text that no head names, opened.
    struct Text {
        let name: Identifier
        let body: NoteBody
        /// Whose it is, and under which key; nil for an open one, of which neither is known.
        var lock: Lock?
        var key: NoteKey?
        var revision: UInt64 = 1
        var history: Identifier?
    }

    /// A lock of a note whose head is lost.
    typealias Lock = (name: Identifier, lock: NoteLock)

    /// A note whose head is lost, and whose passphrase is given: under its key its parts open.
    private struct OpenedLock {
        let lock: Lock
        let key: NoteKey
        /// The list of its former texts; its text is the one that follows the last of them.
        var history: (name: Identifier, next: UInt64)?
    }

    /// A locked text that no head names.
    private struct SealedText {
        let name: Identifier
        let suite: LockSuite
        let bytes: [UInt8]
        /// Whether it opens as of its revision alone, which its head knew.
        let isBound: Bool
    }

    /// The text for a lost head: where the note was locked its own, else the first that opens.
    func text(of lost: Identifier) throws -> Text {
        let names = heads.strayTexts.contains(lost) ? [lost] : heads.strayTexts.sorted { $0.precedes($1) }
        let locks = try locks(of: heads.headless.contains(lost) ? lost : nil)
        let isLocked = heads.headless.contains(lost) && !locks.isEmpty
        var sealed: [SealedText] = []
        for name in names {
            guard let bytes = try records.untold(name), let content = try? PartContent(from: bytes) else { continue }
            switch content {
            case .open(let bytes):
                guard !isLocked, let body = try? NoteBody(from: bytes) else { continue }
                return Text(name: name, body: body)
            case .locked(let suite, let bytes, let isBound):
                sealed.append(SealedText(name: name, suite: suite, bytes: bytes, isBound: isBound))
            }
        }
        let shut = locks.filter { !keys.isOpen($0.lock) }
        if let text = try openText(sealed, opened(locks.filter { keys.isOpen($0.lock) })) { return text }
        if sealed.contains(where: { text in shut.contains { $0.lock.suite == text.suite } }) {
            throw NotesError.noSession
        }
        throw NotesError(.damaged, marked("no text without a head can be read; all is kept"))
    }

    /// Locks that no head names.
    ///
    /// - Parameter note: whose; nil for all notes without a head.
    private func locks(of note: Identifier?) throws -> [Lock] {
        let named = Set(heads.index.ordered.compactMap(\.header.lock))
        return try heads.index.locks.keys.filter { !named.contains($0) }.compactMap { name in
            guard let content = try records.untold(name), let lock = try? NoteLock(from: content),
                heads[lock.note] == nil,
                lock.note == note ?? lock.note
            else { return nil }
            return (name: name, lock: lock)
        }
    }

    /// Their keys, and which list of former texts is whose: it does not say so itself, its texts do.
    private func opened(_ locks: [Lock]) throws -> [OpenedLock] {
        var histories = try histories()
        return try locks.compactMap { lock in
            var opened: OpenedLock
            do { opened = OpenedLock(lock: lock, key: try keys.key(of: lock.lock)) } catch {
                guard NotesError(error).code == .damaged else { throw error }
                return nil
            }
            let place = try histories.firstIndex { history in
                try history.entries.suffix(Self.triedVersions).reversed().contains { entry in
                    let part = LockPart.version(of: lock.lock.note, entry)
                    return try !entry.isLostList && tried(entry.version, as: part, opened.key) != nil
                }
            }
            if let place, let last = histories[place].entries.last {
                opened.history = (name: histories[place].name, next: last.revision + 1)
                histories.remove(at: place)
            }
            return opened
        }
    }

    /// Of each list so many texts, the newest first, are tried: one that is damaged does not lose the others.
    private static let triedVersions = 16

    /// Lists of former texts that no head names.
    private func histories() throws -> [(name: Identifier, entries: [NoteHistory.Entry])] {
        let names = try records.strays(ofType: RecordType.history) {
            Set(heads.index.ordered.compactMap(\.header.history))
        }
        return try names.compactMap { name in
            guard let content = try records.untold(name), let history = try? NoteHistory(from: content),
                let last = history.entries.last, last.revision < .max
            else { return nil }
            return (name: name, entries: history.entries)
        }
    }

    /// Bytes that are tried for revisions that nobody knows, and how many of these.
    private static let (mostTried, highestTried): (Int, UInt64) = (64 << 20, 4096)

    private func openText(_ texts: [SealedText], _ locks: [OpenedLock]) throws -> Text? {
        let pairs = texts.flatMap { text in locks.filter { $0.lock.lock.suite == text.suite }.map { (text, $0) } }
        for (text, lock) in pairs {
            // 1 stands in a head whose text was never changed, or is not bound to a number.
            if let found = open(text, lock, lock.history?.next ?? 1) { return found }
        }
        // The lowest numbers first, for all of them: most notes are changed seldom.
        var left = Self.mostTried
        for revision in 1...Self.highestTried {
            for (text, lock) in pairs where text.isBound {
                left -= text.bytes.count
                guard left > 0 else { return nil }
                if let found = open(text, lock, revision) { return found }
            }
        }
        return nil
    }

    private func open(_ text: SealedText, _ lock: OpenedLock, _ revision: UInt64) -> Text? {
        let part = LockPart(note: lock.lock.lock.note, kind: .body, revision: text.isBound ? revision : nil)
        guard
            let bytes = try? NoteLockEnvelope.open(text.bytes, under: lock.key.bytes, of: part, suite: lock.key.suite),
            let body = try? NoteBody(from: bytes)
        else { return nil }
        return Text(
            name: text.name, body: body, lock: lock.lock, key: lock.key, revision: revision,
            history: lock.history?.name)
    }

    /// Files' records that no head names, and that are the text's: what it shows, and all else of its note.
    ///
    /// - Parameter owner: the note; nil where nobody knows. What an open text shows says it then.
    func files(
        of text: Text, owner: Identifier?
    ) throws -> [(name: Identifier, attachment: NoteAttachment)] {
        let shown = AttachmentText.attachments(in: text.body.blocks)
        let stray = try records.strays(ofType: RecordType.attachment) {
            Set(heads.index.ordered.flatMap(\.header.attachments))
        }
        let others = stray.subtracting(shown).sorted { $0.precedes($1) }
        let files = try (shown.filter(stray.contains) + others).compactMap { name in
            try attachment(name, text).map { (name: name, attachment: $0) }
        }
        let owners = Set(files.filter { shown.contains($0.name) }.map(\.attachment.note))
        let owner = owner ?? (owners.count == 1 ? owners.first : nil)
        return files.filter { shown.contains($0.name) || $0.attachment.note == owner }
    }

    private func attachment(_ name: Identifier, _ text: Text) throws -> NoteAttachment? {
        guard let lock = text.lock else {
            guard let content = try records.untold(name), case .open(let bytes)? = try? PartContent(from: content)
            else {
                return nil
            }
            return try? NoteAttachment(from: bytes)
        }
        let part = LockPart(note: lock.lock.note, kind: .attachment, id: name)
        return try tried(name, as: part, text.key).flatMap { try? NoteAttachment(from: $0) }
    }

    /// What was typed into a locked note and not saved; of an open one nobody can tell whose it is.
    func draft(of text: Text) throws -> Identifier? {
        guard let lock = text.lock else { return nil }
        let names = try records.strays(ofType: RecordType.draft) {
            Set(heads.index.ordered.compactMap(\.header.draft))
        }
        return try names.first { name in
            try tried(name, as: LockPart(note: lock.lock.note, kind: .draft, id: name), text.key) != nil
        }
    }

    /// A locked part; nil where it does not open under this key, of which nothing is noted.
    private func tried(_ name: Identifier, as part: LockPart, _ key: NoteKey?) throws -> [UInt8]? {
        guard let key, let content = try records.untold(name),
            case .locked(let suite, let sealed, let isBound)? = try? PartContent(
                from: content), suite == key.suite, !isBound || part.revision != nil
        else { return nil }
        return try? NoteLockEnvelope.open(
            sealed, under: key.bytes, of: isBound ? part : part.unbound, suite: suite)
    }
}
