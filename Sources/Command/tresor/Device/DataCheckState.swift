import FoundationEssentials
import Linux
import Localization
import ResidentClient
import Wire

/// `tresor doctor --data --json`: what the look has found, and beside it, as `setup`, what the owner has set up.
struct DataCheckDocument: Encodable {
    let state: DataCheckState
    let setup: SetupState

    private enum CodingKeys: String, CodingKey { case setup }

    func encode(to encoder: any Encoder) throws {
        try state.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(setup, forKey: .setup)
    }
}

/// What a look at all data has found so far; kept in a file, so that one that was stopped goes on where it was.
///
/// No title and no word of a user's stands in it.
struct DataCheckState: Codable, Equatable {
    /// What is looked at: all at once, or, where nobody waits for it, in this order.
    enum Part: String, Codable, CaseIterable {
        case keychain, notes, diary
    }

    /// Microseconds since 1970, UTC.
    var begun: Int64
    /// Nil while there is something left to look at.
    var finished: Int64?
    var done: [Part] = []
    /// Where a part goes on that is not done: behind this row, and at these places.
    var item: UInt64 = 0
    var place: LookPlace?
    var diaryPlace: LookPlace?
    var records = 0
    var bytes: UInt64 = 0
    /// What was locked, and not looked at.
    var shut = 0
    /// The parts of which something was locked.
    var partsShut: Set<Part>?
    /// Of how many items the secret was not opened, because it demands the owner or a password.
    var guarded: Int?
    var damage: [FoundDamage] = []

    private static let longest = 64 << 20

    static func path(_ home: Home) -> String { home.data + "/doctor.json" }

    /// Whether all of a part was opened that opens without the owner.
    func hasSeen(_ part: Part) -> Bool {
        // One that an earlier version began does not say which part was locked.
        done.contains(part) && (partsShut.map { !$0.contains(part) } ?? (shut == 0))
    }

    /// Nil where there is none, or it cannot be read: then a look begins anew.
    static func load(_ home: Home) -> DataCheckState? {
        // Any program of the owner's can write one.
        guard let size = (try? FileSystem.status(path(home)))??.byteCount, size <= longest,
            let bytes = try? FileSystem.read(path(home))
        else { return nil }
        return try? JSONDecoder().decode(DataCheckState.self, from: Data(bytes))
    }

    mutating func note(shut part: Part) { partsShut = (partsShut ?? []).union([part]) }

    func store(_ home: Home) throws {
        var kept = self
        kept.damage = damage.map(\.untitled)
        try FileSystem.replace(Self.path(home), with: Array(try JSONEncoder().encode(kept)))
    }

    /// After this time everything is looked at again: 30 days, in microseconds.
    private static let period: Int64 = 30 * 86_400 * 1_000_000

    /// Whether it is time for a look, or for the rest of one.
    static func isDue(_ home: Home) -> Bool {
        guard let finished = load(home)?.finished else { return true }
        let age = SystemClock.wallMicroseconds() - finished
        // A time to come is a clock's fault.
        return age < 0 || age > period
    }

    /// What plain `doctor` says of it.
    var line: String {
        guard let finished else {
            return localized("data         a look at it was stopped; 'tresor doctor --data' goes on")
        }
        let day = Date(timeIntervalSince1970: Double(finished) / 1_000_000).formatted(.iso8601.year().month().day())
        let locked = shut == 0 ? "" : localized("; \(shut) were locked, and not looked at")
        guard !damage.isEmpty else {
            return localized("data         looked at on \(day): all could be read\(locked)")
        }
        return localized(
            "data         looked at on \(day): \(damage.count) damaged; 'tresor doctor --data' names them\(locked)")
    }
}
