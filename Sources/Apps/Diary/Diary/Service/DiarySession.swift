import DiaryClient
import Linux
import Localization
import Protection
import Resident
import ResidentClient
import Secrets
import Tresor
import Wire
import Zones

/// The diary behind its door, and, while somebody is signed in, its journal.
final class DiarySession {
    private let home: Home
    private let clocks: ResidentClocks
    private let door: Door
    private(set) var deviceState: LockState
    /// Nil where nobody is signed in.
    private(set) var journal: Journal?

    init(home: Home, daemon: DaemonLink, clocks: ResidentClocks, deviceState: LockState) {
        self.home = home
        self.clocks = clocks
        self.deviceState = deviceState
        door = Door(home: home, daemon: daemon, clocks: clocks)
    }

    func take(_ state: LockState) { deviceState = state }

    /// Minutes after which the journal locks by itself, as its owner chose; nil where it is shut.
    var lockMinutes: UInt16? { journal?.settings.current.lockMinutes }

    /// The journal, for who may have something of it.
    ///
    /// - Parameter isEnding: whether editors are handing in: what they have is taken while the keys are still here.
    func openJournal(isEnding: Bool) throws -> Journal {
        guard deviceState == .unlocked || isEnding else {
            throw DiaryError(.deviceLocked, marked("the device is locked"))
        }
        guard let journal else {
            try requireRegistration()
            throw DiaryError.signedOut
        }
        return journal
    }

    /// Wipes the journal's keys; what was read of it goes with the process.
    func close() {
        journal?.close()
        journal = nil
    }

    /// Removes the diary, also where it is open.
    func erase() throws {
        close()
        try door.erase()
    }

    // MARK: What is known

    func status(locksIn: Int?, waitingPhotos: Int) throws -> DiaryStatus {
        if let journal {
            return try journal.status(process: CurrentProcess.id, locksIn: locksIn, waitingPhotos: waitingPhotos)
        }
        return try shutStatus()
    }

    /// What is known right after a sign-in, without reading any entry.
    func openingStatus(locksIn: Int?) throws -> DiaryStatus {
        guard let journal else { return try shutStatus() }
        return DiaryStatus(
            isRegistered: true, isSignedIn: true, locksIn: locksIn,
            entries: try journal.store.count(ofType: RecordType.header), damaged: [], settings: journal.settings.shown,
            process: CurrentProcess.id)
    }

    private func shutStatus() throws -> DiaryStatus {
        DiaryStatus(
            isRegistered: try door.isRegistered, isSignedIn: false, locksIn: nil, entries: try? countedEntries(),
            damaged: [], settings: DiarySettings(), process: CurrentProcess.id)
    }

    /// How many records of entries there are: that stands in clear, as specs/zone-store.md says.
    private func countedEntries() throws -> Int {
        guard (try FileSystem.status(home.diaryDatabase)?.byteCount ?? 0) > 0 else { return 0 }
        let store = try openStore()
        defer { store.close() }
        return try store.count(ofType: RecordType.header)
    }

    private func openStore() throws -> ZoneStore {
        try FileSystem.makeDirectories(home.diaryFolder)
        return try ZoneStore(
            folder: home.diaryFolder, file: "diary.sqlite", keystones: RecordType.keystones, tell: Log.note)
    }

    /// Opens the journal; where it is open already, the password is looked at as any, and what is open stays as it is.
    func signIn(_ secrets: borrowing MessageSecrets) throws {
        try requireUnlockedDevice()
        // A further window.
        guard journal == nil else {
            return try withAccount { account, check in
                try check(door.signIn(Self.first(secrets), to: account).accountKey)
            }
        }
        try requireRegistration()
        let store = try existingStore()
        let account = try account(in: store)
        let opened = try door.signIn(Self.first(secrets), to: account)
        let zone = try store.openZone(
            scope: Door.scope, of: account, with: .accountKey(try opened.accountKey.copy()))
        for mended in store.mended { Log.note(mended) }
        let clocks = clocks
        journal = try Journal(store: store, zone: zone) { clocks.wall }
    }

