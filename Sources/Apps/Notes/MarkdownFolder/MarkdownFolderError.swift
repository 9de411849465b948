/// Why a folder of Markdown, or a file in it, cannot be read or written.
///
/// The message is for people; it names paths, and nothing that stands in a note.
package struct MarkdownFolderError: Error, Equatable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        case notFound
        /// A file, but no `.md` one.
        case notMarkdown
        /// The system does not let us read it.
        case unreadable
        case tooLarge
        /// The folder to be written holds something already.
        case notEmpty
        case cannotWrite
    }

    package let code: Code
    package let message: String

    package var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
