package import ResidentClient

/// What tresor-notes answers.
package enum NotesReply: Codable, Sendable, Equatable {
    case done
    case status(NotesStatus)
    case list(NoteList)
    case folders([FolderSummary])
    /// One note; a text stands in the body.
    case note(NoteSummary)
    case versions([VersionSummary])
    case attachments([AttachmentSummary])
    /// The file stands in the body.
    case attachment(AttachmentSummary)
    case session(SessionSummary)
    /// Nil where no hint is set.
    case hint(String?)
    case imported(ImportOutcome)
    case importSources([ImportSourceSummary])
    case look(DataLook)
    case error(NotesError)
}

/// A note as lists show it.
package struct NoteSummary: Codable, Sendable, Equatable {
    /// 32 hexadecimal digits.
    package var id: String
    /// Empty where the title of a locked note is hidden.
    package var title: String
    /// Whether a passphrase is over it.
    package var isLocked = false
    /// Whether it can be read now: unlocked, or locked with its session open.
    package var isOpen = true
    /// Whether it stands above the others wherever it is listed.
    package var isPinned = false
    /// Its path, such as `Work/Plans`; empty for none.
    package var folder = ""
    /// In the order in which they were given.
    package var tags: [String] = []
    /// Microseconds since 1970, UTC.
    package var created: Int64
    /// When its text was changed last: microseconds since 1970, UTC.
    package var modified: Int64
    /// When it went to the trash.
    package var deleted: Int64?
    /// The revision that an edit names as its base.
    package var revision: UInt64
    /// How many files it has.
    package var attachmentCount = 0
    /// An edit that was never saved waits to be looked at.
    package var hasDraft = false
    /// A line of text around a search hit.
    package var excerpt: String?
    /// Two edits touched the same words; both are in the text.
    package var hasConflict = false
    /// In the answer to an edit: whether the text is another than came, because somebody else has written too.
    package var isMerged: Bool?
    /// Of an imported note that is shown: lines of its front matter that mean nothing to us.
    package var frontMatter: String?
    /// What of it cannot be read; nil where nothing of it is known to be damaged.
    ///
    /// Without its head a note has no title, no dates and no folder here.
    package var damage: [NotePart]?
    /// Whether an older passphrase alone opens it, one from before a reset; nil for false.
    package var hasOlderPassphrase: Bool?

    /// - Parameters:
    ///   - id: 32 hexadecimal digits.
    ///   - created: microseconds since 1970, UTC.
    ///   - modified: likewise.
    package init(id: String, title: String, created: Int64, modified: Int64, revision: UInt64) {
        self.id = id
        self.title = title
        self.created = created
        self.modified = modified
        self.revision = revision
    }
}

// What a note has not, or is not, is left out: a list of fifty thousand is made and read in half the time.
extension NoteSummary {
    private enum CodingKeys: String, CodingKey {
        case id, title, isLocked, isOpen, isPinned, folder, tags, created, modified, deleted, revision
        case attachmentCount, hasDraft, excerpt, hasConflict, isMerged, frontMatter, damage, hasOlderPassphrase
    }

