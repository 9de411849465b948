package import Envelopes
import Linux
package import Secrets

/// The sealed files of a store, one per asset, named by identity.
package struct AssetFolder: Sendable {
    let path: String
    private static let partial = ".part"

    /// Whether it is an earlier copy, in which nothing is moved.
    let isCopy: Bool

    init(_ path: String) throws {
        self.path = path
        isCopy = false
        try FileSystem.makeDirectories(path)
    }

    /// A folder of an earlier copy, to read from; it need not be there.
    init(ofCopy path: String) {
        self.path = path
        isCopy = true
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

    /// Removes an asset's file; one that is not there is none to remove.
    package func remove(_ asset: Identifier) throws(ZoneError) {
        do { try FileSystem.remove(file(asset)) } catch { throw ZoneError(linux: error) }
    }

    /// Copies the sealed file of an asset from another folder, over one that is here.
    ///
    /// It is on the disk when this returns.
    func take(_ asset: Identifier, from other: AssetFolder) throws(ZoneError) {
        do {
            // What is no file stands in its way.
            if try FileSystem.status(file(asset))?.isDirectory == true {
                try FileSystem.rename(file(asset), to: file(asset) + ".odd")
            }
            try copy(other.file(asset), to: partialFile(asset))
            try FileSystem.rename(partialFile(asset), to: file(asset))
            try FileSystem.syncDirectory(path)
        } catch {
            try? FileSystem.remove(partialFile(asset))
            throw ZoneError(linux: error)
        }
    }

    private func copy(_ path: String, to name: String) throws(LinuxError) {
        let source = try FileDescriptor.open(path, FileFlags.read)
        try FileSystem.remove(name)
        let target = try FileDescriptor.open(name, FileFlags.create)
        var count = 0
        while true {
            let part = try source.read(count: 1 << 20, at: count)
            guard !part.isEmpty else { break }
            try target.write(part, at: count)
            count += part.count
        }
        try target.sync()
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
