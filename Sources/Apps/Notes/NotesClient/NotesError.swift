import Localization

/// Why tresor-notes refused; nothing was changed.
package struct NotesError: Error, Codable, Sendable, Equatable, CustomStringConvertible {
    /// What programs tell apart; the words are for people.
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
    /// What programs tell apart.
    package var code: Code
    /// In words, without anything that a user typed but names that the caller has given or may see.
    ///
    /// In English, as it is sent and logged.
    package var english: String
    /// The same in the language of whoever reads it.
    package var message: String { translated(english) }
    /// The passphrase's hint, from the third wrong try in a row on.
    package var hint: String?
    /// Seconds until the next device passcode may be tried.
    package var retryAfter: Int?
    /// The note that an older passphrase alone opens, one from before a reset; nil where it is about no such note.
    package var olderNote: String?

    /// Whether tresor-notes ended before it answered; nil for false.
    ///
    /// Never sent; a client finds it out.
    package var hasEnded: Bool?

    /// The words alone.
    package var description: String { message }

    private enum CodingKeys: String, CodingKey {
        case code
        case english = "message"
        case hint, retryAfter, olderNote, hasEnded
    }

    /// tresor-notes ended before it answered.
    package init(ended message: String) {
        self.init(.unavailable, message)
        hasEnded = true
    }

    /// - Parameters:
    ///   - hint: the passphrase's, where it may be shown.
    ///   - retryAfter: seconds until the next device passcode may be tried.
    ///   - olderNote: that an older passphrase alone opens.
    package init(
        _ code: Code, _ message: String, hint: String? = nil, retryAfter: Int? = nil, olderNote: String? = nil
    ) {
        self.code = code
        english = message
        self.hint = hint
        self.retryAfter = retryAfter
        self.olderNote = olderNote
    }
}
