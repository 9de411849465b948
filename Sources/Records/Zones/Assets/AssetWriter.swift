package import Envelopes
import KeyEnvelopes
import Linux
package import Secrets

/// Seals a file chunk by chunk as it comes, so that its size never has to fit into memory.
package final class AssetWriter {
    private let folder: AssetFolder
    private let key: AssetKey
    private let file: FileDescriptor
    private var waiting: [UInt8] = []
    private var index: UInt32 = 0
    private var offset = 0
    /// Of plaintext, so far.
    package private(set) var byteCount: UInt64 = 0
    private var isFinished = false

    init(_ folder: AssetFolder, _ key: consuming AssetKey) throws(ZoneError) {
        self.folder = folder
        do {
            file = try FileDescriptor.open(folder.partialFile(key.asset), FileFlags.create)
        } catch { throw ZoneError(linux: error) }
        self.key = key
    }

    deinit { if !isFinished { try? FileSystem.remove(folder.partialFile(key.asset)) } }

    /// Names the file that is being written.
    package var asset: Identifier { key.asset }

    /// Lends the key, to be sealed into the record that names the asset.
    package func withKey<Result>(_ body: (borrowing AssetKey) -> Result) -> Result { body(key) }

    /// Adds bytes of plaintext; what fills a chunk is sealed and written.
    ///
    /// - Throws: `ZoneError`: the file is of no use then, and goes with its writer.
    package func append(_ bytes: RawSpan) throws(ZoneError) {
        byteCount += UInt64(bytes.byteCount)
        var rest = 0
        while rest < bytes.byteCount {
            // A full chunk waits until more comes: only then is it known not to be the last.
            if waiting.count == AssetEnvelope.chunkByteCount { try sealWaiting(isLast: false) }
            let count = min(AssetEnvelope.chunkByteCount - waiting.count, bytes.byteCount - rest)
            waiting += bytes.extracting(rest..<rest + count).copyToArray()
            rest += count
        }
    }

    /// Seals the last chunk and waits until all of it, and its name, are on the disk.
    package func finish() throws(ZoneError) {
        try sealWaiting(isLast: true)
        do {
            try file.sync()
            try FileSystem.rename(folder.partialFile(key.asset), to: folder.file(key.asset))
            try FileSystem.syncDirectory(folder.path)
        } catch { throw ZoneError(linux: error) }
        isFinished = true
    }

    private func sealWaiting(isLast: Bool) throws(ZoneError) {
        do {
            let sealed = try waiting.withSpan { (span) throws(EnvelopeError) in
                try AssetEnvelope.seal(span, at: index, isLast: isLast, under: key)
            }
            try file.write(sealed, at: offset)
            offset += sealed.count
        } catch let error as LinuxError { throw ZoneError(linux: error) } catch { throw ZoneError(error) }
        guard index < .max else { throw .storage(27) }
        index += 1
        waiting.removeAll(keepingCapacity: true)
    }
}

/// Opens a sealed file chunk by chunk.
package final class AssetReader {
    private let key: AssetKey
    private let file: FileDescriptor
    /// Of plaintext.
    package let byteCount: UInt64
    /// Of 1 MiB of plaintext each, but the last.
    package let chunkCount: Int
    /// Of each chunk but the last.
    package static let chunkByteCount = AssetEnvelope.chunkByteCount

    convenience init(_ folder: AssetFolder, _ key: consuming AssetKey, byteCount: UInt64) throws(ZoneError) {
        let file: FileDescriptor
        do { file = try Self.open(key.asset, in: folder) } catch { throw Self.failure(error, of: key.asset) }
        try self.init(file, key, byteCount: byteCount)
    }

    /// - Parameter file: whose bytes are the asset's, whatever its name is.
    init(
        _ file: consuming FileDescriptor, _ key: consuming AssetKey, byteCount: UInt64
    ) throws(ZoneError) {
        let asset = key.asset
        let chunk = UInt64(AssetEnvelope.chunkByteCount)
        guard byteCount <= UInt64(UInt32.max) * chunk else { throw .damagedAsset(asset) }
        self.byteCount = byteCount
        chunkCount = max(1, Int((byteCount + chunk - 1) / chunk))
        let found: Int
        do { found = try file.byteCount() } catch { throw Self.failure(error, of: asset) }
        self.file = file
        self.key = key
        guard found == Int(byteCount) + chunkCount * AssetEnvelope.overhead else { throw .damagedAsset(asset) }
    }

    private static func failure(_ error: LinuxError, of asset: Identifier) -> ZoneError {
        error.isMissing || error.isOfDamagedFile ? .damagedAsset(asset) : ZoneError(linux: error)
    }

    private static func open(_ asset: Identifier, in folder: AssetFolder) throws(LinuxError) -> FileDescriptor {
        do { return try FileDescriptor.open(folder.file(asset), FileFlags.read) } catch {
            guard error.isMissing, folder.bringBack(asset) else { throw error }
            return try FileDescriptor.open(folder.file(asset), FileFlags.read)
        }
    }

    /// The chunk at `index`, below ``chunkCount``.
    package func chunk(_ index: Int) throws(ZoneError) -> [UInt8] {
        let size = AssetEnvelope.chunkByteCount + AssetEnvelope.overhead
        let isLast = index == chunkCount - 1
        let sealed: [UInt8]
        do { sealed = try file.read(count: size, at: index * size) } catch {
            throw error.isOfDamagedFile ? .damagedAsset(key.asset) : ZoneError(linux: error)
        }
        do {
            return try sealed.withSpan { (span) throws(EnvelopeError) in
                try AssetEnvelope.open(span, at: UInt32(index), isLast: isLast, under: key)
            }
        } catch EnvelopeError.memory { throw .outOfMemory } catch { throw .damagedAsset(key.asset) }
    }
}
