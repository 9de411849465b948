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
    package var isLocked = false
    /// Whether it can be read now: unlocked, or locked with its session open.
    package var isOpen = true
    package var isPinned = false
    package var folder = ""
    package var tags: [String] = []
    /// Microseconds since 1970, UTC.
    package var created: Int64
    package var modified: Int64
    /// When it went to the trash.
    package var deleted: Int64?
    /// The revision that an edit names as its base.
    package var revision: UInt64
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
        case attachmentCount, hasDraft, excerpt, hasConflict, isMerged, frontMatter, damage
    }

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
    }

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

package struct NoteList: Codable, Sendable, Equatable {
    package var notes: [NoteSummary]
    /// How many there are beyond this page as well.
    package var total: Int
    /// Whether the index was still being built, so that a search may have missed something.
    package var isPartial: Bool
    /// Of a search: what could not be looked at, because it is damaged; nil for nothing.
    package var unread: [NoteSummary]?

    package init(notes: [NoteSummary], total: Int, isPartial: Bool = false, unread: [NoteSummary]? = nil) {
        self.notes = notes
        self.total = total
        self.isPartial = isPartial
        self.unread = unread
    }
}

package struct FolderSummary: Codable, Sendable, Equatable {
    /// Its path, such as `Work/Plans`.
    package var path: String
    /// Notes in it, without those below.
    package var count: Int

    package init(path: String, count: Int) {
        self.path = path
        self.count = count
    }
}

package struct VersionSummary: Codable, Sendable, Equatable {
    /// Counted from 1, the note's first text; stays with it, whichever are dropped or damaged.
    ///
    /// 0 of one that stands for all of a list that does not open.
    package var number: Int
    package var modified: Int64
    /// Bytes of Markdown.
    package var byteCount: Int
    /// Whether it is known not to open; nil for false.
    ///
    /// One may stand for several: where the list of former texts is damaged, nobody knows how many there were.
    package var isDamaged: Bool?

    package init(number: Int, modified: Int64, byteCount: Int, isDamaged: Bool? = nil) {
        self.number = number
        self.modified = modified
        self.byteCount = byteCount
        self.isDamaged = isDamaged
    }
}

package struct AttachmentSummary: Codable, Sendable, Equatable {
    package var id: String
    package var name: String
    package var kind: AttachmentKind
    package var mediaType: String
    package var byteCount: UInt64
    package var hasThumbnail: Bool
    /// Whether its record cannot be read; nil for false.
    ///
    /// Then it has no name, and no file can be found for it.
    package var isDamaged: Bool?
    /// Of a map.
    package var place: SavedPlace?
    /// Of a website: where the page was saved from.
    package var address: String?

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
    package var isOpen: Bool
    /// Seconds until it ends if nobody touches anything.
    package var endsIn: Int?
    package var hasPassphrase: Bool

    package init(isOpen: Bool, endsIn: Int?, hasPassphrase: Bool) {
        self.isOpen = isOpen
        self.endsIn = endsIn
        self.hasPassphrase = hasPassphrase
    }
}

package struct NotesStatus: Codable, Sendable, Equatable {
    package var session: SessionSummary
    /// The account's name, `On this device` for the local one.
    package var account: String
    package var notes: Int
    package var locked: Int
    package var trashed: Int
    /// Records that cannot be decoded; they are kept.
    package var damaged: [String]
    /// Notes in the search index; equal to `notes` when it is complete.
    package var indexed: Int
    package var settings: NotesSettings
    package var process: Int32

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

package struct ImportOutcome: Codable, Sendable, Equatable {
    package enum Change: String, Codable, Sendable {
        case added, unchanged
        /// What has changed at the source is the text now.
        case updated
        /// It had been changed here too: both changes are in the text.
        case merged
        /// Both had changed the same words: both are in the text, one after the other.
        case conflicting
    }
    package var id: String
    package var change: Change
    /// What of it was not taken over, in words.
    package var remark: String?

    package init(id: String, change: Change) {
        self.id = id
        self.change = change
    }
}

/// A folder or a file that notes were imported from.
package struct ImportSourceSummary: Codable, Sendable, Equatable {
    /// 32 hexadecimal digits.
    package var id: String
    package var kind: String
    /// Where it was at the last import.
    package var place: String
    /// Microseconds since 1970, UTC.
    package var first: Int64
    package var last: Int64

    package init(id: String, kind: String, place: String, first: Int64, last: Int64) {
        self.id = id
        self.kind = kind
        self.place = place
        self.first = first
        self.last = last
    }
}

/// Why tresor-notes refused; nothing was changed.
package struct NotesError: Error, Codable, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Codable, Sendable {
        case notFound, ambiguous
        /// The note is locked and no session is open for it.
        case noteLocked
        /// The device is locked or before first unlock.
        case deviceLocked
        case wrongPassphrase, wrongPasscode
        /// What was asked is never allowed: a lock over an audio attachment, a reset without a device passcode.
        case refused
        case noPassphrase, passphraseExists
        case damaged, invalid, tooLarge
        case cannotWrite
        /// Reading or writing the disk failed.
        case storage
        case unavailable
        /// The program is there, and says nothing: it is busy, or was stopped. Never sent; a client finds it out.
        case noAnswer
    }
    package var code: Code
    /// In words, without anything that a user typed but names that the caller has given or may see.
    package var message: String
    /// The passphrase's hint, from the third wrong try in a row on.
    package var hint: String?
    /// Seconds until the next device passcode may be tried.
    package var retryAfter: Int?

    /// Whether tresor-notes ended before it answered; nil for false.
    ///
    /// Never sent; a client finds it out.
    package var hasEnded: Bool?

    package var description: String { message }

    /// tresor-notes ended before it answered.
    package init(ended message: String) {
        self.init(.unavailable, message)
        hasEnded = true
    }

    package init(_ code: Code, _ message: String, hint: String? = nil, retryAfter: Int? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.retryAfter = retryAfter
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
