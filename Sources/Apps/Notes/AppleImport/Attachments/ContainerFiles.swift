import Linux

/// The files beside the database, in the group container.
///
/// Names come from the database and so from anybody: none may leave the folder, and no link is followed.
struct ContainerFiles {
    let root: String

    /// A file that exists, by the names of the folders on the way and its own; nil if a name is not one, or if anything
    /// on the way is a link.
    func path(_ names: [String]) -> String? {
        var path = root
        for (number, name) in names.enumerated() {
            guard Self.isName(name) else { return nil }
            path += "/" + name
            guard let status = try? FileSystem.status(path) else { return nil }
            let isLast = number == names.count - 1
            guard isLast ? status.isRegular : status.isDirectory else { return nil }
        }
        return path
    }

    /// The first of `candidates` that exists, below the account's folder or, as older versions have it, the container.
    func first(of candidates: [[String]], account: String) -> String? {
        for names in candidates {
            if let path = path(["Accounts", account] + names) ?? path(names) { return path }
        }
        return nil
    }

    func read(_ path: String, limit: Int) throws(LinuxError) -> [UInt8] { try FileSystem.read(path, limit: limit) }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
            && name.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 != 0 }
    }
}
