import Localization
import NotesClient

/// What is known of words that could not be handed in: why, and when that is tried again; the words are the driver's.
struct HeldWords: Equatable, Sendable {
    private let reason: String
    private(set) var nextTry: UInt64

    /// Milliseconds between two attempts.
    static let interval: UInt64 = 2000

    /// - Parameters:
    ///   - former: what was known before: the first reason is the one that counts, for afterwards the device is locked
    ///     as well.
    ///   - now: in milliseconds.
    init(_ error: NotesError, after former: HeldWords?, at now: UInt64) {
        reason = former?.reason ?? error.reason
        nextTry = now + Self.interval
    }

    /// Whether it is to be tried again now; then the next attempt comes a while later.
    mutating func isDue(_ now: UInt64) -> Bool {
        guard nextTry <= now else { return false }
        nextTry = now + Self.interval
        return true
    }

    /// For the lock screen.
    var lines: [String] {
        [
            localized("What you wrote is NOT kept: \(reason)."),
            localized("It waits in this program alone, and is handed in when that can be done."),
        ]
    }

    /// For the foot of the screen.
    var words: String { localized("NOT kept: what you wrote; \(reason). ^D discards it.") }
}

extension NotesError {
    /// Why, in a few words that stand behind a colon.
    var reason: String {
        switch code {
        case .deviceLocked: localized("the device was locked before it could be handed in")
        case .noteLocked: localized("its session is over; it can be handed in when the note is opened again")
        default: String(message.prefix { $0 != ";" })
        }
    }
}
