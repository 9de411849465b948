import Linux
import Localization
import MarkdownFolder

/// The formats of other programs that we read and write.
package enum NoteFormat: String, Sendable, CaseIterable {
    /// A folder of Markdown and text files, or one.
    case markdown
    /// A folder of HTML pages, or one.
    case html
    /// Evernote's export.
    case enex
    /// Joplin's export.
    case jex
    /// Standard Notes' backup, decrypted.
    case standardNotes = "standard-notes"

    /// What a file to be written is, by its name; a folder of Markdown where that says nothing.
    package init(writing path: String) {
        switch Self.ending(path) {
        case "enex": self = .enex
        case "jex": self = .jex
        case "json": self = .standardNotes
        default: self = .markdown
        }
    }

    /// What a file or folder is, by its content.
    package static func detect(_ path: String) throws(NoteFormatError) -> NoteFormat {
        guard let status = try? FileSystem.status(path + "/.") ?? FileSystem.status(path) else {
            throw NoteFormatError(.notFound, localized("There is no such file or folder."))
        }
        if status.isDirectory { return isFolderOfPages(path) ? .html : .markdown }
        let bytes: [UInt8]
        do { bytes = try FileDescriptor.open(path, FileFlags.readFollowing).read(count: 4096, at: 0) } catch {
            throw NoteFormatError(.unreadable, localized("The file cannot be read."))
        }
        let ending = ending(path)
        if ["md", "markdown"].contains(ending) { return .markdown }
        let start = String(decoding: bytes, as: UTF8.self).lowercased()
        if start.contains("<en-export") || ending == "enex" { return .enex }
        if bytes.count > 262, Array(bytes[257..<262]) == Array("ustar".utf8) || ending == "jex" { return .jex }
        if start.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).first == "{" { return .standardNotes }
        if ["html", "htm", "xhtml"].contains(ending) { return .html }
        if ending == "txt" { return .markdown }
        throw NoteFormatError(.unknownFormat, localized("This is no format of notes that we know."))
    }

    private static func ending(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return name.contains(".") ? name.split(separator: ".").last.map { $0.lowercased() } ?? "" : ""
    }

    /// Pages, and no Markdown beside them.
    private static func isFolderOfPages(_ path: String) -> Bool {
        guard let listing = try? FolderListing(root: path) else { return false }
        return !listing.pages.isEmpty && listing.notes.isEmpty
    }
}
