import Localization
package import ResidentClient

/// What a client asks of tresor-notes.
///
/// It travels as the JSON head of a message; secrets and long texts travel beside it, as `secrets` and `body` say. See
/// specs/notes-socket.md.
package enum NotesRequest: Codable, Sendable, Equatable {
    /// Bytes of a note's text: what is parsed, merged and sealed as one.
    ///
    /// Texts that were longer before stay readable.
    package static let textLimit = 16 << 20
    /// Said of a longer one.
    package static let longText = marked(
        "a note's text has at most \(textLimit >> 20) MiB; attach what is longer as a file ('tresor notes attach')")

    case status
    /// Headers of notes, sorted: pinned first, then by the last change.
    case list(NoteFilter)
    /// All of them as one state of the store, however many: the answer's `list` has their number, its body a row for
    /// each (``NoteSummary``). The filter's page counts, without an upper bound.
    case listAll(NoteFilter)
    case folders
    /// One header, also of a locked note.
    case find(id: String)
    /// The body of the answer is the note's Markdown.
    case show(id: String, version: Int? = nil)
    /// The body is Markdown.
    case create(NewNote)
    /// The body is the whole note as Markdown; `base` is the revision that the writer had before it, `files` the
    /// identities of the note's files then: what was attached or taken out since is not undone. Nil where the writer
    /// was shown the text on this connection, or does not know.
    case edit(id: String, base: UInt64, files: [String]? = nil)
    /// The body is what an editor holds and has not saved; it is sealed at once.
    case keepDraft(id: String, base: UInt64)
    case discardDraft(id: String)
    case move(id: String, folder: String)
    case tag(id: String, add: [String], remove: [String])
    case pin(id: String, isPinned: Bool)
    /// To the trash; from the trash for good where `forever` is said.
    case delete(id: String, forever: Bool)
    case restore(id: String)
    case versions(id: String)
    /// Makes a former version the present one.
    case revert(id: String, version: Int)
    /// - Parameter offset: how many of those that match are passed over; nil for none.
    case search(text: String, limit: Int, offset: Int? = nil)
    /// The body is the file.
    case attach(id: String, NewAttachment)
    case detach(id: String, attachment: String)
    case attachments(id: String)
    /// The body of the answer is the file, or its thumbnail.
    case attachment(id: String, attachment: String, isThumbnail: Bool)
    /// Secrets: none while a session is open, else the passphrase.
    case lock(id: String)
    /// Secrets: none while a session is open, else the passphrase.
    case removeLock(id: String)
    /// Opens a session; secrets: a passphrase.
    ///
    /// With an identity, the passphrase of that note, which may be an older one.
    case unlock(id: String? = nil)
    case lockNow
    /// Secrets: the new passphrase.
    case setPassphrase(hint: String?)
    /// Secrets: the present passphrase and the new one.
    ///
    /// A hint of nil leaves none.
    case changePassphrase(hint: String?)
    /// Secrets: the device passcode and the new passphrase.
    case resetPassphrase(hint: String?)
    /// The hint, once it may be shown.
    case hint
    case changeSettings(NotesSettings)
    /// The body is Markdown; a second import of the same source brings what has changed there.
    case importNote(ImportedNoteHead)
    /// Remembers what notes are being imported from.
    case beginImport(ImportSourceHead)
    /// What notes were imported from.
    case importSources
    /// The note's conflict has been put in order.
    case resolve(id: String)
    /// The body is the file.
    case importAttachment(source: String, NewAttachment)
    /// Events follow on this connection, also the wish to hand in drafts before a lock.
    case subscribe
    /// Changes of notes follow on this connection, for a program that edits none: nothing waits for its drafts, and
    /// what it reads shows no person at work.
    case follow
    /// The person at this client did something: the session goes on.
    case touch
    /// This client holds nothing more of what was typed; said when ``NotesEvent/handInDrafts`` has been heard, so that
    /// nobody waits longer.
    case handedIn
    /// Opens everything behind a place, for as long as nobody else is kept waiting by it; nil begins.
    case look(LookPlace?)
    /// Ends tresor-notes.
    case stop
}

/// Which notes a list shows.
package struct NoteFilter: Codable, Sendable, Equatable {
    /// A folder's path, with what lies below it; nil for all.
    package var folder: String?
    /// One that each note has; nil for any.
    package var tag: String?
    /// Whether the trash is shown, and nothing else.
    package var isInTrash = false
    /// How many of those that match are passed over.
    package var offset = 0
    /// How many are shown at most.
    package var limit = 200
    /// What stands first behind those that are pinned; nil for what was changed last.
    package var order: NoteOrder?

    /// - Parameters:
    ///   - folder: with what lies below it; nil for all.
    ///   - tag: nil for any.
    package init(folder: String? = nil, tag: String? = nil, isInTrash: Bool = false, offset: Int = 0, limit: Int = 200)
    {
        self.folder = folder
        self.tag = tag
        self.isInTrash = isInTrash
        self.offset = offset
        self.limit = limit
    }
}

/// In which order notes are listed; those that are pinned stand first in each.
package enum NoteOrder: String, Codable, Sendable, CaseIterable {
    /// What was changed last, made last, and by title.
    case changed, created, title
}

