import ShippedCatalogues
import Testing
import Thoroughness

@testable import DiaryViews

/// Dates as people type them.
@Suite struct DateInputTests {
    init() throws { try ShippedCatalogue.keepAll() }

    private let oslo = DiaryZone("Europe/Oslo")
    private let now: Int64 = 1_795_352_712_345_678  // 2026-11-22 14:05:12 in Oslo

    /// Seconds from Python's `zoneinfo`, whose `fold=0` means the first of two, and by hand for gaps.
    @Test(arguments: [
        ("2026-11-22 14:05", "Europe/Oslo", 1_795_352_700, DateInput.Fit.exact),
        ("2026-11-22T14:05:59", "Europe/Oslo", 1_795_352_759, .exact),
        ("  2026-11-22   14:05  ", "Europe/Oslo", 1_795_352_700, .exact),
        ("2026-03-29 01:59", "Europe/Oslo", 1_774_745_940, .exact),
        ("2026-03-29 02:00", "Europe/Oslo", 1_774_746_000, .skipped),
        ("2026-03-29 02:30", "Europe/Oslo", 1_774_747_800, .skipped),
        ("2026-03-29 03:00", "Europe/Oslo", 1_774_746_000, .exact),
        ("2026-10-25 01:59", "Europe/Oslo", 1_792_886_340, .exact),
        ("2026-10-25 02:30", "Europe/Oslo", 1_792_888_200, .twice),
        ("2026-10-25 03:00", "Europe/Oslo", 1_792_893_600, .exact),
        ("2026-03-08 02:15", "America/New_York", 1_772_954_100, .skipped),
        ("2026-10-04 02:15", "Australia/Lord_Howe", 1_791_042_300, .skipped),
        ("2018-11-04 00:00", "America/Sao_Paulo", 1_541_300_400, .skipped),
        ("2011-12-29 23:30", "Pacific/Apia", 1_325_237_400, .exact),
        ("2011-12-31 00:00", "Pacific/Apia", 1_325_239_200, .exact),
        ("1883-11-18 12:02", "America/New_York", -2_717_650_918, .twice),
        ("2024-02-29 23:59", "America/New_York", 1_709_269_140, .exact),
        ("0001-01-01 00:00", "UTC", -62_135_596_800, .exact),
        ("9999-12-31 23:59:59", "UTC", 253_402_300_799, .exact),
    ])
    func `a time of the clock`(text: String, zone: String, second: Int64, fit: DateInput.Fit) throws {
        let input = try DateInput(text, now: now, zone: DiaryZone(zone))
        #expect(input.date == second * 1_000_000)
        #expect(input.fit == fit)
        #expect(input.timeZone == zone)
        #expect(input.hasTime)
    }

    @Test(arguments: [
        ("2026-11-22 14:05 America/New_York", "America/New_York", 1_795_374_300),
        ("2026-11-22T14:05+01:00", "GMT+0100", 1_795_352_700), ("2026-11-22 14:05 +0100", "GMT+0100", 1_795_352_700),
        ("2026-11-22T13:05Z", "GMT+0000", 1_795_352_700), ("2026-11-22 13:05 UTC", "GMT+0000", 1_795_352_700),
        ("2026-11-22 14:05 GMT+0100", "GMT+0100", 1_795_352_700),
        ("2026-10-25 02:30 +0200", "GMT+0200", 1_792_888_200),
        ("2026-10-25 02:30 +0100", "GMT+0100", 1_792_891_800), ("2026-11-21 UTC", "GMT+0000", 1_795_262_400),
    ])
    func `a zone behind it`(text: String, zone: String, second: Int64) throws {
        let input = try DateInput(text, now: now, zone: oslo)
        #expect(input.date == second * 1_000_000)
        #expect(input.timeZone == zone)
        #expect(input.fit == .exact)
    }

    @Test func `today means now, and another day noon`() throws {
        let today = try DateInput("2026-11-22", now: now, zone: oslo)
        #expect(today.date == now && !today.hasTime)
        let yesterday = try DateInput("2026-11-21", now: now, zone: oslo)
        #expect(yesterday.date == 1_795_258_800_000_000 && !yesterday.hasTime && yesterday.fit == .exact)
        // The 22nd has begun in Oslo and is tomorrow in Honolulu.
        let afar = try DateInput("2026-11-22 Pacific/Honolulu", now: now - 43_200_000_000, zone: oslo)
        #expect(afar.date == 1_795_384_800_000_000)
    }

