import Linux
import Localization

/// What there is in a folder: notes, other files, and what was passed over.
package struct FolderListing {
    package private(set) var notes: [String] = []
    /// `.txt` files: notes, unless a note names them.
    private(set) var texts: [String] = []
    /// HTML pages.
    package private(set) var pages: [String] = []
    package private(set) var files: FolderFiles
    package private(set) var problems: [MarkdownProblem] = []

    private static let mostEntries = 1_000_000
    private static let deepest = 64

    /// Lists a folder with what is below it; hidden files and folders are left out, links are not followed.
    package init(root: String) throws(MarkdownFolderError) {
        files = FolderFiles(root: root)
        var folders = [(path: "", depth: 0)]
        var count = 0
        while let folder = folders.popLast() {
            for name in try names(in: folder.path) where !name.hasPrefix(".") {
                count += 1
                guard count <= Self.mostEntries else {
                    throw MarkdownFolderError(
                        .tooLarge, localized("The folder holds more than \(Self.mostEntries) files."))
                }
                let path = folder.path.isEmpty ? name : folder.path + "/" + name
                guard add(path) else { continue }
                if folder.depth < Self.deepest {
                    folders.append((path: path, depth: folder.depth + 1))
                } else {
                    let text = localized("It is nested too deep to be read.")
                    problems.append(MarkdownProblem(path: path, text: text, isLoss: true))
                }
            }
        }
        notes.sort()
        pages.sort()
    }

    /// - Returns: whether it is a folder.
    private mutating func add(_ path: String) -> Bool {
        guard let status = try? FileSystem.status(files.root + "/" + path) else {
            problems.append(MarkdownProblem(path: path, text: localized("It cannot be read."), isLoss: true))
            return false
        }
        if status.isSymbolicLink {
            problems.append(
                MarkdownProblem(path: path, text: localized("It is a link, which is not followed."), isLoss: false))
        } else if status.isRegular, RelativePath.isMarkdown(path) {
            notes.append(path)
        } else if status.isRegular {
            files.add(path)
            if RelativePath.isPlainText(path) { texts.append(path) }
            if RelativePath.isPage(path) { pages.append(path) }
        }
        return status.isDirectory
    }

    /// A folder below the top that cannot be read is passed over.
    private mutating func names(in folder: String) throws(MarkdownFolderError) -> [String] {
        do { return try FileSystem.names(in: folder.isEmpty ? files.root : files.root + "/" + folder) } catch {
            guard !folder.isEmpty else {
                throw MarkdownFolderError(.unreadable, localized("The folder cannot be read: \(error)."))
            }
            problems.append(MarkdownProblem(path: folder, text: localized("The folder cannot be read."), isLoss: true))
            return []
        }
    }
}
