import DiaryClient
import DiaryViews
import TerminalScreen

/// An entry as it is read: its facts, its pictures, its text.
struct EntryPage: Sendable {
    var summary: EntrySummary
    /// Nil until the text has come.
    var text: String?
    private(set) var lines: [[Character]] = [[]]
    private(set) var view: TextView
    /// Thumbnails that have come, by their files' identifiers.
    var pictures: [String: [UInt8]] = [:]
    private var size: ScreenSize

    /// The rows of facts above the pictures; a low window has one for all of them.
    var factRows: Int { size.isLow ? 1 : 2 }

    init(_ summary: EntrySummary, _ size: ScreenSize) {
        self.summary = summary
        self.size = size
        view = TextView(width: size.columns, height: 1)
        resize(size)
    }

    mutating func accept(_ entry: EntrySummary, _ text: String) {
        summary = entry
        self.text = text
        lines = TextBuffer(text).lines
        resize(size)
        view.scroll(by: 0, in: lines)
    }

    mutating func resize(_ newSize: ScreenSize) {
        size = newSize
        view.resize(width: size.columns, height: max(1, size.bodyHeight - factRows - strip.height))
    }

    mutating func scroll(by rows: Int) { view.scroll(by: rows, in: lines) }

    /// Where the files stand, below the facts; without height where there are none or no room.
    var strip: PictureStrip {
        PictureStrip(size.isLow ? [] : summary.media, columns: size.columns, room: size.bodyHeight - factRows)
    }

    /// Whether it is one of the trash, from which it goes for good.
    var isInTrash = false

    // MARK: Keys

    mutating func press(_ key: Key, _ language: DiaryLanguage) -> [PageWish] {
        switch key {
        case .text("j"), .down: scroll(by: 1)
        case .text("k"), .up: scroll(by: -1)
        case .pageDown, .text(" "): scroll(by: view.height - 1)
        case .pageUp: scroll(by: 1 - view.height)
        case .text("["): return [.neighbour(step: 1)]
        case .text("]"): return [.neighbour(step: -1)]
        case .text("e"): return [.edit(summary)]
        case .enter:
            guard summary.media.contains(where: \.hasThumbnail) else { return [] }
            return [.picture(of: summary, row: 0)]
        case .text("f"):
            guard !summary.media.isEmpty else { return [.say(ScreenPhrase.noFiles.text(in: language))] }
            return [.files(of: summary)]
        case .text("d"):
            return [.question(isInTrash ? .removal(id: summary.id) : .deletion(id: summary.id))]
        case .escape, .text("h"), .left: return [.back]
        default: return [.dead(key)]
        }
        return []
    }

    // MARK: Pictures

    /// The thumbnails that are seen and have not come.
    var wantedPictures: [DiaryRequest] {
        strip.boxes.filter { $0.file.hasThumbnail && pictures[$0.file.id] == nil }
            .map { .media(id: summary.id, media: $0.file.id, size: .thumbnail) }
    }

    /// Where those that have come are drawn.
    var picturePlaces: [PicturePlace] {
        strip.boxes.filter { pictures[$0.file.id] != nil }.map { box in
            PicturePlace(
                file: box.file.id, row: ScreenSize.topRows + factRows, column: box.column, width: box.width,
                height: strip.height - 1)
        }
    }
}

/// The files of an entry in boxes side by side, as many as there is room for.
struct PictureStrip: Equatable, Sendable {
    struct Box: Equatable, Sendable {
        let file: MediaSummary
        /// Counted from 0.
        let column: Int
        let width: Int
    }

    let boxes: [Box]
    /// Rows, the name below the picture among them.
    let height: Int
    /// How many files have no box.
    let rest: Int

    static let boxWidth = 20
    static let boxHeight = 8

    /// - Parameter room: rows that pictures and text share.
    init(_ files: [MediaSummary], columns: Int, room: Int) {
        guard !files.isEmpty, room >= Self.boxHeight + 4 else {
            (boxes, height, rest) = ([], files.isEmpty ? 0 : 1, files.count)
            return
        }
        let count = min(files.count, max(1, (columns - 1) / (Self.boxWidth + 1)))
        boxes = files.prefix(count).enumerated().map { index, file in
            Box(file: file, column: 1 + index * (Self.boxWidth + 1), width: min(Self.boxWidth, columns - 2))
        }
        height = Self.boxHeight
        rest = files.count - count
    }
}
