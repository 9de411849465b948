package import KeyEnvelopes
package import Secrets

/// What a keychain's record says, with a tag that only the unlocked device could have made.
///
/// The record is of a class that opens before anybody was here, so that whoever has the device's files can write one.
/// The tag's key follows from a table key of class 10, which only the passcode opens. See specs/keychain-key.md.
package enum KeychainRecordBinding {
    private static let version: UInt8 = 2
    /// Far above a record, and a name of 64 characters.
    private static let longestContent = 1024

    /// What is known of a record by its bytes and, where the device was unlocked, its tag.
    package enum Reading: Equatable, Sendable {
        /// The device wrote it, for this place.
        case bound([UInt8])
        /// An earlier version wrote it, or somebody else.
        case unbound([UInt8])

        /// The record without its tag, whoever wrote it.
        package var content: [UInt8] {
            switch self {
            case .bound(let content), .unbound(let content): content
            }
        }
    }

    /// - Parameter tableKey: of class 10.
    package static func deriveKey(tableKey: borrowing SecretBytes, store: Identifier) throws(EnvelopeError)
        -> SecretBytes
    {
        try KeyDerivation.derive(from: tableKey, salt: store.bytes, info: "tresor keychain binding key v1")
    }

    /// - Parameters:
    ///   - content: a `KeychainKeyRecord`, nothing, or the name of the chosen keychain.
    ///   - service: of the item that holds it.
    ///   - name: the item's account: the keychain's name.
    package static func bind(
        _ content: [UInt8], service: String, name: String, under key: borrowing SecretBytes
    ) -> [UInt8] {
        var writer = ByteWriter()
        writer.uint8(version)
        writer.field(content)
        writer.raw(tag(content, service, name, key))
        return writer.bytes
    }

    /// - Parameter key: nil while the device was not unlocked yet; then nothing is bound.
    package static func read(
        _ bytes: [UInt8], service: String, name: String, under key: SealedKey?
    ) throws(DecodingError) -> Reading {
        guard bytes.first == version else { return .unbound(bytes) }
        let parts = try bytes.withSpan { (span) throws(DecodingError) in
            var reader = ByteReader(span)
            _ = try reader.uint8()
            let content = try reader.bytesField(limit: longestContent)
            let tag = try reader.bytes(DeviceKeys.tagByteCount)
            try reader.end()
            return (content: content, tag: tag)
        }
        guard let key, constantTimeEquals(parts.tag, tag(parts.content, service, name, key.bytes)) else {
            return .unbound(parts.content)
        }
        return .bound(parts.content)
    }

    private static func tag(
        _ content: [UInt8], _ service: String, _ name: String, _ key: borrowing SecretBytes
    ) -> [UInt8] {
        var writer = ByteWriter()
        writer.field("tresor keychain record v2")
        writer.field(service)
        writer.field(name)
        writer.field(content)
        return KeyedHash.authenticate(writer.bytes, under: key)
    }

    /// A key that more than one reading needs.
    package final class SealedKey {
        /// 32 bytes.
        package let bytes: SecretBytes

        /// - Parameter bytes: 32.
        package init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
    }
}
