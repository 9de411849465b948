import Protection

/// The lengths beyond which a field is refused.
package enum WireLimits {
    package static let passcode = ProtectionLimits.passcode
    package static let wrappedKey = ProtectionLimits.wrappedKey
    package static let destroyedKeys = ProtectionLimits.destroyedKeys
    package static let accessGroups = AccessGroup.mostReached
    package static let manifest = 65_536
    package static let programName = 512
}
