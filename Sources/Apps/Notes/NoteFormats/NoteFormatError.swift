/// Why a file of another program's notes cannot be read or written.
///
/// The message is for people; it names what is wrong, and nothing that stands in a note.
package struct NoteFormatError: Error, Equatable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        case notFound
        /// Of no format that we know, or of another than was said.
        case unknownFormat
        /// Not what its format allows: cut short, forged, or damaged.
        case malformed
        /// Larger, or nested deeper, than we read.
        case tooLarge
        /// Sealed by the other program.
        case encrypted
        case unreadable
        /// The file to be written is there already.
        case exists
        case cannotWrite
    }

    package let code: Code
    package let message: String

    package var description: String { message }

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
