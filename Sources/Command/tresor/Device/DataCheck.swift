import DesktopSession
import DiaryClient
import Linux
import Localization
import NotesClient
import ResidentClient
import Secrets
import Synchronization
import TerminalScreen
import Tresor
import Wire

/// Has every program open everything it keeps, and throw it away.
final class DataCheck: Sendable {
    /// The device was locked while nobody waited for the look: it goes on at another time.
    private struct Locked: Error {}

    private typealias Part = DataCheckState.Part

    /// How far it is.
    private struct Progress {
        var state: DataCheckState
        var bar = ProgressBar()
        /// What was found, without titles: what was half looked at when time was up is looked at again.
        var known: Set<FoundDamage>
        /// How many records each part has, how many of them were looked at, and how many were locked.
        var (totals, counts, shut): ([Part: Int], [Part: Int], [Part: Int]) = ([:], [:], [:])
        var taken: [FoundDamage] = []
        var unopened: Set<Part> = []
        var lastStored = SystemClock.bootMilliseconds()

        init(_ state: DataCheckState) {
            self.state = state
            known = Set(state.damage.map(\.untitled))
        }
    }

    /// How long others have the machine between two parts that nobody waits for, in milliseconds.
    private static let pause: UInt32 = 60

    private let home: Home
    private let json: Bool
    private let isScheduled: Bool
    /// Whether it takes what is damaged or lost from an earlier copy; then it does not go on where it was.
    private let takes: Bool
    private let progress: Mutex<Progress>

    /// - Parameters:
    ///   - isScheduled: whether nobody waits for it: then it goes slowly, and ends with a lock.
    ///   - takes: whether an earlier copy lies beside, from which programs take what is damaged or lost.
    init(_ home: Home, json: Bool, isScheduled: Bool = false, takes: Bool = false) {
        self.home = home
        self.json = json
        self.isScheduled = isScheduled
        self.takes = takes
        let former = takes ? nil : DataCheckState.load(home).flatMap { $0.finished == nil ? $0 : nil }
        progress = Mutex(Progress(former ?? DataCheckState(begun: SystemClock.wallMicroseconds())))
        if let former, !json, !isScheduled {
            Output.remark(localized("a look that was stopped goes on: \(former.records) records were looked at"))
        }
    }

    private var state: DataCheckState { progress.withLock(\.state) }

    /// Does it where it is due and the device is unlocked, and tells the desktop what is damaged.
    ///
    /// - Returns: whether something is.
    static func runScheduled(_ home: Home) async throws -> Bool {
        guard DataCheckState.isDue(home), (try? DaemonLink(home).lockState()) == .unlocked else { return false }
        let check = DataCheck(home, json: false, isScheduled: true)
        do { guard try await check.run() else { return false } } catch is Locked { return false }
        let count = check.state.damage.count
        let text = localized(
            count, one: "1 object that Tresor keeps is damaged", many: "\(count) objects that Tresor keeps are damaged")
        if let bus = CurrentProcess.environment("DBUS_SESSION_BUS_ADDRESS") {
            // Where there is no desktop, 'status' and 'doctor' say it.
            try? DesktopNotification(title: text, text: localized("'tresor doctor --data' names them.")).show(at: bus)
        }
        return true
    }

    /// - Returns: whether something is damaged.
    func run() async throws -> Bool {
        let left = state
        try await look(at: Part.allCases.filter { !left.done.contains($0) })
        let state = progress.withLock { progress in
            progress.bar.clear()
            progress.state.finished = SystemClock.wallMicroseconds()
            // As they were found they would stand in another order each time.
            progress.state.damage.sort { ($0.kind, $0.id, $0.part) < ($1.kind, $1.id, $1.part) }
            return progress.state
        }
        try state.store(home)
        try removeFormer(state)
        try await report(state, json ? setup() : nil)
        return !state.damage.isEmpty
    }

    /// Has everything looked at, and taken from the earlier copy what is damaged or lost.
    ///
    /// - Returns: what was taken, and the parts of which something was not looked at: it was locked, or did not open.
    func take() async throws -> (taken: [FoundDamage], shut: [DataCheckState.Part]) {
        defer { progress.withLock { $0.bar.clear() } }
        try await look(at: Part.allCases)
        // What they have read of it was before. Who is asked while one ends hears nothing.
        if try FileSystem.status(home.notesDatabase) != nil, let notes = try? NotesConnection(home: home) {
            if (try? notes.ask(.stop)) != nil { notes.waitForEnd() }
        }
        if try FileSystem.status(home.diaryDatabase) != nil, let diary = try? DiaryConnection(home: home) {
            if (try? diary.ask(.stop)) != nil { diary.waitForEnd() }
        }
        return progress.withLock { progress in
            (
                taken: progress.taken,
                shut: Part.allCases.filter { progress.shut[$0, default: 0] > 0 || progress.unopened.contains($0) }
            )
        }
    }

