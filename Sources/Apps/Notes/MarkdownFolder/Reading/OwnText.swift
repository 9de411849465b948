import Localization

/// The text of a note that ``MarkdownFolderWriter`` wrote, taken back as it was.
///
/// Nothing in it is a link of another app; its attachments are those that the front matter lists.
struct OwnText {
    private(set) var text = ""
    private(set) var attachments: [MarkdownAttachment] = []
    private(set) var problems: [String] = []

    /// - Parameters:
    ///   - lines: without the front matter.
    ///   - matter: for which ``isOwn(_:)`` is true.
    init(_ lines: ArraySlice<String>, _ matter: FrontMatter, in directory: String, of files: FolderFiles) {
        let key = Self.key(matter)
        let paths = matter.list(key(Key.attachments)) ?? []
        let names = matter.list(key(Key.attachmentNames)) ?? []
        var numbers: [String: Int] = [:]
        for (path, name) in zip(paths, names) {
            guard case .file(let found) = files.resolve(path, from: directory) else {
                problems.append(localized("Its attachment \(name) is not in the folder."))
                continue
            }
            numbers[path] = attachments.count
            attachments.append(MarkdownAttachment(name: name, path: files.root + "/" + found))
        }
        // The writer sets one blank line between front matter and text.
        let body = lines.first.map { LineEnd.split($0).content.isEmpty } == true ? lines.dropFirst() : lines
        text = body.map { Self.restored($0, &numbers) }.joined(separator: "\n")
    }

    static func isOwn(_ matter: FrontMatter) -> Bool {
        let key = key(matter)
        guard let id = matter.text(key(Key.id)), id.utf8.count == 32, id.allSatisfy(\.isHexDigit),
            let paths = matter.list(key(Key.attachments)), let names = matter.list(key(Key.attachmentNames))
        else { return false }
        return paths.count == names.count
    }

    /// Each attachment has one place.
    private static func restored(_ typed: String, _ numbers: inout [String: Int]) -> String {
        let (line, end) = LineEnd.split(typed)
        guard !numbers.isEmpty, line.utf8.last == UInt8(ascii: ")"), line.contains("!["),
            let open = line.utf8.lastIndex(of: UInt8(ascii: "("))
        else { return typed }
        let start = line.utf8.index(after: open)
        let target = String(line[start..<line.utf8.index(before: line.utf8.endIndex)])
        guard line[..<open].hasSuffix("]"), let number = numbers.removeValue(forKey: target) else { return typed }
        return line[..<start] + "attachment:\(number))" + end
    }

    /// What a key of ours is called in a file: where somebody else's front matter has the same, theirs keeps the name.
    static func key(_ matter: FrontMatter) -> (String) -> String {
        { key in matter.values[Key.prefix + key] == nil ? key : Key.prefix + key }
    }

    /// The keys that this program writes.
    enum Key {
        static let prefix = "tresor-"
        static let all = [
            id, "title", "created", "modified", "folder", "tags", "pinned", locked, attachments, attachmentNames,
        ]
        static let id = "id"
        static let locked = "locked"
        static let attachments = "attachments"
        static let attachmentNames = "attachment-names"
    }
}
