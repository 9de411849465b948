/// What was wrong with a date that somebody typed.
package enum DiaryDateError: Error, Equatable, Sendable {
    /// It is not of the form `2026-11-22`, `2026-11-22 14:05` or `2026-11-22 14:05 Europe/Oslo`.
    case malformed
    /// No year has that month.
    case noSuchMonth
    /// The month has not that many days.
    case noSuchDay
    /// A day has not that hour, minute or second.
    case noSuchTime
    /// No time zone is called that.
    case unknownZone
    /// The zone crossed the date line, and its calendar left that day out.
    case dayLeftOut

    /// What was wrong, in one sentence of that language, without what was typed.
    package func text(in language: DiaryLanguage) -> String {
        let phrase: DiaryPhrase =
            switch self {
            case .malformed: .dateMalformed
            case .noSuchMonth: .dateNoSuchMonth
            case .noSuchDay: .dateNoSuchDay
            case .noSuchTime: .dateNoSuchTime
            case .unknownZone: .dateUnknownZone
            case .dayLeftOut: .dateDayLeftOut
            }
        return phrase.text(in: language)
    }
}
