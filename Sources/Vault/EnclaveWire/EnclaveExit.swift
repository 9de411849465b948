/// The exit codes by which a starting enclave says why it did not start; before its first frame it has no other voice.
package enum EnclaveExit {
    package static let rootKeyDamaged: Int32 = 10
    package static let keybagDamaged: Int32 = 11
    package static let deviceDamaged: Int32 = 13
    package static let storage: Int32 = 14
    package static let memory: Int32 = 15
    package static let sandbox: Int32 = 16
    package static let inUse: Int32 = 17
    package static let rootKeyOrKeybagDamaged: Int32 = 18

    /// What is damaged where nothing tells which of the two it is.
    package static let rootKeyOrKeybag = "root.key or keybag"

    /// The file in the enclave's folder that a code speaks of.
    package static func damagedFile(_ code: Int32) -> String? {
        switch code {
        case rootKeyDamaged: "root.key"
        case keybagDamaged: "keybag"
        case rootKeyOrKeybagDamaged: rootKeyOrKeybag
        case deviceDamaged: "device"
        default: nil
        }
    }
}
