/// What an item demands besides its class before its secret is given out.
///
/// The bits are those of Apple's `SecAccessControlCreateFlags`. The ones that need a biometric verifier or an
/// application password are refused until such a verifier exists.
public struct AccessControl: OptionSet, Hashable, Sendable {
    /// The documented bits.
    public let rawValue: UInt32
    /// Takes the documented bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The owner proves to be there; today with the passcode.
    public static let userPresence = AccessControl(rawValue: 1 << 0)
    /// The owner gives the device's passcode.
    public static let devicePasscode = AccessControl(rawValue: 1 << 4)

    /// Whether these bits can be enforced and may stand together: presence combines with nothing but what is not
    /// supported yet (Apple: `errSecParam`).
    package var isValid: Bool {
        self == [] || self == .userPresence || self == .devicePasscode
    }
}

/// What was proved about the owner, once, for one operation on one item over one connection.
///
/// Only the verifier inside the enclave makes one.
package enum PresenceProof: UInt8, Sendable {
    case passcode = 1

    package func satisfies(_ control: AccessControl) -> Bool {
        switch self {
        case .passcode: control == .userPresence || control == .devicePasscode
        }
    }
}

/// What a verdict permits.
package enum ProtectedOperation: UInt8, Sendable {
    case read = 1
    case change = 2
    /// Says who may read what: carried out at once, so that no verdict is kept for it.
    case administer = 3
}
