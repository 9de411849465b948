import Localization
package import ResidentClient

/// What tresor-diary answers.
package enum DiaryReply: Codable, Sendable, Equatable {
    case done
    case status(DiaryStatus)
    /// One entry; a text stands in the body.
    case entry(EntrySummary)
    case list(EntryList)
    case staged(MediaSummary)
    /// The file stands in the body.
    case media(MediaSummary)
    /// With what could not be looked at, as in a list.
    case tags([TagCount], unread: [UnreadEntry]? = nil)
    case templates([DiaryTemplate])
    /// The text stands in the body.
    case template(DiaryTemplate)
    case imported(ImportOutcome)
    case sources([String])
    case look(DataLook)
    case error(DiaryError)
}

/// A page of entries, the newest first.
package struct EntryList: Codable, Sendable, Equatable {
    /// Those of this page.
    package var entries: [EntrySummary]
    /// How many there are beyond this page as well.
    package var total: Int
    /// Whether the index was still being built, so that a search may have missed something.
    package var isPartial: Bool
    /// What could not be looked at, because it is damaged: at most a thousand; nil for nothing.
    package var unread: [UnreadEntry]?

    /// - Parameters:
    ///   - total: beyond this page as well.
    ///   - unread: at most a thousand; nil for nothing.
    package init(entries: [EntrySummary], total: Int, isPartial: Bool = false, unread: [UnreadEntry]? = nil) {
        self.entries = entries
        self.total = total
        self.isPartial = isPartial
        self.unread = unread
    }
}

/// An entry that cannot be read whole; it is kept.
package struct UnreadEntry: Codable, Sendable, Equatable {
    /// What of an entry does not open.
    package enum Part: String, Codable, Sendable {
        /// Date, place, tags and the list of its files, and where its text is.
        case head
        case text
    }
    /// 32 hexadecimal digits.
    package var id: String
    /// What of it does not open.
    package var part: Part
    /// Microseconds since 1970, UTC; nil without the head.
    package var date: Int64?

    /// - Parameter date: microseconds since 1970, UTC; nil without the head.
    package init(id: String, part: Part, date: Int64? = nil) {
        self.id = id
        self.part = part
        self.date = date
    }
}

/// An entry in short, for calendars, maps and counts.
package struct EntryOutline: Codable, Sendable, Equatable {
    /// 32 hexadecimal digits.
    package var id: String
    /// Microseconds since 1970, UTC.
    package var date: Int64
    /// A name of the time zone database, or `GMT+0200`: it says on which day the entry was.
    package var timeZone: String
    /// In degrees, north positive; nil without a place.
    package var latitude: Double?
    /// In degrees, east positive; nil without a place.
    package var longitude: Double?
    /// How many files it has.
    package var media: Int
    /// How many words its text has.
    package var words: Int
    /// Whether it was marked.
    package var isStarred: Bool
    /// In the entry's order.
    package var tags: [String]

    /// - Parameters:
    ///   - date: microseconds since 1970, UTC.
    ///   - media: how many files.
    ///   - words: of its text.
    package init(
        id: String, date: Int64, timeZone: String, latitude: Double?, longitude: Double?, media: Int, words: Int,
        isStarred: Bool, tags: [String]
    ) {
        self.id = id
        self.date = date
        self.timeZone = timeZone
        self.latitude = latitude
        self.longitude = longitude
        self.media = media
        self.words = words
        self.isStarred = isStarred
        self.tags = tags
    }
}

/// A tag, and how often it was given.
package struct TagCount: Codable, Sendable, Equatable {
    /// As entries have it.
    package var tag: String
    /// How many entries have it.
    package var count: Int

    /// - Parameter count: of entries.
    package init(tag: String, count: Int) {
        self.tag = tag
        self.count = count
    }
}

