import DiaryClient
import Envelopes
import KeyEnvelopes
import Linux
import Localization
import Protection
import Resident
import Secrets
import Tresor
import Wire
import Zones

/// The diary's password: registered once, asked for at every start, changed, and replaced by who has a way back in.
///
/// The keychain holds a salted, memory-hard hash of it, and beside that the diary's account key, sealed under a key
/// that follows from the same stretching; see specs/diary.md. So who reads the keychain has neither.
package final class Door {
    /// What stands in the keychain, by the account of each item.
    enum Account {
        static let password = "password"
        static let recoveryKey = "recovery key"
        static let passcode = "device passcode"
        static let tries = "wrong passwords"
    }

    static let service = "tresor.diary"
    static let scope = "diary"

    let items = DoorItems(service: Door.service)
    let daemon: DaemonLink
    let home: Home
    let clocks: ResidentClocks
    /// How long to wait, as the daemon said it last, and when that was by the clock here, which only tells people.
    private var told: (wait: Duration, at: UInt64)?

    init(home: Home, daemon: DaemonLink, clocks: ResidentClocks) {
        self.home = home
        self.daemon = daemon
        self.clocks = clocks
    }

    /// What somebody who came in may open the diary with.
    package struct Opened: ~Copyable {
        let account: ZoneAccount
        let accountKey: SecretBytes
    }

    /// Whether a password was registered, as recorded after the keychain had it.
    package var isRegistered: Bool {
        get throws { try FileSystem.status(home.diaryMark) != nil }
    }

    // MARK: Coming in

    /// Registers a password, and makes an empty diary.
    ///
    /// Nobody is signed in by it. The mark is made last: a crash before it leaves nothing that was registered.
    ///
    /// - Parameters:
    ///   - hasEntries: whether there is a store with entries in it, which then has lost its mark and is not touched.
    ///   - store: makes the store.
    /// - Returns: the recovery key, as text for the owner.
    /// - Throws: `DiaryError` with code `alreadyRegistered`; `damaged` where there are entries.
    func register(
        _ password: borrowing SecretBytes, allowsPasscode: Bool, hasEntries: () throws -> Bool,
        store: () throws -> ZoneStore
    ) throws -> SecretBytes {
        guard try !isRegistered else {
            throw DiaryError(
                .alreadyRegistered, marked("a password is registered already; 'password change' changes it"))
        }
        guard try !hasEntries() else {
            throw DiaryError(
                .damaged,
                marked(
                    """
                    there is a diary with entries, and the mark of its registration is missing: make the empty file \
                    '\(home.diaryMark)' again, and sign in; 'password reset --erase' removes the diary
                    """))
        }
        // What a registration that was cut short has left, which nobody was ever signed in to.
        try removeItems()
        try removeFiles()
        let new = try NewAccount.make()
        let recovery = try keep(new.accountKey, of: new.account, password: password)
        if allowsPasscode { try keepForPasscode(new.accountKey, of: new.account) }
        try resetTries()
        let store = try store()
        try store.add(new, scope: Self.scope, zoneClass: .whenUnlocked, time: UInt64(clamping: clocks.wall))
        store.close()
        try FileSystem.replace(home.diaryMark, with: [])
        return recovery
    }

    /// Signs in.
    ///
    /// - Throws: `DiaryError`: `wrongPassword` with what is left to wait, `notRegistered`, `damaged`, `deviceLocked`.
    func signIn(_ password: borrowing SecretBytes, to account: ZoneAccount) throws -> Opened {
        try requireRegistration()
        try countTry()
        guard let stored = try items.read(account: Account.password) else { throw Self.lost }
        guard let hash = PasswordHash(String(decoding: stored.value, as: UTF8.self)) else {
            throw DiaryError(
                .damaged, marked("the password's hash in the keychain cannot be read; nothing was changed"))
        }
        guard let key = try hash.open(password) else { throw try recordFailure(.wrongPassword) }
        recordSuccess()
        let accountKey: SecretBytes
        do {
            accountKey = try AccountKeyEnvelope.open(stored.generic, under: key, of: account.id, by: .password)
        } catch EnvelopeError.memory { throw EnvelopeError.memory } catch { throw Self.mixed }
        if hash.needsUpgrade {
            do { try storeSealed(PasswordHash.makeWithKey(for: password), accountKey, of: account) } catch {
                Log.error("the password's hash could not be renewed", error)
            }
        }
        return Opened(account: account, accountKey: accountKey)
    }

    /// Makes a new recovery key for who knows the password; the old one opens nothing any more.
    func renewRecoveryKey(_ password: borrowing SecretBytes, of account: ZoneAccount) throws -> SecretBytes {
        let opened = try signIn(password, to: account)
        return try storeRecoveryKey(for: opened.accountKey, of: account)
    }

    /// Puts another password in place of this one; the recovery key stays.
    func changePassword(
        from current: borrowing SecretBytes, to new: borrowing SecretBytes, of account: ZoneAccount
    ) throws {
        let opened = try signIn(current, to: account)
        try storeSealed(PasswordHash.makeWithKey(for: new), opened.accountKey, of: account)
    }

    /// Makes the device's passcode a way back in, or no longer.
    func allowPasscode(_ isAllowed: Bool, _ password: borrowing SecretBytes, of account: ZoneAccount) throws {
        let opened = try signIn(password, to: account)
        if isAllowed {
            try keepForPasscode(opened.accountKey, of: account)
        } else {
            try items.remove(account: Account.passcode)
        }
    }

    // MARK: Ways back in

    /// Sets a new password by the recovery key.
    ///
    /// - Parameter check: throws where a key is not that of the diary; nothing is replaced then.
    /// - Returns: a new recovery key; the old one opens nothing any more.
    func reset(
        byRecoveryKey typed: borrowing SecretBytes, to new: borrowing SecretBytes, of account: ZoneAccount,
        check: (borrowing SecretBytes) throws -> Void
    ) throws -> SecretBytes {
        try requireRegistration()
        guard let key = try RecoveryKey.parse(typed) else {
            throw DiaryError(.wrongRecoveryKey, marked("this is no recovery key; look at each digit again"))
        }
        try countTry()
        guard let stored = try items.read(account: Account.recoveryKey) else { throw Self.lost }
        let accountKey: SecretBytes
        do {
            accountKey = try AccountKeyEnvelope.open(stored.generic, under: key, of: account.id, by: .recoveryKey)
        } catch EnvelopeError.memory { throw EnvelopeError.memory } catch {
            throw try recordFailure(.wrongRecoveryKey)
        }
        try check(accountKey)
        recordSuccess()
        return try keep(accountKey, of: account, password: new)
    }

    /// Sets a new password by the device's passcode, where its owner has opened that way.
    ///
    /// - Parameter check: as above.
    /// - Returns: a new recovery key.
    func reset(
        byPasscode passcode: borrowing SecretBytes, to new: borrowing SecretBytes, of account: ZoneAccount,
        check: (borrowing SecretBytes) throws -> Void
    ) throws -> SecretBytes {
        try requireRegistration()
        let accountKey: SecretBytes
        do {
            accountKey = try daemon.readPassword(
                service: Self.service, account: Account.passcode, passcode: passcode)
        } catch let error as TresorError where error.code == .notFound {
            throw DiaryError(.refused, marked("the device's passcode is no way back in: it was not allowed to be one"))
        }
        try check(accountKey)
        return try keep(accountKey, of: account, password: new)
    }

    /// Removes the diary: its files first, which makes room on a full disk, and the mark last, so that an erasure that
    /// was cut short is begun again.
    func erase() throws {
        try removeFiles()
        try removeItems()
        try FileSystem.remove(home.diaryMark)
        try daemon.endTry(TryName.diary, isRight: true)
        told = nil
    }

    private func removeItems() throws {
        // The one that opens by itself first.
        for account in [Account.passcode, Account.recoveryKey, Account.password, Account.tries] {
            try items.remove(account: account)
        }
    }

    private func removeFiles() throws {
        // With its logs, and with the copies of before an update.
        let database = home.diaryDatabase.dropFirst(home.diaryFolder.count + 1)
        for name in try FileSystem.names(in: home.diaryFolder) where name.hasPrefix(database) {
            try FileSystem.remove(home.diaryFolder + "/" + name)
        }
        for folder in ["spare", "from", "assets"] {
            try FileSystem.removeTree(home.diaryFolder + "/" + folder)
        }
    }

    // MARK: What is kept

    /// Stores a password, then a fresh recovery key for an account key.
    ///
    /// In this order: whoever came by the recovery key has the old one until the new password is in force.
    private func keep(
        _ accountKey: borrowing SecretBytes, of account: ZoneAccount, password: borrowing SecretBytes
    ) throws -> SecretBytes {
        try storeSealed(PasswordHash.makeWithKey(for: password), accountKey, of: account)
        return try storeRecoveryKey(for: accountKey, of: account)
    }

    private func storeRecoveryKey(for accountKey: borrowing SecretBytes, of account: ZoneAccount) throws -> SecretBytes
    {
        let recovery = try RecoveryKey.makeRandom()
        let sealed = try AccountKeyEnvelope.seal(accountKey, under: recovery, of: account.id, by: .recoveryKey)
        let text = try RecoveryKey.text(recovery)
        // The value of an item is never empty; the account's name says for whom the key is.
        try items.store(
            Array(account.id.description.utf8), generic: sealed, account: Account.recoveryKey,
            label: "Diary: the key that its recovery key opens")
        return text
    }

    private func storeSealed(
        _ keyed: borrowing KeyedPasswordHash, _ accountKey: borrowing SecretBytes, of account: ZoneAccount
    ) throws {
        let sealed = try AccountKeyEnvelope.seal(accountKey, under: keyed.key, of: account.id, by: .password)
        try items.store(
            Array(keyed.hash.description.utf8), generic: sealed, account: Account.password,
            label: "Diary: the password's hash")
    }

    /// Behind the device's passcode, which the enclave asks for: an item with access control.
    ///
    /// One that is there already holds the same: the account key never changes, and a registration removes what
    /// another diary has left.
    private func keepForPasscode(_ accountKey: borrowing SecretBytes, of account: ZoneAccount) throws {
        var attributes = ItemAttributes()
        attributes.service = Self.service
        attributes.account = Account.passcode
        attributes.label = "Diary: the key that the device's passcode opens"
        attributes.protectionClass = .whenUnlocked
        attributes.accessControl = .devicePasscode
        do { try daemon.addPassword(attributes, secret: accountKey) } catch let error as TresorError
            where error.code == .duplicate
        {
            return
        } catch let error as TresorError
            where error.code == .notPermitted || error.code == .authenticationFailed
        {
            throw DiaryError(.refused, marked("the device has no passcode that could be a way back in"))
        }
    }

    private func requireRegistration() throws {
        guard try isRegistered else {
            throw DiaryError(.notRegistered, marked("no password is registered for the diary yet"))
        }
    }

    private static let mixed = DiaryError(
        .damaged,
        marked(
            """
            the password is right, and opens another diary than the one that lies here: store and keychain do not \
            belong together; nothing was changed
            """))

    private static let lost = DiaryError(
        .damaged,
        marked(
            """
            the diary's keys are gone from the keychain: the device's passcode was reset, or the keychain is another \
            one; nothing was deleted; 'password reset --erase' begins a new diary
            """))
}