    /// Leaves out what the note has not, or is not.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(title, forKey: .title)
        try fields.encode(created, forKey: .created)
        try fields.encode(modified, forKey: .modified)
        try fields.encode(revision, forKey: .revision)
        if isLocked { try fields.encode(isLocked, forKey: .isLocked) }
        if !isOpen { try fields.encode(isOpen, forKey: .isOpen) }
        if isPinned { try fields.encode(isPinned, forKey: .isPinned) }
        if !folder.isEmpty { try fields.encode(folder, forKey: .folder) }
        if !tags.isEmpty { try fields.encode(tags, forKey: .tags) }
        if attachmentCount > 0 { try fields.encode(attachmentCount, forKey: .attachmentCount) }
        if hasDraft { try fields.encode(hasDraft, forKey: .hasDraft) }
        if hasConflict { try fields.encode(hasConflict, forKey: .hasConflict) }
        try fields.encodeIfPresent(deleted, forKey: .deleted)
        try fields.encodeIfPresent(excerpt, forKey: .excerpt)
        try fields.encodeIfPresent(isMerged, forKey: .isMerged)
        try fields.encodeIfPresent(frontMatter, forKey: .frontMatter)
        try fields.encodeIfPresent(damage, forKey: .damage)
        try fields.encodeIfPresent(hasOlderPassphrase, forKey: .hasOlderPassphrase)
    }

    /// What is left out is as in a note that has nothing of it.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try fields.decode(String.self, forKey: .id), title: try fields.decode(String.self, forKey: .title),
            created: try fields.decode(Int64.self, forKey: .created),
            modified: try fields.decode(Int64.self, forKey: .modified),
            revision: try fields.decode(UInt64.self, forKey: .revision))
        isLocked = try fields.decodeIfPresent(Bool.self, forKey: .isLocked) ?? isLocked
        isOpen = try fields.decodeIfPresent(Bool.self, forKey: .isOpen) ?? isOpen
        isPinned = try fields.decodeIfPresent(Bool.self, forKey: .isPinned) ?? isPinned
        folder = try fields.decodeIfPresent(String.self, forKey: .folder) ?? folder
        tags = try fields.decodeIfPresent([String].self, forKey: .tags) ?? tags
        attachmentCount = try fields.decodeIfPresent(Int.self, forKey: .attachmentCount) ?? attachmentCount
        hasDraft = try fields.decodeIfPresent(Bool.self, forKey: .hasDraft) ?? hasDraft
        hasConflict = try fields.decodeIfPresent(Bool.self, forKey: .hasConflict) ?? hasConflict
        deleted = try fields.decodeIfPresent(Int64.self, forKey: .deleted)
        excerpt = try fields.decodeIfPresent(String.self, forKey: .excerpt)
        isMerged = try fields.decodeIfPresent(Bool.self, forKey: .isMerged)
        frontMatter = try fields.decodeIfPresent(String.self, forKey: .frontMatter)
        damage = try fields.decodeIfPresent([NotePart].self, forKey: .damage)
        hasOlderPassphrase = try fields.decodeIfPresent(Bool.self, forKey: .hasOlderPassphrase)
    }
}

/// What of a note can be damaged while all else is whole.
package enum NotePart: String, Codable, Sendable {
    /// Title, folder, tags and dates, and where the rest of it is.
    case head
    case text
    /// Under which passphrase it is, or that passphrase's record: no session opens it.
    case lock
    /// Of an imported note: how it stood at its source, the lines of its front matter with it.
    case origin
}

/// A page of notes, in the list's order.
package struct NoteList: Codable, Sendable, Equatable {
    /// Those of this page.
    package var notes: [NoteSummary]
    /// How many there are beyond this page as well.
    package var total: Int
    /// Whether the index was still being built, so that a search may have missed something.
    package var isPartial: Bool
    /// Of a search: what could not be looked at, because it is damaged; nil for nothing.
    package var unread: [NoteSummary]?

    /// - Parameters:
    ///   - total: beyond this page as well.
    ///   - unread: of a search; nil for nothing.
    package init(notes: [NoteSummary], total: Int, isPartial: Bool = false, unread: [NoteSummary]? = nil) {
        self.notes = notes
        self.total = total
        self.isPartial = isPartial
        self.unread = unread
    }
}

/// A folder, as lists show it.
package struct FolderSummary: Codable, Sendable, Equatable {
    /// Its path, such as `Work/Plans`.
    package var path: String
    /// Notes in it, without those below.
    package var count: Int

    /// - Parameter count: notes in it, without those below.
    package init(path: String, count: Int) {
        self.path = path
        self.count = count
    }
}

/// A former text of a note, as lists show it.
package struct VersionSummary: Codable, Sendable, Equatable {
    /// Counted from 1, the note's first text; stays with it, whichever are dropped or damaged.
    ///
    /// 0 of one that stands for all of a list that does not open.
    package var number: Int
    /// When it was written: microseconds since 1970, UTC.
    package var modified: Int64
    /// Bytes of Markdown.
    package var byteCount: Int
    /// Whether it is known not to open; nil for false.
    ///
    /// One may stand for several: where the list of former texts is damaged, nobody knows how many there were.
    package var isDamaged: Bool?

    /// - Parameters:
    ///   - modified: microseconds since 1970, UTC.
    ///   - byteCount: of Markdown.
    package init(number: Int, modified: Int64, byteCount: Int, isDamaged: Bool? = nil) {
        self.number = number
        self.modified = modified
        self.byteCount = byteCount
        self.isDamaged = isDamaged
    }
}

