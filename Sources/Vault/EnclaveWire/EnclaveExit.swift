/// The exit codes by which a starting enclave says why it did not start; before its first frame it has no other voice.
package enum EnclaveExit: Int32, CaseIterable, Sendable {
    case rootKeyDamaged = 10
    case keybagDamaged = 11
    case deviceDamaged = 13
    case storage = 14
    case memory = 15
    case sandbox = 16
    case inUse = 17
    /// Nothing tells which of the two is damaged.
    case rootKeyOrKeybagDamaged = 18

    /// What in the enclave's folder the code speaks of; nil where it is no damage.
    package var damagedFile: String? {
        switch self {
        case .rootKeyDamaged: "device/root.key"
        case .keybagDamaged: "device/keybag"
        case .rootKeyOrKeybagDamaged: "device/root.key or keybag"
        case .deviceDamaged: "device"
        case .storage, .memory, .sandbox, .inUse: nil
        }
    }
}
