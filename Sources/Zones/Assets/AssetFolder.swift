package import Envelopes
import Linux
package import Secrets

/// The sealed files of a store, one per asset, named by identity.
package struct AssetFolder: Sendable {
    let path: String
    private static let partial = ".part"

    init(_ path: String) throws {
        self.path = path
        try FileSystem.makeDirectories(path)
    }

    /// Begins a file; it appears under its name when its last chunk is on the disk.
    package func makeWriter(_ key: consuming AssetKey) throws(ZoneError) -> AssetWriter {
        try AssetWriter(self, key)
    }

    /// Opens a file for reading.
    ///
    /// - Parameter byteCount: of plaintext, as its record says.
    package func makeReader(_ key: consuming AssetKey, byteCount: UInt64) throws(ZoneError) -> AssetReader {
        try AssetReader(self, key, byteCount: byteCount)
    }

    package func remove(_ asset: Identifier) throws(ZoneError) {
        do { try FileSystem.remove(file(asset)) } catch { throw ZoneError(linux: error) }
    }

    /// The assets whose files are there; what was never finished is removed.
    ///
    /// To be called before anything is written.
    package func names() throws(ZoneError) -> [Identifier] {
        do {
            var assets: [Identifier] = []
            for name in try FileSystem.names(in: path) {
                if let asset = Identifier(name) { assets.append(asset) }
                if name.hasSuffix(Self.partial) { try FileSystem.remove(path + "/" + name) }
            }
            return assets
        } catch { throw ZoneError(linux: error) }
    }

    func file(_ asset: Identifier) -> String { path + "/" + asset.description }
    func partialFile(_ asset: Identifier) -> String { file(asset) + Self.partial }
}

extension ZoneError {
    init(linux error: LinuxError) {
        self = error.isOutOfSpace ? .diskFull : error.isReadOnly ? .readOnlyDisk : .storage(error.code)
    }
}
