import Resident
import Widgets

/// The time as this program sees it.
struct WidgetClock {
    private let clocks: ResidentClocks

    init(_ clocks: ResidentClocks) { self.clocks = clocks }

    /// By the clock of the wall.
    var now: Moment { Moment(microseconds: wall) }

    /// Microseconds since 1970.
    var wall: Int64 { clocks.wall }

    /// Milliseconds since the machine started.
    var boot: UInt64 { clocks.boot }

    /// Microseconds since the machine started: what is waited for must not depend on a clock that somebody sets.
    var uptime: Int64 { Int64(clocks.boot) * 1000 }

    /// The same for a time by the clock of the wall, in microseconds since 1970.
    func uptime(at wall: Int64) -> Int64 {
        let (distance, overflow) = wall.subtractingReportingOverflow(self.wall)
        let (time, beyond) = uptime.addingReportingOverflow(distance)
        return overflow || beyond ? (wall < 0 ? 0 : .max) : time
    }
}

/// The soonest of several times, in microseconds; nil while there is none.
struct SoonestTime {
    private(set) var time: Int64?

    mutating func consider(_ other: Int64?) {
        if let other { time = min(time ?? other, other) }
    }
}
