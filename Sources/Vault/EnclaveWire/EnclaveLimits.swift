import Protection
package import Secrets

/// The lengths beyond which the enclave refuses a field.
package enum EnclaveLimits {
    package static let passcode = ProtectionLimits.passcode
    package static let binding = 512
    package static let wrappedKey = ProtectionLimits.wrappedKey
    package static let openKeychains = 256
    package static let destroyedKeys = ProtectionLimits.destroyedKeys
    package static let accessGroups = AccessGroup.mostReached
}

extension StreamFrame {
    /// The longest between tresord and its enclave.
    package static let enclaveLimit = 64 * 1024
}
