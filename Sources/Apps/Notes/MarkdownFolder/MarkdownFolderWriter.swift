import Codecs
import Linux
import Localization
package import NotesClient

/// Writes notes as a folder of Markdown files, which ``MarkdownFolderReader`` reads back as they were.
///
/// A note is `<folder>/<title>.md`; its files lie in `<folder>/attachments`. Files have mode 0600 and folders 0700;
/// nothing that exists is overwritten. Each file is on the disk when its note is written, and its name when the folder
/// is finished.
package struct MarkdownFolderWriter {
    private let root: String
    private let ending: String
    private let text: Page
    /// The names in each folder, by its path here.
    private var taken: [String: TakenNames] = [:]
    /// Where the notes' folders are here.
    private var places: [String: String] = ["": ""]
    private var folders = NewFolders()

    private static let attachmentFolder = "attachments"

    /// What stands in a note's file: of the note, its Markdown, its attachments, links to these, and whether the file
    /// lies in a folder of the note's folder's name.
    package typealias Page = (NoteSummary, String, [AttachmentSummary], [String], Bool) -> String

    /// Makes the folder.
    ///
    /// - Parameters:
    ///   - ending: of the notes' files.
    ///   - text: what stands in them.
    /// - Throws: where it cannot be made, or holds something already.
    package init(
        _ path: String, ending: String = ".md", text: Page? = nil
    ) throws(MarkdownFolderError) {
        self.ending = ending
        self.text = text ?? { NoteFile.text($0, $1, $2, $3, isFolderNamed: $4) }
        root = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        do {
            if try FileSystem.status(root + "/.") != nil {
                guard try FileSystem.names(in: root).isEmpty else {
                    throw MarkdownFolderError(
                        .notEmpty, localized("The folder is not empty. Name one that does not exist yet."))
                }
            } else {
                guard try FileSystem.status(root) == nil else {
                    throw MarkdownFolderError(
                        .notEmpty, localized("There is a file of this name, which is not overwritten."))
                }
            }
            try folders.make(root)
        } catch let error as MarkdownFolderError { throw error } catch { throw Self.failure(error) }
    }

    /// Writes one note and its files.
    ///
    /// - Parameters:
    ///   - markdown: names its attachments as `![name](attachment:<identifier>)`.
    ///   - attachments: in the note's order.
    ///   - load: hands a file's bytes to its second argument, part by part. What it throws, this throws; nothing of
    ///     the note is left then.
    /// - Throws: `MarkdownFolderError` where the disk refuses.
    package mutating func write(
        _ note: NoteSummary, markdown: String, _ attachments: [AttachmentSummary],
        load: (AttachmentSummary, _ append: ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        var written: [String] = []
        do {
            let folder = try place(of: note.folder)
            var links: [String] = []
            for attachment in attachments {
                let path = try makeAttachmentPath(attachment.name, in: folder)
                try write(attachment, to: path, &written, load)
                links.append(PercentCoding.encode(Self.attachmentFolder + "/" + RelativePath.name(path)))
            }
            let text = text(note, markdown, attachments, links, folder == note.folder)
            let name = taken[folder, default: TakenNames()].claim(note.title, ending: ending, fallback: "Untitled")
            try write(Array(text.utf8), to: Self.join(folder, name), &written)
        } catch {
            for path in written {
                try? FileSystem.remove(root + "/" + path)
                taken[RelativePath.directory(path)]?.release(RelativePath.name(path))
            }
            guard let refused = error as? LinuxError else { throw error }
            let path = refused.path ?? written.last.map { root + "/" + $0 }
            throw Self.failure(LinuxError(call: refused.call, code: refused.code, path: path))
        }
    }

    /// Waits until all files are on the disk.
    package func finish() throws(MarkdownFolderError) {
        do { try folders.sync() } catch { throw Self.failure(error) }
    }

    /// The folder here for one of the notes' folders, made where it is missing.
    private mutating func place(of folder: String) throws -> String {
        var path = ""
        var place = ""
        for name in folder.split(separator: "/") {
            path = Self.join(path, String(name))
            if let known = places[path] {
                place = known
                continue
            }
            let made = taken[place, default: TakenNames()].claim(String(name), fallback: "Folder")
            place = Self.join(place, made)
            try folders.make(root + "/" + place)
            places[path] = place
        }
        return place
    }

    private mutating func makeAttachmentPath(_ name: String, in folder: String) throws -> String {
        let path = Self.join(folder, Self.attachmentFolder)
        if taken[path] == nil {
            // From now on a note's folder of this name gets another one; one that is there already shares its names.
            _ = taken[folder, default: TakenNames()].claim(Self.attachmentFolder, fallback: Self.attachmentFolder)
            taken[path] = TakenNames()
            try folders.make(root + "/" + path)
        }
        let (stem, ending) = Self.parts(of: name)
        return path + "/" + taken[path, default: TakenNames()].claim(stem, ending: ending, fallback: "file")
    }

    /// The ending stays when a long name is cut; a file that ended with `.md` would be read back as a note.
    private static func parts(of name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: ".") else { return (stem: name, ending: "") }
        let ending = "." + FileName.make(String(name[dot...].dropFirst()), fallback: "file")
        guard ending.utf8.count <= 16 else { return (stem: name, ending: ".file") }
        return (stem: String(name[..<dot]), ending: RelativePath.isMarkdown(ending) ? ending + ".txt" : ending)
    }

    private func write(
        _ attachment: AttachmentSummary, to path: String, _ written: inout [String],
        _ load: (AttachmentSummary, ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        let file = try FileDescriptor.open(root + "/" + path, FileFlags.create)
        written.append(path)
        var offset = 0
        try load(attachment) { part in
            try file.write(part, at: offset)
            offset += part.count
        }
    }

    private func write(_ bytes: [UInt8], to path: String, _ written: inout [String]) throws {
        let file = try FileDescriptor.open(root + "/" + path, FileFlags.create)
        written.append(path)
        try file.write(bytes, at: 0)
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder.isEmpty ? name : folder + "/" + name
    }

    private static func failure(_ error: some Error) -> MarkdownFolderError {
        MarkdownFolderError(.cannotWrite, localized("The folder cannot be written: \(String(describing: error))."))
    }
}
