import Codecs
import NotesClient

/// A note as the text of a file.
enum NoteFile {
    private static let scheme = "attachment:"
    private static let identifierCount = 32

    /// - Parameters:
    ///   - links: to the attachments, in their order.
    ///   - isFolderNamed: whether the file lies in a folder of the note's folder's name.
    static func text(
        _ note: NoteSummary, _ markdown: String, _ attachments: [AttachmentSummary], _ links: [String],
        isFolderNamed: Bool
    ) -> String {
        let foreign = foreignLines(note.frontMatter ?? "")
        let taken = FrontMatter(foreign).keys
        var lines = ["---"]
        let put = { (key: String, value: String) in
            lines.append((taken.contains(key) ? OwnText.Key.prefix : "") + "\(key): \(value)")
        }
        put(OwnText.Key.id, note.id)
        put("title", FrontMatter.quoted(note.title))
        if ISODate.isWritable(note.created) { put("created", ISODate.format(note.created)) }
        if ISODate.isWritable(note.modified) { put("modified", ISODate.format(note.modified)) }
        if !isFolderNamed { put("folder", FrontMatter.quoted(note.folder)) }
        put("tags", FrontMatter.quoted(note.tags))
        put("pinned", "\(note.isPinned)")
        put(OwnText.Key.locked, "\(note.isLocked)")
        put(OwnText.Key.attachments, FrontMatter.quoted(links))
        put(OwnText.Key.attachmentNames, FrontMatter.quoted(attachments.map(\.name)))
        lines += foreign
        let targets = Dictionary(zip(attachments.map(\.id), links)) { first, _ in first }
        return lines.joined(separator: "\n") + "\n---\n\n" + linked(markdown, targets)
    }

    /// What the source's front matter said beyond what we understand; a line that would end ours is left out.
    private static func foreignLines(_ text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.dropLast(lines.last == "" ? 1 : 0).filter { !["---", "..."].contains(FrontMatter.trimmed($0)) }
    }

    /// The text with links to files in place of identities; an attachment stands at the end of its line.
    private static func linked(_ markdown: String, _ targets: [String: String]) -> String {
        guard !targets.isEmpty else { return markdown }
        let lines = markdown.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.map { linked(line: String($0) ?? "", targets) }.joined(separator: "\n")
    }

    private static func linked(line typed: String, _ targets: [String: String]) -> String {
        let (line, end) = LineEnd.split(typed)
        guard line.hasSuffix(")") else { return typed }
        let id = line.dropLast().suffix(identifierCount)
        let before = line.dropLast(1 + id.count)
        guard let link = targets[String(id)], before.hasSuffix("](" + scheme), before.contains("![") else {
            return typed
        }
        return before.dropLast(scheme.count) + link + ")" + end
    }
}
