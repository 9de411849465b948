import Linux

/// The files of a folder, as notes in it name them.
///
/// A name leads to a regular file inside the folder or nowhere: no link is followed, at no level.
package struct FolderFiles: Sendable {
    package enum Target: Equatable {
        /// A file, by its path in the folder.
        case file(String)
        /// A file was meant, and it is not there.
        case missing
        /// An address, a place in the text, or another note.
        case elsewhere
    }

    package let root: String
    /// Paths by file name, for embeds, which name a file alone; of two alike, the shorter path.
    private var byName: [String: String] = [:]

    init(root: String) { self.root = root }

    mutating func add(_ path: String) {
        let name = RelativePath.name(path)
        guard let known = byName[name] else { return byName[name] = path }
        if (path.utf8.count, path) < (known.utf8.count, known) { byName[name] = path }
    }

    /// What a link's destination means in a note of the folder `directory`.
    package func resolve(_ destination: String, from directory: String) -> Target {
        let isOther = destination.isEmpty || destination.hasPrefix("#") || Self.hasScheme(destination)
        guard !isOther, !destination.hasPrefix("//") else { return .elsewhere }
        let bare = destination.prefix { $0 != "#" && $0 != "?" }
        guard !destination.hasPrefix("/"), let decoded = PercentCoding.decode(String(bare)),
            let path = RelativePath.join(directory, decoded)
        else { return .missing }
        return find(path)
    }

    /// What an embed means: a path from its note or from the folder's top, or a name alone.
    func resolveEmbed(_ target: String, from directory: String) -> Target {
        let bare = String(target.prefix { $0 != "#" })
        let name = RelativePath.name(bare)
        guard name.contains("."), !RelativePath.isMarkdown(name), !Self.hasScheme(bare) else { return .elsewhere }
        for start in [directory, ""] {
            if let path = RelativePath.join(start, bare), case .file(let found) = find(path) { return .file(found) }
        }
        return byName[name].map(find) ?? .missing
    }

    private func find(_ path: String) -> Target {
        guard !RelativePath.isMarkdown(path) else { return .elsewhere }
        var place = root
        let names = path.split(separator: "/")
        for (index, name) in names.enumerated() {
            place += "/" + name
            guard let found = try? FileSystem.status(place),
                index == names.count - 1 ? found.isRegular : found.isDirectory
            else { return .missing }
        }
        return names.isEmpty ? .missing : .file(path)
    }

    /// Whether it begins like an address: RFC 3986's scheme, of at least two letters.
    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text[..<colon].lowercased().unicodeScalars
        guard scheme.count > 1, let first = scheme.first, ("a"..."z").contains(first) else { return false }
        return scheme.allSatisfy { ("a"..."z").contains($0) || "0123456789+-.".unicodeScalars.contains($0) }
    }
}

/// Paths inside a folder, without a slash at either end.
package enum RelativePath {
    package static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    package static func directory(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    static func isMarkdown(_ path: String) -> Bool {
        let lower = path.lowercased()
        return lower.hasSuffix(".md") || lower.hasSuffix(".markdown")
    }

    static func isPage(_ path: String) -> Bool {
        [".html", ".htm", ".xhtml"].contains { path.lowercased().hasSuffix($0) }
    }

    static func isPlainText(_ path: String) -> Bool { path.lowercased().hasSuffix(".txt") }

    /// The file's name without `.md`.
    package static func stem(_ path: String) -> String {
        let name = name(path)
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }

    /// Nil where it leads out of the folder, or holds what no path does.
    static func join(_ directory: String, _ path: String) -> String? {
        guard path.utf8.count <= 4096, !path.utf8.contains(0), !path.hasPrefix("/") else { return nil }
        var names = directory.split(separator: "/").map(String.init)
        for name in path.split(separator: "/") where name != "." {
            guard name == ".." else {
                names.append(String(name))
                continue
            }
            guard names.popLast() != nil else { return nil }
        }
        return names.joined(separator: "/")
    }
}