/// How the diary stands; most of it is told without a sign-in as well.
package struct DiaryStatus: Codable, Sendable, Equatable {
    /// Whether a password was registered.
    package var isRegistered: Bool
    /// Whether somebody has signed in, and nothing has locked since.
    package var isSignedIn: Bool
    /// Seconds until it locks if nobody touches anything.
    package var locksIn: Int?
    /// How many there are, also without a sign-in, as their number stands in clear; nil where it cannot be read now.
    package var entries: Int?
    /// Begun and not finished; nil where it cannot be told now.
    package var drafts: Int?
    /// In the trash; nil where it cannot be told now.
    package var trashed: Int?
    /// How many files there are; nil where it cannot be told now.
    package var media: Int?
    /// Photos that are still to be looked at.
    package var waitingPhotos: Int?
    /// Records that cannot be decoded; they are kept.
    package var damaged: [String]
    /// What the diary's owner chose; the standard until then.
    package var settings: DiarySettings
    /// Of `tresor-diary`, for whoever has to end it.
    package var process: Int32

    /// - Parameters:
    ///   - locksIn: seconds; nil where it does not lock by itself, or is locked.
    ///   - damaged: names of records, 32 hexadecimal digits each.
    package init(
        isRegistered: Bool, isSignedIn: Bool, locksIn: Int?, entries: Int?, damaged: [String], settings: DiarySettings,
        process: Int32
    ) {
        self.isRegistered = isRegistered
        self.isSignedIn = isSignedIn
        self.locksIn = locksIn
        self.entries = entries
        self.damaged = damaged
        self.settings = settings
        self.process = process
    }
}

/// What became of an entry from another diary.
package struct ImportOutcome: Codable, Sendable, Equatable {
    /// Whether it is new, was there just so, or was there and has changed at its source.
    package enum Change: String, Codable, Sendable { case added, unchanged, updated }
    /// 32 hexadecimal digits.
    package var id: String
    /// Whether it is new, was there just so, or was there and has changed at its source.
    package var change: Change

    /// - Parameter id: 32 hexadecimal digits.
    package init(id: String, change: Change) {
        self.id = id
        self.change = change
    }
}

/// Why tresor-diary refused; nothing was changed.
package struct DiaryError: Error, Codable, Sendable, Equatable, CustomStringConvertible {
    /// What programs tell apart; the words are for people.
    package enum Code: String, Codable, Sendable {
        case notFound, ambiguous
        /// Nobody is signed in.
        case signedOut
        /// The device is locked or before first unlock.
        case deviceLocked
        case wrongPassword, wrongRecoveryKey, wrongPasscode
        case notRegistered, alreadyRegistered
        /// What was asked is not allowed: a way back in that was not opened.
        case refused
        /// The entry was changed by somebody else in between.
        case conflict
        case damaged, invalid, tooLarge
        case cannotWrite
        /// Reading or writing the disk failed.
        case storage
        case unavailable
        /// The program is there, and says nothing: it is busy, or was stopped. Never sent; a client finds it out.
        case noAnswer
    }
    /// What programs tell apart.
    package var code: Code
    /// In words, without anything that a user typed but names that the caller has given or may see.
    ///
    /// In English, as it is sent and logged.
    package var english: String
    /// The same in the language of whoever reads it.
    package var message: String { translated(english) }
    /// Seconds until the next password may be tried.
    package var retryAfter: Int?

    /// Whether tresor-diary ended before it answered; nil for false.
    ///
    /// Never sent; a client finds it out.
    package var hasEnded: Bool?

    /// The words alone.
    package var description: String { message }

    private enum CodingKeys: String, CodingKey {
        case code
        case english = "message"
        case retryAfter, hasEnded
    }

    /// tresor-diary ended before it answered.
    package init(ended message: String) {
        self.init(.unavailable, message)
        hasEnded = true
    }

    /// - Parameter retryAfter: seconds until the next password may be tried.
    package init(_ code: Code, _ message: String, retryAfter: Int? = nil) {
        self.code = code
        english = message
        self.retryAfter = retryAfter
    }
}

/// What tresor-diary tells without being asked.
package enum DiaryEvent: Codable, Sendable, Equatable {
    /// The diary or the device has been locked: forget everything that is on the screen.
    case locked
    /// The diary or the device is being locked: cover the screen now, send what your editor holds as a draft, then
    /// ``DiaryRequest/handedIn``; ``locked`` follows.
    case handInDrafts
    case signedIn
    case changed
}
