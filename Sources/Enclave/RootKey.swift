import Envelopes
package import Linux
package import Secrets

/// Where the device's root key, its UID, comes from.
///
/// The one seam at which a TPM takes the file's place.
package protocol RootKeySource {
    /// The key, 32 bytes.
    borrowing func load(from folder: borrowing FileDescriptor) throws(EnclaveFailure) -> SecretBytes
    /// Makes the key once, at the first start.
    borrowing func make(in folder: borrowing FileDescriptor) throws(EnclaveFailure) -> SecretBytes
}

/// The root key as a file of the enclave's folder: 32 random bytes behind a magic and a version.
///
/// See specs/root-key.md.
package struct FileRootKey: RootKeySource {
    static let name = "root.key"
    static let header = Array("TRRK".utf8) + [1]

    package init() {}

    package func load(from folder: borrowing FileDescriptor) throws(EnclaveFailure) -> SecretBytes {
        do {
            let file = try folder.open(Self.name, FileFlags.read)
            var buffer = try SecretBuffer(capacity: 64)
            while case .moved = try file.read(into: &buffer.storage, room: 64) {
                guard buffer.count <= 64 else { break }
            }
            return try Self.decode(buffer.bytes)
        } catch let error as LinuxError {
            throw error.isMissing ? .damaged(Self.name) : .storage(error)
        } catch let failure as EnclaveFailure { throw failure } catch { throw .memory }
    }

    package func make(in folder: borrowing FileDescriptor) throws(EnclaveFailure) -> SecretBytes {
        do {
            let key = try SecretBytes.makeRandom(count: KeyEnvelope.keyByteCount)
            var buffer = try SecretBuffer(capacity: 64)
            try buffer.append(Self.header)
            try buffer.append(key)
            let file = try folder.open(Self.name, FileFlags.create)
            guard try file.writeAll(buffer.bytes) else { throw EnclaveFailure.damaged(Self.name) }
            try file.sync()
            return key
        } catch let error as LinuxError { throw .storage(error) } catch let failure as EnclaveFailure {
            throw failure
        } catch { throw .memory }
    }

    static func decode(_ bytes: RawSpan) throws -> SecretBytes {
        var reader = ByteReader(bytes)
        do {
            guard try reader.bytes(header.count) == header else { throw EnclaveFailure.damaged(name) }
            let key = try SecretBytes(copying: reader.take(KeyEnvelope.keyByteCount))
            try reader.end()
            return key
        } catch is DecodingError { throw EnclaveFailure.damaged(name) }
    }
}
