import DesktopSession
import DiaryClient
import FoundationEssentials
import Linux
import NotesClient
import ResidentClient
import Secrets
import TerminalScreen
import Tresor
import Wire

/// What a look at all data has found so far; kept in a file, so that one that was stopped goes on where it was.
///
/// No title and no word of a user's stands in it.
struct DataCheckState: Codable, Equatable {
    /// What is looked at, in this order.
    enum Part: String, Codable, CaseIterable {
        case keychain, notes, diary
    }

    /// Microseconds since 1970, UTC.
    var begun: Int64
    /// Nil while there is something left to look at.
    var finished: Int64?
    var done: [Part] = []
    /// Where the part goes on that is not done.
    var item: UInt64 = 0
    var place: LookPlace?
    var records = 0
    var bytes: UInt64 = 0
    /// What was locked, and not looked at.
    var shut = 0
    var damage: [FoundDamage] = []

    private static let longest = 64 << 20

    static func path(_ home: Home) -> String { home.data + "/doctor.json" }

    /// Nil where there is none, or it cannot be read: then a look begins anew.
    static func load(_ home: Home) -> DataCheckState? {
        // Any program of the owner's can write one.
        guard let size = (try? FileSystem.status(path(home)))??.byteCount, size <= longest,
            let bytes = try? FileSystem.read(path(home))
        else { return nil }
        return try? JSONDecoder().decode(DataCheckState.self, from: Data(bytes))
    }

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
        guard let finished else { return "data         a look at it was stopped; 'tresor doctor --data' goes on" }
        let day = Date(timeIntervalSince1970: Double(finished) / 1_000_000).formatted(.iso8601.year().month().day())
        let locked = shut == 0 ? "" : "; \(shut) were locked, and not looked at"
        guard !damage.isEmpty else { return "data         looked at on \(day): all could be read\(locked)" }
        return
            "data         looked at on \(day): \(damage.count) damaged; 'tresor doctor --data' names them\(locked)"
    }
}

/// Has every program open everything it keeps, and throw it away.
struct DataCheck {
    /// The device was locked while nobody waited for the look: it goes on at another time.
    private struct Locked: Error {}

    /// How long others have the machine between two parts that nobody waits for, in milliseconds.
    private static let pause: UInt32 = 60

    private let home: Home
    private let json: Bool
    private let isScheduled: Bool
    private var state: DataCheckState
    private var bar = ProgressBar()
    /// What was found, without titles: what was half looked at when time was up is looked at again.
    private var known: Set<FoundDamage> = []
    /// How many records the part under way has, and how many of them were looked at.
    private var (total, count) = (0, 0)
    /// Whether it goes on where it was, when it is stopped.
    private var isKept = true
    private var taken: [FoundDamage] = []
    private var lastStored = SystemClock.bootMilliseconds()

    /// - Parameter isScheduled: whether nobody waits for it: then it goes slowly, and ends with a lock.
    init(_ home: Home, json: Bool, isScheduled: Bool = false) {
        self.home = home
        self.json = json
        self.isScheduled = isScheduled
        let former = DataCheckState.load(home).flatMap { $0.finished == nil ? $0 : nil }
        state = former ?? DataCheckState(begun: SystemClock.wallMicroseconds())
        known = Set(state.damage.map(\.untitled))
        if let former, !json, !isScheduled {
            Output.error("a look that was stopped goes on: \(former.records) records were looked at")
        }
    }

    /// Does it where it is due and the device is unlocked, and tells the desktop what is damaged.
    ///
    /// - Returns: whether something is.
    static func runScheduled(_ home: Home) async throws -> Bool {
        guard DataCheckState.isDue(home), (try? DaemonLink(home).lockState()) == .unlocked else { return false }
        var check = DataCheck(home, json: false, isScheduled: true)
        do { guard try await check.run() else { return false } } catch is Locked { return false }
        let count = check.state.damage.count
        let text =
            count == 1 ? "1 object that Tresor keeps is damaged" : "\(count) objects that Tresor keeps are damaged"
        if let bus = CurrentProcess.environment("DBUS_SESSION_BUS_ADDRESS") {
            // Where there is no desktop, 'status' and 'doctor' say it.
            try? DesktopNotification(title: text, text: "'tresor doctor --data' names them.").show(at: bus)
        }
        return true
    }

    /// - Returns: whether something is damaged.
    mutating func run() async throws -> Bool {
        for part in DataCheckState.Part.allCases where !state.done.contains(part) {
            try await look(at: part)
            state.done.append(part)
            try state.store(home)
        }
        bar.clear()
        state.finished = SystemClock.wallMicroseconds()
        try state.store(home)
        try removeFormer()
        try report()
        return !state.damage.isEmpty
    }

    /// Has everything looked at while an earlier copy lies beside, from which programs take what is damaged or lost.
    ///
    /// - Returns: what they took, and the parts of which something was locked, and so not looked at.
    mutating func take() async throws -> (taken: [FoundDamage], shut: [DataCheckState.Part]) {
        state = DataCheckState(begun: SystemClock.wallMicroseconds())
        isKept = false
        defer { bar.clear() }
        var shut: [DataCheckState.Part] = []
        for part in DataCheckState.Part.allCases {
            let before = state.shut
            try await look(at: part)
            if state.shut > before { shut.append(part) }
        }
        // What they have read of it was before.
        if try FileSystem.status(home.notesDatabase) != nil {
            _ = try? NotesConnection(home: home).ask(.stop)
        }
        if try FileSystem.status(home.diaryDatabase) != nil {
            _ = try? DiaryConnection(home: home).ask(.stop)
        }
        return (taken: taken, shut: shut)
    }

