import ArgumentParser
import Localization
import Protection
import Tresor

struct KeychainGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keychain",
        abstract: localized("Add, read, list, browse, change, delete, import and export items."),
        // As scripts have it; at the top, items go by their names.
        shouldDisplay: false,
        subcommands: [
            AddItem.self, GetItem.self, ListItems.self, UpdateItem.self, DeleteItem.self, GenerateCommand.self,
            ImportItems.self, ExportItems.self, BrowseItems.self, CodeGroup.self, HealthCommand.self,
            Keychains.self,
        ])
}

/// `--kind`.
enum KindName: String, ExpressibleByArgument, CaseIterable {
    case password, internet, certificate, key, note, wifi

    var kind: ItemKind {
        switch self {
        case .password, .note, .wifi: .password
        case .internet: .internetPassword
        case .certificate: .certificate
        case .key: .key
        }
    }
}

/// A secret text, which is a password item that says so.
enum SecureNote {
    /// As imports of other programs' notes and Apple's keychain have it.
    static let description = "secure note"
    /// Apple's type: the letters `note`.
    static let type: Int64 = 0x6e6f_7465
}

extension Item {
    /// The name of its kind, which for a secure note is its own, and for the password of a Wi-Fi.
    var kindName: String {
        if wifiNetwork != nil { return "wifi" }
        return kind == .password && itemDescription == SecureNote.description ? "note" : kind.name
    }
}

extension ItemKind {
    var name: String {
        switch self {
        case .password: "password"
        case .internetPassword: "internet"
        case .certificate: "certificate"
        case .key: "key"
        }
    }
}

/// `--access`: names of demands, and *or* or *and* between them.
struct AccessName: ExpressibleByArgument {
    private static let names: [(name: String, control: AccessControl)] = [
        ("userPresence", .userPresence), ("biometryAny", .biometryAny), ("biometryCurrentSet", .biometryCurrentSet),
        ("devicePasscode", .devicePasscode), ("applicationPassword", .applicationPassword), ("or", .or), ("and", .and),
    ]

    let value: AccessControl

    init?(argument: String) {
        var value: AccessControl = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let known = Self.names.first(where: { $0.name == word }), !value.contains(known.control) else {
                return nil
            }
            value.insert(known.control)
        }
        guard value.isValid else { return nil }
        self.value = value
    }

    static var allValueStrings: [String] { names.map(\.name) }
}

/// `--class`: our names, or Apple's.
struct ClassName: ExpressibleByArgument {
    let value: ProtectionClass

    init?(argument: String) {
        guard let value = ProtectionClass(name: argument) else { return nil }
        self.value = value
    }

    static var allValueStrings: [String] { ProtectionClass.allCases.map(\.name) }
}
