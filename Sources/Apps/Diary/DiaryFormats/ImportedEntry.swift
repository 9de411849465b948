package import DiaryClient

/// An entry on its way from one diary to another, without the bytes of its files.
package struct ImportedEntry: Sendable, Equatable {
    /// The same at every import, whatever else of the entry has changed: `dayone:` and 32 hexadecimal digits,
    /// `jrnl:` and as many, `photos:2024-07-23`.
    ///
    /// For an export: such a source again, or the entry's own 32 digits.
    package var source: String
    /// Stands behind the source of an entry that came in without a file of it: a later import brings what it lacks.
    package static let incompleteMark = "-incomplete"
    package var head: EntryHead
    /// Markdown; file number i stands in it as `![caption](media:i)`, or nowhere.
    package var text: String
    /// Microseconds since 1970, UTC.
    package var created: Int64
    package var modified: Int64
    package var media: [ImportedMedia] = []
    /// The diary of several that it was in; nil where there is one alone.
    package var journal: String?
    /// What our model has no place for, as an object of JSON; empty for nothing.
    ///
    /// ``DayOneWriter`` gives it back.
    package var foreign: [UInt8] = []

    package init(source: String, head: EntryHead, text: String, created: Int64, modified: Int64) {
        self.source = source
        self.head = head
        self.text = text
        self.created = created
        self.modified = modified
    }
}

/// A file of an entry that is imported or exported.
package struct ImportedMedia: Sendable, Equatable {
    /// What its diary finds it by; of an entry of ours the file's 32 digits.
    package var id: String
    package var kind: MediaKind
    /// A name without folders; never a path.
    package var name: String
    /// Such as `image/jpeg`; empty where it is not known.
    package var mediaType: String
    /// What the other program says; only reading tells.
    package var byteCount: UInt64

    package init(id: String, kind: MediaKind, name: String, mediaType: String, byteCount: UInt64 = 0) {
        self.id = id
        self.kind = kind
        self.name = name
        self.mediaType = mediaType
        self.byteCount = byteCount
    }
}

/// The next part of a file, of at most ``mediaPart`` bytes; nil at its end.
///
/// Until then the bytes may turn out to be damaged or too many: it throws ``DiaryFormatError``.
package typealias MediaParts = () throws -> [UInt8]?

/// Hands the bytes of a file of an entry on, part by part.
package typealias MediaBytes = (_ media: ImportedMedia, _ append: ([UInt8]) throws -> Void) throws -> Void

/// A small JPEG of a photo, upright and without metadata; nil where there is none.
package typealias MediaThumbnail = (_ media: ImportedMedia) throws -> [UInt8]?

/// The bytes in which files are read and written at a time.
package let mediaPart = 512 * 1024

/// A diary of another program, read entry by entry.
///
/// A dry run reads the entries and none of their files.
///
///     for index in 0..<diary.entryCount {
///         let (entry, remarks) = diary.entry(at: index)
///     }
package protocol ForeignDiary {
    var entryCount: Int { get }
    /// What is to be said of the diary as a whole.
    var remarks: [ImportRemark] { get }
    /// Nil for what is no entry, with the reason in the remarks.
    ///
    /// - Parameter index: from 0, below ``entryCount``.
    func entry(at index: Int) -> (entry: ImportedEntry?, remarks: [ImportRemark])
    /// A file's bytes, which are read as they are asked for.
    func open(_ media: ImportedMedia) throws(DiaryFormatError) -> MediaParts
}
