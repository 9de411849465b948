import Codecs
import Testing
import Thoroughness

/// A file of the time zone database as RFC 9636 draws it, each part of which a test may spoil.
struct TimeZoneFile {
    struct Kind {
        var offset: Int32
        var isSummer: UInt8 = 0
        var name: UInt8 = 0
    }

    var magic = Array("TZif".utf8)
    var versions: [UInt8] = [0x32, 0x32]
    var changes: [(time: Int64, kind: UInt8)] = []
    var kinds = [Kind(offset: 2670)]
    var names = Array("LMT\0".utf8)
    var standardIndicators: [UInt8] = []
    var universalIndicators: [UInt8] = []
    var leapSeconds: [UInt8] = []
    /// With the line ends around it; nothing stands there in a file of the first version.
    var footer = "\n\n"
    /// What the header says, where that is not what there is.
    var counts: [UInt32]?

    static func rule(_ text: String) -> TimeZoneFile {
        var file = TimeZoneFile()
        file.footer = "\n\(text)\n"
        return file
    }

    /// Clocks that were put forward and back three times.
    static var changing: TimeZoneFile {
        var file = TimeZoneFile()
        file.kinds += [Kind(offset: 3600, name: 4), Kind(offset: 7200, isSummer: 1, name: 8)]
        file.names += Array("CET\0CEST\0".utf8)
        file.changes = [
            (-5_000_000_000, 1), (-1_000_000_000, 2), (-900_000_000, 1), (0, 2), (100, 1), (2_000_000_000, 2),
            (2_014_246_800, 1),
        ]
        file.footer = "\nCET-1CEST,M3.5.0,M10.5.0/3\n"
        (file.standardIndicators, file.universalIndicators) = ([0, 1, 1], [0, 0, 1])
        return file
    }

    var bytes: [UInt8] {
        guard versions[0] != 0 else { return header(versions[0]) + block(timeSize: 4) }
        // What those see who know four bytes alone: nothing but a type.
        var first = TimeZoneFile()
        first.magic = magic
        var bytes = first.header(versions[0])
        bytes += first.block(timeSize: 4)
        bytes += header(versions[1])
        bytes += block(timeSize: 8)
        bytes += Array(footer.utf8)
        return bytes
    }

    private func header(_ version: UInt8) -> [UInt8] {
        let counted = [
            universalIndicators.count, standardIndicators.count, leapSeconds.count / 12, changes.count, kinds.count,
            names.count,
        ]
        let numbers = counts ?? counted.map { UInt32($0) }
        var bytes = magic
        bytes.append(version)
        bytes += [UInt8](repeating: 0, count: 15)
        for number in numbers { bytes += Self.bytes(UInt64(number), 4) }
        return bytes
    }

    private func block(timeSize: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for change in changes { bytes += Self.bytes(UInt64(bitPattern: change.time), timeSize) }
        bytes += changes.map(\.kind)
        for kind in kinds {
            bytes += Self.bytes(UInt64(UInt32(bitPattern: kind.offset)), 4) + [kind.isSummer, kind.name]
        }
        return bytes + names + leapSeconds + standardIndicators + universalIndicators
    }

    private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }
}

@Suite struct TimeZoneRulesTests {
    private static func refusal(_ file: TimeZoneFile) -> TimeZoneFileError? { refusal(file.bytes) }

    private static func refusal(_ bytes: [UInt8]) -> TimeZoneFileError? {
        do {
            _ = try TimeZoneRules(bytes)
            return nil
        } catch { return error }
    }

    // MARK: What is taken

    static let changing: [(Int64, Int)] = [
        (-6_000_000_000, 2670), (-5_000_000_001, 2670), (-5_000_000_000, 3600), (-1_000_000_001, 3600),
        (-1_000_000_000, 7200), (-900_000_001, 7200), (-900_000_000, 3600), (-1, 3600), (0, 7200), (99, 7200),
        (100, 3600), (1_999_999_999, 3600), (2_000_000_000, 7200), (2_014_246_799, 7200), (2_014_246_800, 3600),
        // From there on by the rule.
        (2_216_249_999, 3600), (2_216_250_000, 7200), (2_234_998_799, 7200), (2_234_998_800, 3600),
    ]

