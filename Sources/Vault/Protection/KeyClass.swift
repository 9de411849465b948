/// What a class key of the keybag is for; the numbers of files and items don't overlap.
package enum KeyClass: Hashable, Comparable, Sendable {
    case files(FileClass)
    case items(ProtectionClass)

    /// Every class, by its number.
    package static let all: [KeyClass] =
        FileClass.allCases.map(KeyClass.files) + ProtectionClass.allCases.map(KeyClass.items)

    /// Nil for the number of no class.
    package init?(rawValue: UInt8) {
        if let files = FileClass(rawValue: rawValue) {
            self = .files(files)
        } else if let items = ProtectionClass(rawValue: rawValue) {
            self = .items(items)
        } else {
            return nil
        }
    }

    /// As it stands in the keybag.
    package var rawValue: UInt8 {
        switch self {
        case .files(let files): files.rawValue
        case .items(let items): items.rawValue
        }
    }

    /// When its key can be used.
    package var availability: ProtectionClass.Availability {
        switch self {
        case .files(let files): files.availability
        case .items(let items): items.availability
        }
    }

    /// Whether its key exists only while a passcode is set.
    package var existsWithPasscodeOnly: Bool { self == .items(.whenPasscodeSetThisDeviceOnly) }

    package static func < (left: KeyClass, right: KeyClass) -> Bool { left.rawValue < right.rawValue }
}
