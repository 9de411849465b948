import KeyEnvelopes
import Linux
import Secrets

/// How the device's root key, its UID, lies in a file.
///
/// The one seam at which a TPM takes the place of a key that lies there in the clear.
package protocol RootKeySource {
    /// Takes the key out of what a file holds.
    ///
    /// - Returns: nil for what no maker wrote.
    borrowing func read(_ file: RawSpan) throws(EnclaveFailure) -> RootKeyCopy?
    /// Makes the key once, at the first start.
    borrowing func make() throws(EnclaveFailure) -> RootKeyCopy
}

/// The root key as a file gave it.
package final class RootKeyCopy: Sendable {
    /// 32 bytes.
    let key: SecretBytes
    /// Whether the file vouches for its key; one of version 1 does not.
    let isChecked: Bool
    /// What another file of this key is to hold.
    let file: SecretBuffer

    init(_ key: consuming SecretBytes, isChecked: Bool, file: consuming SecretBuffer) {
        self.key = key
        self.isChecked = isChecked
        self.file = file
    }

    func isSame(_ other: RootKeyCopy) -> Bool { key.equals(other.key) }
}

/// The root key as 32 random bytes behind a magic and a version, with a check behind them.
///
/// See specs/root-key.md.
package struct FileRootKey: RootKeySource {
    static let name = "root.key"
    static let magic = Array("TRRK".utf8)
    static let version: UInt8 = 2
    /// As 0.1 wrote it.
    static let versionWithoutCheck: UInt8 = 1

    package init() {}

    package func read(_ file: RawSpan) throws(EnclaveFailure) -> RootKeyCopy? {
        do { return try Self.decode(file) } catch is DecodingError { return nil } catch { throw .memory }
    }

    package func make() throws(EnclaveFailure) -> RootKeyCopy {
        do { return try Self.copy(try SecretBytes.makeRandom(count: KeyEnvelope.keyByteCount), isChecked: true) } catch
        {
            throw .memory
        }
    }

    static func decode(_ bytes: RawSpan) throws -> RootKeyCopy {
        var reader = ByteReader(bytes)
        guard try reader.bytes(magic.count) == magic else { throw DecodingError.invalid }
        let version = try reader.uint8()
        let key = try SecretBytes(copying: reader.take(KeyEnvelope.keyByteCount))
        switch version {
        case versionWithoutCheck: break
        case Self.version:
            let check = try reader.bytes(DeviceKeys.rootCheckByteCount)
            guard constantTimeEquals(check, try DeviceKeys.rootCheck(key)) else { throw DecodingError.invalid }
        default: throw DecodingError.invalid
        }
        try reader.end()
        return try copy(key, isChecked: version != versionWithoutCheck)
    }

    private static func copy(_ key: consuming SecretBytes, isChecked: Bool) throws -> RootKeyCopy {
        var file = try SecretBuffer(capacity: 64)
        try file.append(magic + [version])
        try file.append(key)
        try file.append(try DeviceKeys.rootCheck(key))
        return RootKeyCopy(key, isChecked: isChecked, file: file)
    }
}
