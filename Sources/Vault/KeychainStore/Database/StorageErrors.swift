import DurableDatabase
import Linux
import Protection
import SQLite
import Secrets
package import Wire

/// A later version of Tresor has written the database, in a format that this one does not know.
package struct NewerStore: Error, Equatable, Sendable {
    /// The database's `user_version`.
    package let format: Int
}

extension KeychainError {
    /// What a database error means; errors of ours pass through.
    package init(storage error: any Error) {
        if let known = error as? KeychainError {
            self = known
            return
        }
        if let durability = error as? DurabilityError {
            switch durability {
            case .replaced: self.init(.notAvailable, .storeReplaced)
            case .undecided: self.init(.notAvailable, .undecided)
            case .storage: self.init(.notAvailable, .storage)
            }
            return
        }
        if let error = error as? LinuxError, error.isOutOfSpace {
            self.init(.notAvailable, .diskFull)
            return
        }
        guard let database = error as? DatabaseError else {
            self.init(error is SecretMemoryError ? .allocation : .notAvailable, .storage)
            return
        }
        switch database.kind {
        case .constraint?: self.init(.duplicateItem)
        case .full?: self.init(.notAvailable, .diskFull)
        case .readOnly?: self.init(.readOnly, .readOnlyDisk)
        case .corrupt?, .notADatabase?: self.init(.notAvailable, .damagedStore)
        default: self.init(.notAvailable, .storage)
        }
    }
}
