package import ResidentClient

/// What a client asks of tresor-diary.
///
/// It travels as the JSON head of a message; secrets, texts and files travel beside it. See specs/diary-socket.md.
package enum DiaryRequest: Codable, Sendable, Equatable {
    case status

    // The door.
    /// Secrets: the new password; the answer's secret is the recovery key.
    case register(allowsPasscode: Bool)
    /// Secrets: the password.
    case signIn
    case lock
    /// Secrets: the present password and the new one.
    case changePassword
    /// Secrets: the recovery key and the new password; the answer's secret is the new recovery key.
    case resetByRecoveryKey
    /// Secrets: the device's passcode and the new password; the answer's secret is the new recovery key.
    case resetByPasscode
    /// Secrets: the password; the answer's secret is a new recovery key.
    case renewRecoveryKey
    /// Whether the device's passcode is a way back in; secrets: the password.
    case allowPasscode(Bool)
    /// Removes the diary and everything in it.
    case erase

    // Entries.
    /// A file for an entry that will follow on this connection; the body is the file.
    case stage(NewMedia)
    /// Takes what was staged; the body is the text, in Markdown.
    case create(NewEntry)
    /// The body is the whole text; `base` is the revision that the writer had before it.
    ///
    /// What was staged is added behind the files that stay.
    case edit(id: String, base: UInt64, head: EntryHead, media: [String], isDraft: Bool)
    /// To the trash; from the trash for good where `forever` is said.
    ///
    /// Where `base` is given, only what has not been changed since that revision: what another client has written in a
    /// draft must not go with it.
    case delete(id: String, forever: Bool, base: UInt64? = nil)
    case restore(id: String)
    /// Takes what was staged; a second import of the same source changes nothing. The body is the text.
    case importEntry(ImportedHead)
    /// Which of these sources have been imported already; at most 1000 at once.
    case knownSources([String])

    // Looking back.
    case list(DiaryFilter)
    /// All of them as one state of the diary, however many: the answer's `list` has their number and what is damaged,
    /// its body a row for each (``EntrySummary``). The filter's page counts, without an upper bound.
    case listAll(DiaryFilter)
    case find(id: String)
    /// The body of the answer is the text.
    case show(id: String)
    /// The body of the answer is the file.
    case media(id: String, media: String, size: MediaSize)
    /// - Parameter offset: how many of those that match are passed over; the answer's total counts all of them then,
    ///   and without it those in the answer.
    case search(text: String, limit: Int, offset: Int? = nil)
    /// All entries in short; the body of the answer is a JSON array of ``EntryOutline``.
    ///
    /// Where some are damaged, the answer is a `list` of them alone, else `done`.
    case outline
    case tags
    /// By name.
    case templates
    /// The body of the answer is the text.
    case template(name: String)
    /// Makes a template, or puts another in place of the one of this name; the body is the text.
    case setTemplate(DiaryTemplate)
    case removeTemplate(name: String)

    case changeSettings(DiarySettings)
    /// Events follow on this connection.
    case subscribe
    /// The same for a program through which nobody looks at the diary: its end locks nothing.
    case follow
    /// A photo's thumbnail as its body, for a widget: nobody is at work, and the diary's time runs on.
    case glance(id: String, media: String)
    /// The person at this client did something: the diary stays open.
    case touch
    /// This client holds nothing more of what was typed; said when ``DiaryEvent/handInDrafts`` has been heard, so that
    /// nobody waits longer.
    case handedIn
    /// Opens everything behind a place, for as long as nobody else is kept waiting by it; nil begins.
    case look(LookPlace?)
    /// Ends tresor-diary.
    case stop
}

/// Which of a photo's files.
package enum MediaSize: String, Codable, Sendable, CaseIterable {
    case original
    /// What a photo shows, and nothing that its file says besides: place, time, camera, comments.
    ///
    /// A JPEG, PNG or WebP keeps each of its pixels; other photos become a JPEG. Files that are no photos are as they
    /// came.
    case shared
    /// At most 2048 pixels a side, a JPEG.
    case preview
    /// At most 512 pixels a side, a JPEG.
    case thumbnail
}

/// An entry that is to be made.
package struct NewEntry: Codable, Sendable, Equatable {
    /// When, where, and how it is marked.
    package var head: EntryHead
    /// Whether it stays out of the timeline until it is finished.
    package var isDraft = false
    /// How many files were staged for it, so that none is lost or taken twice.
    package var mediaCount = 0

    /// - Parameter mediaCount: how many files were staged for it on this connection.
    package init(head: EntryHead, isDraft: Bool = false, mediaCount: Int = 0) {
        self.head = head
        self.isDraft = isDraft
        self.mediaCount = mediaCount
    }
}

/// An entry from another diary.
package struct ImportedHead: Codable, Sendable, Equatable {
    /// Names the entry in its source for good: the second import knows it again.
    package var source: String
    /// When, where, and how it is marked.
    package var head: EntryHead
    /// Microseconds since 1970, UTC.
    package var created: Int64?
    /// Likewise; nil where the source does not say.
    package var modified: Int64?
    /// How many files were staged for it on this connection.
    package var mediaCount = 0
    /// What the source says besides and nobody here reads, as JSON: it goes back with an export.
    package var foreign: String?

    /// - Parameter source: names the entry there for good.
    package init(source: String, head: EntryHead) {
        self.source = source
        self.head = head
    }
}

/// Which entries a list shows, the newest first.
package struct DiaryFilter: Codable, Sendable, Equatable {
    /// Of the diary: what is finished, what is begun, and what was thrown away.
    package enum Part: String, Codable, Sendable { case timeline, drafts, trash }

    /// The same day of earlier years.
    package struct Anniversary: Codable, Sendable, Equatable {
        /// Whose entries do not count: earlier ones do.
        package var year: Int
        /// 1 to 12.
        package var month: Int
        /// 1 to 31.
        package var day: Int

        /// - Parameters:
        ///   - month: 1 to 12.
        ///   - day: 1 to 31.
        package init(year: Int, month: Int, day: Int) {
            self.year = year
            self.month = month
            self.day = day
        }
    }

    /// The timeline, where nothing is said.
    package var part = Part.timeline
    /// One that each entry has; nil for any.
    package var tag: String?
    /// Whether entries without a star are left out.
    package var starredOnly = false
    /// Nil for all days.
    package var onThisDay: Anniversary?
    /// How many of those that match are passed over.
    package var offset = 0
    /// How many are shown at most.
    package var limit = 100

    /// The newest hundred of the timeline.
    package init() {}
}

/// What the diary's owner chose.
package struct DiarySettings: Codable, Sendable, Equatable {
    /// Minutes without input until the diary locks; 0 for never by itself.
    package var lockMinutes: Int?
    /// Whether it locks as soon as its window loses the focus, and not only in the background.
    package var locksOnResign: Bool?
    /// Whether backups leave the diary out.
    package var isExcludedFromBackup: Bool?

    /// What is nil stays as it is.
    package init(lockMinutes: Int? = nil, locksOnResign: Bool? = nil, isExcludedFromBackup: Bool? = nil) {
        self.lockMinutes = lockMinutes
        self.locksOnResign = locksOnResign
        self.isExcludedFromBackup = isExcludedFromBackup
    }
}
