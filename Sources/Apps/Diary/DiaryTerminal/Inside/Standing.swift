import DiaryClient
import DiaryViews

/// What tresor-diary last said of itself, and how long it stays open.
struct Standing: Sendable {
    private(set) var status: DiaryStatus?
    /// Uptime at which the diary locks if nobody touches anything.
    private var locksAt: UInt64?
    /// How much was said to be damaged.
    private var toldDamage = 0
    /// Whether it was told already how many drafts there are.
    private var hasToldDrafts = false

    /// The last milliseconds before a lock, in which it is announced.
    private static let announcement: UInt64 = 30_000

    /// - Parameter now: in milliseconds of uptime.
    mutating func note(_ status: DiaryStatus, at now: UInt64) {
        self.status = status
        locksAt = status.locksIn.map { now + UInt64(max($0, 0)) * 1000 }
    }

    /// How much is damaged, where that is more than was told; it counts as told then.
    mutating func newDamage(in status: DiaryStatus) -> Int? {
        guard status.damaged.count > toldDamage else { return nil }
        toldDamage = status.damaged.count
        return toldDamage
    }

    /// How many entries were begun and not finished, the first time that this is known; nil later.
    ///
    /// What is begun from then on is begun before somebody's eyes.
    mutating func draftsFound(in status: DiaryStatus) -> Int? {
        guard let drafts = status.drafts, !hasToldDrafts else { return nil }
        hasToldDrafts = true
        return drafts > 0 ? drafts : nil
    }

    /// Whether the time is over in which it stays open; true once.
    mutating func endsNow(_ now: UInt64) -> Bool {
        guard let locksAt, locksAt <= now else { return false }
        self.locksAt = nil
        return true
    }

    /// Seconds until it locks, where that is near; nil otherwise.
    func secondsLeft(at now: UInt64) -> Int? {
        guard let locksAt, locksAt < now + Self.announcement else { return nil }
        return locksAt > now ? Int((locksAt - now + 999) / 1000) : 0
    }

    /// How much there is, in words.
    func counts(in language: DiaryLanguage) -> [(name: String, value: String)] {
        guard let status else { return [] }
        let counts: [(String, Int?)] = [
            (DiaryPhrase.drafts.text(in: language), status.drafts),
            (ScreenPhrase.trash.text(in: language), status.trashed),
            (ScreenPhrase.waitingPhotos.text(in: language), status.waitingPhotos.flatMap { $0 == 0 ? nil : $0 }),
        ]
        return counts.compactMap { name, count in count.map { (name, "\($0)") } }
    }
}
