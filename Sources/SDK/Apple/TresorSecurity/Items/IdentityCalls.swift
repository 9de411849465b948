import TresorCoreFoundation
import Certificates
import Foundation
import Secrets
import Tresor
import Wire

/// An identity that the keychain keeps: the join of a key's label (`klbl`) and a certificate's hash of its key
/// (`pkhh`).
struct FoundIdentity {
    let certificate: FoundItem
    let key: FoundItem
}

extension ItemCalls {
    /// Adds both items; one that is there already stays, and only both together are a duplicate.
    ///
    /// - Returns: the two, with what the caller wants back.
    func addIdentity(_ item: ItemDictionary) throws -> FoundIdentity {
        guard case .identity(let identity)? = item.object else { throw StatusError(errSecParam) }
        var parts = (
            certificate: try item.part(.certificate, .certificate(identity.certificate)),
            key: try item.part(.key, .key(identity.key))
        )
        try Self.refuseUnknown(item)
        // The hash that joins them is not the caller's to choose.
        parts.key.attributes[.applicationLabel] = .data(identity.key.publicHalf.hash)
        parts.key.attributes[.label] = parts.key.attributes[.label] ?? parts.certificate.attributes[.label]
        // A certificate is public: presence is demanded for what the key does.
        parts.certificate.attributes[.accessControl] = nil
        let certificate = try unlessDuplicate { try add(parts.certificate) }
        let key: FoundItem?
        do { key = try unlessDuplicate { try add(parts.key) } } catch {
            if let certificate { try? remove(certificate.reference) }
            throw error
        }
        guard certificate != nil || key != nil else { throw KeychainError(.duplicateItem) }
        return FoundIdentity(
            certificate: try certificate ?? onlyItem(parts.certificate, .certificate(identity.certificate)),
            key: try key ?? onlyItem(parts.key, .key(identity.key)))
    }

    private func unlessDuplicate(_ body: () throws -> FoundItem) throws -> FoundItem? {
        do { return try body() } catch let error as KeychainError where error.status == .duplicateItem { return nil }
    }

    /// The item that was there already.
    private func onlyItem(_ added: ItemDictionary, _ object: ItemObject) throws -> FoundItem {
        var query = KeychainQuery()
        query.kind = added.kind
        query.attributes = object.name
        query.attributes[.applicationTag] = nil
        query.matchesAnySynchronizable = true
        query.returns = added.nativeReturns
        guard let found = try link.withTransport({ try $0.find(query) }).first else { throw DecodingError.invalid }
        return found
    }

    /// Finds certificates whose private key is there too.
    ///
    /// Attributes that both kinds have, such as a label, are the certificate's; access group and synchronizability hold
    /// for both.
    func findIdentities(_ query: ItemDictionary) throws -> [FoundIdentity] {
        try Self.refuseUnknown(query)
        guard !query.narrowsCertificates else { throw StatusError(errSecUnimplemented) }
        var certificates = try query.part(.certificate, query.object?.certificate)
        certificates.limit = nil
        // Where the key is: certificates are everywhere.
        certificates.attributes[.token] = nil
        certificates.returns.insert(.attributes)
        certificates.reference = query.reference
        var keys = try query.part(.key, query.object?.key)
        for code in [AttributeCode.label, .alias, .protectionClass, .accessControl] { keys.attributes[code] = nil }
        keys.attributes[.keyClass] = .number(1)
        keys.limit = 1
        // An identity's data is its certificate's: the key's is opened for an object alone.
        keys.returns = query.returns.intersection(.reference).union(.attributes)
        var found: [FoundIdentity] = []
        for certificate in try find(certificates) {
            guard query.limit.map({ found.count < Int($0) }) ?? true else { break }
            if let key = try key(of: certificate, keys) {
                found.append(FoundIdentity(certificate: certificate, key: key))
            }
        }
        guard !found.isEmpty else { throw KeychainError(.itemNotFound) }
        return found
    }

