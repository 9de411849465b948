package import KeyEnvelopes
package import Secrets

/// A widget's timeline as it lies on the disk: what is open apart from what is sealed, both under the key of its class.
///
/// See specs/widget-store.md.
package struct WidgetTimelineEnvelope: Equatable, Sendable {
    /// Bytes of a file at most.
    package static let mostBytes = 17 << 20
    private static let version: UInt8 = 1
    private static let purpose = "tresor widget timeline v1"

    /// The halves, each openable without the other.
    private enum Part: UInt8 {
        case open = 1
        case secrets = 2
    }

    /// The class's number, 0 to 3.
    package let protection: UInt8
    /// Of this timeline, random: halves of two do not fit each other.
    private let id: Identifier
    private let open: [UInt8]
    private let secrets: [UInt8]

    /// Seals a timeline under a class's key.
    ///
    /// - Parameters:
    ///   - open: what may be shown behind a privacy mask.
    ///   - secrets: what only the owner may see.
    ///   - kind: the widget's.
    ///   - protection: the class's number.
    ///   - key: 32 bytes.
    package init(
        open: borrowing SecretBytes, secrets: borrowing SecretBytes, kind: String, protection: UInt8,
        under key: borrowing SecretBytes
    ) throws(EnvelopeError) {
        let id = Identifier.makeRandom()
        self.id = id
        self.protection = protection
        func seal(_ part: Part, _ bytes: borrowing SecretBytes) throws(EnvelopeError) -> [UInt8] {
            let binding = Self.binding(part, kind, protection, id)
            return try Self.padded(bytes).withBytes { (span) throws(EnvelopeError) in
                try AEAD.seal(span, under: key, binding: binding)
            }
        }
        self.open = try seal(.open, open)
        self.secrets = try seal(.secrets, secrets)
    }

    /// Seals a timeline for a class whose key is shut, by HPKE to its public key (RFC 9180).
    ///
    /// - Parameter publicKey: 32 bytes, X25519.
    package init(
        open: borrowing SecretBytes, secrets: borrowing SecretBytes, kind: String, protection: UInt8,
        to publicKey: [UInt8]
    ) throws(EnvelopeError) {
        let id = Identifier.makeRandom()
        self.id = id
        self.protection = protection
        self.open = try PublicKeySeal.seal(
            Self.padded(open), to: publicKey, info: Self.binding(.open, kind, protection, id))
        self.secrets = try PublicKeySeal.seal(
            Self.padded(secrets), to: publicKey, info: Self.binding(.secrets, kind, protection, id))
    }

    /// What may be shown behind a privacy mask.
    package func openPublicPart(kind: String, key: borrowing SecretBytes) throws(EnvelopeError) -> SecretBytes {
        try opened(open, .open, kind, key)
    }

    /// What only the owner may see.
    package func openSecrets(kind: String, key: borrowing SecretBytes) throws(EnvelopeError) -> SecretBytes {
        try opened(secrets, .secrets, kind, key)
    }

    private func opened(
        _ sealed: [UInt8], _ part: Part, _ kind: String, _ key: borrowing SecretBytes
    ) throws(EnvelopeError) -> SecretBytes {
        let binding = Self.binding(part, kind, protection, id)
        if protection == Self.sealedToPublicKey {
            return try Self.unpadded(PublicKeySeal.open(sealed, privateKey: key, info: binding))
        }
        return try Self.unpadded(AEAD.open(sealed, under: key, binding: binding))
    }

    /// Behind its length, and with zeros up to the length that records have: how long a secret is, is one.
    private static func padded(_ bytes: borrowing SecretBytes) throws(EnvelopeError) -> SecretBytes {
        do {
            let count = bytes.withBytes { $0.byteCount }
            var buffer = try SecretBuffer(capacity: RecordEnvelope.paddedCount(count))
            try buffer.field(bytes)
            try buffer.appendZeros(count: RecordEnvelope.paddedCount(count) - buffer.count)
            return buffer.finish()
        } catch { throw .memory }
    }

    private static func unpadded(_ padded: consuming SecretBytes) throws(EnvelopeError) -> SecretBytes {
        try padded.withBytes { (span) throws(EnvelopeError) in
            var reader = ByteReader(span)
            let content: RawSpan
            do { content = try reader.field(limit: span.byteCount) } catch { throw .malformed }
            guard span.byteCount == RecordEnvelope.paddedCount(content.byteCount) else { throw .malformed }
            var isZero = true
            span.extracting(droppingFirst: 4 + content.byteCount).forEachByte { if $0 != 0 { isZero = false } }
            guard isZero else { throw .malformed }
            do { return try SecretBytes(copying: content) } catch { throw .memory }
        }
    }

    /// The class that is written to without its key.
    private static let sealedToPublicKey: UInt8 = 2

    private static func binding(_ part: Part, _ kind: String, _ protection: UInt8, _ id: Identifier) -> [UInt8] {
        var writer = ByteWriter()
        writer.field(purpose)
        writer.uint8(part.rawValue)
        writer.uint8(protection)
        writer.identifier(id)
        writer.field(Array(kind.utf8))
        return writer.bytes
    }

    /// The file's bytes.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.uint8(Self.version)
        writer.uint8(protection)
        writer.identifier(id)
        writer.field(open)
        writer.field(secrets)
        return writer.bytes
    }

    /// - Throws: `DecodingError` unless it is the one form of a timeline.
    package init(_ bytes: [UInt8]) throws(DecodingError) {
        self = try bytes.withSpan { (span) throws(DecodingError) in
            var reader = ByteReader(span)
            guard try reader.uint8() == Self.version else { throw .invalid }
            let protection = try reader.uint8()
            guard protection <= 3 else { throw .invalid }
            let id = try reader.identifier()
            let open = try reader.bytesField(limit: Self.mostBytes)
            let secrets = try reader.bytesField(limit: Self.mostBytes)
            try reader.end()
            return WidgetTimelineEnvelope(protection: protection, id: id, open: open, secrets: secrets)
        }
    }

    private init(protection: UInt8, id: Identifier, open: [UInt8], secrets: [UInt8]) {
        self.protection = protection
        self.id = id
        self.open = open
        self.secrets = secrets
    }
}
