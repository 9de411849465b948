/// One note of Apple Notes, as Markdown.
package struct ImportedNote: Sendable, Equatable {
    /// How the note was locked in Apple Notes, and whether it could be opened.
    package enum Lock: Sendable, Equatable {
        case none
        case opened
        /// Why there is no text, for people, and the hint that its owner set.
        case closed(reason: String, hint: String?)
    }

    /// `apple:<account identifier>/<note identifier>`: the same at every import.
    package var sourceID: String
    package var title: String
    /// Empty when the note could not be read.
    ///
    /// Attachment number i stands in a paragraph of its own as `![name](attachment:i)`.
    package var markdown = ""
    /// The names of its folders, outermost first; the account's name leads only where several accounts have notes.
    package var folderPath: [String] = []
    /// Microseconds since 1970.
    package var created: Int64?
    /// Microseconds since 1970.
    package var modified: Int64?
    package var isPinned = false
    /// In Recently Deleted, or already marked for removal.
    package var isDeleted = false
    package var lock = Lock.none
    package var attachments: [ImportedAttachment] = []
    /// What could not be carried over, one sentence each.
    package var problems: [String] = []
}

/// A file that belongs to a note.
package struct ImportedAttachment: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case image, sketch, map, website, audio, video, pdf, file
    }

    package enum Content: Sendable, Equatable {
        /// A file inside the group container, read only when it is wanted.
        case file(path: String)
        /// What a locked note's file holds.
        case bytes([UInt8])
    }

    /// A file name, without folders and control characters.
    package var name: String
    package var kind: Kind
    package var mediaType: String
    package var content: Content
}

/// The notes that one passphrase opens.
package struct LockGroup: Sendable, Equatable {
    package enum Format: Sendable, Hashable {
        /// iOS 9.3 to macOS 13: 16-byte keys.
        case v1
        /// From macOS 14 on: 32-byte keys.
        case v1Neo
    }

    /// The salt in hexadecimal.
    package let id: String
    package let format: Format
    package let rounds: UInt32
    package let hint: String?
    package let noteCount: Int
    let parameters: LockParameters
}