    @Test(arguments: changing)
    func `each change holds until the next`(second: Int64, offset: Int) throws {
        #expect(try TimeZoneRules(TimeZoneFile.changing.bytes).offset(at: second) == offset)
    }

    @Test func `before the first change the first type holds, and behind the last one what it led to`() throws {
        var file = TimeZoneFile.changing
        file.footer = "\n\n"
        let rules = try TimeZoneRules(file.bytes)
        #expect(rules.offset(at: .min) == 2670 && rules.offset(at: .max) == 3600)
        file.changes = []
        let fixed = try TimeZoneRules(file.bytes)
        #expect(fixed.offset(at: .min) == 2670 && fixed.offset(at: 0) == 2670 && fixed.offset(at: .max) == 2670)
        file.kinds[0] = .init(offset: 7200, isSummer: 1, name: 8)
        #expect(try TimeZoneRules(file.bytes).offset(at: 0) == 7200)
    }

    @Test func `a file of the first version has times of four bytes and no rule`() throws {
        var file = TimeZoneFile.changing
        file.changes.removeFirst()
        file.versions = [0, 0]
        let rules = try TimeZoneRules(file.bytes)
        #expect(rules.offset(at: -1_000_000_001) == 2670 && rules.offset(at: -1_000_000_000) == 7200)
        #expect(rules.offset(at: 2_000_000_999) == 7200 && rules.offset(at: 2_216_250_000) == 3600)
        #expect(Self.refusal(file.bytes + Array("\n\n".utf8)) == .trailing)
    }

    @Test func `versions to come are read like the last one`() {
        var file = TimeZoneFile.changing
        for version in Array("234567".utf8) {
            file.versions = [version, version]
            #expect(Self.refusal(file) == nil)
        }
    }

    @Test func `the same bytes make the same rules`() throws {
        let rules = try TimeZoneRules(TimeZoneFile.changing.bytes)
        #expect(try TimeZoneRules(TimeZoneFile.changing.bytes) == rules)
        #expect(try TimeZoneRules(TimeZoneFile.rule("CET-1").bytes) != rules)
    }

    // MARK: What is refused

    @Test func `what is no such file is refused`() {
        var file = TimeZoneFile.changing
        file.magic = Array("TZIF".utf8)
        #expect(Self.refusal(file) == .magic)
        #expect(Self.refusal(Array("# tzdata for Europe".utf8)) == .magic)
        #expect(Self.refusal([]) == .endsEarly)
        #expect(Self.refusal([UInt8](repeating: 0x54, count: TimeZoneRules.mostBytes + 1)) == .tooLong)
        for versions: [UInt8] in [[1, 1], [0x31, 0x31], [0x32, 0x33], [0x32, 0]] {
            file = TimeZoneFile.changing
            file.versions = versions
            #expect(Self.refusal(file) == .version)
        }
    }

    @Test func `whatever ends early is refused, and whatever goes on`() {
        var file = TimeZoneFile.changing
        for count in 0..<file.bytes.count {
            #expect(Self.refusal(Array(file.bytes.prefix(count))) == .endsEarly)
        }
        #expect(Self.refusal(file.bytes + [0]) == .trailing)
        // The first change is too long ago for four bytes.
        file.changes.removeFirst()
        file.versions = [0, 0]
        for count in 0..<file.bytes.count {
            #expect(Self.refusal(Array(file.bytes.prefix(count))) == .endsEarly)
        }
        #expect(Self.refusal(file.bytes + [0]) == .trailing)
    }

    /// How many universal and standard indicators, leap seconds, changes, types and bytes of names a header says.
    static let counts: [([UInt32], TimeZoneFileError)] = [
        ([0, 0, 0, 7, 0, 13], .counts), ([0, 0, 0, 7, 257, 13], .counts),
        ([0, 0, 0, 7, 3, 0], .counts), ([1, 0, 0, 7, 3, 13], .counts), ([0, 2, 0, 7, 3, 13], .counts),
        ([4, 3, 0, 7, 3, 13], .counts), ([3, 3, 1, 7, 3, 13], .leapSeconds),
        ([3, 3, 0, .max, 3, 13], .endsEarly), ([3, 3, 0, 7, 3, .max], .endsEarly),
        ([.max, .max, .max, .max, .max, .max], .counts),
    ]

    @Test(arguments: counts)
    func `a header counts what is there`(counts: [UInt32], expected: TimeZoneFileError) {
        var file = TimeZoneFile.changing
        file.counts = counts
        #expect(Self.refusal(file) == expected)
    }

