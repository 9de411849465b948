import DiaryClient
import Envelopes
import KeyEnvelopes
import Linux
import Localization
import Secrets
import Tresor
import Zones

extension DiaryError {
    /// What an error of the parts below means to a client.
    init(_ error: any Error) {
        switch error {
        case let known as DiaryError: self = known
        case let items as DoorItemsError: self.init(items)
        case let tresor as TresorError: self.init(tresor)
        case let zone as ZoneError: self.init(zone)
        case is SecretMemoryError, EnvelopeError.memory:
            self.init(.unavailable, marked("no locked memory is left; raise the limit: ulimit -l (RLIMIT_MEMLOCK)"))
        case let linux as LinuxError where linux.isOutOfSpace:
            self.init(.cannotWrite, marked("the disk is full; nothing was changed"))
        case let linux as LinuxError where linux.isReadOnly:
            self.init(.cannotWrite, marked("the disk cannot be written; nothing was changed"))
        case let linux as LinuxError where linux.isOfStorage:
            self.init(.storage, marked("reading or writing the diary's files failed: \(linux)"))
        case is EnvelopeError, is DecodingError:
            self.init(.damaged, marked("a record cannot be decoded; it is kept, and 'status' lists it"))
        default: self.init(.unavailable, marked("tresor-diary could not do this; its log says why"))
        }
    }

    private init(_ error: DoorItemsError) {
        if error.isLocked {
            self.init(.deviceLocked, marked("the device is locked"))
        } else if error.cannotWrite {
            self.init(.cannotWrite, marked("the keychain cannot be written; is the disk full?"))
        } else {
            self.init(.unavailable, marked("the keychain refused with status \(error.status)"))
        }
    }

    private init(_ error: TresorError) {
        switch error.code {
        case .locked: self.init(.deviceLocked, marked("the device is locked"))
        case .authenticationFailed:
            self.init(
                .wrongPasscode, error.message,
                retryAfter: error.retryAfter.map { Int(($0 / .seconds(1)).rounded(.up)) })
        case .notPermitted, .presenceRequired: self.init(.refused, error.message)
        case .damaged: self.init(.damaged, error.message)
        case .cannotWrite: self.init(.cannotWrite, error.message)
        case .storageFailed: self.init(.storage, error.message)
        case .invalidParameter: self.init(.invalid, error.message)
        default: self.init(.unavailable, error.message)
        }
    }

    private init(_ error: ZoneError) {
        switch error {
        case .damagedStore: self.init(.damaged, marked("the diary's store is damaged; nothing was changed"))
        case .newerStore(let format):
            self.init(
                .unavailable,
                marked(
                    """
                    the diary's store was written by a later version of Tresor, in format \(format), which this one \
                    does not know; nothing was changed: install that version
                    """))
        case .damagedRecord:
            self.init(.damaged, marked("a record cannot be decoded; it is kept, and 'status' lists it"))
        case .damagedAsset: self.init(.damaged, marked("a file of the diary is missing or altered"))
        case .diskFull: self.init(.cannotWrite, marked("the disk is full; nothing was changed"))
        case .readOnlyDisk: self.init(.cannotWrite, marked("the disk cannot be written; nothing was changed"))
        case .outOfMemory: self.init(.unavailable, marked("no locked memory is left"))
        case .storage: self.init(.storage, marked("reading or writing the diary's files failed; nothing was changed"))
        case .undecided:
            self.init(.storage, marked("the disk failed; whether this was changed is known at the next start"))
        case .replaced:
            self.init(
                .storage,
                marked(
                    """
                    the diary's files were replaced or removed while it was open, so nothing was changed; the device \
                    locks, and after an unlock what lies there now is opened
                    """))
        }
    }

    static let signedOut = DiaryError(.signedOut, marked("nobody is signed in to the diary"))
    static let noSuchEntry = DiaryError(.notFound, marked("there is no such entry"))
}
