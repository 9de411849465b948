import DiaryClient
import DiaryViews
import TerminalScreen

/// One picture of an entry, as large as the screen.
struct PicturePage: Sendable {
    let entry: EntrySummary
    private(set) var row: Int
    /// The larger of those that have come, by their files' identifiers.
    private var pictures: [String: (size: MediaSize, bytes: [UInt8])] = [:]
    var size: ScreenSize

    /// - Parameter row: of the file among the entry's; the first picture where that is none.
    init(_ entry: EntrySummary, row: Int, _ size: ScreenSize) {
        (self.entry, self.size) = (entry, size)
        let isPicture = entry.media.indices.contains(row) && entry.media[row].hasThumbnail
        self.row = isPicture ? row : entry.media.firstIndex(where: \.hasThumbnail) ?? 0
    }

    /// Nil where the entry has no file.
    var selected: MediaSummary? { entry.media.indices.contains(row) ? entry.media[row] : nil }

    /// First the small one, which is there at once, then the one that fills a screen.
    func want(_ here: Surroundings) -> [PageWish] {
        guard here.drawsPictures, let file = selected, file.hasThumbnail else { return [] }
        let sizes: [MediaSize] = pictures[file.id] == nil ? [.thumbnail, .preview] : []
        return sizes.map { .ask(.media(id: entry.id, media: file.id, size: $0)) }
    }

    mutating func keep(_ bytes: [UInt8], of file: String, _ size: MediaSize) {
        // A small one that comes late does not take the place of the large one.
        if size == .thumbnail, pictures[file]?.size == .preview { return }
        // One at a time: a large one may have megabytes.
        pictures = [file: (size, bytes)]
    }

    func picture(of file: String) -> [UInt8]? { pictures[file]?.bytes }

    /// All rows between the menu and the picture's name.
    var place: PicturePlace? {
        guard let file = selected, pictures[file.id] != nil else { return nil }
        return PicturePlace(
            file: file.id, row: ScreenSize.topRows, column: 0, width: size.columns, height: max(1, size.bodyHeight - 1))
    }

    mutating func press(_ key: Key, _ here: Surroundings) -> [PageWish] {
        switch key {
        case .text("j"), .down, .right, .pageDown, .text(" "), .text("l"): return move(by: 1, here)
        case .text("k"), .up, .left, .pageUp: return move(by: -1, here)
        case .home: return move(by: -entry.media.count, here)
        case .end, .text("G"): return move(by: entry.media.count, here)
        case .escape, .text("h"), .enter: return [.back]
        default: return [.dead(key)]
        }
    }

    /// To the next one that can be seen; what has none is passed over.
    private mutating func move(by step: Int, _ here: Surroundings) -> [PageWish] {
        let seen = entry.media.indices.filter { entry.media[$0].hasThumbnail }
        guard let at = seen.firstIndex(of: row) else { return [] }
        row = seen[min(max(at + step, 0), seen.count - 1)]
        return want(here)
    }

    /// The name at the foot, and words in place of a picture that cannot be drawn.
    func draw(_ here: Surroundings) -> [StyledLine] {
        guard let file = selected else { return [] }
        var lines = here.blank(max(1, size.bodyHeight - 1))
        if !here.drawsPictures || pictures[file.id] == nil || !file.hasThumbnail {
            lines[lines.count / 2] = here.row(" [\(file.name), \(FileSize.words(file.byteCount))]", .faint)
        }
        return lines + [here.row(" \(row + 1)/\(entry.media.count)  \(file.name)", .faint)]
    }
}