    /// A store that was there and is not must not be replaced by an empty one.
    private func existingStore() throws -> ZoneStore {
        guard (try FileSystem.status(home.diaryDatabase)?.byteCount ?? 0) > 0 else {
            throw DiaryError(
                .damaged,
                marked(
                    """
                    the diary's store is missing: restore '\(home.diaryDatabase)', or begin anew by 'password reset \
                    --erase'
                    """))
        }
        return try openStore()
    }

    /// What a look can see without a password: a store that opens for nobody any more, and lost pages.
    ///
    /// - Throws: `ZoneError.damagedStore`.
    func lookFromOutside() throws {
        guard deviceState == .unlocked, try door.isRegistered else { return }
        let store = try existingStore()
        defer { store.close() }
        _ = try account(in: store)
        try store.checkPages()
    }

    private func account(in store: ZoneStore) throws -> ZoneAccount {
        guard let account = try store.accounts().first else { throw ZoneError.damagedStore }
        return account
    }

    /// Runs what needs the account, whether somebody is signed in or not.
    ///
    /// - Parameter body: gets the account, and what throws where a key does not open its zone.
    private func withAccount<Result: ~Copyable>(
        _ body: (ZoneAccount, (borrowing SecretBytes) throws -> Void) throws -> Result
    ) throws -> Result {
        if let journal { return try run(body, on: journal.store) }
        try requireRegistration()
        let store = try existingStore()
        defer { store.close() }
        return try run(body, on: store)
    }

    private func run<Result: ~Copyable>(
        _ body: (ZoneAccount, (borrowing SecretBytes) throws -> Void) throws -> Result, on store: ZoneStore
    ) throws -> Result {
        let account = try account(in: store)
        return try body(account) { key in
            _ = try store.openZone(scope: Door.scope, of: account, with: .accountKey(try key.copy()))
        }
    }

    /// Registers, or lets in who has a way back.
    ///
    /// - Returns: the recovery key, as text.
    func admit(_ request: DiaryPeer.Request) throws -> SecretBytes {
        try requireUnlockedDevice()
        switch request.request {
        case .register(let allowsPasscode):
            return try door.register(Self.first(request.secrets), allowsPasscode: allowsPasscode) {
                try countedEntries() > 0
            } store: {
                try openStore()
            }
        case .renewRecoveryKey:
            return try withAccount { account, _ in
                try door.renewRecoveryKey(Self.first(request.secrets), of: account)
            }
        case .resetByRecoveryKey:
            return try withAccount { account, check in
                try door.reset(
                    byRecoveryKey: Self.first(request.secrets), to: Self.second(request.secrets), of: account,
                    check: check)
            }
        default:
            return try withAccount { account, check in
                try door.reset(
                    byPasscode: Self.first(request.secrets), to: Self.second(request.secrets), of: account,
                    check: check)
            }
        }
    }

    func changePassword(_ secrets: borrowing MessageSecrets) throws {
        try requireUnlockedDevice()
        try withAccount { account, _ in
            try door.changePassword(from: Self.first(secrets), to: Self.second(secrets), of: account)
        }
    }

    func allowPasscode(_ isAllowed: Bool, _ secrets: borrowing MessageSecrets) throws {
        try requireUnlockedDevice()
        try withAccount { account, _ in try door.allowPasscode(isAllowed, Self.first(secrets), of: account) }
    }

    func requireUnlockedDevice() throws {
        guard deviceState == .unlocked else { throw DiaryError(.deviceLocked, marked("the device is locked")) }
    }

    private func requireRegistration() throws {
        guard try door.isRegistered else {
            throw DiaryError(.notRegistered, marked("no password is registered for the diary yet"))
        }
    }

    private static func first(_ secrets: borrowing MessageSecrets) throws -> SecretBytes {
        switch secrets.first {
        case .some(let secret): return try secret.copy()
        case .none: throw DiaryError(.invalid, marked("the request lacks its secret"))
        }
    }

    private static func second(_ secrets: borrowing MessageSecrets) throws -> SecretBytes {
        switch secrets.second {
        case .some(let secret): return try secret.copy()
        case .none: throw DiaryError(.invalid, marked("the request lacks the new password"))
        }
    }
}
