import Linux
import Localization
package import MarkdownFolder

/// The notes of one file or folder, read one by one.
///
///     let archive = try NoteArchive(path, .enex)
///     for index in 0..<archive.count { let note = try archive.note(at: index) }
package struct NoteArchive {
    package let count: Int
    /// What of it was passed over.
    package let problems: [MarkdownProblem]
    private let read: (Int) throws(NoteFormatError) -> FormatNote

    init(
        count: Int, problems: [MarkdownProblem] = [],
        read: @escaping (Int) throws(NoteFormatError) -> FormatNote
    ) {
        self.count = count
        self.problems = problems
        self.read = read
    }

    /// Looks through a file or folder.
    ///
    /// - Parameter format: not ``NoteFormat/markdown``, which `MarkdownFolder` reads.
    package init(_ path: String, _ format: NoteFormat) throws(NoteFormatError) {
        switch format {
        case .enex: self = try EnexReader.open(path)
        case .jex: self = try JexReader.open(path)
        case .standardNotes: self = try StandardNotesReader.open(path)
        case .html: self = try PageReader.open(path)
        case .markdown: throw NoteFormatError(.unknownFormat, localized("Folders of Markdown are read elsewhere."))
        }
    }

    /// - Parameter index: below ``count``.
    package func note(at index: Int) throws(NoteFormatError) -> FormatNote {
        guard (0..<count).contains(index) else {
            throw NoteFormatError(.notFound, localized("There is no note of this number."))
        }
        return try read(index)
    }

    /// A whole file in memory.
    static func bytes(of path: String, limit: Int) throws(NoteFormatError) -> [UInt8] {
        do { return try FileSystem.read(path, limit: limit) } catch {
            if error.isTooLarge {
                throw NoteFormatError(
                    .tooLarge,
                    localized("The file is larger than \(limit >> 20) MiB: export in several parts, and import each."))
            }
            throw NoteFormatError(
                error.isMissing ? .notFound : .unreadable, localized("The file cannot be read: \(error)."))
        }
    }
}