    @Test func `leap seconds are not counted`() {
        var file = TimeZoneFile.changing
        file.leapSeconds = [0, 0, 0, 0, 4, 0xB2, 0x58, 0, 0, 0, 0, 1]
        #expect(Self.refusal(file) == .leapSeconds)
    }

    @Test func `changes follow one on another, and lead somewhere`() {
        var file = TimeZoneFile.changing
        file.changes[3].time = file.changes[2].time
        #expect(Self.refusal(file) == .order)
        file.changes[3].time -= 1
        #expect(Self.refusal(file) == .order)
        file = TimeZoneFile.changing
        file.changes[6].kind = 3
        #expect(Self.refusal(file) == .index)
    }

    @Test func `types are what zones have`() {
        for offset in [-90_000, 93_600, .min, .max] as [Int32] {
            var file = TimeZoneFile.changing
            file.kinds[2].offset = offset
            #expect(Self.refusal(file) == .type)
        }
        for offset in [-89_999, 93_599] as [Int32] {
            var file = TimeZoneFile.changing
            file.kinds[2].offset = offset
            #expect(Self.refusal(file) == nil)
        }
        var file = TimeZoneFile.changing
        file.kinds[1].isSummer = 2
        #expect(Self.refusal(file) == .type)
        file = TimeZoneFile.changing
        file.kinds[1].name = 13
        #expect(Self.refusal(file) == .type)
        file = TimeZoneFile.changing
        file.names[12] = 0x54
        #expect(Self.refusal(file) == .type)
    }

    @Test func `of how changes were written down only what can be is said`() {
        let spoiled: [(standard: [UInt8], universal: [UInt8])] = [
            ([0, 2, 1], [0, 0, 1]), ([0, 1, 0], [0, 0, 1]), ([], [0, 1, 0]),
        ]
        for marks in spoiled {
            var file = TimeZoneFile.changing
            file.standardIndicators = marks.standard
            file.universalIndicators = marks.universal
            #expect(Self.refusal(file) == .indicator)
        }
    }

    // MARK: Rules

