import DiaryClient

@testable import DiaryViews

/// Microseconds since 1970 of what a clock showed.
func moment(_ text: String, _ zone: String = "Europe/Oslo") throws -> Int64 {
    try DateInput(text, now: 0, zone: DiaryZone(zone)).date
}

func entry(_ date: String, _ zone: String = "Europe/Oslo", id: String = "0", isDraft: Bool = false) throws
    -> EntrySummary
{
    let head = EntryHead(date: try moment(date, zone), timeZone: zone)
    var summary = EntrySummary(
        id: id, head: head, opening: "Words of \(date)", media: [], created: 0, modified: 0, revision: 1)
    summary.isDraft = isDraft
    return summary
}

func outline(
    _ date: String, _ zone: String = "Europe/Oslo", words: Int = 0, tags: [String] = [], files: Int = 0,
    isStarred: Bool = false
) throws -> EntryOutline {
    EntryOutline(
        id: "0", date: try moment(date, zone), timeZone: zone, latitude: 59.9, longitude: 10.7, media: files,
        words: words, isStarred: isStarred, tags: tags)
}

func viewpoint(_ now: String, _ zone: String = "Europe/Oslo") throws -> Viewpoint {
    Viewpoint(now: try moment(now, zone), zone: DiaryZone(zone))
}

func day(_ text: String) throws -> LocalDay {
    LocalTime(microseconds: try moment(text, "UTC"), zone: DiaryZone("UTC")).day
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers at every run.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
