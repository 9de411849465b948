/// When an item's key is available, and whether it may leave this device.
///
/// The codes and their numbers are those of Apple's keychain (`kSecAttrAccessible`); specs/keychain-item.md lists them.
public enum ProtectionClass: UInt8, CaseIterable, Sendable, Hashable {
    /// While the device is unlocked (`ak`).
    case whenUnlocked = 6
    /// From the first unlock after a start until the next start (`ck`): what background work needs.
    case afterFirstUnlock = 7
    /// Always (`dk`): sealed under the device's root key alone.
    ///
    /// Choosing it deserves a warning.
    case always = 8
    /// Like ``whenUnlocked``, and never leaves this device (`aku`).
    case whenUnlockedThisDeviceOnly = 9
    /// Like ``afterFirstUnlock``, and never leaves this device (`cku`).
    case afterFirstUnlockThisDeviceOnly = 10
    /// Like ``always``, and never leaves this device (`dku`).
    case alwaysThisDeviceOnly = 11
    /// Like ``whenUnlockedThisDeviceOnly``, and gone for good once the passcode is removed or reset (`akpu`).
    case whenPasscodeSetThisDeviceOnly = 12

    /// The lock states in which a class can be read.
    public enum Availability: UInt8, CaseIterable, Sendable {
        /// Only while unlocked.
        case whenUnlocked
        /// From the first unlock on.
        case afterFirstUnlock
        /// In every state.
        case always
    }

    /// When it can be read.
    public var availability: Availability {
        switch self {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: .whenUnlocked
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: .afterFirstUnlock
        case .always, .alwaysThisDeviceOnly: .always
        }
    }

    /// The two- to four-letter code that stands in an item's `pdmn` attribute.
    public var code: String {
        switch self {
        case .whenUnlocked: "ak"
        case .afterFirstUnlock: "ck"
        case .always: "dk"
        case .whenUnlockedThisDeviceOnly: "aku"
        case .afterFirstUnlockThisDeviceOnly: "cku"
        case .alwaysThisDeviceOnly: "dku"
        case .whenPasscodeSetThisDeviceOnly: "akpu"
        }
    }

    /// The name that the command line takes and prints.
    public var name: String {
        switch self {
        case .whenUnlocked: "whenUnlocked"
        case .afterFirstUnlock: "afterFirstUnlock"
        case .always: "always"
        case .whenUnlockedThisDeviceOnly: "whenUnlockedThisDeviceOnly"
        case .afterFirstUnlockThisDeviceOnly: "afterFirstUnlockThisDeviceOnly"
        case .alwaysThisDeviceOnly: "alwaysThisDeviceOnly"
        case .whenPasscodeSetThisDeviceOnly: "whenPasscodeSetThisDeviceOnly"
        }
    }

    /// The class with this `pdmn` code; nil for any other text.
    public init?(code: String) {
        guard let match = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = match
    }

    /// The class with this ``name``, or with Apple's name (`kSecAttrAccessibleWhenUnlocked`); nil for any other text.
    public init?(name: String) {
        let prefix = "kSecAttrAccessible"
        let wanted = name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
        guard let match = Self.allCases.first(where: { $0.name.lowercased() == wanted.lowercased() }) else {
            return nil
        }
        self = match
    }

    /// Whether what it protects goes to no other device, in no backup either.
    package var isBoundToDevice: Bool { rawValue >= Self.whenUnlockedThisDeviceOnly.rawValue }

    /// Whether its key exists only while a passcode is set.
    package var needsPasscode: Bool { self == .whenPasscodeSetThisDeviceOnly }
}

/// The file classes; their keys are in the keybag from the first start on.
package enum FileClass: UInt8, CaseIterable, Sendable {
    case complete = 1
    case completeUnlessOpen = 2
    case completeUntilFirstUserAuthentication = 3
    case none = 4

    /// As Apple names it, without the prefix `NSFileProtection`.
    package var name: String {
        switch self {
        case .complete: "complete"
        case .completeUnlessOpen: "completeUnlessOpen"
        case .completeUntilFirstUserAuthentication: "completeUntilFirstUserAuthentication"
        case .none: "none"
        }
    }

    /// When files of this class can be opened, as keychain items of which class can be.
    package var availability: ProtectionClass.Availability {
        switch self {
        case .complete, .completeUnlessOpen: .whenUnlocked
        case .completeUntilFirstUserAuthentication: .afterFirstUnlock
        case .none: .always
        }
    }
}
