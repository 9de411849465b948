/// What the clocks of a zone do each year, as POSIX writes it in the variable TZ: `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// As RFC 9636, section 3.3.1, extends it: clocks may be changed from 167 hours before a day begins to 167 hours
/// after. A summer time without the days on which it begins and ends is refused: POSIX does not say when that would be.
struct YearlyRule: Equatable, Sendable {
    /// How long it takes until the Gregorian calendar repeats itself, days of the week included.
    private static let period: Int64 = 146_097 * 86_400

    /// In seconds east of Greenwich.
    private let standard: Int
    private let summer: Summer?

    private struct Summer: Equatable, Sendable {
        let offset: Int
        /// On a clock that shows standard time.
        let begin: YearlyChange
        /// On a clock that shows summer time.
        let end: YearlyChange
    }

    /// Nil for anything else.
    init?(_ text: ArraySlice<UInt8>) {
        var reader = YearlyRuleReader(text)
        guard reader.takeName(), let west = reader.distance(mostHours: 24) else { return nil }
        standard = -west
        if reader.isAtEnd {
            summer = nil
            return
        }
        guard reader.takeName() else { return nil }
        var offset = 3600 - west
        if !reader.take(",") {
            guard let west = reader.distance(mostHours: 24), reader.take(",") else { return nil }
            offset = -west
        }
        guard let begin = reader.change(), reader.take(","), let end = reader.change(), reader.isAtEnd else {
            return nil
        }
        summer = Summer(offset: offset, begin: begin, end: end)
    }

    /// By how many seconds the clocks are ahead of UTC.
    ///
    /// - Parameter second: since 1970, UTC.
    func offset(at second: Int64) -> Int {
        guard let summer else { return standard }
        let remainder = Int(second % Self.period)
        let moment = remainder < 0 ? remainder + Int(Self.period) : remainder
        let thisYear = CivilCalendar.date(ofDay: moment / 86_400).year
        // The last change counts. Those of a year may lie a week outside of it.
        var last = (moment: Int.min, offset: standard)
        for year in (thisYear - 2)...(thisYear + 1) {
            let end = summer.end.second(in: year) - summer.offset
            if end <= moment, end > last.moment { last = (moment: end, offset: standard) }
            // One that begins as another ends goes on: so a summer time is written that lasts all year.
            let begin = summer.begin.second(in: year) - standard
            if begin <= moment, begin >= last.moment { last = (moment: begin, offset: summer.offset) }
        }
        return last.offset
    }
}

/// A moment of each year, as a clock on the wall shows it.
private struct YearlyChange: Equatable, Sendable {
    enum Day: Equatable, Sendable {
        /// 1 to 365; 29 February is not counted.
        case plain(Int)
        /// 0 to 365; 29 February is counted where there is one.
        case counted(Int)
        /// Sunday is 0. The fifth week is the last one of the month.
        case weekday(Int, week: Int, month: Int)
    }

    let day: Day
    /// In seconds since the day began.
    let time: Int

    /// Since 1970, as if the clock stood in UTC.
    func second(in year: Int) -> Int { dayNumber(in: year) * 86_400 + time }

    private func dayNumber(in year: Int) -> Int {
        switch day {
        case .plain(let number):
            let isBehindLeapDay = CivilCalendar.isLeap(year) && number >= 60
            return CivilCalendar.dayNumber(year: year, month: 1, day: 1) + number - (isBehindLeapDay ? 0 : 1)
        case .counted(let number): return CivilCalendar.dayNumber(year: year, month: 1, day: 1) + number
        case .weekday(let weekday, week: let week, month: let month):
            let first = CivilCalendar.dayNumber(year: year, month: month, day: 1)
            // 1 January 1970 was a Thursday, the fourth day behind Sunday.
            let ahead = ((weekday - first - 4) % 7 + 7) % 7 + 7 * (week - 1)
            return first + (ahead < CivilCalendar.dayCount(of: month, in: year) ? ahead : ahead - 7)
        }
    }
}

private struct YearlyRuleReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) { rest = text }

    var isAtEnd: Bool { rest.isEmpty }

    /// - Parameter mark: of ASCII.
    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard let byte = rest.first, UInt32(byte) == mark.value else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// `CET` or `<+03>`, which nobody needs.
    mutating func takeName() -> Bool {
        let isQuoted = take("<")
        let name = rest.prefix { byte in
            switch byte {
            case 0x41...0x5A, 0x61...0x7A: true
            case 0x30...0x39, 0x2B, 0x2D: isQuoted
            default: false
            }
        }
        rest = rest.dropFirst(name.count)
        guard name.count >= 3 else { return false }
        return isQuoted ? take(">") : true
    }

    /// `5`, `-3:30` or `+167:59:59`, in seconds.
    mutating func distance(mostHours: Int) -> Int? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard let hours = number(mostDigits: 3, 0...mostHours) else { return nil }
        var seconds = hours * 3600
        if take(":") {
            guard let minutes = number(mostDigits: 2, 0...59) else { return nil }
            seconds += minutes * 60
            if take(":") {
                guard let rest = number(mostDigits: 2, 0...59) else { return nil }
                seconds += rest
            }
        }
        return isNegative ? -seconds : seconds
    }

    /// `M3.5.0`, `J60` or `59`, each with a time behind it or without: `M10.5.0/3`.
    mutating func change() -> YearlyChange? {
        guard let day = day() else { return nil }
        guard take("/") else { return YearlyChange(day: day, time: 2 * 3600) }
        return distance(mostHours: 167).map { YearlyChange(day: day, time: $0) }
    }

    private mutating func day() -> YearlyChange.Day? {
        if take("J") { return number(mostDigits: 3, 1...365).map { .plain($0) } }
        guard take("M") else { return number(mostDigits: 3, 0...365).map { .counted($0) } }
        guard let month = number(mostDigits: 2, 1...12), take("."), let week = number(mostDigits: 1, 1...5), take("."),
            let weekday = number(mostDigits: 1, 0...6)
        else { return nil }
        return .weekday(weekday, week: week, month: month)
    }

    private mutating func number(mostDigits: Int, _ range: ClosedRange<Int>) -> Int? {
        var number = 0
        var count = 0
        while count < mostDigits, let byte = rest.first, (0x30...0x39).contains(byte) {
            number = number * 10 + Int(byte) - 0x30
            rest = rest.dropFirst()
            count += 1
        }
        return count > 0 && range.contains(number) ? number : nil
    }
}
