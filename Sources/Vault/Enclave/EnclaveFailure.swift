import EnclaveWire
package import Linux

/// Why the enclave cannot start, or not write its state.
package enum EnclaveFailure: Error, Equatable, Sendable {
    /// What is damaged, incomplete or another device's.
    package enum Damage: Equatable, Sendable {
        case rootKey, keybag, tries
        /// Nothing tells which of the two.
        case rootKeyOrKeybag

        /// What a slot file of this purpose holds.
        init(slotFile purpose: String) { self = purpose == Keybag.purpose ? .keybag : .tries }
    }

    case damaged(Damage)
    case storage(LinuxError)
    case memory
    /// Another enclave serves this folder.
    case inUse
    /// A write failed in a way that leaves open whether it counts; only a start can tell.
    case undecided

    /// The exit code by which tresord learns the reason.
    package var exitCode: Int32 { exit.rawValue }

    private var exit: EnclaveExit {
        switch self {
        case .damaged(.rootKey): .rootKeyDamaged
        case .damaged(.keybag): .keybagDamaged
        case .damaged(.rootKeyOrKeybag): .rootKeyOrKeybagDamaged
        case .damaged(.tries): .deviceDamaged
        case .storage, .undecided: .storage
        case .memory: .memory
        case .inUse: .inUse
        }
    }
}
