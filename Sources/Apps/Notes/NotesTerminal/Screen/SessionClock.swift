import Localization
import NotesClient
import TerminalScreen

/// What is known of the secure session, counted down on a clock of its own between two answers.
struct SessionClock: Equatable, Sendable {
    private(set) var isOpen = false
    private(set) var hasPassphrase = false
    /// In milliseconds of the driver's clock, which goes on while the machine sleeps.
    private(set) var end: UInt64?
    /// How long a touch makes it last: what the settings say, else the longest time that was ever left.
    private var length: UInt64 = 0
    private var lastTouch: UInt64?
    private var lastQuestion: UInt64 = 0

    /// Seconds; an answer that says more is not believed.
    private static let longest = 86_400
    /// Seconds before the end at which the person is warned.
    static let warning: UInt64 = 20
    /// At most one touch in so many milliseconds.
    static let touchInterval: UInt64 = 2000
    /// How often it is asked about when it should be over, in milliseconds.
    static let questionInterval: UInt64 = 2000

    mutating func set(_ session: SessionSummary, at now: UInt64) {
        isOpen = session.isOpen
        hasPassphrase = session.hasPassphrase
        let left = session.endsIn.map { UInt64(min(max($0, 0), Self.longest)) * 1000 }
        end = session.isOpen ? left.map { now + $0 } : nil
        length = max(length, left ?? 0)
    }

    /// The person did something, and tresor-notes knows it.
    mutating func touched(at now: UInt64) {
        if isOpen && end != nil { end = now + length }
    }

    /// Whether tresor-notes is to be told now that somebody is there; then it counts as told.
    mutating func takesTouch(at now: UInt64) -> Bool {
        guard isOpen, lastTouch.map({ now >= $0 + Self.touchInterval }) ?? true else { return false }
        lastTouch = now
        return true
    }

    /// Whether tresor-notes is to be asked now if it is really over; then it counts as asked.
    mutating func takesQuestion(at now: UInt64) -> Bool {
        guard secondsLeft(at: now) == 0, now >= lastQuestion + Self.questionInterval else { return false }
        lastQuestion = now
        return true
    }

    mutating func set(minutes: Int?) {
        if let minutes { length = UInt64(min(max(minutes, 0), Self.longest / 60)) * 60_000 }
    }

    mutating func close() {
        isOpen = false
        end = nil
    }

    /// Nil where the session is closed or has no end.
    func secondsLeft(at now: UInt64) -> UInt64? {
        end.map { $0 > now ? ($0 - now + 999) / 1000 : 0 }
    }

    func isEnding(at now: UInt64) -> Bool { secondsLeft(at: now).map { $0 <= Self.warning } ?? false }

    /// `locks in 2:40`.
    func countdown(at now: UInt64) -> String? {
        secondsLeft(at: now).map { seconds in
            let rest = seconds % 60
            let time = "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
            return localized("locks in \(time)")
        }
    }

    /// The padlock, how long it stays open, and how the device stands.
    ///
    /// - Parameter isWide: whether there is room for all of that.
    func chip(at now: UInt64, isWide: Bool) -> StyledLine {
        let words: String
        if isOpen {
            let rest = countdown(at: now)
            words = "🔓 " + (rest.map { isWide ? localized("notes: \($0)") : $0 } ?? localized("notes open"))
        } else {
            words = hasPassphrase ? localized("🔒 notes locked") : localized("no passphrase")
        }
        var line = StyledLine()
        let whole = isWide ? words + " · " + localized("device unlocked") : words
        line.append(" " + whole + " ", isEnding(at: now) ? .warning : .bold)
        return line
    }
}