    private mutating func look(at part: DataCheckState.Part) async throws {
        (total, count) = (0, 0)
        switch part {
        case .keychain: try await lookAtItems()
        case .notes: try lookAtNotes()
        case .diary: try lookAtDiary()
        }
        (state.item, state.place) = (0, nil)
    }

    private mutating func lookAtItems() async throws {
        let keychain = try Keychain()
        repeat {
            let look = try await keychain.look(after: state.item)
            var damage = look.damaged.map { FoundDamage(kind: "item", id: Hexadecimal.encode($0.bytes), part: "item") }
            if look.hasLostPage { damage.append(FoundDamage(kind: "page", id: "", part: "of the keychain's database")) }
            taken += look.taken.map { FoundDamage(kind: "item", id: Hexadecimal.encode($0.bytes), part: "item") }
            total = Int(clamping: look.total)
            take(records: Int(look.rows), bytes: 0, shut: Int(look.shut), damage)
            state.item = look.next
            try keep()
        } while state.item != 0
    }

    private mutating func lookAtNotes() throws {
        guard try FileSystem.status(home.notesDatabase) != nil else { return }
        let connection = try NotesConnection(home: home)
        do {
            try look { place in
                guard case .look(let look) = try connection.ask(.look(place)).reply else {
                    throw NotesConnection.unexpected
                }
                return look
            }
        } catch let error as NotesError where error.code == .deviceLocked {
            state.shut += 1
        } catch let error as NotesError where error.code == .damaged {
            take(records: 0, bytes: 0, shut: 0, [FoundDamage(kind: "store", id: "", part: "of the notes")])
        }
    }

    private mutating func lookAtDiary() throws {
        guard try FileSystem.status(home.diaryDatabase) != nil else { return }
        let connection = try DiaryConnection(home: home)
        do {
            try look { place in
                guard case .look(let look) = try connection.ask(.look(place)).reply else {
                    throw DiaryConnection.unexpected
                }
                return look
            }
        } catch let error as DiaryError where [.deviceLocked, .signedOut].contains(error.code) {
            state.shut += 1
        } catch let error as DiaryError where error.code == .damaged {
            take(records: 0, bytes: 0, shut: 0, [FoundDamage(kind: "store", id: "", part: "of the diary")])
        } catch let error as DiaryError where error.code == .notRegistered { return }
    }

    private mutating func look(_ ask: (LookPlace?) throws -> DataLook) throws {
        repeat {
            let look = try ask(state.place)
            if let all = look.total { total = all }
            taken += look.taken ?? []
            take(records: look.records, bytes: look.bytes, shut: look.shut, look.damage)
            state.place = look.next
            try keep()
        } while state.place != nil
    }

    private mutating func take(records: Int, bytes: UInt64, shut: Int, _ damage: [FoundDamage]) {
        state.records += records
        state.bytes += bytes
        state.shut += shut
        count += records
        for found in damage where known.insert(found.untitled).inserted { state.damage.append(found) }
        bar.show(min(count, total), of: total)
    }

    private mutating func keep() throws {
        if isScheduled { SystemClock.sleep(milliseconds: Self.pause) }
        let now = SystemClock.bootMilliseconds()
        guard isKept, now - lastStored > 1000 else { return }
        lastStored = now
        try state.store(home)
        if isScheduled, (try? DaemonLink(home).lockState()) != .unlocked { throw Locked() }
    }

    /// What databases were before an update is of no use any more, and keeps what was deleted since.
    private func removeFormer() throws {
        guard state.damage.isEmpty else { return }
        for path in try RepairedStore.former(in: home) {
            // What was looked at before the update says nothing of what it left.
            guard let kept = try FileSystem.status(path)?.changed, kept <= state.begun / 1_000_000 else { continue }
            try FileSystem.remove(path)
        }
    }

    private func report() throws {
        if json { return try Output.json(state) }
        for found in taken { try Output.line("came back    \(found.words)") }
        for found in state.damage {
            try Output.line("damaged      \(found.words); \(Self.advice(found))")
        }
        let size = state.bytes == 0 ? "" : ", files of \(state.bytes >> 20) MiB"
        try Output.line("data         \(state.records) records\(size): \(state.damage.count) damaged")
        if state.shut > 0 { try Output.line("not seen     \(state.shut), locked") }
    }

    private static func advice(_ found: FoundDamage) -> String {
        switch (found.kind, found.part) {
        case ("item", _): "'tresor keychain delete --reference' removes it; add it anew from elsewhere"
        case ("page", _): "'tresor repair' saves all but what was on it, 'tresor repair --from' that too from a copy"
        case ("store", _):
            "stop the device; 'tresor repair' saves what can be read, and '--from' takes the rest from a copy"
        case ("note", "head"):
            "'tresor repair --from' takes it from a copy; 'tresor notes restore' makes it anew of a text"
        case ("entry", "head"):
            "'tresor repair --from' takes it from a copy; 'tresor diary restore' makes it anew of a text"
        default: "it is kept; take it from an export or a copy"
        }
    }
}

extension FoundDamage {
    /// As a person reads it.
    var words: String {
        let name = title.map { " \"\(SafeText.line($0))\"" } ?? ""
        return "\(SafeText.line(kind))\(id.isEmpty ? "" : " \(SafeText.line(id))")\(name): \(SafeText.line(part))"
    }

    /// Without what a user wrote.
    fileprivate var untitled: FoundDamage { FoundDamage(kind: kind, id: id, part: part) }
}
