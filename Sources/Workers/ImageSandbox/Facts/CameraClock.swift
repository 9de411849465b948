import Codecs

/// Times as Exif writes them; JEITA CP-3451, "DateTime" and "OffsetTime".
package enum CameraClock {
    /// Seconds since 1970 of `2026:11:22 13:05:59`, as if that clock had stood in UTC.
    ///
    /// Nil for what no clock shows, such as the blanks and zeros of a camera that was never set. Some write `-` or `/`
    /// in the date. A fraction of a second that follows is passed over.
    package static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 19, bytes.count == 19 || bytes[19] == UInt8(ascii: "."),
            bytes[4] == bytes[7], ":-/".utf8.contains(bytes[4]), " T".utf8.contains(bytes[10]),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            year >= 1, (1...12).contains(month), day >= 1, day <= CivilCalendar.dayCount(of: month, in: year),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let days = CivilCalendar.dayNumber(year: year, month: month, day: day)
        return Int64(((days * 24 + hour) * 60 + minute) * 60 + second)
    }

    /// Minutes ahead of UTC of `+05:30` or `Z`; nil for anything else.
    package static func offsetMinutes(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        if bytes == [UInt8(ascii: "Z")] { return 0 }
        guard bytes.count == 6, "+-".utf8.contains(bytes[0]), bytes[3] == UInt8(ascii: ":"),
            let hours = number(bytes[1..<3]), let minutes = number(bytes[4..<6]), hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (bytes[0] == UInt8(ascii: "-") ? -1 : 1)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }
}
