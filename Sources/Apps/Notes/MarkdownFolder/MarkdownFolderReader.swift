import Codecs
import FoundationEssentials
import Linux
import Localization

/// A folder of Markdown files, read note by note.
///
///     let reader = try MarkdownFolderReader(path)
///     for index in 0..<reader.noteCount { let note = try reader.note(at: index) }
package struct MarkdownFolderReader: Sendable {
    /// The notes' paths in the folder, sorted.
    package let paths: [String]
    /// What in the folder was passed over.
    package let problems: [MarkdownProblem]
    /// The folder itself, or that of the one file.
    package var folder: String { files.root }
    private let files: FolderFiles

    /// Bytes of a note's file.
    package static let largestNote = 64 << 20
    private static let part = 64 * 1024
    private static let longestTag = 256

    package var noteCount: Int { paths.count }

    /// Lists a folder, or takes one `.md` or `.txt` file.
    ///
    /// A `.txt` file that a note names is that note's attachment, and no note.
    ///
    /// - Parameter path: the folder itself may be named by a link; nothing in it is.
    package init(_ path: String) throws(MarkdownFolderError) {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        if (try? FileSystem.status(path + "/."))??.isDirectory == true {
            let listing = try FolderListing(root: path)
            problems = listing.problems
            files = listing.files
            paths = Self.notes(of: listing)
            return
        }
        guard let status = try? FileSystem.status(path) else {
            throw MarkdownFolderError(.notFound, localized("There is no such file or folder."))
        }
        guard status.isRegular, RelativePath.isMarkdown(path) || RelativePath.isPlainText(path) else {
            throw MarkdownFolderError(.notMarkdown, localized("This is neither a folder nor a .md or .txt file."))
        }
        paths = [RelativePath.name(path)]
        problems = []
        files = FolderFiles(root: FileSystem.directory(of: path))
    }

    private static func notes(of listing: FolderListing) -> [String] {
        guard !listing.texts.isEmpty else { return listing.notes }
        let reader = MarkdownFolderReader(paths: listing.notes, files: listing.files)
        var attached: Set<String> = []
        for index in listing.notes.indices {
            guard let note = try? reader.note(at: index) else { continue }
            attached.formUnion(note.attachments.map(\.path))
        }
        return (listing.notes + listing.texts.filter { !attached.contains(listing.files.root + "/" + $0) }).sorted()
    }

    private init(paths: [String], files: FolderFiles) {
        self.paths = paths
        self.files = files
        problems = []
    }

    /// Reads one note.
    ///
    /// - Parameter index: below ``noteCount``.
    package func note(at index: Int) throws(MarkdownFolderError) -> MarkdownNote {
        guard paths.indices.contains(index) else {
            throw MarkdownFolderError(.notFound, localized("There is no note of this number."))
        }
        let path = paths[index]
        let decoded = TextDecoding.decode(try read(path))
        var note = MarkdownNote(source: "markdown:" + path, title: RelativePath.stem(path))
        if let remark = decoded.remark { note.problems.append(remark) }
        let lines = Self.lines(decoded.bytes)
        guard RelativePath.isMarkdown(path) else {
            apply(FrontMatter(), path, to: &note) { $0 }
            let first = lines.first { !$0.allSatisfy(\.isWhitespace) }
            note.markdown = Self.titled(lines.joined(separator: "\n"), first, note.title, isExplicit: false)
            return note
        }
        let (matter, skipped) =
            FrontMatter.parse(lines.map { LineEnd.split($0).content }).map { ($0.matter, $0.lineCount) } ?? (
                FrontMatter(), 0
            )
        let directory = RelativePath.directory(path)
        if OwnText.isOwn(matter) {
            apply(matter, path, to: &note, OwnText.key(matter))
            let own = OwnText(lines[skipped...], matter, in: directory, of: files)
            let key = OwnText.key(matter)
            note.title = matter.text(key("title")) ?? ""
            note.markdown = own.text
            note.attachments = own.attachments
            note.problems += own.problems
            note.id = matter.text(key(OwnText.Key.id))
            note.isLocked = matter.text(key(OwnText.Key.locked)) == "true"
            note.frontMatter = matter.lines(without: Set(OwnText.Key.all.map(key)))
        } else {
            apply(matter, path, to: &note) { $0 }
            let foreign = ForeignText(lines[skipped...], in: directory, of: files)
            let isExplicit = matter.text("title") != nil
            note.markdown = Self.titled(foreign.text, foreign.firstLine, note.title, isExplicit: isExplicit)
            note.attachments = foreign.attachments
            note.problems += foreign.problems
            note.frontMatter = matter.lines(without: Self.usedKeys(matter))
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
                    throw MarkdownFolderError(
                        .tooLarge, localized("The file is larger than \(Self.largestNote >> 20) MiB."))
                }
                if read.count < Self.part { return bytes }
            }
        } catch let error as MarkdownFolderError { throw error } catch {
            throw MarkdownFolderError(.unreadable, localized("The file cannot be read."))
        }
    }

    /// The keys of somebody else's front matter that became something here.
    private static func usedKeys(_ matter: FrontMatter) -> Set<String> {
        let isFlag = ["true", "yes", "1", "false", "no", "0"].contains(matter.text("pinned")?.lowercased() ?? "")
        let dates = [date(matter, "created", "date"), date(matter, "modified", "updated")].compactMap { $0?.key }
        let tags = matter.values["tags"] == nil ? "tag" : "tags"
        return Set(dates + (isFlag ? ["pinned"] : []) + ["title", "folder", tags])
    }

    /// The first of some keys that holds a date which is understood.
    private static func date(_ matter: FrontMatter, _ keys: String...) -> (key: String, time: Int64)? {
        for key in keys { if let time = matter.text(key).flatMap(ISODate.parse) { return (key: key, time: time) } }
        return nil
    }

    /// Lines end with LF, and a CR before it stays with the line; a mark of the byte order at the start is left out.
    private static func lines(_ bytes: [UInt8]) -> [String] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        return content.split(separator: 10, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// - Parameter key: what a key of ours is called there.
    private func apply(
        _ matter: FrontMatter, _ path: String, to note: inout MarkdownNote, _ key: (String) -> String
    ) {
        note.title = matter.text(key("title")) ?? note.title
        note.folder = matter.text(key("folder")) ?? RelativePath.directory(path)
        note.isPinned = ["true", "yes", "1"].contains(matter.text(key("pinned"))?.lowercased() ?? "")
        for tag in matter.list(key("tags"), "tag") ?? [] {
            let name = FrontMatter.trimmed(tag.hasPrefix("#") ? tag.dropFirst() : tag[...])
            if name.utf8.count > Self.longestTag {
                note.problems.append(
                    localized("One of its tags is longer than \(Self.longestTag) bytes, and was left out."))
            } else if !name.isEmpty, !note.tags.contains(name) {
                note.tags.append(name)
            }
        }
        let created = Self.date(matter, key("created"), "date")?.time
        let modified = Self.date(matter, key("modified"), "updated")?.time
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
    ///
    /// - Parameter first: its first line that holds anything.
    private static func titled(_ text: String, _ first: String?, _ title: String, isExplicit: Bool) -> String {
        let first = first ?? ""
        let letters = { (line: String) in line.filter { $0.isLetter || $0.isNumber }.lowercased() }
        let isHeading = first.hasPrefix("# ")
        if title.isEmpty || letters(String(first.prefix(1000))) == letters(title) || (isHeading && !isExplicit) {
            return text
        }
        let line = title.split(whereSeparator: \.isNewline).joined(separator: " ")
        let end = LineEnd.split(first).end + "\n"
        let heading = "# \(ForeignText.escaped(line))\(end)"
        return text.isEmpty ? heading : heading + end + text
    }
}
