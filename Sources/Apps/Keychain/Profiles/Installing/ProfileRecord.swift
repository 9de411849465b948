import Localization
package import Secrets
package import Tresor
import Wire

/// What the keychain keeps of an installed profile: which items are its own, and what it demands.
///
/// See specs/profile.md. It holds no secret of the profile, and is itself the secret of an item.
package struct ProfileRecord: Sendable, Equatable {
    package enum State: UInt8, Sendable {
        /// Items are being added; those that were carry the installation's mark.
        case installing = 1
        case installed = 2
    }

    /// One of the profile's items.
    package struct Item: Sendable, Equatable {
        package let kind: ItemKind
        package let role: AvailabilityRule.Role
        package let protectionClass: ProtectionClass
        /// The PayloadUUID of the payload that brought it.
        package let payload: String
        /// Nil until it has been added.
        package var reference: PersistentReference?
    }

    package var state: State
    package var installation: Identifier
    package var identifier: String
    package var uuid: String
    package var displayName: String
    package var organization: String
    package var isRemovalDisallowed: Bool
    package var rule: AvailabilityRule
    /// Microseconds since 1970.
    package var installed: Int64
    package var minimumLength: UInt8
    /// In seconds; 0 where the profile demands none.
    package var idleLockSeconds: UInt32
    /// The idle lock that was set before the profile made it shorter; nil where it did not.
    package var formerIdleLock: UInt32?
    package var items: [Item]
    /// Items of the installation before, which go once this one is complete.
    package var superseded: [Item]
    /// Whether it was read as one of the former version: then it is written as it was.
    private(set) var isFormer = false

    private static let purpose = "tresor profile record v2"
    /// Of version 0.1, which knew no roots; a new record is never written so.
    private static let formerPurpose = "tresor profile record v1"
    /// Two lists of as many items as a profile can have, with the longest names.
    static let longest = 768 * 1024
    static let mostItems = 1000
    private static let longestText = Fields.longestText

    /// What the profile demands of the passcode.
    package var policy: PasscodePolicy {
        PasscodePolicy(minimumLength: Int(minimumLength), idleLockSeconds: idleLockSeconds)
    }

    /// The certificates that the profile made trusted, by their references: of the installation that is complete.
    package var roots: [PersistentReference] {
        (state == .installed ? items : superseded).filter { $0.role == .root }.compactMap(\.reference)
    }

    /// Whether the profile has installed such an item before so that it can always be read, by the older rule.
    func wasAlways(_ kind: ItemKind, _ role: AvailabilityRule.Role, _ payload: String) -> Bool {
        let complete = state == .installed ? items : superseded
        return complete.contains {
            $0.kind == kind && $0.role == role && $0.payload == payload && $0.protectionClass == .always
        }
    }
}

// The bytes.
extension ProfileRecord {
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.field(isFormer ? Self.formerPurpose : Self.purpose)
        writer.uint8(state.rawValue)
        writer.identifier(installation)
        for text in [identifier, uuid, displayName, organization] { writer.field(text) }
        writer.bool(isRemovalDisallowed)
        writer.uint8(rule.code)
        writer.uint64(UInt64(bitPattern: installed))
        writer.uint8(minimumLength)
        writer.uint32(idleLockSeconds)
        writer.bool(formerIdleLock != nil)
        if let formerIdleLock { writer.uint32(formerIdleLock) }
        for list in [items, superseded] {
            writer.uint32(UInt32(list.count))
            for item in list { item.encode(into: &writer) }
        }
        return writer.bytes
    }

    package init(_ bytes: RawSpan) throws(ProfileError) {
        do {
            guard bytes.byteCount <= Self.longest else { throw DecodingError.tooLong }
            var reader = ByteReader(bytes)
            let purpose = try reader.stringField(limit: 64)
            guard purpose == Self.purpose || purpose == Self.formerPurpose else { throw DecodingError.invalid }
            guard let state = State(rawValue: try reader.uint8()) else { throw DecodingError.invalid }
            self.state = state
            installation = try reader.identifier()
            identifier = try reader.stringField(limit: ConfigurationProfile.longestIdentifier)
            uuid = try reader.stringField(limit: ConfigurationProfile.longestIdentifier)
            displayName = try reader.stringField(limit: Self.longestText)
            organization = try reader.stringField(limit: Self.longestText)
            isRemovalDisallowed = try reader.bool()
            guard let rule = AvailabilityRule(code: try reader.uint8()) else { throw DecodingError.invalid }
            self.rule = rule
            installed = Int64(bitPattern: try reader.uint64())
            minimumLength = try reader.uint8()
            idleLockSeconds = try reader.uint32()
            formerIdleLock = try reader.bool() ? try reader.uint32() : nil
            items = try Self.items(&reader)
            superseded = try Self.items(&reader)
            try reader.end()
            guard state == .installing || items.allSatisfy({ $0.reference != nil }),
                superseded.allSatisfy({ $0.reference != nil })
            else { throw DecodingError.invalid }
            isFormer = purpose == Self.formerPurpose
            guard !isFormer || (items + superseded).allSatisfy({ $0.role != .root }) else {
                throw DecodingError.invalid
            }
        } catch {
            throw ProfileError(
                .damagedRecord, "", localized("the record of a profile in the keychain is damaged; it is kept"))
        }
    }

    private static func items(_ reader: inout ByteReader) throws -> [Item] {
        let count = Int(try reader.uint32())
        guard count <= mostItems else { throw DecodingError.tooLong }
        var items: [Item] = []
        for _ in 0..<count { items.append(try Item(from: &reader)) }
        return items
    }
}

extension ProfileRecord.Item {
    fileprivate func encode(into writer: inout ByteWriter) {
        writer.uint8(kind.rawValue)
        writer.uint8(role.rawValue)
        writer.uint8(protectionClass.rawValue)
        writer.field(payload)
        writer.bool(reference != nil)
        if let reference { writer.raw(reference.bytes) }
    }

    fileprivate init(from reader: inout ByteReader) throws {
        guard let kind = ItemKind(rawValue: try reader.uint8()),
            let role = AvailabilityRule.Role(rawValue: try reader.uint8()),
            let protectionClass = ProtectionClass(rawValue: try reader.uint8())
        else { throw DecodingError.invalid }
        self.kind = kind
        self.role = role
        self.protectionClass = protectionClass
        payload = try reader.stringField(limit: ConfigurationProfile.longestIdentifier)
        guard try reader.bool() else {
            reference = nil
            return
        }
        guard let reference = PersistentReference(bytes: try reader.bytes(20)), reference.kind == kind else {
            throw DecodingError.invalid
        }
        self.reference = reference
    }
}

extension AvailabilityRule {
    fileprivate var code: UInt8 {
        switch self {
        case .macOS: 1
        case .iOS: 2
        }
    }

    fileprivate init?(code: UInt8) {
        guard let rule = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = rule
    }
}
