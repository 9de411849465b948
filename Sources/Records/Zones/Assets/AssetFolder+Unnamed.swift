import Linux
package import Secrets

// Files that no record names: what a crash left behind, or all that is left of a record that has gone. Nobody can tell
// which, so none is removed before it has been put aside for long.
extension AssetFolder {
    private static let unnamed = "unnamed"
    /// How long a file lies aside before it is removed, in seconds: ninety days.
    package static let longAside: Int64 = 90 * day
    /// On how many days it was seen there before it is removed.
    package static let daysAside = 30
    private static let day: Int64 = 86_400

    private var aside: String { path + "/" + Self.unnamed }

    /// Puts those of these files aside that no record names, brings back what one names again, and removes what has
    /// lain aside for long.
    ///
    /// What cannot be moved stays: the next start tries again.
    ///
    /// - Parameter now: seconds since 1970.
    package func sort(_ assets: [Identifier], named: Set<Identifier>, now: Int64) {
        for asset in assets where !named.contains(asset) { try? setAside(asset) }
        try? removeLongAside(named: named, now: now)
    }

    /// Puts a file aside; it counts as gone, and comes back when somebody reads it.
    func setAside(_ asset: Identifier) throws(ZoneError) {
        do {
            try FileSystem.makeDirectories(aside)
            try FileSystem.rename(file(asset), to: aside + "/" + asset.description)
        } catch { throw ZoneError(linux: error) }
    }

    /// Removes files that were put aside ``longAside`` ago or earlier, that were seen there on ``daysAside`` days, and
    /// that no record names.
    ///
    /// - Parameter now: seconds since 1970.
    private func removeLongAside(named: Set<Identifier>, now: Int64) throws(ZoneError) {
        do {
            guard try FileSystem.status(aside)?.isDirectory == true else { return }
            var days = AsideDays(in: aside)
            let today = days.begin(now / Self.day)
            var left: Set<String> = []
            for name in try FileSystem.names(in: aside) where name != AsideDays.name {
                if let asset = Identifier(name), named.contains(asset) {
                    _ = bringBack(asset)
                    continue
                }
                let file = aside + "/" + name
                guard let status = try FileSystem.status(file), status.isRegular else { continue }
                if today.counts { days.see(name) }
                if now >= status.changed + Self.longAside, days.count(of: name) >= Self.daysAside {
                    try FileSystem.remove(file)
                } else {
                    left.insert(name)
                }
            }
            if today.isNew { try days.store(in: aside, of: left) }
        } catch { throw ZoneError(linux: error) }
    }

    /// Brings a file back that a record names after all.
    ///
    /// - Returns: whether it was aside.
    func bringBack(_ asset: Identifier) -> Bool {
        !isCopy && (try? FileSystem.rename(aside + "/" + asset.description, to: file(asset))) != nil
    }

    /// Gives a file its name back that lies here under another one: fsck(8) has found it, say, and given it a number.
    ///
    /// It is known by what it contains: no other asset's bytes open under this key.
    ///
    /// - Returns: whether one was found. The asset's own file, if there is one, is replaced.
    func takeRenamed(_ file: AssetReference) throws(ZoneError) -> Bool {
        let names: [String]
        do { names = try FileSystem.names(in: path) } catch { throw ZoneError(linux: error) }
        for name in names where Identifier(name) == nil && isWhole(name, file) {
            // Where something else stands under its name, or nothing can be written, the damage is named.
            guard (try? FileSystem.rename(path + "/" + name, to: self.file(file.asset))) != nil else { return false }
            do { try FileSystem.syncDirectory(path) } catch { throw ZoneError(linux: error) }
            return true
        }
        return false
    }

    private func isWhole(_ name: String, _ file: AssetReference) -> Bool {
        // A pipe would wait for whoever writes to it.
        guard (try? FileSystem.status(path + "/" + name))??.isRegular == true,
            let descriptor = try? FileDescriptor.open(path + "/" + name, FileFlags.read),
            let key = try? file.makeKey(),
            let reader = try? AssetReader(descriptor, key, byteCount: file.byteCount)
        else { return false }
        return (0..<reader.chunkCount).allSatisfy { (try? reader.chunk($0)) != nil }
    }
}
