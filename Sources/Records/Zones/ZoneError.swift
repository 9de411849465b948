import DurableDatabase
import Envelopes
import KeyEnvelopes
import Linux
import SQLite
package import Secrets

/// Why the record store refused; nothing was changed.
package enum ZoneError: Error, Equatable, Sendable {
    /// The database, or a row without which nothing opens, is not what it should be.
    case damagedStore
    /// A later version of Tresor has written it; its format has this number.
    case newerStore(format: Int)
    /// One record that does not open.
    ///
    /// It is kept.
    case damagedRecord(Identifier)
    /// An asset's file is missing, cut short or altered.
    case damagedAsset(Identifier)
    case diskFull
    case readOnlyDisk
    case outOfMemory
    /// A failure of the storage under us, by its code.
    case storage(Int32)
    /// The store's files do not stand under their names any more: see ``DurabilityError/replaced``.
    case replaced
    /// Whether it has happened is not known: see ``DurabilityError/undecided``.
    case undecided

    /// Whether a page of the database is no page any more, or its sectors cannot be read (SQLITE_IOERR).
    var isOfPage: Bool {
        switch self {
        case .damagedStore: true
        case .storage(let code): code & 0xff == DatabaseError.Kind.inputOutput.rawValue
        default: false
        }
    }

    /// Whether a change that ended so may be there at the next start all the same: what it names has to stay.
    package static func mayHaveHappened(_ error: any Error) -> Bool {
        switch error as? ZoneError {
        case .undecided, .replaced: true
        default: false
        }
    }

    init(_ error: any Error) {
        switch error {
        case let known as ZoneError: self = known
        case is SecretMemoryError: self = .outOfMemory
        case EnvelopeError.memory: self = .outOfMemory
        case is EnvelopeError, is DecodingError: self = .damagedStore
        case let database as DatabaseError: self = Self.meaning(of: database)
        case DurabilityError.replaced: self = .replaced
        case DurabilityError.undecided: self = .undecided
        case DurabilityError.storage(let error): self = .storage(error.code)
        case let error as LinuxError: self = error.isOutOfSpace ? .diskFull : .storage(error.code)
        default: self = .storage(0)
        }
    }

    private static func meaning(of error: DatabaseError) -> ZoneError {
        switch error.kind {
        case .full?: .diskFull
        case .readOnly?: .readOnlyDisk
        case .corrupt?, .notADatabase?: .damagedStore
        default: .storage(error.code)
        }
    }
}
