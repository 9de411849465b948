import Protection

/// The keychain's terms in words.
enum Words {
    /// When the items of a class can be read, in so many columns as the list has for it; `*` is "on this device only".
    static func short(_ protectionClass: ProtectionClass?) -> String {
        switch protectionClass {
        case .whenUnlocked: "unlocked"
        case .afterFirstUnlock: "1st unlock"
        case .always: "always"
        case .whenUnlockedThisDeviceOnly: "unlocked*"
        case .afterFirstUnlockThisDeviceOnly: "1st unlock*"
        case .alwaysThisDeviceOnly: "always*"
        case .whenPasscodeSetThisDeviceOnly: "passcode*"
        case nil: "?"
        }
    }

    static func long(_ protectionClass: ProtectionClass) -> String {
        let end = "(\(protectionClass.name))"
        switch protectionClass {
        case .whenUnlocked: return "while the device is unlocked \(end)"
        case .afterFirstUnlock: return "from the first unlock after a start on \(end)"
        case .always: return "always, also while the device is locked \(end)"
        case .whenUnlockedThisDeviceOnly: return "while the device is unlocked, on this device only \(end)"
        case .afterFirstUnlockThisDeviceOnly:
            return "from the first unlock after a start on, on this device only \(end)"
        case .alwaysThisDeviceOnly: return "always, also while the device is locked, on this device only \(end)"
        case .whenPasscodeSetThisDeviceOnly:
            return "while the device is unlocked, on this device only, as long as a passcode is set \(end)"
        }
    }

    /// The bits of Apple's `SecAccessControlCreateFlags`, those too that are not enforced here: an item may have come
    /// with them.
    private static let controls: [(bit: UInt32, words: String)] = [
        (1 << 0, "the owner's presence"), (1 << 1, "any enrolled biometry"),
        (1 << 3, "the biometry that was enrolled when it was added"), (1 << 4, "the device's passcode"),
        (1 << 5, "a watch"), (1 << 14, "one of these is enough"), (1 << 15, "all of these"),
        (1 << 30, "the key is only used, never given out"), (1 << 31, "an application's password"),
    ]

    static func control(_ control: AccessControl) -> String {
        guard control != [] else { return "nothing besides its class" }
        var left = control.rawValue
        var words: [String] = []
        for known in controls where left & known.bit != 0 {
            words.append(known.words)
            left &= ~known.bit
        }
        if left != 0 { words.append("an unknown rule (\(left))") }
        return words.joined(separator: ", ")
    }

    static func count(_ count: Int, _ kind: Record.Kind) -> String {
        let name: (one: String, many: String) =
            switch kind {
            case .password: ("password", "passwords")
            case .internet: ("internet password", "internet passwords")
            case .secureNote: ("note", "notes")
            case .code: ("one-time code", "one-time codes")
            case .certificate: ("certificate", "certificates")
            case .key: ("key", "keys")
            case .identity: ("identity", "identities")
            }
        return count == 1 ? "1 \(name.one)" : "\(count) \(name.many)"
    }
}
