package import Linux
import EnclaveWire

/// Why the enclave cannot start, or not write its state.
package enum EnclaveFailure: Error, Equatable, Sendable {
    /// A file of its folder is damaged, incomplete or another device's; its name.
    case damaged(String)
    case storage(LinuxError)
    case memory
    /// Another enclave serves this folder.
    case inUse
    /// A write failed in a way that leaves open whether it counts; only a start can tell.
    case undecided

    /// The exit code by which tresord learns the reason.
    package var exitCode: Int32 {
        switch self {
        case .damaged(FileRootKey.name): EnclaveExit.rootKeyDamaged
        case .damaged(Keybag.purpose): EnclaveExit.keybagDamaged
        case .damaged(EnclaveExit.rootKeyOrKeybag): EnclaveExit.rootKeyOrKeybagDamaged
        case .damaged: EnclaveExit.deviceDamaged
        case .storage: EnclaveExit.storage
        case .memory: EnclaveExit.memory
        case .inUse: EnclaveExit.inUse
        case .undecided: EnclaveExit.storage
        }
    }
}
