import Protection
package import Secrets

/// The lengths beyond which a field is refused.
package enum WireLimits {
    package static let passcode = ProtectionLimits.passcode
    package static let wrappedKey = ProtectionLimits.wrappedKey
    package static let destroyedKeys = ProtectionLimits.destroyedKeys
    package static let accessGroups = AccessGroup.mostReached
    package static let manifest = 65_536
    package static let programName = 512
}

extension StreamFrame {
    /// The longest on the keychain socket, and on those of programs that speak to ours.
    package static let keychainLimit = 1 << 20
}
