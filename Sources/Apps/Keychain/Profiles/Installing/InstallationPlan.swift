import Certificates
import Localization
import Secrets
package import Tresor
import Wire

/// What an installation would put into the keychain: items with their classes, made without touching it.
package struct InstallationPlan: Sendable {
    package let profile: ConfigurationProfile
    package let rule: AvailabilityRule
    package let items: [PlannedItem]

    /// - Parameter before: the record of an earlier installation of this profile, if there is one.
    /// - Throws: `ProfileError`, where two payloads bring one item.
    package init(
        _ profile: ConfigurationProfile, _ rule: AvailabilityRule, before: ProfileRecord? = nil
    ) throws(ProfileError) {
        self.profile = profile
        self.rule = rule
        let managed = profile.managementIdentities
        var items: [PlannedItem] = []
        for payload in profile.payloads {
            var added = Self.items(payload, isManaged: managed.contains(payload.uuid))
            for index in added.indices { added[index].choose(rule, before: before) }
            items += added
        }
        self.items = try Self.distinct(items)
        guard self.items.count <= ProfileRecord.mostItems else {
            throw ProfileError(.field, "PayloadContent", localized("brings more than \(ProfileRecord.mostItems) items"))
        }
    }

    private static func items(_ payload: Payload, isManaged: Bool) -> [PlannedItem] {
        switch payload.content {
        case .certificates(let certificates):
            return certificates.map { PlannedItem($0, payload, isRoot: payload.isOfRoots) }
        case .identity(let certificates, let keys):
            let role: AvailabilityRule.Role = isManaged ? .managementIdentity : .other
            return certificates.map { PlannedItem($0, payload) } + keys.map { PlannedItem($0, role, payload) }
        case .passwords(let passwords): return passwords.map { PlannedItem($0, payload) }
        case .passcodePolicy, .management, .unknown: return []
        }
    }

    /// Payloads often bring the same authority; for anything else to be said twice is a contradiction.
    private static func distinct(_ items: [PlannedItem]) throws(ProfileError) -> [PlannedItem] {
        var known: [ItemAttributes: PlannedItem] = [:]
        var distinct: [PlannedItem] = []
        for item in items {
            let name = item.primaryKey
            guard let first = known[name] else {
                known[name] = item
                distinct.append(item)
                continue
            }
            guard item.says(first) else {
                throw ProfileError(.field, item.field, localized("is another than \(first.field), for the same item"))
            }
            // Said twice, once as a root: it is one.
            guard item.role == .root, first.role != .root else { continue }
            known[name] = item
            if let place = distinct.firstIndex(where: { $0.primaryKey == name }) { distinct[place] = item }
        }
        return distinct
    }
}

/// An item as it would be added.
package struct PlannedItem: Sendable {
    private enum Secret: Sendable {
        case certificate(DERCertificate)
        case key(PrivateKey)
        case password(ProfileSecret)
    }

    package let kind: ItemKind
    package let role: AvailabilityRule.Role
    /// The payload that brings it.
    package let payload: String
    /// The field that it stands in.
    package let field: String
    package private(set) var protectionClass = ProtectionClass.whenUnlocked
    private var attributes: ItemAttributes
    private let secret: Secret

    /// - Parameter isRoot: whether the payload says so; the certificate has to be one as well.
    init(_ certificate: DERCertificate, _ payload: Payload, isRoot: Bool = false) {
        let role: AvailabilityRule.Role = isRoot && certificate.isRoot ? .root : .certificate
        self.init(
            .certificate, role, payload, payload.path, ItemAttributes(certificate.filed), .certificate(certificate))
    }

    init(_ key: PrivateKey, _ role: AvailabilityRule.Role, _ payload: Payload) {
        var attributes = ItemAttributes(key.filed ?? [:])
        attributes.label = payload.displayName
        self.init(.key, role, payload, payload.path, attributes, .key(key))
    }

    init(_ password: ProfilePassword, _ payload: Payload) {
        self.init(password.kind, .other, payload, password.field, password.attributes, .password(password.secret))
    }

    private init(
        _ kind: ItemKind, _ role: AvailabilityRule.Role, _ payload: Payload, _ field: String,
        _ attributes: ItemAttributes, _ secret: Secret
    ) {
        self.kind = kind
        self.role = role
        self.payload = payload.uuid
        self.field = field
        self.attributes = attributes
        self.secret = secret
    }

    /// What people would call it.
    package var label: String { attributes.label ?? attributes.service ?? "" }

    mutating func choose(_ rule: AvailabilityRule, before: ProfileRecord?) {
        let wasAlways = before.map { $0.wasAlways(kind, role, payload) } ?? false
        protectionClass = rule.protectionClass(of: role, wasAlways: wasAlways)
    }

    /// The attributes under which no profile has two items.
    var primaryKey: ItemAttributes {
        var key = ItemAttributes()
        key.values[.type] = .number(Int64(kind.rawValue))
        for entry in ItemSchema.primaryKey(of: kind) { key.values[entry.code] = attributes.values[entry.code] }
        return key
    }

    /// Whether both are the same item, with the same secret.
    fileprivate func says(_ other: PlannedItem) -> Bool {
        switch (secret, other.secret) {
        case (.certificate(let one), .certificate(let two)): one == two
        case (.key(let one), .key(let two)): one.publicKey == two.publicKey && role == other.role
        case (.password(let one), .password(let two)): one.bytes.equals(two.bytes)
        default: false
        }
    }

    /// Adds it, marked as one installation's.
    func add(to keychain: Keychain, _ mark: InstallationMark) async throws -> PersistentReference {
        var attributes = attributes
        attributes.protectionClass = protectionClass
        mark.put(on: &attributes)
        switch secret {
        case .certificate(let certificate):
            let bytes = try certificate.der.withSpan { (span) throws(SecretMemoryError) in
                try SecretBytes(copying: span)
            }
            return try await keychain.add(kind, attributes, secret: bytes)
        case .key(let key): return try await keychain.add(kind, attributes, secret: try key.externalForm())
        case .password(let password): return try await keychain.add(kind, attributes, secret: password.bytes)
        }
    }
}

/// What every item of one installation carries, so that those of one that was interrupted are found.
///
/// It stands in an attribute of the primary key (vwht, a name that Apple's keychain gives to groups of items): so a
/// profile's item is never taken for one of the user's, or of another profile, that has the same name.
struct InstallationMark: Sendable {
    let installation: Identifier

    func put(on attributes: inout ItemAttributes) {
        attributes.values[.viewHint] = .string("tresor.profile.\(installation)")
    }

    /// Every item of a kind and class that carries it.
    func query(_ kind: ItemKind, _ protectionClass: ProtectionClass) -> ItemQuery {
        var attributes = ItemAttributes()
        attributes.protectionClass = protectionClass
        put(on: &attributes)
        return ItemQuery(kind, attributes)
    }
}

extension ItemAttributes {
    /// What a certificate or key is filed under.
    fileprivate init(_ filed: [String: FiledValue]) {
        self.init()
        for (name, value) in filed {
            guard let code = AttributeCode(name) else { continue }
            switch value {
            case .number(let number): values[code] = .number(number)
            case .data(let bytes): values[code] = .data(bytes)
            case .text(let text): values[code] = .string(text)
            }
        }
    }
}
