/// The Gregorian calendar, also for the years before there was one, without clocks and zones.
///
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in March, so that the leap day is
/// the last; 400 of them are 146,097 days.
package enum CivilCalendar {
    /// Of 1 January 1 and of 31 December 9999: the years that four digits can say.
    package static let writableDays = -719_162...2_932_896

    package static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    /// How many days a month has.
    ///
    /// - Parameter month: 1 to 12.
    package static func dayCount(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1 January 1970; negative before.
    ///
    /// - Parameters: a day that there is.
    package static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day so many days after 1 January 1970.
    ///
    /// What lies outside the years 1 to 9999 becomes the first or last day.
    package static func date(ofDay number: Int) -> (year: Int, month: Int, day: Int) {
        let days = min(max(number, writableDays.lowerBound), writableDays.upperBound) + 719_468
        let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year: year, month: month, day: dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}
