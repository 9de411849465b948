import FoundationEssentials
package import Linux

/// The file by which a folder is known at a later import: a random id, whatever the folder is called then.
///
/// A folder inside a marked one belongs to it. See specs/notes-import.md.
package struct SourceMark: Sendable, Equatable {
    package static let fileName = ".tresor-source"
    private static let heading = "tresor source 1 "

    /// 32 hexadecimal digits.
    package let id: String
    /// The folder that has the mark, from the root on.
    package let folder: String

    package init(id: String, folder: String) {
        self.id = id
        self.folder = folder
    }

    /// The mark of a folder, or of the nearest one above it.
    ///
    /// One that another user made says nothing.
    package static func find(from folder: String) -> SourceMark? {
        var place = absolute(folder)
        while true {
            if let id = id(in: place) { return SourceMark(id: id, folder: place) }
            guard place != "/", !place.isEmpty else { return nil }
            let parent = FileSystem.directory(of: place)
            place = parent.isEmpty ? "/" : parent
        }
    }

    /// Whether two paths lead to one folder, as a link or a second mount does.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        // Links in the last place are followed with it.
        guard one != other, let first = try? FileSystem.status(one + "/."),
            let second = try? FileSystem.status(other + "/.")
        else { return one == other }
        return first.identity == second.identity
    }

    /// The id that stands in a folder itself.
    package static func id(in folder: String) -> String? {
        let path = folder + "/" + fileName
        guard let status = try? FileSystem.status(path), status.isRegular, status.owner == CurrentProcess.user,
            let bytes = try? FileSystem.read(path, limit: 1024, followsLinks: false)
        else { return nil }
        let line = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" }
        guard line.hasPrefix(heading) else { return nil }
        let id = line.dropFirst(heading.count)
        guard id.utf8.count == 32, id.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else { return nil }
        return String(id)
    }

    /// Marks a folder, in place of a mark that it has.
    package static func write(_ id: String, in folder: String) throws(LinuxError) -> SourceMark {
        let place = absolute(folder)
        try FileSystem.replace(place + "/" + fileName, with: Array("\(heading)\(id)\n".utf8), mode: 0o644)
        return SourceMark(id: id, folder: place)
    }

    /// What a path in `folder` is called from the marked folder.
    package func path(_ path: String, in folder: String) -> String {
        let inner = Self.absolute(folder).dropFirst(self.folder == "/" ? 1 : self.folder.count + 1)
        return inner.isEmpty ? path : inner + "/" + path
    }

    /// From the root on, without `.` and `..`.
    package static func absolute(_ path: String) -> String {
        let start = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        return "/" + (RelativePath.join("", String(start.drop { $0 == "/" })) ?? "")
    }
}
