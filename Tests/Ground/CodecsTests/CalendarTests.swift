import Codecs
import Testing
import Thoroughness

@Suite struct ISODateTests {
    @Test(arguments: [
        ("1970-01-01", 0), ("2000-02-29", 951_782_400_000_000), ("2024-01-31T10:20:30Z", 1_706_696_430_000_000),
        ("2024-01-31T12:20:30+02:00", 1_706_696_430_000_000), ("2024-01-31 05:20:30-0500", 1_706_696_430_000_000),
        ("2024-01-31T10:20:30.5Z", 1_706_696_430_500_000), ("2024-01-31T10:20:30.123456789", 1_706_696_430_123_456),
        ("2024-01-31T10:20", 1_706_696_400_000_000), ("1969-12-31T23:59:59.999999Z", -1),
        ("0001-01-01", -62_135_596_800_000_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000_000),
    ])
    func `days and times are read`(_ text: String, _ microseconds: Int) {
        #expect(ISODate.parse(text) == Int64(microseconds))
    }

    @Test(arguments: [
        "", "yesterday", "2023-02-29", "2024-13-01", "2024-00-10", "0000-01-01", "2024-1-1", "2024-01-31T",
        "2024-01-31T25:00",
        "2024-01-31T10:20:30+", "2024-01-31T10:20:30Zx", "2024-01-31T10:61", "20240131",
    ])
    func `anything else is none`(_ text: String) {
        #expect(ISODate.parse(text) == nil)
    }

    @Test func `what is written reads back`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<Thoroughness.count(1000, soak: 10_000) {
            let time = Int64.random(in: -62_135_596_800_000_000..<253_402_300_800_000_000, using: &generator)
            #expect(ISODate.parse(ISODate.format(time)) == time)
        }
        #expect(ISODate.format(-1) == "1969-12-31T23:59:59.999999Z")
        #expect(!ISODate.isWritable(.max) && !ISODate.isWritable(.min) && ISODate.isWritable(0))
    }
    @Test(arguments: [
        ("2024-01-31t10:20:30z", true, false, true), ("2024-01-31 10:20:30Z", true, true, false),
        ("2024-01-31", true, true, false), ("2024-01-31T10:20Z", true, true, false),
        ("2024-01-31T10:20:30", true, true, false), ("2024-01-31T10:20:60Z", true, true, false),
        ("2024-01-31T10:20:30,5Z", true, false, false), ("2024-01-31T10:20:30 +0200", true, false, false),
        ("2024-01-31T10:20:30+0200", true, true, false), ("2024-01-31T10:20:30+02", true, true, false),
        ("2024-01-31T10:20:30.5+02:00", true, true, true), ("2024-01-31T10:20:30.Z", false, false, false),
        ("0000-01-31T10:20:30Z", false, false, false), ("2023-02-29T10:20:30Z", false, false, false),
        ("2024-01-31T24:00:00Z", false, false, false), ("2024-01-31T10:20:30+02:60", false, false, false),
    ])
    func `each grammar takes what it names and nothing else`(
        _ text: String, _ isLoose: Bool, _ isPlain: Bool, _ isRFC: Bool
    ) {
        #expect((ISODate.parse(text, as: .loose) != nil) == isLoose)
        #expect((ISODate.parse(text, as: .plain) != nil) == isPlain)
        #expect((ISODate.parse(text, as: .rfc3339) != nil) == isRFC)
        #expect(ISODate.parse(text, as: .propertyList) == nil)
    }

    @Test func `a property list has one form`() {
        #expect(ISODate.parse("2001-01-01T00:00:01Z", as: .propertyList) == 978_307_201_000_000)
        for text in ["2001-01-01T00:00:01z", "2001-01-01T00:00:01.0Z", "2001-01-01T00:00:01+00:00"] {
            #expect(ISODate.parse(text, as: .propertyList) == nil)
        }
    }
}

@Suite struct CivilCalendarTests {
    @Test func `the days of the years 1 to 9999 follow one on another`() {
        var number = CivilCalendar.writableDays.lowerBound
        var wrong = 0
        for year in 1...9999 {
            guard Thoroughness.isSoak || year < 30 || year > 9990 || (year + 1) % 100 < 3 else {
                number += 337 + CivilCalendar.dayCount(of: 2, in: year)
                continue
            }
            for month in 1...12 {
                for day in 1...CivilCalendar.dayCount(of: month, in: year) {
                    let date = CivilCalendar.date(ofDay: number)
                    if date.year != year || date.month != month || date.day != day { wrong += 1 }
                    if CivilCalendar.dayNumber(year: year, month: month, day: day) != number { wrong += 1 }
                    number += 1
                }
            }
        }
        #expect(wrong == 0)
        #expect(number == CivilCalendar.writableDays.upperBound + 1)
        #expect(CivilCalendar.dayNumber(year: 1970, month: 1, day: 1) == 0)
        let (first, last) = (CivilCalendar.date(ofDay: .min), CivilCalendar.date(ofDay: .max))
        #expect([first.year, first.month, first.day] == [1, 1, 1])
        #expect([last.year, last.month, last.day] == [9999, 12, 31])
    }

    @Test func `a clock on the wall shows the time before 1970 too`() {
        let time = CivilTime(wall: -1)
        #expect(time.date == "1969-12-31" && time.hourAndMinute == "23:59" && time.clock == "23:59:59")
        #expect(CivilTime(wall: .max).date == "9999-12-31" && CivilTime(wall: .min).date == "0001-01-01")
    }
}