/// A note that is to be made.
package struct NewNote: Codable, Sendable, Equatable {
    /// A path such as `Work/Plans`; made where it does not exist.
    package var folder: String?
    /// What it is tagged with from its first moment on.
    package var tags: [String] = []
    /// Whether it stands above the others wherever it is listed.
    package var isPinned = false
    /// Locked from its first moment on; needs a session.
    package var isLocked = false

    /// - Parameters:
    ///   - folder: a path; made where it does not exist.
    ///   - isLocked: needs a session.
    package init(folder: String? = nil, tags: [String] = [], isPinned: Bool = false, isLocked: Bool = false) {
        self.folder = folder
        self.tags = tags
        self.isPinned = isPinned
        self.isLocked = isLocked
    }
}

/// A file that is to be attached.
package struct NewAttachment: Codable, Sendable, Equatable {
    /// For people.
    package var name: String
    /// What its sender takes it for; its bytes decide, but for a picture that was a drawing.
    package var kind: AttachmentKind
    /// The media type, such as `image/png`; empty where it is not known.
    package var mediaType: String
    /// What it has to be by its bytes, else it is refused; nil for anything.
    package var demandedKind: AttachmentKind?

    /// - Parameter mediaType: empty where it is not known.
    package init(name: String, kind: AttachmentKind, mediaType: String) {
        self.name = name
        self.kind = kind
        self.mediaType = mediaType
    }
}

/// What an attachment is; the first five may stand in a locked note.
///
/// A table is a block of a note's text, and no file is one: only records of version 0.1 say so.
package enum AttachmentKind: String, Codable, Sendable, CaseIterable {
    case image, sketch, table, map, website
    case audio, video, pdf, file

    /// As Apple's guide has it: images, sketches, tables, maps and websites.
    package var isLockable: Bool {
        switch self {
        case .image, .sketch, .table, .map, .website: true
        case .audio, .video, .pdf, .file: false
        }
    }
}

/// A note from another app.
package struct ImportedNoteHead: Codable, Sendable, Equatable {
    /// Names the note in its source for good, such as `apple:ACCOUNT/UUID`: the second import knows it again.
    package var source: String
    /// The id of its source, 32 hexadecimal digits; nil where the note's name alone is like no other.
    package var origin: String?
    /// What version 0.1 called it; nil where that is ``source``.
    package var formerSource: String?
    /// Whether a note that version 0.1 called so is this one, whatever it says: the owner knows the source.
    package var isFormerCertain: Bool?
    /// Lines of its front matter that mean nothing to us; they are kept, and exported again.
    package var frontMatter: String?
    /// The title where the Markdown does not begin with it.
    package var title: String?
    /// A path such as `Work/Plans`; nil for none.
    package var folder: String?
    /// In the source's order.
    package var tags: [String] = []
    /// Microseconds since 1970, UTC.
    package var created: Int64?
    /// Likewise; nil where the source does not say.
    package var modified: Int64?
    /// Whether it stood above the others there.
    package var isPinned = false
    /// Whether it lay in the trash there: then it does here.
    package var isDeleted = false
    /// Locked under the account's own suite as it comes in; needs a session.
    package var isLocked = false
    /// Its attachments, in order; their files follow one by one as ``NotesRequest/importAttachment(source:_:)``.
    ///
    /// The Markdown names them as `![name](attachment:NUMBER)`, counted from 0.
    package var attachmentCount = 0
    /// Of the note that it was exported from: where that one still is, it is the same note.
    package var id: String?

    /// - Parameter source: names the note there for good.
    package init(source: String) { self.source = source }
}

/// A folder or a file that notes are imported from.
package struct ImportSourceHead: Codable, Sendable, Equatable {
    /// 32 hexadecimal digits; random, and kept beside the import.
    package var id: String
    /// What it is, such as `markdown`.
    package var kind: String
    /// Its path.
    package var place: String

    /// - Parameters:
    ///   - id: 32 hexadecimal digits.
    ///   - kind: such as `markdown`.
    ///   - place: its path.
    package init(id: String, kind: String, place: String) {
        self.id = id
        self.kind = kind
        self.place = place
    }
}

/// What the account's owner chose for notes.
package struct NotesSettings: Codable, Sendable, Equatable {
    /// Whether lists show the titles of locked notes.
    package var showsLockedTitles: Bool?
    /// Minutes without input until a session ends: 3 or 8.
    package var sessionMinutes: Int?
    /// The lock suite of passphrases set from now on: `tresor-256` or `documented-128`.
    package var lockSuite: String?
    /// In which lock states notes can be read: `whenUnlocked` or `afterFirstUnlock`.
    package var protectionClass: String?

    /// What is nil stays as it is.
    package init(
        showsLockedTitles: Bool? = nil, sessionMinutes: Int? = nil, lockSuite: String? = nil,
        protectionClass: String? = nil
    ) {
        self.showsLockedTitles = showsLockedTitles
        self.sessionMinutes = sessionMinutes
        self.lockSuite = lockSuite
        self.protectionClass = protectionClass
    }
}
