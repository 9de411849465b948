import Codecs
import Linux
import Testing
import Thoroughness

@testable import TimeZones

@Suite struct TimeZoneNameTests {
    @Test(arguments: [
        "", "/", "Europe", "Europe/", "/Europe/Oslo", "Europe//Oslo", "Europe/Oslo/", "./Europe/Oslo",
        "../zoneinfo/UTC",
        "Europe/../Europe/Oslo", "/usr/share/zoneinfo/Europe/Oslo", "europe/oslo", "Europe/Oslo ", "Europe/Oslo\u{0}",
        "posix/Europe/Oslo", "right/Europe/Oslo", "posixrules", "localtime", "zone.tab", "tzdata.zi", "PST",
        "Nowhere/Land", String(repeating: "A", count: 10_000),
    ])
    func `nothing but a name of the database is looked up`(name: String) {
        #expect(TimeZoneDatabase.rules(of: name) == nil)
    }
}

enum Installed {
    static let folder = "/usr/share/zoneinfo/"
    static let isThere = (try? FileSystem.status(folder + "Europe/Oslo")) != nil
}

/// Against the system's own files.
@Suite(.enabled(if: Installed.isThere, "needs the package tzdata"))
struct TimeZoneDatabaseTests {
    /// From Python's `zoneinfo` and from glibc's date, which agree.
    static let known: [(String, Int64, Int)] = [
        ("Europe/Oslo", -2_208_988_800, 3600), ("Europe/Oslo", -836_438_400, 7200),
        ("Europe/Oslo", 1_705_276_800, 3600), ("Europe/Oslo", 1_721_001_600, 7200),
        ("America/New_York", -2_840_140_800, -17_762), ("America/New_York", 1_142_380_800, -18_000),
        ("America/New_York", 1_173_596_399, -18_000), ("America/New_York", 1_173_596_400, -14_400),
        ("America/New_York", 1_194_155_999, -14_400), ("America/New_York", 1_194_156_000, -18_000),
        ("Asia/Kolkata", -852_076_800, 23_400), ("Asia/Kolkata", 1_719_792_000, 19_800),
        ("Australia/Lord_Howe", 1_712_415_599, 39_600), ("Australia/Lord_Howe", 1_712_415_600, 37_800),
        ("Pacific/Apia", 1_325_239_199, -36_000), ("Pacific/Apia", 1_325_239_200, 50_400),
        ("Africa/Casablanca", 1_512_086_400, 0), ("Africa/Casablanca", 1_558_310_400, 0),
        ("Africa/Casablanca", 1_710_892_800, 0), ("Africa/Casablanca", 1_713_571_200, 3600),
        ("Antarctica/Troll", 1_704_067_200, 0), ("Antarctica/Troll", 1_719_792_000, 7200),
        ("America/St_Johns", -1_088_985_600, -9000), ("America/St_Johns", 1_704_067_200, -12_600),
        ("Europe/Dublin", 0, 3600), ("Europe/Dublin", 1_704_067_200, 0), ("Europe/Dublin", 1_719_792_000, 3600),
        ("America/Argentina/Buenos_Aires", 1_719_792_000, -10_800), ("Etc/GMT+5", 1_704_067_200, -18_000),
        ("CET", 1_719_792_000, 7200), ("EST5EDT", 1_719_792_000, -14_400),
        // Behind the last change that a file has, by its rule.
        ("Europe/Oslo", 4_102_444_800, 3600), ("Europe/Oslo", 4_118_083_200, 7200),
        ("America/New_York", 2_530_767_599, -18_000), ("America/New_York", 2_530_767_600, -14_400),
        ("Australia/Lord_Howe", 2_863_956_599, 37_800), ("Australia/Lord_Howe", 2_863_956_600, 39_600),
        ("Asia/Kolkata", 2_840_140_800, 19_800), ("Antarctica/Troll", 3_171_398_400, 7200),
    ]

    @Test(arguments: known)
    func `a zone's clocks`(name: String, second: Int64, offset: Int) throws {
        let rules = try #require(TimeZoneDatabase.rules(of: name))
        #expect(rules.offset(at: second) == offset)
    }

