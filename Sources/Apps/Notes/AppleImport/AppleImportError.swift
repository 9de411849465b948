/// Why a database of Apple Notes, or a part of it, cannot be imported.
///
/// The message is for people: what is wrong and what to do. It never holds anything that stands in a note.
package struct AppleImportError: Error, Equatable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        /// Not an SQLite file.
        case notADatabase
        /// A database, but of something else.
        case notNotes
        /// Some of its pages are missing or overwritten.
        case damaged
        /// The system does not let us read it.
        case unreadable
        /// There is no room, or no permission, for the private copy that is read in its place.
        case cannotCopy
    }

    package let code: Code
    package let message: String

    package var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
