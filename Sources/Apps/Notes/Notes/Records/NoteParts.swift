import Envelopes
import NotesClient
import Secrets
import Zones

/// A file that belongs to a note.
struct NoteAttachment: Equatable, Sendable {
    var note: Identifier
    var kind: AttachmentKind
    var name: String
    var mediaType: String
    var asset: AssetReference
    var thumbnail: AssetReference?

    /// The names of its files.
    var assets: [Identifier] { [asset.asset] + (thumbnail.map { [$0.asset] } ?? []) }

    var encoded: [UInt8] {
        var writer = RecordLayout.begin()
        writer.identifier(note)
        writer.uint8(kind.code)
        writer.field(name)
        writer.field(mediaType)
        asset.encode(into: &writer)
        writer.bool(thumbnail != nil)
        thumbnail?.encode(into: &writer)
        return writer.bytes
    }

    init(
        note: Identifier, kind: AttachmentKind, name: String, mediaType: String, asset: AssetReference,
        thumbnail: AssetReference?
    ) {
        self.note = note
        self.kind = kind
        self.name = name
        self.mediaType = mediaType
        self.asset = asset
        self.thumbnail = thumbnail
    }

    init(from bytes: [UInt8]) throws(DecodingError) {
        self = try RecordLayout.read(bytes) { (reader) throws(DecodingError) in
            let note = try reader.identifier()
            guard let kind = AttachmentKind(code: try reader.uint8()) else { throw .invalid }
            return NoteAttachment(
                note: note, kind: kind, name: try reader.text(), mediaType: try reader.text(),
                asset: try AssetReference(from: &reader),
                thumbnail: try reader.bool() ? try AssetReference(from: &reader) : nil)
        }
    }
}

extension AttachmentKind {
    private static let codes: [AttachmentKind] = [
        .image, .sketch, .table, .map, .website, .audio, .video, .pdf, .file,
    ]

    var code: UInt8 { UInt8(1 + (Self.codes.firstIndex(of: self) ?? 8)) }

    init?(code: UInt8) {
        guard (1...Self.codes.count).contains(Int(code)) else { return nil }
        self = Self.codes[Int(code) - 1]
    }
}

/// Which former texts a note has, oldest first.
struct NoteHistory: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        /// The version's record.
        var version: Identifier
        /// When the text was written, in microseconds since 1970.
        var modified: Int64
        /// The ``NoteHeader/textRevision`` that it was.
        var revision: UInt64
        /// Bytes of Markdown; 0 in a locked note.
        var byteCount: UInt32

        /// Whether it stands for all former texts of a list that did not open: ``version`` is that list's record.
        var isLostList: Bool { revision == 0 }

        /// What people call it by; that of a text is never another's.
        var number: Int { Int(clamping: revision) }
    }

    var entries: [Entry] = []
    /// Lists of before that did not open, and open again: this one has what they say, and they go when it is stored.
    var joined: [Identifier] = []

    /// Whether a former list is still lost; its former texts with it.
    var isPartLost: Bool { entries.contains(where: \.isLostList) }

    /// Takes the place of the entry that names a lost list, by what that list says.
    mutating func join(_ former: NoteHistory, named name: Identifier) {
        guard let lost = entries.firstIndex(where: { $0.isLostList && $0.version == name }) else { return }
        entries.replaceSubrange(lost...lost, with: former.entries)
        joined.append(name)
    }

    /// What is known where a list does not open: that there is one.
    ///
    /// - Parameters:
    ///   - name: the list's record.
    ///   - created: when the note was made, in microseconds since 1970.
    static func lost(_ name: Identifier, created: Int64) -> NoteHistory {
        var history = NoteHistory()
        history.entries = [Entry(version: name, modified: created, revision: 0, byteCount: 0)]
        return history
    }

    /// Drops the oldest, but neither the text that a later import begins from nor what names a lost list.
    ///
    /// - Returns: what was dropped.
    mutating func trim(to count: Int, keeping revision: UInt64) -> [Entry] {
        var excess = max(0, entries.count - count)
        var dropped: [Entry] = []
        entries.removeAll { entry in
            guard excess > 0, entry.revision != revision, !entry.isLostList else { return false }
            excess -= 1
            dropped.append(entry)
            return true
        }
        return dropped
    }

    var encoded: [UInt8] {
        var writer = RecordLayout.begin()
        writer.uint32(UInt32(entries.count))
        for entry in entries {
            writer.identifier(entry.version)
            writer.int64(entry.modified)
            writer.uint64(entry.revision)
            writer.uint32(entry.byteCount)
        }
        return writer.bytes
    }

    init() {}

    init(from bytes: [UInt8]) throws(DecodingError) {
        self = try RecordLayout.read(bytes) { (reader) throws(DecodingError) in
            var history = NoteHistory()
            for _ in 0..<(try reader.count(ofSize: 36)) {
                history.entries.append(
                    Entry(
                        version: try reader.identifier(), modified: try reader.int64(),
                        revision: try reader.uint64(), byteCount: try reader.uint32()))
            }
            return history
        }
    }
}

/// An edit that was not saved: the text, and what it began from.
struct NoteDraft: Equatable, Sendable {
    var base: UInt64
    var markdown: String

    var encoded: [UInt8] {
        var writer = RecordLayout.begin()
        writer.uint64(base)
        writer.field(markdown)
        return writer.bytes
    }

    init(base: UInt64, markdown: String) {
        self.base = base
        self.markdown = markdown
    }

    init(from bytes: [UInt8]) throws(DecodingError) {
        self = try RecordLayout.read(bytes) { (reader) throws(DecodingError) in
            NoteDraft(base: try reader.uint64(), markdown: try reader.text())
        }
    }
}

/// What the account's owner chose, and which passphrase is in force.
struct AccountSettings: Equatable, Sendable {
    var showsLockedTitles = true
    /// 3 or 8.
    var sessionMinutes: UInt8 = 8
    var suite = LockSuite.tresor256
    var currentLockKey: Identifier?

    var encoded: [UInt8] {
        var writer = RecordLayout.begin()
        writer.bool(showsLockedTitles)
        writer.uint8(sessionMinutes)
        writer.uint8(suite.rawValue)
        writer.optionalIdentifier(currentLockKey)
        return writer.bytes
    }

    init() {}

    init(from bytes: [UInt8]) throws(DecodingError) {
        self = try RecordLayout.read(bytes) { (reader) throws(DecodingError) in
            var settings = AccountSettings()
            settings.showsLockedTitles = try reader.bool()
            settings.sessionMinutes = try reader.uint8()
            guard [3, 8].contains(settings.sessionMinutes), let suite = LockSuite(rawValue: try reader.uint8()) else {
                throw .invalid
            }
            settings.suite = suite
            settings.currentLockKey = try reader.optionalIdentifier()
            return settings
        }
    }
}
