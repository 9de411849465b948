/// Where the device stands between its start and its next lock.
public enum LockState: UInt8, CaseIterable, Sendable {
    /// Started, and the passcode not yet given: only the classes of the root key are open.
    case beforeFirstUnlock = 0
    /// The passcode was given, or none is set.
    case unlocked = 1
    /// Locked again after an unlock.
    case locked = 2

    /// Whether a class of this availability can be read now.
    public func permits(_ availability: ProtectionClass.Availability) -> Bool {
        switch availability {
        case .always: true
        case .afterFirstUnlock: self != .beforeFirstUnlock
        case .whenUnlocked: self == .unlocked
        }
    }

    /// Whether items of this class can be read now.
    public func permits(_ protectionClass: ProtectionClass) -> Bool { permits(protectionClass.availability) }

    /// `before first unlock`, `unlocked` or `locked`.
    public var name: String {
        switch self {
        case .beforeFirstUnlock: "before first unlock"
        case .unlocked: "unlocked"
        case .locked: "locked"
        }
    }
}