    /// Looks at parts, each by its own program: together they are read in the time of the longest.
    private func look(at parts: [Part]) async throws {
        // What is taken first may be the item by which the next part opens.
        guard !isScheduled, !takes else {
            for part in parts { try await look(at: part) }
            return
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in parts { group.addTask { try await self.look(at: part) } }
            // One that fails has the others stop.
            for try await _ in group {}
        }
    }

    private func look(at part: Part) async throws {
        switch part {
        case .keychain: try await lookAtItems()
        case .notes: try await OwnThread().run { try self.lookAtNotes() }
        case .diary: try await OwnThread().run { try self.lookAtDiary() }
        }
        try progress.withLock { progress in
            progress.state.done.append(part)
            guard !takes else { return }
            try progress.state.store(home)
        }
    }

    private func lookAtItems() async throws {
        let keychain = try Keychain()
        var item = state.item
        repeat {
            let look = try await keychain.look(after: item)
            let named = { (reference: PersistentReference) in
                FoundDamage(kind: "item", id: Hexadecimal.encode(reference.bytes), part: "item")
            }
            var found = DataLook()
            (found.records, found.shut, found.total) = (Int(look.rows), Int(look.shut), Int(clamping: look.total))
            let guarded = Int(look.guarded)
            (found.damage, found.taken) = (look.damaged.map(named), look.taken.map(named))
            if look.hasLostPage {
                found.damage.append(FoundDamage(kind: "page", id: "", part: "of the keychain's database"))
            }
            item = look.next
            try take(found, in: .keychain) { state in
                state.item = look.next
                state.guarded = (state.guarded ?? 0) + guarded
            }
        } while item != 0
    }

    private func lookAtNotes() throws {
        guard try FileSystem.status(home.notesDatabase) != nil else {
            return try nameGone(home.notesMark, "of the notes", .notes)
        }
        let connection = try NotesConnection(home: home)
        do {
            try look(in: .notes, \.place) { place in
                guard case .look(let look) = try connection.ask(.look(place)).reply else {
                    throw NotesConnection.unexpected
                }
                return look
            }
        } catch let error as NotesError where error.code == .deviceLocked {
            passOver(.notes)
        } catch let error as NotesError where error.code == .damaged {
            nameStore(FoundDamage(kind: "store", id: "", part: "of the notes"), .notes)
        }
    }

    private func lookAtDiary() throws {
        guard try FileSystem.status(home.diaryDatabase) != nil else {
            return try nameGone(home.diaryMark, "of the diary", .diary)
        }
        let connection = try DiaryConnection(home: home)
        do {
            try look(in: .diary, \.diaryPlace) { place in
                guard case .look(let look) = try connection.ask(.look(place)).reply else {
                    throw DiaryConnection.unexpected
                }
                return look
            }
        } catch let error as DiaryError where [.deviceLocked, .signedOut].contains(error.code) {
            passOver(.diary)
        } catch let error as DiaryError where error.code == .damaged {
            nameStore(FoundDamage(kind: "store", id: "", part: "of the diary"), .diary)
        } catch let error as DiaryError where error.code == .notRegistered {
            // A registration that was cut left it, or its mark is gone: it was not looked at.
            passOver(.diary)
        }
    }

    /// A store that was made and is not there is lost; one that was never made is not.
    private func nameGone(_ mark: String, _ words: String, _ part: Part) throws {
        guard try FileSystem.status(mark) != nil else { return }
        nameStore(FoundDamage(kind: "store", id: "", part: words), part)
    }

    private func look(
        in part: Part, _ place: WritableKeyPath<DataCheckState, LookPlace?>, _ ask: (LookPlace?) throws -> DataLook
    ) throws {
        var next = state[keyPath: place]
        repeat {
            let look = try ask(next)
            next = look.next
            try take(look, in: part) { $0[keyPath: place] = look.next }
        } while next != nil
    }

