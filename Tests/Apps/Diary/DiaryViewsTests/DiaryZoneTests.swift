import DiaryClient
import Testing

@testable import DiaryViews

/// What the calendar and the clock on the wall showed.
@Suite struct DiaryZoneTests {
    /// From Python's `zoneinfo` with the system's time zone database.
    @Test(arguments: [
        ("Europe/Oslo", 1_774_745_999, "2026-03-29 01:59", 3600),
        ("Europe/Oslo", 1_774_746_000, "2026-03-29 03:00", 7200),
        ("Europe/Oslo", 1_792_889_999, "2026-10-25 02:59", 7200),
        ("Europe/Oslo", 1_792_890_000, "2026-10-25 02:00", 3600),
        ("America/New_York", 1_772_953_200, "2026-03-08 03:00", -14_400),
        ("America/New_York", 1_767_243_599, "2025-12-31 23:59", -18_000),
        ("America/St_Johns", 1_767_236_400, "2025-12-31 23:30", -12_600),
        ("Asia/Kathmandu", 1_798_740_900, "2027-01-01 00:00", 20_700),
        ("Australia/Lord_Howe", 1_791_041_399, "2026-10-04 01:59", 37_800),
        ("Australia/Lord_Howe", 1_791_041_400, "2026-10-04 02:30", 39_600),
        ("Pacific/Kiritimati", 1_795_255_200, "2026-11-22 00:00", 50_400),
        ("Pacific/Honolulu", 1_795_341_599, "2026-11-21 23:59", -36_000),
        ("Pacific/Apia", 1_325_239_199, "2011-12-29 23:59", -36_000),
        ("Pacific/Apia", 1_325_239_200, "2011-12-31 00:00", 50_400),
        ("Pacific/Chatham", 1_835_345_700, "2028-02-29 00:00", 49_500),
        ("Etc/GMT+5", 1_709_269_199, "2024-02-29 23:59", -18_000),
        ("Asia/Kolkata", -19_801, "1969-12-31 23:59", 19_800),
        ("Europe/Oslo", 253_402_297_199, "9999-12-31 23:59", 3600),
        ("GMT+0200", 1_709_243_999, "2024-02-29 23:59", 7200),
        ("GMT-0330", 1_767_236_400, "2025-12-31 23:30", -12_600),
        ("UTC", -62_135_596_800, "0001-01-01 00:00", 0),
    ])
    func `a moment as it was there`(zone: String, second: Int64, expected: String, offset: Int) {
        let zone = DiaryZone(zone)
        #expect(zone.isKnown)
        let time = LocalTime(microseconds: second * 1_000_000 + 999_999, zone: zone)
        #expect("\(time.day) \(time.clock)" == expected)
        #expect(time.offset == offset)
    }

    @Test(arguments: [
        "", "Nowhere/Land", "GMT+2400", "GMT+0260", "+", "GMT+123", "GMT+02:0", "GMT+02000", "../../etc/passwd",
        "Europe/Oslo\u{0}", "Europe/Oslo ", "Ｚ", String(repeating: "A", count: 10_000),
    ])
    func `an unknown zone counts as UTC, and says so`(name: String) {
        let zone = DiaryZone(name)
        #expect(!zone.isKnown)
        #expect(zone.identifier == name)
        #expect(LocalTime(microseconds: 1_795_305_599_000_000, zone: zone).clock == "23:59")
    }

    @Test(arguments: [
        ("GMT", 0), ("UTC", 0), ("Z", 0), ("GMT+0", 0), ("GMT-1", -3600), ("UTC+02", 7200), ("+05:45", 20_700),
        ("-2359", -86_340), ("GMT+14:00", 50_400),
    ])
    func `distances from UTC in their several forms`(name: String, offset: Int) {
        #expect(DiaryZone(name).isKnown)
        #expect(DiaryZone(name).offset(at: 0) == offset)
    }

    @Test func `a distance is named as entries name it`() {
        #expect(DiaryZone(offset: -12_600).identifier == "GMT-0330")
        #expect(DiaryZone(offset: 0).identifier == "GMT+0000")
        #expect(DiaryZone(offset: .max).identifier == "GMT+2359")
        #expect(DiaryZone(DiaryZone(offset: 20_700).identifier).offset(at: 0) == 20_700)
    }

    @Test(arguments: ["UTC", "Europe/Oslo", "Pacific/Apia", "GMT-2359", "?"])
    func `no moment is too early or too late`(name: String) {
        let zone = DiaryZone(name)
        #expect(LocalTime(microseconds: .min, zone: zone).day.description == "0001-01-01")
        #expect(LocalTime(microseconds: .max, zone: zone).day.description == "9999-12-31")
        for microseconds: Int64 in [.min, .max, -1, 0] {
            #expect((0..<86_400).contains(LocalTime(microseconds: microseconds, zone: zone).secondOfDay))
        }
    }

    @Test func `an evening in Honolulu stays on its evening`() throws {
        let evening = try entry("2026-11-21 23:30", "Pacific/Honolulu")
        let morning = try entry("2026-11-22 09:00", "Pacific/Kiritimati")
        #expect(evening.head.date > morning.head.date)
        #expect(evening.head.localDay < morning.head.localDay)
    }
}
