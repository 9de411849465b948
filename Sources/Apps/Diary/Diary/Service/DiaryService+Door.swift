import DiaryClient
import Linux
import Resident
import ResidentClient
import Secrets
import Tresor
import Zones

// What is asked of the program and at the door.
extension DiaryService {
    /// - Returns: whether the request was one of these, and is answered.
    func answerAtDoor(_ request: DiaryPeer.Request, to peer: DiaryPeer) throws -> Bool {
        switch request.request {
        case .status: try peer.send(.status(try status()), id: request.id)
        case .subscribe:
            try admitWindow(peer)
            peer.isSubscribed = true
            // The one that was lost is back.
            if windowLost != nil { peer.wasInside = true }
            try peer.send(.done, id: request.id)
        case .follow:
            try admitWindow(peer)
            peer.isFollower = true
            try peer.send(.status(try openingStatus()), id: request.id)
        case .touch: try peer.send(.status(try status()), id: request.id)
        case .stop:
            stop()
            try peer.send(.done, id: request.id)
        case .lock:
            // Also where nothing is open: the end of the connection is what says that it is done.
            wantsToLock = true
            peer.hasAskedToLock = true
            try peer.send(.done, id: request.id)
        case .handedIn:
            peer.hasHandedIn = true
            try peer.send(.done, id: request.id)
        case .signIn:
            let wasOpen = journal != nil
            try signIn(request.secrets)
            peer.hasProven = true
            touch(by: peer)
            // Nothing is read for it: whoever came in wants to see the first page.
            try peer.send(.status(try openingStatus()), id: request.id)
            if !wasOpen { tell(.signedIn, except: peer) }
        case .register, .resetByRecoveryKey, .resetByPasscode, .renewRecoveryKey:
            try requireUnlockedDevice()
            var secrets = MessageSecrets(try admit(request))
            try peer.pipe.send(DiaryReply.done, id: request.id, secrets: secrets, body: .none)
            secrets = MessageSecrets()
        case .changePassword, .allowPasscode, .erase:
            try requireUnlockedDevice()
            try changeDoor(request)
            try peer.send(.done, id: request.id)
        default: return false
        }
        return true
    }

    private func requireUnlockedDevice() throws {
        guard deviceState == .unlocked else { throw DiaryError(.deviceLocked, "the device is locked") }
    }

    private func status() throws -> DiaryStatus {
        if let journal {
            return try journal.status(process: CurrentProcess.id, locksIn: locksIn, waitingPhotos: waitingPhotos)
        }
        return DiaryStatus(
            isRegistered: try door.isRegistered, isSignedIn: false, locksIn: nil, entries: try? countedEntries(),
            damaged: [], settings: DiarySettings(), process: CurrentProcess.id)
    }

    /// What is known right after a sign-in, without reading any entry.
    private func openingStatus() throws -> DiaryStatus {
        guard let journal else { return try status() }
        return DiaryStatus(
            isRegistered: true, isSignedIn: true, locksIn: locksIn,
            entries: try journal.store.count(ofType: RecordType.header), damaged: [], settings: journal.settings.shown,
            process: CurrentProcess.id)
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

    private func signIn(_ secrets: borrowing MessageSecrets) throws {
        try requireUnlockedDevice()
        // A further window: its password is looked at as any, and what is open stays as it is.
        guard journal == nil else {
            return try withAccount { account, check in
                try check(door.signIn(Self.first(secrets), to: account).accountKey)
            }
        }
        guard try door.isRegistered else {
            throw DiaryError(.notRegistered, "no password is registered for the diary yet")
        }
        let store = try existingStore()
        let account = try account(in: store)
        let opened = try door.signIn(Self.first(secrets), to: account)
        let zone = try store.openZone(
            scope: Door.scope, of: account, with: .accountKey(try opened.accountKey.copy()))
        for mended in store.mended { Log.note(mended) }
        let clocks = clocks
        journal = try Journal(store: store, zone: zone) { clocks.wall }
        hasQueuedPhotos = false
    }

    /// A store that was there and is not must not be replaced by an empty one.
    private func existingStore() throws -> ZoneStore {
        guard (try FileSystem.status(home.diaryDatabase)?.byteCount ?? 0) > 0 else {
            throw DiaryError(
                .damaged,
                """
                the diary's store is missing: restore '\(home.diaryDatabase)', or begin anew by 'password reset \
                --erase'
                """)
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
        guard try door.isRegistered else {
            throw DiaryError(.notRegistered, "no password is registered for the diary yet")
        }
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
    private func admit(_ request: DiaryPeer.Request) throws -> SecretBytes {
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

    private func changeDoor(_ request: DiaryPeer.Request) throws {
        switch request.request {
        case .changePassword:
            try withAccount { account, _ in
                try door.changePassword(
                    from: Self.first(request.secrets), to: Self.second(request.secrets), of: account)
            }
        case .allowPasscode(let isAllowed):
            try withAccount { account, _ in
                try door.allowPasscode(isAllowed, Self.first(request.secrets), of: account)
            }
        default:
            photos.forgetAll()
            journal?.close()
            // Whatever was open is gone with this image, when the answer is on its way.
            wantsToLock = journal != nil
            journal = nil
            try door.erase()
        }
    }

    private static func first(_ secrets: borrowing MessageSecrets) throws -> SecretBytes {
        switch secrets.first {
        case .some(let secret): return try secret.copy()
        case .none: throw DiaryError(.invalid, "the request lacks its secret")
        }
    }

    private static func second(_ secrets: borrowing MessageSecrets) throws -> SecretBytes {
        switch secrets.second {
        case .some(let secret): return try secret.copy()
        case .none: throw DiaryError(.invalid, "the request lacks the new password")
        }
    }
}