// Tries are counted before they are checked, so that a crash leaves them counted. `tresord` counts them, by its clock:
// the one here is as whoever started this program wants it (time_namespaces(7)). The item is for the daemon's restart.
extension Door {
    /// Seconds until the next may be tried, from what is known in this process.
    package var retryAfter: Int? {
        guard let told else { return nil }
        let passed = clocks.boot - min(told.at, clocks.boot)
        let left = told.wait - .milliseconds(passed)
        return left > .zero ? Self.seconds(left) : nil
    }

    /// Rounded up.
    private static func seconds(_ wait: Duration) -> Int {
        let (seconds, rest) = wait.components
        return Int(seconds) + (rest > 0 ? 1 : 0)
    }

    private func countTry() throws {
        let known = try storedFailures()
        // What a full disk forbids counts for nobody.
        try storeTries(known)
        let report = try daemon.countTry(TryName.diary, known: known)
        told = (wait: report.wait, at: clocks.boot)
        guard report.wait == .zero else {
            throw DiaryError(
                .wrongPassword, marked("too many wrong passwords: wait before the next"),
                retryAfter: Self.seconds(report.wait))
        }
        try storeTries(report.failures)
    }

    /// 0.1 wrote two more words, the machine's start and its clock, which nobody believes any more.
    private func storedFailures() throws -> UInt32 {
        let stored = try items.read(account: Account.tries).map { String(decoding: $0.value, as: UTF8.self) } ?? ""
        return stored.split(separator: " ").first.flatMap { UInt32($0) } ?? 0
    }

    private func recordFailure(_ code: DiaryError.Code) throws -> DiaryError {
        let report = try daemon.endTry(TryName.diary, isRight: false)
        told = (wait: report.wait, at: clocks.boot)
        return DiaryError(
            code, code == .wrongPassword ? marked("the password is wrong") : marked("this is not the recovery key"),
            retryAfter: retryAfter)
    }

    /// A right password is not refused because that could not be written down.
    private func recordSuccess() {
        told = nil
        do {
            try daemon.endTry(TryName.diary, isRight: true)
            try storeTries(0)
        } catch { Log.error("the count of tries could not be set back", error) }
    }

    private func resetTries() throws {
        told = nil
        try storeTries(0)
        try daemon.endTry(TryName.diary, isRight: true)
    }

    private func storeTries(_ count: UInt32) throws {
        try items.store(Array("\(count)".utf8), account: Account.tries, label: "Diary: wrong passwords in a row")
    }
}
