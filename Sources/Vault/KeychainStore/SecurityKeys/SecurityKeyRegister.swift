import KeyEnvelopes
import Protection
package import Secrets
package import Wire

/// The security keys that count as the owner, kept as items in a group that no program reaches.
///
/// Their class is WhenPasscodeSetThisDeviceOnly: what counts as the owner goes with the owner's passcode.
package final class SecurityKeyRegister {
    /// The group of these items.
    package static let group = "tresor.securitykeys"
    static let service = "tresor.securitykey"

    private let items: HiddenItems

    /// Reads nothing yet: each call looks at the items anew.
    package init(store: KeychainStore) { items = HiddenItems(group: Self.group, in: store) }

    /// By their names; one whose item does not hold is passed over, and kept.
    package func keys() throws -> [SecurityKeysReport.Key] {
        try items.entries(Self.service, class: .whenPasscodeSetThisDeviceOnly).compactMap { entry in
            guard let content = try? Content(entry.secret) else { return nil }
            return SecurityKeysReport.Key(id: content.record.id, description: content.description)
        }.sorted { $0.description.name < $1.description.name }
    }

    /// The record with which a key proves itself.
    ///
    /// - Throws: −25300 for a key that is not enrolled.
    package func record(_ id: Identifier) throws -> [UInt8] {
        guard
            let secret = try items.content(
                Self.service, id.description, class: .whenPasscodeSetThisDeviceOnly)
        else { throw KeychainError(.itemNotFound) }
        do { return try Content(secret).record.encoded } catch { throw KeychainError(.decode, .damagedItem) }
    }

    /// - Throws: −50 for a name that is none, or with `tooMany` where there are too many; −25299 for a key that is
    ///   enrolled.
    package func checkNew(_ description: SecurityKeyDescription) throws {
        guard KeychainName.isValid(description.name) else { throw KeychainError(.parameter) }
        let present = try keys()
        guard present.count < SecurityKeysReport.mostKeys else { throw KeychainError(.parameter, .tooMany) }
        let isThere = present.contains {
            $0.description.credential == description.credential || $0.description.name == description.name
        }
        guard !isThere else {
            throw KeychainError(.duplicateItem)
        }
    }

    /// - Parameter record: a `PresenceKeyRecord`, as the enclave made it.
    package func insert(_ description: SecurityKeyDescription, record: [UInt8]) throws {
        try checkNew(description)
        let id: Identifier
        do { id = try PresenceKeyRecord(record).id } catch { throw KeychainError(.decode, .damagedItem) }
        var writer = ByteWriter()
        writer.raw(record)
        description.encode(into: &writer)
        try items.add(Self.service, account: id.description, class: .whenPasscodeSetThisDeviceOnly, writer.bytes)
    }

    /// Forgets a key, so that it counts no more.
    ///
    /// - Throws: `KeychainError`: −25300 for a key that is not enrolled.
    package func remove(_ id: Identifier) throws { try items.remove(Self.service, id.description) }

    private struct Content {
        var record: PresenceKeyRecord
        var description: SecurityKeyDescription

        init(_ bytes: [UInt8]) throws(DecodingError) {
            (record, description) = try bytes.withSpan { (span) throws(DecodingError) in
                var reader = ByteReader(span)
                let record = try PresenceKeyRecord(reader.bytes(PresenceKeyRecord.byteCount))
                let description = try SecurityKeyDescription(from: &reader)
                try reader.end()
                return (record, description)
            }
        }
    }
}
