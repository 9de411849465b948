import FoundationEssentials
import Linux
import Localization
import MarkdownFolder

/// HTML pages of a folder, or one: each is a note.
struct PageReader {
    private let files: FolderFiles
    private let paths: [String]
    private static let largest = 64 << 20
    private static let mostAttachments = 1000

    static func open(_ path: String) throws(NoteFormatError) -> NoteArchive {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        do {
            if try FileSystem.status(path + "/.")?.isDirectory == true {
                let listing = try FolderListing(root: path)
                let reader = PageReader(files: listing.files, paths: listing.pages)
                return archive(reader, listing.problems)
            }
            guard try FileSystem.status(path) != nil else {
                throw NoteFormatError(.notFound, localized("There is no such file or folder."))
            }
            let folder = try FolderListing(root: FileSystem.directory(of: path)).files
            return archive(PageReader(files: folder, paths: [RelativePath.name(path)]), [])
        } catch let error as NoteFormatError { throw error } catch {
            throw NoteFormatError(.unreadable, localized("The folder cannot be read: \(String(describing: error))."))
        }
    }

    private static func archive(_ reader: PageReader, _ problems: [MarkdownProblem]) -> NoteArchive {
        NoteArchive(count: reader.paths.count, problems: problems) { (index) throws(NoteFormatError) in
            try reader.note(reader.paths[index])
        }
    }

    private func note(_ path: String) throws(NoteFormatError) -> FormatNote {
        let full = files.root + "/" + path
        let decoded = TextDecoding.decode(try NoteArchive.bytes(of: full, limit: Self.largest))
        let root = try MarkupTree.read(decoded.bytes)
        let title = FormatText.trimmed(root.first("title")?.text ?? "")
        var note = FormatNote(source: path, title: title.isEmpty ? RelativePath.stem(path) : title)
        if let remark = decoded.remark { note.report(remark) }
        note.folder = RelativePath.directory(path)
        let facts = meta("tresor", root).flatMap { OwnFacts($0) }
        for tag in (meta("keywords", root) ?? "").split(separator: ",") { note.add(tag: String(tag)) }
        note.modified = modificationTime(full)
        note.created = note.modified
        let pictures = PageFiles(files: files, directory: RelativePath.directory(path), limit: Self.mostAttachments)
        var composer = MarkdownComposer(attach: pictures.attach)
        let body = composer.markdown(of: root)
        note.attachments = pictures.all
        for problem in composer.problems + pictures.problems { note.report(problem) }
        note.markdown = facts == nil || title.isEmpty ? body : TitledText.whole(title, body)
        if facts == nil, FormatText.firstLine(body)?.hasPrefix("# ") != true {
            note.markdown = TitledText.whole(note.title, body)
        }
        let content = PageText.content(of: String(decoding: decoded.bytes, as: UTF8.self))
        facts?.apply(to: &note, title: title, content: content ?? "", FormatPlaces())
        return note
    }

    private func meta(_ name: String, _ root: MarkupElement) -> String? {
        for case .element(let child) in root.children {
            if child.name == "meta", child.attribute("name").lowercased() == name { return child.attribute("content") }
            if child.name == "html" || child.name == "head", let found = meta(name, child) { return found }
        }
        return nil
    }

    private func modificationTime(_ path: String) -> Int64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let date = attributes?[.modificationDate] as? Date else { return nil }
        return Int64(exactly: (date.timeIntervalSince1970 * 1_000_000).rounded())
    }
}

/// The files that a page shows: those of its folder, and those that stand in it.
final class PageFiles {
    private(set) var all: [FormatAttachment] = []
    private(set) var problems: [String] = []
    private var numbers: [String: Int] = [:]
    private let files: FolderFiles
    private let directory: String
    private let limit: Int

    init(files: FolderFiles, directory: String, limit: Int) {
        (self.files, self.directory, self.limit) = (files, directory, limit)
    }

    func attach(_ resource: MarkdownComposer.Resource) -> (number: Int, name: String)? {
        guard case .address(let address) = resource else { return nil }
        if let number = numbers[address] { return (number: number, name: all[number].name) }
        guard let attachment = address.hasPrefix("data:") ? inner(address) : outer(address) else { return nil }
        guard all.count < limit else {
            problems.append(localized("Of its files, only the first \(limit) were attached."))
            return nil
        }
        numbers[address] = all.count
        all.append(attachment)
        return (number: all.count - 1, name: attachment.name)
    }

    private func outer(_ address: String) -> FormatAttachment? {
        switch files.resolve(address, from: directory) {
        case .file(let path):
            return FormatAttachment(
                name: FormatText.fileName(RelativePath.name(path), fallback: "file"), mediaType: "",
                content: .file(files.root + "/" + path))
        case .missing:
            problems.append(localized("A file that it names is not in the folder, or is a link."))
            return nil
        case .elsewhere: return nil
        }
    }

    /// A picture that stands in the page: `data:image/png;base64,…`.
    private func inner(_ address: String) -> FormatAttachment? {
        let parts = address.dropFirst(5).split(separator: ",", maxSplits: 1)
        guard parts.count == 2, parts[0].hasSuffix(";base64"),
            let data = Data(base64Encoded: String(parts[1]), options: .ignoreUnknownCharacters)
        else {
            problems.append(localized("A picture that stands in it could not be read."))
            return nil
        }
        let type = MediaEnding.checked(String(parts[0].prefix { $0 != ";" }))
        let name = "picture\(all.count + 1)\(MediaEnding.ending(of: type))"
        return FormatAttachment(name: name, mediaType: type, content: .bytes(Array(data)))
    }
}
