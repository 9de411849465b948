import FoundationEssentials
import Linux

/// A folder of Markdown files, read note by note.
///
///     let reader = try MarkdownFolderReader(path)
///     for index in 0..<reader.noteCount { let note = try reader.note(at: index) }
package struct MarkdownFolderReader: Sendable {
    /// The notes' paths in the folder, sorted.
    package let paths: [String]
    /// What in the folder was passed over.
    package let problems: [MarkdownProblem]
    private let files: FolderFiles

    /// Bytes of a note's file.
    package static let largestNote = 64 << 20
    private static let part = 64 * 1024
    private static let longestTag = 256

    package var noteCount: Int { paths.count }

    /// Lists a folder, or takes one `.md` file.
    ///
    /// - Parameter path: the folder itself may be named by a link; nothing in it is.
    package init(_ path: String) throws(MarkdownFolderError) {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        if (try? FileSystem.status(path + "/."))??.isDirectory == true {
            let listing = try FolderListing(root: path)
            paths = listing.notes
            problems = listing.problems
            files = listing.files
            return
        }
        guard let status = try? FileSystem.status(path) else {
            throw MarkdownFolderError(.notFound, "There is no such file or folder.")
        }
        guard status.isRegular, RelativePath.isMarkdown(path) else {
            throw MarkdownFolderError(.notMarkdown, "This is neither a folder nor a .md file.")
        }
        paths = [RelativePath.name(path)]
        problems = []
        files = FolderFiles(root: FileSystem.directory(of: path))
    }

    /// Reads one note.
    ///
    /// - Parameter index: below ``noteCount``.
    package func note(at index: Int) throws(MarkdownFolderError) -> MarkdownNote {
        guard paths.indices.contains(index) else {
            throw MarkdownFolderError(.notFound, "There is no note of this number.")
        }
        let path = paths[index]
        let bytes = try read(path)
        var note = MarkdownNote(source: "markdown:" + path, title: RelativePath.stem(path))
        if String(validating: bytes, as: UTF8.self) == nil {
            note.problems.append("Bytes of it that are no UTF-8 became U+FFFD.")
        }
        let lines = Self.lines(bytes)
        let (matter, skipped) = FrontMatter.parse(lines).map { ($0.matter, $0.lineCount) } ?? (FrontMatter(), 0)
        apply(matter, path, to: &note)
        let directory = RelativePath.directory(path)
        if OwnText.isOwn(matter) {
            let own = OwnText(lines[skipped...], matter, in: directory, of: files)
            note.title = matter.text("title") ?? ""
            note.markdown = own.text
            note.attachments = own.attachments
            note.problems += own.problems
            note.id = matter.text(OwnText.Key.id)
            note.isLocked = matter.text(OwnText.Key.locked) == "true"
        } else {
            let foreign = ForeignText(lines[skipped...], in: directory, of: files)
            note.markdown = Self.titled(foreign, note.title, isExplicit: matter.text("title") != nil)
            note.attachments = foreign.attachments
            note.problems += foreign.problems
        }
        return note
    }

    private func read(_ path: String) throws(MarkdownFolderError) -> [UInt8] {
        do {
            let file = try FileDescriptor.open(files.root + "/" + path, FileFlags.read)
            var bytes: [UInt8] = []
            while true {
                let read = try file.read(count: Self.part, at: bytes.count)
                bytes += read
                guard bytes.count <= Self.largestNote else {
                    throw MarkdownFolderError(.tooLarge, "The file is larger than \(Self.largestNote >> 20) MiB.")
                }
                if read.count < Self.part { return bytes }
            }
        } catch let error as MarkdownFolderError { throw error } catch {
            throw MarkdownFolderError(.unreadable, "The file cannot be read.")
        }
    }

    /// Lines end with LF, or CR and LF; a mark of the byte order before the first is left out.
    private static func lines(_ bytes: [UInt8]) -> [String] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        return content.split(separator: 10, omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self)
        }
    }

    private func apply(_ matter: FrontMatter, _ path: String, to note: inout MarkdownNote) {
        note.title = matter.text("title") ?? note.title
        note.folder = matter.text("folder") ?? RelativePath.directory(path)
        note.isPinned = ["true", "yes", "1"].contains(matter.text("pinned")?.lowercased() ?? "")
        for tag in matter.list("tags", "tag") ?? [] {
            let name = FrontMatter.trimmed(tag.hasPrefix("#") ? tag.dropFirst() : tag[...])
            if name.utf8.count > Self.longestTag {
                note.problems.append("One of its tags is longer than \(Self.longestTag) bytes, and was left out.")
            } else if !name.isEmpty, !note.tags.contains(name) {
                note.tags.append(name)
            }
        }
        let created = matter.text("created", "date").flatMap(ISODate.parse)
        let modified = matter.text("modified", "updated").flatMap(ISODate.parse)
        let fileTime = created == nil || modified == nil ? modificationTime(path) : nil
        note.modified = modified ?? fileTime
        note.created = created ?? note.modified
    }

    private func modificationTime(_ path: String) -> Int64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: files.root + "/" + path)
        guard let date = attributes?[.modificationDate] as? Date else { return nil }
        return Int64(exactly: (date.timeIntervalSince1970 * 1_000_000).rounded())
    }

    /// The text with its title above it, unless it begins with one.
    private static func titled(_ text: ForeignText, _ title: String, isExplicit: Bool) -> String {
        guard let first = text.firstLine else { return "" }
        let letters = { (line: String) in line.filter { $0.isLetter || $0.isNumber }.lowercased() }
        let isHeading = first.hasPrefix("# ")
        if title.isEmpty || letters(String(first.prefix(1000))) == letters(title) || (isHeading && !isExplicit) {
            return text.text
        }
        let line = title.split(whereSeparator: \.isNewline).joined(separator: " ")
        return "# \(ForeignText.escaped(line))\n\n" + text.text
    }
}
