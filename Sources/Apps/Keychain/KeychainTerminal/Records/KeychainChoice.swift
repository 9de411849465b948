import Certificates
import Localization
import Wire

/// Which keychain is shown.
enum KeychainChoice: Equatable, Sendable {
    /// All of the owner's.
    case all
    /// One of the owner's, by its name.
    case own(String)
    /// One that is made of files, belongs to no user, and is only read.
    case system(SystemKeychain)

    var isReadOnly: Bool {
        if case .system = self { true } else { false }
    }

    /// What stands at the top of the screen.
    var title: String {
        switch self {
        case .all: localized("Tresor keychain")
        case .own(let name): localized("Keychain “\(name)”")
        case .system(let keychain): localized("\(keychain.name), read-only")
        }
    }

    /// In the order in which they are gone through.
    ///
    /// One keychain of the owner's is the same as all of them.
    static func choices(_ listing: Listing?) -> [KeychainChoice] {
        let own = listing?.ownKeychains ?? []
        return [.all] + (own.count > 1 ? own.map { .own($0) } : []) + [.system(.system), .system(.systemRoots)]
    }

    /// What it shows of the owner's items.
    func part(of listing: Listing) -> Listing {
        guard case .own(let name) = self else { return listing }
        var part = listing
        part.records = listing.records.filter { listing.keychain(of: $0) == name }
        return part
    }
}

extension Listing {
    /// The names that were given, or else those that the items say.
    var ownKeychains: [String] {
        guard keychains.isEmpty else { return keychains }
        let named = Set(records.compactMap(\.keychain)).subtracting([KeychainName.login])
        return named.isEmpty ? [] : [KeychainName.login] + named.sorted()
    }

    func keychain(of record: Record) -> String { record.keychain ?? keychains.first ?? KeychainName.login }
}
