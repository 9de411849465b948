import Envelopes
import FoundationEssentials
import ImageSandbox
import KeyEnvelopes
import Linux
import Localization
import NotesClient
import Resident
import Secrets
import Tresor
import Wire
import Zones

/// Opens the local account's notebook, or makes it at its first use: keys to the keychain, a signed first entry to the
/// store.
struct NotebookOpener {
    static let scope = "notes"
    private static let service = "tresor.account"
    private static let backgroundService = "tresor.account.background"

    let home: Home
    let daemon: DaemonLink
    let clocks: ResidentClocks

    /// - Throws: `NotesError`: `deviceLocked`, `damaged` where the store, or the key to it, is not there any more.
    func open() throws -> Notebook {
        let wasMade = try FileSystem.status(home.notesMark) != nil
        let hasFile = (try FileSystem.status(home.notesDatabase)?.byteCount ?? 0) > 0
        guard hasFile || !wasMade else { throw lostStore }
        let store = try ZoneStore(
            folder: home.notesFolder, file: "notes.sqlite", keystones: RecordType.keystones, tell: Log.note)
        let known = try store.accounts().first
        guard known != nil || !wasMade else { throw lostStore }
        let account = try known ?? makeAccount(store)
        // From now on a store that is missing is missed; a crash may have come between the two.
        if !wasMade { try FileSystem.replace(home.notesMark, with: []) }
        let zone = try store.openZone(scope: Self.scope, of: account, with: try opener(of: account, in: store))
        let clocks = clocks
        let thumbnails = try CurrentProcess.executableDirectory() + "/tresor-thumb"
        let notebook = try Notebook(
            store: store, zone: zone, vault: daemon, clock: { SecureSession.Instant(clocks) },
            makeThumbnail: { image in try? image.withSpan { try Thumbnail.make(of: $0, program: thumbnails) } })
        return notebook
    }

    private func makeAccount(_ store: ZoneStore) throws -> ZoneAccount {
        let new = try NewAccount.make()
        // The keychain first: a store whose key is nowhere could never be opened.
        var attributes = ItemAttributes()
        attributes.service = Self.service
        attributes.account = new.account.id.description
        attributes.label = "Notes: the account key of this device"
        attributes.protectionClass = .whenUnlocked
        try daemon.addPassword(attributes, secret: new.accountKey)
        attributes.service = Self.backgroundService
        attributes.label = "Notes: the background key of this device"
        attributes.protectionClass = .afterFirstUnlock
        try daemon.addPassword(attributes, secret: new.backgroundKey)
        let time = UInt64(clamping: SecureSession.Instant(clocks).wall)
        try store.add(new, scope: Self.scope, zoneClass: .whenUnlocked, time: time)
        return new.account
    }

    /// A store that was there and is not must not be replaced by an empty one.
    private var lostStore: NotesError {
        NotesError(
            .damaged,
            marked(
                """
                the store of notes is missing: restore '\(home.notesDatabase)', or remove '\(home.notesMark)' to begin \
                with an empty one
                """))
    }

    /// Gives the notes of the one account another class.
    ///
    /// - Throws: `NotesError`: `deviceLocked`, and those of ``NotebookSettings/changeClass(to:of:with:)``.
    func changeClass(of notebook: Notebook, to name: String) throws {
        guard let account = try notebook.records.account() else { throw lostStore }
        try notebook.settings.changeClass(to: name, of: account, with: try accountKey(account))
    }

    /// A zone that can be read behind the lock screen opens with the key that is there in both states.
    private func opener(of account: ZoneAccount, in store: ZoneStore) throws -> ZoneOpener {
        if try store.zoneClass(scope: Self.scope, of: account) == .afterFirstUnlock {
            do {
                return .backgroundKey(
                    try daemon.readPassword(service: Self.backgroundService, account: account.id.description))
            } catch let error as TresorError where error.code == .notFound {
                // Somebody removed it from the keychain: on an unlocked device the account key still opens the zone.
            }
        }
        return .accountKey(try accountKey(account))
    }

    private func accountKey(_ account: ZoneAccount) throws -> SecretBytes {
        do {
            return try daemon.readPassword(service: Self.service, account: account.id.description)
        } catch let error as TresorError where error.code == .notFound {
            throw NotesError(
                .damaged,
                marked(
                    """
                    the key of these notes is gone: the device's passcode was reset, or the keychain is another one; \
                    or tresord runs from another folder than this program, and keeps it from others: end it with \
                    'tresor down', and start the one beside this program; nothing was deleted; for a fresh start move \
                    '\(home.notesFolder)' aside and remove '\(home.notesMark)'
                    """))
        }
    }
}

extension NotesError {
    /// What an error of the parts below means to a client.
    init(_ error: any Error) {
        switch error {
        case let known as NotesError: self = known
        case let tresor as TresorError: self.init(tresor)
        case let zone as ZoneError: self.init(zone)
        case is SecretMemoryError, EnvelopeError.memory:
            self.init(.unavailable, marked("no locked memory is left; raise the limit: ulimit -l (RLIMIT_MEMLOCK)"))
        case let linux as LinuxError where linux.isOutOfSpace:
            self.init(.cannotWrite, marked("the disk is full; nothing was changed"))
        case let linux as LinuxError where linux.isReadOnly:
            self.init(.cannotWrite, marked("the disk cannot be written; nothing was changed"))
        case let linux as LinuxError where linux.isOfStorage:
            self.init(.storage, marked("reading or writing the files of notes failed: \(linux)"))
        case is EnvelopeError, is DecodingError:
            self.init(.damaged, marked("a record cannot be decoded; it is kept, and 'status' lists it"))
        default: self.init(.unavailable, marked("tresor-notes could not do this; its log says why"))
        }
    }

    private init(_ error: TresorError) {
        switch error.code {
        case .locked: self.init(.deviceLocked, marked("the device is locked"))
        case .authenticationFailed:
            self.init(
                .wrongPasscode, error.message,
                retryAfter: error.retryAfter.map { Int(($0 / .seconds(1)).rounded(.up)) })
        case .notPermitted: self.init(.refused, error.message)
        case .damaged: self.init(.damaged, error.message)
        case .cannotWrite: self.init(.cannotWrite, error.message)
        case .storageFailed: self.init(.storage, error.message)
        default: self.init(.unavailable, error.message)
        }
    }

    private init(_ error: ZoneError) {
        switch error {
        case .damagedStore: self.init(.damaged, marked("the store of notes is damaged; nothing was changed"))
        case .newerStore(let format):
            self.init(
                .unavailable,
                marked(
                    """
                    the store of notes was written by a later version of Tresor, in format \(format), which this one \
                    does not know; nothing was changed: install that version
                    """))
        case .damagedRecord:
            self.init(.damaged, marked("a record cannot be decoded; it is kept, and 'status' lists it"))
        case .damagedAsset: self.init(.damaged, marked("an attachment's file is missing or altered"))
        case .diskFull: self.init(.cannotWrite, marked("the disk is full; nothing was changed"))
        case .readOnlyDisk: self.init(.cannotWrite, marked("the disk cannot be written; nothing was changed"))
        case .outOfMemory: self.init(.unavailable, marked("no locked memory is left"))
        case .storage: self.init(.storage, marked("reading or writing the files of notes failed; nothing was changed"))
        case .undecided:
            self.init(.storage, marked("the disk failed; whether this was changed is known at the next start"))
        case .replaced:
            self.init(
                .storage,
                marked(
                    """
                    the files of notes were replaced or removed while they were open, so nothing was changed; the \
                    device locks, and after an unlock what lies there now is opened
                    """))
        }
    }
}
