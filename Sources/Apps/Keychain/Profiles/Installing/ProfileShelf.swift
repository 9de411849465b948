import Localization
import Secrets
package import Tresor

/// The records of installed profiles, each an item of the keychain.
///
///     for record in try await ProfileShelf(keychain).records().readable { print(record.identifier) }
package struct ProfileShelf: Sendable {
    /// The service of a record's item; its account is the profile's identifier.
    package static let service = "tresor.profile"

    let keychain: Keychain

    package init(_ keychain: Keychain) { self.keychain = keychain }

    /// The records of all profiles, in the order of their identifiers, and how many more cannot be read.
    package func records() async throws -> (readable: [ProfileRecord], damagedCount: Int) {
        var references: [PersistentReference] = []
        var items = keychain.items(.password(service: Self.service)).makeAsyncIterator()
        while let item = try await items.next() { references.append(item.reference) }
        var damagedCount = items.damagedCount
        var records: [ProfileRecord] = []
        for reference in references {
            do { records.append(try await read(ItemQuery(reference))) } catch let error as ProfileError
                where error.code == .damagedRecord
            { damagedCount += 1 }
        }
        return (records.sorted { $0.identifier < $1.identifier }, damagedCount)
    }

    /// Nil where no profile of this identifier is installed.
    package func record(_ identifier: String) async throws -> ProfileRecord? {
        do {
            let record = try await read(Self.query(identifier))
            guard record.identifier == identifier else {
                throw ProfileError(
                    .damagedRecord, "", localized("the record of a profile in the keychain is another's; it is kept"))
            }
            return record
        } catch let error as TresorError where error.code == .notFound { return nil }
    }

    /// What all installed profiles demand of the passcode together.
    ///
    /// - Parameter leavingOut: the identifier of a profile that does not count.
    package func policy(leavingOut: String? = nil) async throws -> PasscodePolicy {
        try await records().readable.filter { $0.identifier != leavingOut }.reduce(PasscodePolicy()) {
            $0.stricter($1.policy)
        }
    }

    func write(_ record: ProfileRecord) async throws {
        let bytes = record.encoded
        guard bytes.count <= ProfileRecord.longest else {
            throw ProfileError(.unsupported, "", localized("the profile has more items than a record holds"))
        }
        let secret = try bytes.withSpan { (span) throws(SecretMemoryError) in try SecretBytes(copying: span) }
        do {
            try await keychain.update(Self.query(record.identifier), secret: secret.copy())
        } catch let error as TresorError where error.code == .notFound {
            var attributes = ItemAttributes()
            attributes.service = Self.service
            attributes.account = record.identifier
            attributes.label = record.displayName.isEmpty ? record.identifier : record.displayName
            attributes.itemDescription = "configuration profile"
            attributes.protectionClass = .afterFirstUnlockThisDeviceOnly
            try await keychain.add(.password, attributes, secret: secret)
        }
    }

    func remove(_ identifier: String) async throws { try await keychain.remove(Self.query(identifier)) }

    private func read(_ query: ItemQuery) async throws -> ProfileRecord {
        let secret = try await keychain.read(query)
        return try secret.withBytes { (bytes) throws(ProfileError) in try ProfileRecord(bytes) }
    }

    private static func query(_ identifier: String) -> ItemQuery {
        .password(service: service, account: identifier)
    }
}
