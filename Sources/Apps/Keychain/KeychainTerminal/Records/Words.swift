import Localization
import Protection

/// The keychain's terms in words.
enum Words {
    /// When the items of a class can be read, in so many columns as the list has for it; `*` is "on this device only".
    static func short(_ protectionClass: ProtectionClass?) -> String {
        switch protectionClass {
        case .whenUnlocked: localized("unlocked")
        case .afterFirstUnlock: localized("1st unlock")
        case .always: localized("always")
        case .whenUnlockedThisDeviceOnly: localized("unlocked*")
        case .afterFirstUnlockThisDeviceOnly: localized("1st unlock*")
        case .alwaysThisDeviceOnly: localized("always*")
        case .whenPasscodeSetThisDeviceOnly: localized("passcode*")
        case nil: "?"
        }
    }

    static func long(_ protectionClass: ProtectionClass) -> String {
        let end = "(\(protectionClass.name))"
        switch protectionClass {
        case .whenUnlocked: return localized("while the device is unlocked \(end)")
        case .afterFirstUnlock: return localized("from the first unlock after a start on \(end)")
        case .always: return localized("always, also while the device is locked \(end)")
        case .whenUnlockedThisDeviceOnly: return localized("while the device is unlocked, on this device only \(end)")
        case .afterFirstUnlockThisDeviceOnly:
            return localized("from the first unlock after a start on, on this device only \(end)")
        case .alwaysThisDeviceOnly:
            return localized("always, also while the device is locked, on this device only \(end)")
        case .whenPasscodeSetThisDeviceOnly:
            return localized("while the device is unlocked, on this device only, as long as a passcode is set \(end)")
        }
    }

    /// The bits of Apple's `SecAccessControlCreateFlags`, those too that are not enforced here: an item may have come
    /// with them.
    private static var controls: [(bit: UInt32, words: String)] {
        [
            (1 << 0, localized("the owner's presence")), (1 << 1, localized("any enrolled biometry")),
            (1 << 3, localized("the biometry that was enrolled when it was added")),
            (1 << 4, localized("the device's passcode")),
            (1 << 5, localized("a watch")), (1 << 14, localized("one of these is enough")),
            (1 << 15, localized("all of these")),
            (1 << 30, localized("the key is only used, never given out")),
            (1 << 31, localized("an application's password")),
        ]
    }

    static func control(_ control: AccessControl) -> String {
        guard control != [] else { return localized("nothing besides its class") }
        var left = control.rawValue
        var words: [String] = []
        for known in controls where left & known.bit != 0 {
            words.append(known.words)
            left &= ~known.bit
        }
        if left != 0 { words.append(localized("an unknown rule (\(left))")) }
        return words.joined(separator: ", ")
    }

    static func count(_ count: Int, _ kind: Record.Kind) -> String {
        switch kind {
        case .password: localized(count, one: "1 password", many: "\(count) passwords")
        case .internet: localized(count, one: "1 internet password", many: "\(count) internet passwords")
        case .secureNote: localized(count, one: "1 note", many: "\(count) notes")
        case .code: localized(count, one: "1 one-time code", many: "\(count) one-time codes")
        case .certificate: localized(count, one: "1 certificate", many: "\(count) certificates")
        case .key: localized(count, one: "1 key", many: "\(count) keys")
        case .identity: localized(count, one: "1 identity", many: "\(count) identities")
        }
    }
}