    @Test(
        arguments: [
            ("Asia/Kolkata", "Europe/Oslo", "Asia/Kolkata", 19_800), (":Asia/Kolkata", nil, "Asia/Kolkata", 19_800),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "Asia/Kolkata", nil, 7200), ("UTC-2", "Asia/Kolkata", nil, 7200),
            ("", "Asia/Kolkata", nil, 0), ("nowhere", "../usr/share/zoneinfo/Asia/Kolkata", "Asia/Kolkata", 19_800),
            (nil, "/usr/share/zoneinfo/Asia/Kolkata", "Asia/Kolkata", 19_800),
        ] as [(String?, String?, String?, Int)])
    func `the variable counts before the link`(_ variable: String?, _ link: String?, name: String?, offset: Int) throws
    {
        let place = try #require(TimeZoneDatabase.place(variable: variable, link: link))
        #expect(place.name == name && place.rules?.offset(at: 1_721_001_600) == offset)
        #expect(TimeZoneDatabase.place(variable: "nowhere", link: nil) == nil)
    }

    private static func names(in folder: String = "") throws -> [String] {
        var found: [String] = []
        for name in try FileSystem.names(in: Installed.folder + folder) where name.first?.isUppercase == true {
            let isFolder = try FileSystem.status(Installed.folder + folder + name)?.isDirectory == true
            found += try isFolder ? names(in: folder + name + "/") : [folder + name]
        }
        return found
    }

    @Test func `every zone is known, also when more were asked for than are kept`() throws {
        let names = try Self.names()
        #expect(names.count > 300)
        #expect(names.filter { TimeZoneDatabase.rules(of: $0) == nil } == [])
        let oslo = try #require(TimeZoneDatabase.rules(of: "Europe/Oslo"))
        #expect(oslo.offset(at: 1_721_001_600) == 7200)
        #expect(TimeZoneDatabase.rules(of: "Europe/Oslo") == oslo)
    }

    @Test func `zones that count leap seconds are refused`() throws {
        // Some systems do not have them.
        guard try FileSystem.status(Installed.folder + "right/Europe/Oslo") != nil else { return }
        #expect(throws: TimeZoneFileError.leapSeconds) {
            try TimeZoneRules(try FileSystem.read(Installed.folder + "right/Europe/Oslo"))
        }
    }

    static let texts: [(String, String?)] = [
        ("Europe/Oslo", "Europe/Oslo"), (":Europe/Oslo", "Europe/Oslo"), ("UTC", "UTC"),
        ("/usr/share/zoneinfo/Europe/Oslo", "Europe/Oslo"), ("../usr/share/zoneinfo/Etc/UTC", "Etc/UTC"),
        (":/usr/share/zoneinfo/Asia/Kolkata", "Asia/Kolkata"), ("", nil), ("CET-1CEST,M3.5.0,M10.5.0/3", nil),
        ("/etc/zones/Europe/Oslo", nil), ("/usr/share/zoneinfo/", nil),
    ]

    @Test(arguments: texts)
    func `a variable or a link names a zone`(text: String, name: String?) {
        #expect(TimeZoneDatabase.name(in: text) == name)
    }

    @Test func `this machine's zone has a name that is known, or none`() {
        if let name = TimeZoneDatabase.localName {
            #expect(TimeZoneDatabase.local == TimeZoneDatabase.rules(of: name))
        }
        #expect((-89_999...93_599).contains(TimeZoneDatabase.localOffset))
    }

    @Test func `mutated files are taken or refused`() throws {
        var generator = SystemRandomNumberGenerator()
        let whole = try FileSystem.read(Installed.folder + "Europe/Oslo")
        for _ in 0..<Thoroughness.count(300, soak: 2000) {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
            }
            guard let rules = try? TimeZoneRules(bytes) else { continue }
            for second: Int64 in [.min, -2_208_988_800, 0, 1_721_001_600, 4_118_083_200, .max] {
                #expect((-89_999...93_599).contains(rules.offset(at: second)))
            }
        }
    }
}
