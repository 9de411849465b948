import Secrets
import Wire

/// The internet passwords that a keychain had before an import.
///
/// A login that somebody added by its host's name has neither a protocol nor a path. A browser's export says both: to
/// the keychain that is another primary key, to whoever signs in it is the same login.
struct KnownLogins: Sendable {
    /// A login of the keychain that a row of the file may mean.
    struct Candidate: Sendable {
        let item: Item
        /// Whether both say their protocol, so that they are one login only if they have one secret.
        let mustHaveSameSecret: Bool
    }

    private struct Place: Hashable {
        let server: String
        let account: String
    }

    private var items: [Place: [Item]] = [:]

    /// Looks at all of them, once; what the lock state shuts, or cannot be decoded, is none.
    init(in keychain: Keychain) async throws {
        let found: [FoundItems]
        do { found = try await keychain.findAll([ItemQuery(.internetPassword)]) } catch let error as TresorError
            where error.code == .locked
        {
            return
        }
        // New items go there; what lies in another keychain keeps none of them out. Only the owner's command may ask.
        let chosen = try? await keychain.keychains().keychains.first(where: \.isDefault)?.name
        for item in found.flatMap(\.items) where chosen == nil || item.keychain == chosen {
            let place = Place(server: (item.server ?? "").lowercased(), account: item.account ?? "")
            items[place, default: []].append(item)
        }
    }

    /// The logins that are the same as one of the file under another address.
    ///
    /// None where the keychain has this very address as well: that one is the duplicate.
    func candidates(for new: CSVItem) -> [Candidate] {
        guard new.kind == .internetPassword, new.part == .entry, let server = new.attributes.server else { return [] }
        let known = items[Place(server: server.lowercased(), account: new.attributes.account ?? "")] ?? []
        let key = new.key
        guard !known.contains(where: { $0.internetKey == key }) else { return [] }
        return known.compactMap { Self.candidate($0, for: new.attributes) }
    }

    private static func candidate(_ item: Item, for new: ItemAttributes) -> Candidate? {
        let isBare = isNone(item.protocolName) || isNone(new.protocolName)
        let (realm, newRealm) = (item.securityDomain ?? "", new.values.string(.securityDomain) ?? "")
        let (port, newPort) = (item.port ?? 0, new.port ?? 0)
        // Without a protocol, no port says nothing; with one, it is the protocol's own.
        let isPort = port == newPort || (isBare && (port == 0 || newPort == 0))
        let isRealm = realm == newRealm || (isBare && (realm.isEmpty || newRealm.isEmpty))
        guard isPort, isRealm else { return nil }
        return Candidate(item: item, mustHaveSameSecret: !isBare)
    }

    private static func isNone(_ protocolName: String?) -> Bool { ["", "0"].contains(protocolName ?? "") }
}

extension Item {
    /// Its whole primary key, as ``CSVItem/key`` has it.
    fileprivate var internetKey: ItemAttributes {
        var key = ItemAttributes()
        for entry in ItemSchema.primaryKey(of: .internetPassword) where entry.code != .accessGroup {
            key.values[entry.code] = attributes[entry.code] ?? entry.keyDefault
        }
        return key
    }
}