    @Test(arguments: [
        ("", DiaryDateError.malformed), ("yesterday", .malformed), ("22.11.2026", .malformed),
        ("2026-1-2", .malformed), ("26-11-22", .malformed), ("2026-11-221", .malformed), ("0000-01-01", .malformed),
        ("2026/11/22", .malformed), ("2026-11-22T", .malformed), ("2026-11-22 14", .malformed),
        ("2026-11-22 1405", .malformed), ("2026-11-22 14:5", .malformed), ("2026-11-22 14:05:", .malformed),
        ("2026-11-22 14:05:5", .malformed), ("2026-11-22 14:055", .malformed), ("2026-11-22 14:05:00:00", .malformed),
        ("2026-11-22 14:05Europe/Oslo", .malformed), ("2026-11-22Z", .malformed), ("-026-11-22", .malformed),
        ("２０２６-11-22", .malformed), ("2026-11-22\n14:05", .malformed), ("2026-11-22 14:05:00.5", .malformed),
        (String(repeating: "2", count: 100_000), .malformed), ("2026-13-01", .noSuchMonth),
        ("2026-00-01", .noSuchMonth), ("2026-02-29", .noSuchDay), ("2026-04-31", .noSuchDay),
        ("2026-11-00", .noSuchDay), ("1900-02-29 12:00", .noSuchDay), ("2026-11-22 24:00", .noSuchTime),
        ("2026-11-22 12:60", .noSuchTime), ("2026-11-22 12:00:60", .noSuchTime),
        ("2026-11-22 12:00 Europe/Olso", .unknownZone), ("2026-11-22 Nowhere", .unknownZone),
        ("2026-11-22 12:00 +2500", .unknownZone), ("2026-11-22 12:00 Europe/Oslo Europe/Oslo", .unknownZone),
        ("2011-12-30 Pacific/Apia", .dayLeftOut), ("2011-12-30 08:00 Pacific/Apia", .dayLeftOut),
    ])
    func `what is wrong is named`(text: String, error: DiaryDateError) {
        #expect(throws: error) { try DateInput(text, now: 0, zone: DiaryZone("UTC")) }
        for language in DiaryLanguage.allCases { #expect(error.text(in: language).hasSuffix(".")) }
    }

    @Test func `mutated dates are refused or mean what they say`() {
        let samples = ["2026-11-22", "2026-11-22 14:05", "2026-11-22T14:05:30+01:00", "2026-02-28 23:59 Europe/Oslo"]
        let characters = Array("0123456789-:+ TZ/GMé\u{0}")
        var random = SeededRandom(seed: 11)
        var accepted = 0
        let count = Thoroughness.count(2500, soak: 20_000)
        for number in 0..<count {
            var text = Array(samples[number % samples.count])
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let at = Int.random(in: 0..<text.count, using: &random)
                let character = characters.randomElement(using: &random) ?? "0"
                switch Int.random(in: 0..<3, using: &random) {
                case 0: text[at] = character
                case 1: text.insert(character, at: at)
                default: text.remove(at: at)
                }
            }
            guard let input = try? DateInput(String(text), now: 0, zone: oslo) else { continue }
            accepted += 1
            let shown = LocalTime(microseconds: input.date, zone: DiaryZone(input.timeZone))
            let typed = String(text).drop { $0 == " " }
            if shown.description(upTo: input.hasTime) != typed.prefix(input.hasTime ? 16 : 10).replacingT()
                && input.fit == .exact && !typed.contains("  ")
            {
                Issue.record("\(String(text)) became \(shown)")
            }
        }
        #expect(accepted > count / 40)
    }

    @Test func `what is parsed is shown again, at any hour of years with changed clocks`() throws {
        for name in ["Europe/Oslo", "Australia/Lord_Howe", "America/St_Johns", "Africa/Casablanca", "Asia/Tehran"] {
            let zone = DiaryZone(name)
            let start = try day("2021-12-31").dayNumber
            for hour in 0..<9000 {
                let day = LocalDay(dayNumber: start + hour / 24)
                let second = hour % 24 * 3600 + 900
                let (moment, fit) = DateInput.moment(of: day, secondOfDay: second, in: zone)
                let shown = LocalTime(microseconds: moment * 1_000_000, zone: zone)
                #expect((shown.day == day && shown.secondOfDay == second) == (fit != .skipped))
                if fit == .twice {
                    let earlier = LocalTime(microseconds: (moment - 3600) * 1_000_000, zone: zone)
                    #expect(earlier.secondOfDay != second)
                }
            }
        }
    }
}

extension LocalTime {
    fileprivate func description(upTo hasTime: Bool) -> String { hasTime ? "\(day) \(clock)" : day.description }
}

extension Substring {
    fileprivate func replacingT() -> String { String(map { "Tt".contains($0) ? " " : $0 }) }
}