/// A file of a note, as lists show it.
package struct AttachmentSummary: Codable, Sendable, Equatable {
    /// 32 hexadecimal digits.
    package var id: String
    /// That the file had, for people.
    package var name: String
    /// By its bytes, but for a picture that was a drawing.
    package var kind: AttachmentKind
    /// Such as `image/png`; empty where it is not known.
    package var mediaType: String
    /// Of the file, in bytes.
    package var byteCount: UInt64
    /// Whether there is a small picture of it.
    package var hasThumbnail: Bool
    /// Whether its record cannot be read; nil for false.
    ///
    /// Then it has no name, and no file can be found for it.
    package var isDamaged: Bool?
    /// Of a map.
    package var place: SavedPlace?
    /// Of a website: where the page was saved from.
    package var address: String?

    /// - Parameter id: 32 hexadecimal digits.
    package init(
        id: String, name: String, kind: AttachmentKind, mediaType: String, byteCount: UInt64, hasThumbnail: Bool
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.hasThumbnail = hasThumbnail
    }
}

/// The secure session as a client shows it.
package struct SessionSummary: Codable, Sendable, Equatable {
    /// Whether locked notes can be read over this connection now.
    package var isOpen: Bool
    /// Seconds until it ends if nobody touches anything.
    package var endsIn: Int?
    /// Whether one was ever set: without it no note can be locked.
    package var hasPassphrase: Bool

    /// - Parameter endsIn: seconds; nil where no session is open.
    package init(isOpen: Bool, endsIn: Int?, hasPassphrase: Bool) {
        self.isOpen = isOpen
        self.endsIn = endsIn
        self.hasPassphrase = hasPassphrase
    }
}

/// How the notes stand.
package struct NotesStatus: Codable, Sendable, Equatable {
    /// That of the connection that asks.
    package var session: SessionSummary
    /// The account's name, `On this device` for the local one.
    package var account: String
    /// How many there are, without those in the trash.
    package var notes: Int
    /// How many of them are locked.
    package var locked: Int
    /// How many are in the trash.
    package var trashed: Int
    /// Records that cannot be decoded; they are kept.
    package var damaged: [String]
    /// Notes in the search index; equal to `notes` when it is complete.
    package var indexed: Int
    /// What the account's owner chose; the standard until then.
    package var settings: NotesSettings
    /// Of `tresor-notes`, for whoever has to end it.
    package var process: Int32

    /// - Parameters:
    ///   - damaged: names of records, 32 hexadecimal digits each.
    ///   - indexed: notes in the search index.
    package init(
        session: SessionSummary, account: String, notes: Int, locked: Int, trashed: Int, damaged: [String],
        indexed: Int, settings: NotesSettings, process: Int32
    ) {
        self.session = session
        self.account = account
        self.notes = notes
        self.locked = locked
        self.trashed = trashed
        self.damaged = damaged
        self.indexed = indexed
        self.settings = settings
        self.process = process
    }
}

/// What became of a note from another app.
package struct ImportOutcome: Codable, Sendable, Equatable {
    /// Whether it is new, was there just so, or what became of the changes on both sides.
    package enum Change: String, Codable, Sendable {
        case added, unchanged
        /// What has changed at the source is the text now.
        case updated
        /// It had been changed here too: both changes are in the text.
        case merged
        /// Both had changed the same words: both are in the text, one after the other.
        case conflicting
    }
    /// 32 hexadecimal digits.
    package var id: String
    /// Whether it is new, was there just so, or what became of the changes on both sides.
    package var change: Change
    /// What of it was not taken over, in words.
    package var remark: String?

    /// - Parameter id: 32 hexadecimal digits.
    package init(id: String, change: Change) {
        self.id = id
        self.change = change
    }
}

/// A folder or a file that notes were imported from.
package struct ImportSourceSummary: Codable, Sendable, Equatable {
    /// 32 hexadecimal digits.
    package var id: String
    /// What it is, such as `markdown`.
    package var kind: String
    /// Where it was at the last import.
    package var place: String
    /// Microseconds since 1970, UTC.
    package var first: Int64
    /// When notes came from it last: microseconds since 1970, UTC.
    package var last: Int64

    /// - Parameters:
    ///   - id: 32 hexadecimal digits.
    ///   - first: microseconds since 1970, UTC.
    ///   - last: likewise.
    package init(id: String, kind: String, place: String, first: Int64, last: Int64) {
        self.id = id
        self.kind = kind
        self.place = place
        self.first = first
        self.last = last
    }
}

/// What tresor-notes tells without being asked.
package enum NotesEvent: Codable, Sendable, Equatable {
    case sessionChanged(SessionSummary)
    /// The device has been locked: forget everything that is on the screen.
    case deviceLocked
    case deviceUnlocked
    /// The device is being locked: cover the screen now, then hand in what your editor holds.
    case deviceLocking
    /// Send what your editor holds as ``NotesRequest/keepDraft(id:base:)`` now, then ``NotesRequest/handedIn``; a lock
    /// follows in a moment.
    case handInDrafts
    case noteChanged(id: String)
}
