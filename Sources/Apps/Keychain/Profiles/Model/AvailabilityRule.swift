package import Tresor

/// When what a profile installs can be read.
///
/// Apple documents two rules (*Apple Platform Security*, "Keychain data protection", and "Certificates" of the
/// deployment guide): that of macOS, and that of iOS from version 15 on.
package enum AvailabilityRule: String, Sendable, CaseIterable {
    /// Everything can always be read.
    case macOS = "macos"
    /// After the first unlock, and never on another device; with exceptions.
    ///
    /// The stricter, and therefore ours where nobody chose.
    case iOS = "ios"

    /// What an item is to its profile.
    package enum Role: UInt8, Sendable, CaseIterable {
        /// A certificate, which is public.
        case certificate = 1
        /// The private key of the identity that a payload com.apple.mdm names in IdentityCertificateUUID: a device that
        /// restarted has to reach who manages it before anybody unlocks it.
        case managementIdentity = 2
        /// Every other key, and every password.
        case other = 3
        /// A certificate that the profile calls a root, and that is one: what it issued is trusted as long as the
        /// profile is installed.
        case root = 4
    }

    /// The class of a profile's item.
    ///
    /// - Parameter wasAlways: whether this profile has installed it before under the older rule, that of macOS; the
    ///   newer one does not take back what was given.
    package func protectionClass(of role: Role, wasAlways: Bool = false) -> ProtectionClass {
        switch (self, role) {
        case (.macOS, _), (.iOS, .certificate), (.iOS, .root), (.iOS, .managementIdentity): .always
        case (.iOS, .other): wasAlways ? .always : .afterFirstUnlockThisDeviceOnly
        }
    }
}
