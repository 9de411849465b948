/// A date as somebody types it for an entry, and what it means.
///
/// - `2026-11-22`: that day. Today means now; another day means noon, because an hour was not said and noon is in every
///   zone far from midnight.
/// - `2026-11-22 14:05`, `2026-11-22T14:05:30`: that time of the clock on the wall.
/// - with a zone behind it, `2026-11-22 14:05 Europe/Oslo`, `2026-11-22T14:05+01:00`, `2026-11-22T13:05Z`; without one,
///   the zone of the one who types.
///
/// Twice a year clocks are changed. A time that they skipped is moved on by as much as they were: 02:30 in the night
/// when 02:00 became 03:00 is 03:30. A time that they showed twice means the first of both; an offset from UTC says
/// which if the second is meant. Those are the choices of java.time and of ECMAScript's Temporal ("compatible"). A day
/// that a zone's calendar left out, such as 30 December 2011 in Samoa, is refused.
package struct DateInput: Sendable, Equatable {
    /// Microseconds since 1970, UTC.
    package let date: Int64
    /// As an entry keeps it.
    package let timeZone: String
    /// Whether an hour was said.
    package let hasTime: Bool
    package let fit: Fit

    /// How a time of the clock and a moment went together.
    package enum Fit: Sendable, Equatable {
        case exact
        /// Clocks were put forward over it: it was moved on.
        case skipped
        /// Clocks were put back over it: the first of two was taken.
        case twice
    }

    /// - Parameters:
    ///   - text: what was typed.
    ///   - now: microseconds since 1970, UTC.
    ///   - zone: the zone of the one who types.
    package init(_ text: String, now: Int64, zone: DiaryZone) throws(DiaryDateError) {
        let typed = try TypedDate(text)
        let place: DiaryZone
        if let name = typed.zone {
            let named = DiaryZone(name)
            guard named.isKnown else { throw .unknownZone }
            place = DiaryZone.fixedOffset(name).map { DiaryZone(offset: $0) } ?? named
        } else {
            place = zone
        }
        timeZone = place.identifier
        hasTime = typed.secondOfDay != nil
        if typed.secondOfDay == nil, LocalTime(microseconds: now, zone: place).day == typed.day {
            date = now
            fit = .exact
            return
        }
        let moment = Self.moment(of: typed.day, secondOfDay: typed.secondOfDay ?? 43_200, in: place)
        guard moment.fit == .exact || LocalTime(microseconds: moment.second * 1_000_000, zone: place).day == typed.day
        else {
            throw .dayLeftOut
        }
        date = moment.second * 1_000_000
        fit = moment.fit
    }

    /// Which second since 1970 a clock on the wall means.
    static func moment(of day: LocalDay, secondOfDay: Int, in zone: DiaryZone) -> (second: Int64, fit: Fit) {
        let wall = Int64(day.dayNumber) * 86_400 + Int64(secondOfDay)
        // No clock was ever further from UTC than 16 hours (Manila before 1844: 15:56 behind).
        let before = Int64(zone.offset(at: wall - 57_600))
        let after = Int64(zone.offset(at: wall + 57_600))
        let near = Int64(zone.offset(at: wall - before))
        let fitting = Set([before, after, near].map { wall - $0 })
            .filter { Int64(zone.offset(at: $0)) == wall - $0 }.sorted()
        guard let first = fitting.first else { return (wall - before, .skipped) }
        return (first, fitting.count > 1 ? .twice : .exact)
    }
}
