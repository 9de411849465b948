import Codecs
import TimeZones

/// The time zone in which an entry was written, by the name that the entry keeps.
///
/// Names are those of the IANA time zone database, such as `Europe/Oslo`, or a fixed distance from UTC, `GMT+0200`,
/// `GMT-03:30`, `+0200`, `UTC`, `Z`. Whatever else stands there counts as UTC, and `isKnown` says so: an entry whose
/// zone nobody knows any more is still shown, a few hours off at worst. The database is the system's: where none is
/// installed, names of it count as UTC as well.
package struct DiaryZone: Sendable, Equatable {
    /// As it was given.
    package let identifier: String
    private let rules: Rules

    private enum Rules: Sendable, Equatable {
        case fixed(Int)
        case named(TimeZoneRules)
        case unknown
    }

    package init(_ identifier: String) {
        self.identifier = identifier
        if let offset = Self.fixedOffset(identifier) {
            rules = .fixed(offset)
        } else if let known = TimeZoneDatabase.rules(of: identifier) {
            rules = .named(known)
        } else {
            rules = .unknown
        }
    }

    /// A fixed distance from UTC, named as entries name it.
    ///
    /// - Parameter offset: seconds east of Greenwich, rounded to minutes, within 24 hours.
    package init(offset: Int) {
        let minutes = min(max(offset / 60, -1439), 1439)
        let sign = minutes < 0 ? "-" : "+"
        identifier = "GMT\(sign)\(padded(abs(minutes) / 60, 2))\(padded(abs(minutes) % 60, 2))"
        rules = .fixed(minutes * 60)
    }

    /// The zone of whoever runs this program: by its name, or else as far from UTC as its clocks are now.
    package static var current: DiaryZone {
        guard let name = TimeZoneDatabase.localName else { return DiaryZone(offset: TimeZoneDatabase.localOffset) }
        return DiaryZone(name)
    }

    /// False where the name says nothing to us, and UTC stands in for it.
    package var isKnown: Bool { rules != .unknown }

    /// By how many seconds the zone's clocks were ahead of UTC.
    ///
    /// - Parameter second: since 1970, UTC.
    package func offset(at second: Int64) -> Int {
        switch rules {
        case .fixed(let offset): offset
        case .named(let known): known.offset(at: second)
        case .unknown: 0
        }
    }

    /// Seconds for `GMT+0200`, `UTC-03:30`, `+02`, `Z`, `GMT`; nil for other names.
    static func fixedOffset(_ name: String) -> Int? {
        var rest = name.utf8[...]
        let hasPrefix = name.hasPrefix("GMT") || name.hasPrefix("UTC")
        if hasPrefix { rest = rest.dropFirst(3) }
        if rest.isEmpty || name == "Z" { return hasPrefix || name == "Z" ? 0 : nil }
        guard let sign = rest.first, sign == 0x2b || sign == 0x2d else { return nil }
        rest = rest.dropFirst()
        var digits = Array(rest)
        if digits.count == 5, digits[2] == 0x3a { digits.remove(at: 2) }
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let values = digits.map { Int($0) - 0x30 }
        let hours: Int
        var minutes = 0
        switch values.count {
        case 1: hours = values[0]
        case 2: hours = values[0] * 10 + values[1]
        case 4:
            hours = values[0] * 10 + values[1]
            minutes = values[2] * 10 + values[3]
        default: return nil
        }
        guard hours < 24, minutes < 60 else { return nil }
        return (sign == 0x2d ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}