    /// Takes down what one answer says, and where its part goes on.
    private func take(_ look: DataLook, in part: Part, _ goOn: (inout DataCheckState) -> Void) throws {
        progress.withLock { progress in
            progress.state.records += look.records
            progress.state.bytes += look.bytes
            progress.state.shut += look.shut
            progress.shut[part, default: 0] += look.shut
            if look.shut > 0 { progress.state.note(shut: part) }
            progress.counts[part, default: 0] += look.records
            if let total = look.total { progress.totals[part] = total }
            progress.taken += look.taken ?? []
            for found in look.damage { Self.add(found, to: &progress) }
            let (count, total) = (progress.counts.values.reduce(0, +), progress.totals.values.reduce(0, +))
            progress.bar.show(min(count, total), of: total)
            goOn(&progress.state)
        }
        try keep()
        // Another part has failed.
        try Task.checkCancellation()
    }

    private static func add(_ found: FoundDamage, to progress: inout Progress) {
        if progress.known.insert(found.untitled).inserted { progress.state.damage.append(found) }
    }

    /// A store does not open: nothing was taken for it, either.
    private func nameStore(_ found: FoundDamage, _ part: Part) {
        progress.withLock { progress in
            Self.add(found, to: &progress)
            progress.unopened.insert(part)
        }
    }

    /// The whole part is locked.
    private func passOver(_ part: Part) {
        progress.withLock { progress in
            progress.state.shut += 1
            progress.state.note(shut: part)
            progress.shut[part, default: 0] += 1
        }
    }

    private func keep() throws {
        if isScheduled { SystemClock.sleep(milliseconds: Self.pause) }
        guard !takes else { return }
        let isTime = try progress.withLock { progress in
            let now = SystemClock.bootMilliseconds()
            guard now - progress.lastStored > 1000 else { return false }
            progress.lastStored = now
            try progress.state.store(home)
            return true
        }
        if isTime, isScheduled, (try? DaemonLink(home).lockState()) != .unlocked { throw Locked() }
    }

    /// What a database was before an update is of no use once all of it was opened, and keeps what was deleted since.
    private func removeFormer(_ state: DataCheckState) throws {
        guard state.damage.isEmpty else { return }
        for store in RepairedStore.all {
            guard let part = Part(rawValue: store.name), state.hasSeen(part) else { continue }
            for path in try store.former(in: home) {
                // What was looked at before the update says nothing of what it left.
                guard let kept = try FileSystem.status(path)?.changed, kept <= state.begun / 1_000_000 else { continue }
                try FileSystem.remove(path)
            }
        }
    }

    private func setup() async -> SetupState {
        let status = try? await Keychain().status()
        return SetupState.current(home, isPasscodeSet: status?.hasPasscode)
    }

    /// - Parameter setup: nil for words instead of JSON.
    private func report(_ state: DataCheckState, _ setup: SetupState?) throws {
        if let setup { return try Output.json(DataCheckDocument(state: state, setup: setup)) }
        for found in progress.withLock(\.taken) { try Output.words(localized("came back    \(found.words)")) }
        for found in state.damage {
            try Output.words(localized("damaged      \(found.words); \(found.advice)"))
        }
        try Output.words(
            state.bytes == 0
                ? localized("data         \(state.records) records: \(state.damage.count) damaged")
                : localized(
                    """
                    data         \(state.records) records, files of \(state.bytes >> 20) MiB: \
                    \(state.damage.count) damaged
                    """))
        if state.shut > 0 { try Output.words(localized("not seen     \(state.shut), locked")) }
        if let guarded = state.guarded, guarded > 0 {
            try Output.words(
                localized("not opened   the secrets of \(guarded) items, which demand you or a password of their own"))
        }
        for store in RepairedStore.all {
            let isSeen = Part(rawValue: store.name).map(state.hasSeen) == true
            let reason =
                !state.damage.isEmpty
                ? localized("something is damaged")
                : isSeen ? localized("this look began before it") : localized("not all of that store was opened")
            for path in try store.former(in: home) {
                try Output.words(localized("kept         \(path), from before an update: \(reason)"))
            }
        }
    }
}

/// A thread for what blocks: the few of Swift's pool are for what does not.
private actor OwnThread {
    private let thread: DedicatedThread

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    init() throws { thread = try DedicatedThread() }

    func run(_ work: @Sendable () throws -> Void) throws { try work() }
}
