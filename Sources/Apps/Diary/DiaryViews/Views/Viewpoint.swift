package import DiaryClient

/// From when and where somebody looks back.
///
/// No view of the diary asks a clock: what is today comes in here.
package struct Viewpoint: Sendable {
    /// Microseconds since 1970, UTC.
    package let now: Int64
    package let zone: DiaryZone
    /// What the calendar on the wall shows.
    package let today: LocalDay

    /// - Parameters:
    ///   - now: microseconds since 1970, UTC.
    ///   - zone: the reader's, which need not be that of any entry.
    package init(now: Int64, zone: DiaryZone) {
        self.now = now
        self.zone = zone
        today = LocalTime(microseconds: now, zone: zone).day
    }

    /// Whether what happened then and there belongs to a day that has not come yet.
    ///
    /// Later today is today: a clock that was set back by minutes moves nothing out of sight. What was written on the
    /// far side of the date line, where it is tomorrow, has happened all the same.
    ///
    /// - Parameters:
    ///   - date: microseconds since 1970, UTC.
    ///   - day: the day of the place where it happened.
    func isAhead(_ date: Int64, on day: LocalDay) -> Bool { date > now && day > today }
}

extension EntrySummary {
    /// How many photos the entry has.
    package var photoCount: Int { media.count { $0.kind == .photo } }

    /// Newest first; what happened in the same microsecond is ordered by when it was written, so that the order is
    /// always the same.
    static func isNewer(_ left: EntrySummary, _ right: EntrySummary) -> Bool {
        (left.head.date, left.created, left.id) > (right.head.date, right.created, right.id)
    }
}

extension EntryOutline {
    /// The day to which the entry belongs: that of the place where it was written.
    package var localDay: LocalDay { LocalTime(microseconds: date, zone: DiaryZone(timeZone)).day }

    /// Where it was written, for a map; nil where that is not known.
    package var place: DiaryPlace? {
        guard let latitude, let longitude else { return nil }
        return DiaryPlace(latitude: latitude, longitude: longitude)
    }
}
