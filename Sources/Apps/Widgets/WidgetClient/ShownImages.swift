package import Linux
import Localization
package import Wire

/// Pictures of widgets that streams keep in files, for hosts that read files.
///
/// Each stream holds a lock on its entry as long as it runs. One that was killed leaves its picture behind: whoever
/// finds its entry without a lock removes both.
package struct ShownImages {
    private let folder: String

    package init(_ home: Home) { folder = home.widgetsFolder + "/images" }

    /// Says that this process keeps a picture in a file, until the descriptor is closed.
    ///
    /// - Parameter path: absolute.
    /// - Throws: ``WidgetError`` where another process does already; `LinuxError`.
    package func claim(_ path: String) throws -> FileDescriptor {
        try FileSystem.makeDirectories(folder)
        let entry = self.entry(path)
        while true {
            let file = try FileDescriptor.open(entry, FileFlags.readWriteOrCreate)
            // A fresh image of the stream that had it takes it over.
            guard try file.lockExclusively(within: .milliseconds(500)) else {
                throw WidgetError(.invalid, marked("another stream draws into this file; give each one of its own"))
            }
            // Who looked for orphans may have removed it between the two: a lock on that tells nobody anything.
            guard try !FileIdentity(of: file).isUnlinked else { continue }
            // What somebody else has put there would make another path of it.
            try file.truncate()
            _ = try file.writeAll(path)
            return file
        }
    }

    /// Removes the pictures of streams that are gone.
    ///
    /// - Parameter evenHeld: at a lock also those of streams that run: one that is stopped would leave what it drew,
    ///   and one that is not draws anew.
    package func removeOrphans(evenHeld: Bool = false) throws {
        guard try FileSystem.status(folder) != nil else { return }
        // One that is none of ours must not keep the others from being looked at.
        var failure: (any Error)?
        for name in try FileSystem.names(in: folder) {
            do { try remove(name, evenHeld: evenHeld) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private func remove(_ name: String, evenHeld: Bool) throws {
        let entry = folder + "/" + name
        let file = try FileDescriptor.open(entry, FileFlags.readWriteOrCreate)
        let isHeld = try !file.lockExclusively()
        guard evenHeld || !isHeld else { return }
        // Somebody else has looked for orphans, and what is at this path now may be a stream's again.
        guard try !FileIdentity(of: file).isUnlinked else { return }
        let path = String(decoding: try FileSystem.read(entry, limit: 4096), as: UTF8.self)
        // A path that does not belong to this entry was half written, or is not ours; and whoever writes entries must
        // not have other files removed by that.
        if path.hasPrefix("/"), path.hasSuffix(".png"), self.entry(path) == entry,
            try Self.isFit(FileSystem.directory(of: path))
        {
            for picture in [path, path + ".new"] where try FileSystem.status(picture)?.isRegular == true {
                try FileSystem.remove(picture)
            }
        }
        if !isHeld { try FileSystem.remove(entry) }
    }

    /// Whether a folder may hold pictures of what is shown: this user's, in memory, and nobody else may look into it.
    package static func isFit(_ folder: String) throws -> Bool {
        try isPrivate(folder) && FileSystem.isInMemory(folder)
    }

    package static func isPrivate(_ folder: String) throws -> Bool {
        guard let status = try FileSystem.status(folder) else { return false }
        return status.isDirectory && status.owner == CurrentProcess.user && status.mode & 0o077 == 0
    }

    /// FNV-1a, 64 bits: the same path has the same entry.
    private func entry(_ path: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return folder + "/" + String(hash, radix: 16)
    }
}