    private func key(of certificate: FoundItem, _ keys: ItemDictionary) throws -> FoundItem? {
        guard let hash = certificate.attributes?[.publicKeyHash] else { return nil }
        var query = keys
        if let wanted = query.attributes[.applicationLabel], wanted.converted(to: .data) != hash { return nil }
        query.attributes[.applicationLabel] = hash
        do { return try find(query).first } catch let error as KeychainError where error.status == .itemNotFound {
            return nil
        }
    }

    /// Removes both items of each match; a key stays while another certificate belongs to it.
    func removeIdentities(_ query: ItemDictionary) throws {
        var query = query
        query.limit = nil
        query.returns = []
        for identity in try findIdentities(query) {
            try remove(identity.certificate.reference)
            if try !isNeeded(identity) { try remove(identity.key.reference) }
        }
    }

    private func isNeeded(_ identity: FoundIdentity) throws -> Bool {
        var query = KeychainQuery(kind: .certificate)
        query.attributes[.publicKeyHash] = identity.certificate.attributes?[.publicKeyHash]
        query.matchesAnySynchronizable = true
        do { return try !link.withTransport { try $0.find(query) }.isEmpty } catch let error as KeychainError
            where error.status == .itemNotFound
        {
            return false
        }
    }

    func remove(_ reference: PersistentReference) throws {
        var query = KeychainQuery()
        query.persistentReference = reference
        let one = query
        try link.withTransport { try $0.perform(.remove(one)) }
    }

    private static func refuseUnknown(_ dictionary: ItemDictionary) throws {
        let known = (ItemSchema.entries(of: .certificate), ItemSchema.entries(of: .key))
        for (code, _) in dictionary.attributes.sorted where known.0[code] == nil && known.1[code] == nil {
            throw StatusError(code == .clip ? errSecParam : errSecNoSuchAttr)
        }
    }
}

extension ItemObject {
    fileprivate var certificate: ItemObject? {
        if case .identity(let identity) = self { .certificate(identity.certificate) } else { nil }
    }

    fileprivate var key: ItemObject? {
        if case .identity(let identity) = self { .key(identity.key) } else { nil }
    }
}

extension FoundIdentity {
    /// What stands in a result, in the shapes of ``FoundItem/object(_:_:)``.
    func object(_ returns: ItemReturns, _ profile: KeychainQuery.Profile) throws -> AnyObject? {
        guard !returns.isEmpty else { return nil }
        if returns == .data { return (certificate.data ?? Data()) as NSData }
        if returns == .persistentReference { return Self.persistentReference(certificate.reference) }
        if returns == .reference { return try identity() }
        let dictionary = NSMutableDictionary()
        for item in [key, certificate] where returns.contains(.attributes) { item.addAttributes(to: dictionary) }
        dictionary[kSecClass] = kSecClassIdentity
        if returns.contains(.data), let data = certificate.data { dictionary[kSecValueData] = data as NSData }
        if returns.contains(.reference) { dictionary[kSecValueRef] = try identity() }
        if returns.contains(.persistentReference) {
            dictionary[kSecValuePersistentRef] = Self.persistentReference(certificate.reference)
        }
        return dictionary
    }

    private func identity() throws -> SecIdentity {
        guard case .certificate(let certificate)? = try ItemObject(certificate),
            case .key(let key)? = try ItemObject(key),
            let identity = SecIdentity(certificate, key)
        else { throw StatusError(errSecDecode) }
        return identity
    }

    /// The certificate's, under the class of identities.
    static func persistentReference(_ certificate: PersistentReference) -> NSData {
        Data(Array("idnt".utf8) + certificate.bytes.dropFirst(4)) as NSData
    }

    /// The certificate that such a reference names; nil for any other.
    static func certificate(_ reference: [UInt8]) -> PersistentReference? {
        guard reference.starts(with: Array("idnt".utf8)) else { return nil }
        return PersistentReference(bytes: Array("cert".utf8) + reference.dropFirst(4))
    }
}
