import DiaryClient
import DiaryViews
import TerminalScreen

/// The files of an entry that is read, one of which is selected.
struct FilesPane: Sendable {
    let entry: EntrySummary
    private(set) var row = 0
    /// Thumbnails that have come, by their files' identifiers.
    var pictures: [String: [UInt8]] = [:]
    var size: ScreenSize

    init(_ entry: EntrySummary, _ size: ScreenSize) { (self.entry, self.size) = (entry, size) }

    var selected: MediaSummary? { entry.media.indices.contains(row) ? entry.media[row] : nil }

    mutating func select(_ row: Int) { self.row = max(0, min(row, entry.media.count - 1)) }

    /// Rows of the list; below them an empty one, and what is known of the file.
    var listHeight: Int { max(1, min(entry.media.count, size.bodyHeight - Self.factsHeight - 1)) }

    static let factsHeight = 8

    /// Columns of the picture; none where there is no room for one beside the facts.
    var pictureWidth: Int {
        size.columns >= 50 && size.bodyHeight >= Self.factsHeight + 2 ? PictureStrip.boxWidth : 0
    }

    /// The selected file's thumbnail, where it can be had and has not come.
    var wantedPicture: DiaryRequest? {
        guard let file = selected, file.hasThumbnail, pictures[file.id] == nil, pictureWidth > 0 else { return nil }
        return .media(id: entry.id, media: file.id, size: .thumbnail)
    }
}

/// A file of an entry that is to be saved under a path, which is being typed.
struct FileSaving: Sendable {
    let entry: String
    let file: MediaSummary
    let size: MediaSize
    var path: TypedLine

    /// - Parameter keepsAll: whether the file goes out as it came, with all that it tells; of files that are no photos
    ///   there is nothing else.
    init(_ file: MediaSummary, of entry: String, keepsAll: Bool) {
        (self.entry, self.file) = (entry, file)
        size = keepsAll || file.kind != .photo ? .original : .shared
        let name = size == .shared ? file.shared.name : file.name
        // A name that came with the file must not lead into another folder, nor hide there.
        let last = name.split(separator: "/").last.map { $0.drop { $0 == "." } } ?? ""
        path = TypedLine(SafeText.line(String(last)))
    }

    /// What to ask for, and where it goes; nil while no path is typed.
    var ask: Ask? {
        let typed = path.text.trimmed.unquoted
        guard !typed.isEmpty else { return nil }
        return Ask(.media(id: entry, media: file.id, size: size), destination: typed)
    }
}

/// What is done in words, without a screen, with what is open.
enum SpokenAct: Equatable, Sendable {
    /// The file of this number, from 1, under this path; with all that it tells of itself, where that is said.
    case save(file: Int, path: String, keepsAll: Bool)
    /// The setting of this number, from 1, becomes what is said.
    case set(setting: Int, String)
}
