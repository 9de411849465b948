import Codecs

/// Dates as Day One and jrnl write them.
extension CivilTime {
    /// `2024-07-22T20:19:56Z`, without the fraction, which Day One does not write.
    static func iso(_ microseconds: Int64) -> String {
        let time = CivilTime(wall: microseconds)
        return "\(time.date)T\(time.clock)Z"
    }

    /// Microseconds of `2024-07-22T20:19:56.5+02:00`, within the years 1 to 9999; nil for anything else.
    ///
    /// A time without an offset is taken as it is, and so is one whose seconds are missing.
    static func parse(_ text: String) -> Int64? {
        ISODate.parse(text, as: .plain).flatMap { ISODate.isWritable($0) ? $0 : nil }
    }
}