    /// From glibc's date, with the rule in the variable TZ.
    static let yearly: [(String, Int64, Int)] = [
        ("CET-1CEST,M3.5.0,M10.5.0/3", 2_216_249_999, 3600), ("CET-1CEST,M3.5.0,M10.5.0/3", 2_216_250_000, 7200),
        ("CET-1CEST,M3.5.0,M10.5.0/3", 2_234_998_799, 7200), ("CET-1CEST,M3.5.0,M10.5.0/3", 2_234_998_800, 3600),
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", 2_216_822_399, 39_600),
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", 2_216_822_400, 36_000),
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", 2_233_151_999, 36_000),
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", 2_233_152_000, 39_600),
        ("<-03>3", 2_208_988_800, -10_800), ("<-03>3", 2_224_713_600, -10_800),
        ("CCC0:44:30", 2_208_988_800, -2670),
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 2_216_818_799, 39_600),
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 2_216_818_800, 37_800),
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 2_233_150_199, 37_800),
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 2_233_150_200, 39_600),
        // Behind the end of the day, and before it begins.
        ("IST-2IDT,M3.4.4/26,M10.5.0", 2_216_073_599, 7200), ("IST-2IDT,M3.4.4/26,M10.5.0", 2_216_073_600, 10_800),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 2_216_249_999, -7200),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 2_216_250_000, -3600),
        // Days of the year without 29 February and with it, in 2039 and 2040.
        ("AAA4BBB,J60/0,300/0", 2_182_564_799, -14_400), ("AAA4BBB,J60/0,300/0", 2_182_564_800, -10_800),
        ("AAA4BBB,J60/0,300/0", 2_203_383_599, -10_800), ("AAA4BBB,J60/0,300/0", 2_203_383_600, -14_400),
        ("AAA4BBB,J60/0,300/0", 2_214_187_199, -14_400), ("AAA4BBB,J60/0,300/0", 2_214_187_200, -10_800),
        ("AAA4BBB,J60/0,300/0", 2_234_919_599, -10_800), ("AAA4BBB,J60/0,300/0", 2_234_919_600, -14_400),
        // The winter is what is not standard.
        ("IST-1GMT0,M10.5.0,M3.5.0/1", 2_216_249_999, 0), ("IST-1GMT0,M10.5.0,M3.5.0/1", 2_216_250_000, 3600),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", 2_234_998_799, 3600), ("IST-1GMT0,M10.5.0,M3.5.0/1", 2_234_998_800, 0),
    ]

    @Test(arguments: yearly)
    func `a rule says what clocks do each year`(rule: String, second: Int64, offset: Int) throws {
        let rules = try TimeZoneRules(TimeZoneFile.rule(rule).bytes)
        #expect(rules.offset(at: second) == offset)
        // 400 years later, and a thousand times that.
        #expect(rules.offset(at: second + 12_622_780_800) == offset)
        #expect(rules.offset(at: second + 12_622_780_800_000) == offset)
        #expect(rules.offset(at: second - 12_622_780_800) == offset)
    }

    /// RFC 9636, section 3.3.1, writes it so; for a second at each turn of the year glibc takes it for winter.
    @Test(arguments: ["EST5EDT,0/0,J365/25", "XXX3EDT4,0/0,J365/23"])
    func `a summer time may last all year`(rule: String) throws {
        let rules = try TimeZoneRules(TimeZoneFile.rule(rule).bytes)
        for second: Int64 in [2_209_006_799, 2_209_006_800, 2_224_713_600, 2_240_629_199, 2_240_629_200] {
            #expect(rules.offset(at: second) == -14_400)
        }
    }

    @Test(arguments: [
        "CE-1", "CET", "-1", "CET-25", "CET-1:60", "CET-1:30:60", "CET-1:", "CET--1", "CET-1 ", "CET-1CEST",
        "CET-1CEST-2", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,", "CET-1CEST,M3.5.0,M10.5.0,",
        "CET-1CEST,M3.5.0,M10.5.0/", "CET-1CE,M3.5.0,M10.5.0", "CET-1CEST-25,M3.5.0,M10.5.0",
        "CET-1CEST,M0.5.0,M10.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.0.0,M10.5.0",
        "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5,M10.5.0",
        "CET-1CEST,J0,M10.5.0", "CET-1CEST,J366,M10.5.0", "CET-1CEST,366,M10.5.0", "CET-1CEST,-1,M10.5.0",
        "CET-1CEST,J,M10.5.0", "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0/-168",
        "CET-1CEST,M3.5.0/2:60,M10.5.0", "<+01-1", "<+1>-1", "<>-1", "<+01>", "C+T-1", "<C T>-1", ":Europe/Oslo",
        "ÅÅÅ-1", "CET-1\n", "CET-11111111111111111111111",
    ])
    func `whatever is no rule is refused`(rule: String) {
        let expected: TimeZoneFileError = rule.contains("\n") ? .trailing : .rule
        #expect(Self.refusal(TimeZoneFile.rule(rule)) == expected)
    }

    @Test func `the rule stands between two line ends`() {
        var file = TimeZoneFile.changing
        file.footer = " CET-1\n"
        #expect(Self.refusal(file) == .rule)
        file.footer = "\nCET-1"
        #expect(Self.refusal(file) == .endsEarly)
        file.footer = ""
        #expect(Self.refusal(file) == .endsEarly)
    }

    @Test func `the edges of what may be said are taken`() {
        for rule in [
            "CET24", "CET-24:59:59", "CET+1", "CET-1CEST,J1/-167,J365/167:59:59", "CET-1CEST,0,365",
            "CET-1CEST,M1.1.0,M12.5.6", "<+0a-B>-1",
        ] {
            #expect(Self.refusal(TimeZoneFile.rule(rule)) == nil, "\(rule)")
        }
    }

    @Test func `mutated files are taken or refused, and no clock leaves what is possible`() {
        var generator = SystemRandomNumberGenerator()
        let whole = TimeZoneFile.changing.bytes
        for _ in 0..<Thoroughness.count(2000, soak: 20_000) {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) {
                bytes.removeLast(Int.random(in: 0..<bytes.count / 8, using: &generator))
            }
            guard let rules = try? TimeZoneRules(bytes) else { continue }
            for second: Int64 in [.min, -1_000_000_000, 0, 2_216_250_000, 253_402_300_799, .max] {
                #expect((-89_999...93_599).contains(rules.offset(at: second)))
            }
        }
    }
}
