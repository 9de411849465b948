package import Secrets

/// One signed step in a zone's membership; see specs/zone.md.
package struct ZoneLogEntry: Equatable, Sendable {
    /// What a step does to the membership.
    package enum Operation: UInt8, CaseIterable, Sendable { case create = 1, add, remove, role, rotate, leave }
    /// What a member may do in a zone; each may what those below may.
    package enum Role: UInt8, CaseIterable, Sendable { case owner = 1, admin, writer, reader }
    /// When a zone can be opened, as its members' devices lock.
    package enum ZoneClass: UInt8, Sendable { case whenUnlocked = 1, afterFirstUnlock }

    /// Ed25519 (RFC 8032).
    package static let signatureByteCount = 64
    private static let longestScope = 64
    private static let purpose = "tresor zone log v1"

    /// 32 bytes, zeros in the first entry, whose hash it is.
    package var zone: [UInt8]
    /// From 0 on, without a gap.
    package var number: UInt64
    /// The hash of the entry before, 32 bytes; zeros in the first.
    package var previous: [UInt8]
    /// What this step does.
    package var operation: Operation
    /// The account that it is done to; a rotation of keys names its signer.
    package var subject: Identifier
    /// The subject's public key for signatures, 32 bytes.
    package var signingKey: [UInt8]
    /// The subject's public key by which zones of class AfterFirstUnlock are wrapped for it, 32 bytes.
    package var backgroundAgreementKey: [UInt8]
    /// The subject's public key by which zones of class WhenUnlocked are wrapped for it, 32 bytes.
    package var agreementKey: [UInt8]
    /// What the subject may do from here on.
    package var role: Role
    /// When the zone can be opened; the first entry says it for good.
    package var zoneClass: ZoneClass
    /// What the zone is for, such as `notes`.
    package var scope: String
    /// Of the zone key that is in force from here on.
    package var generation: UInt32
    /// ``ZoneKeyEnvelope/commitment(of:generation:)``, 32 bytes.
    package var commitment: [UInt8]
    /// Microseconds since 1970, UTC.
    package var time: UInt64
    /// The account that signed it.
    package var signer: Identifier

    /// - Parameters:
    ///   - zone: 32 bytes; zeros in the first entry.
    ///   - previous: 32 bytes; zeros in the first entry.
    ///   - time: microseconds since 1970, UTC.
    package init(
        zone: [UInt8], number: UInt64, previous: [UInt8], operation: Operation, subject: Identifier,
        signingKey: [UInt8], backgroundAgreementKey: [UInt8], agreementKey: [UInt8], role: Role,
        zoneClass: ZoneClass, scope: String, generation: UInt32, commitment: [UInt8], time: UInt64,
        signer: Identifier
    ) {
        self.zone = zone
        self.number = number
        self.previous = previous
        self.operation = operation
        self.subject = subject
        self.signingKey = signingKey
        self.backgroundAgreementKey = backgroundAgreementKey
        self.agreementKey = agreementKey
        self.role = role
        self.zoneClass = zoneClass
        self.scope = scope
        self.generation = generation
        self.commitment = commitment
        self.time = time
        self.signer = signer
    }

    /// The bytes that are signed and hashed; see specs/zone.md.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.field(Self.purpose)
        writer.raw(zone)
        writer.uint64(number)
        writer.raw(previous)
        writer.uint8(operation.rawValue)
        writer.identifier(subject)
        writer.raw(signingKey)
        writer.raw(backgroundAgreementKey)
        writer.raw(agreementKey)
        writer.uint8(role.rawValue)
        writer.uint8(zoneClass.rawValue)
        writer.field(scope)
        writer.uint32(generation)
        writer.raw(commitment)
        writer.uint64(time)
        writer.identifier(signer)
        return writer.bytes
    }

    /// - Throws: `DecodingError` for anything but the canonical bytes of an entry.
    package init(from encoded: [UInt8]) throws(DecodingError) {
        self = try encoded.withSpan { (span) throws(DecodingError) in
            var reader = ByteReader(span)
            guard try reader.stringField(limit: 64) == Self.purpose else { throw .invalid }
            let entry = try Self(fields: &reader)
            try reader.end()
            return entry
        }
        let isFirst = number == 0
        let zeros = [UInt8](repeating: 0, count: 32)
        guard isFirst == (operation == .create), isFirst == (zone == zeros), isFirst == (previous == zeros) else {
            throw .invalid
        }
        if isFirst { guard role == .owner, generation == 1 else { throw .invalid } }
    }

    private init(fields reader: inout ByteReader) throws(DecodingError) {
        zone = try reader.bytes(32)
        number = try reader.uint64()
        previous = try reader.bytes(32)
        operation = try Self.known(Operation(rawValue: try reader.uint8()))
        subject = try reader.identifier()
        signingKey = try reader.bytes(32)
        backgroundAgreementKey = try reader.bytes(32)
        agreementKey = try reader.bytes(32)
        role = try Self.known(Role(rawValue: try reader.uint8()))
        zoneClass = try Self.known(ZoneClass(rawValue: try reader.uint8()))
        scope = try reader.stringField(limit: Self.longestScope)
        generation = try reader.uint32()
        commitment = try reader.bytes(32)
        time = try reader.uint64()
        signer = try reader.identifier()
    }

    private static func known<Value>(_ value: Value?) throws(DecodingError) -> Value {
        guard let value else { throw .invalid }
        return value
    }

    /// SHA-256 of the entry; that of the first is the zone's name.
    package var hash: [UInt8] { Digest.sha256(encoded) }

    /// Whether the entry's own signing key made this signature: the rule of a first entry, whose signer is its subject.
    package func verify(_ signature: [UInt8]) -> Bool {
        operation == .create && signer == subject && verify(signature, under: signingKey)
    }

    /// Whether the holder of a key made this signature: the rule of later entries, whose signer an earlier one named.
    ///
    /// - Parameter key: the signer's public key for signatures, 32 bytes.
    package func verify(_ signature: [UInt8], under key: [UInt8]) -> Bool {
        Signing.verify(signature, of: encoded, publicKey: key)
    }
}
