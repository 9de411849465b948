import DiaryClient
import DiaryViews
import TerminalScreen

/// What stands beside a list on a wide screen: the first photo of the entry that is selected, and its text below.
///
/// Both are asked for when the selection has rested for a moment, never on the way of a key.
struct BesidePane: Sendable {
    /// The entry that is selected; nil where nothing stands beside it.
    private(set) var entry: EntrySummary?
    /// Nil until the text has come.
    private var lines: [[Character]]?
    /// The thumbnail, once it has come, and whose it is.
    private var picture: (file: String, bytes: [UInt8])?
    /// When it is asked for, in milliseconds of uptime; nil where that is done.
    private(set) var due: UInt64?

    /// Milliseconds that a selection rests before it is asked for.
    static let rest: UInt64 = 200
    /// More characters are never seen here.
    private static let mostText = 4000

    // MARK: Asking

    /// Takes the entry that is selected now.
    ///
    /// - Parameter now: in milliseconds of uptime.
    mutating func follow(_ selected: EntrySummary?, at now: UInt64) {
        guard selected != entry else { return }
        // What is seen of an entry that was changed stays until the new is there.
        if selected?.id != entry?.id { (lines, picture) = (nil, nil) }
        entry = selected
        due = selected == nil ? nil : now + Self.rest
    }

    /// What is to be asked for, once the selection has rested.
    mutating func requests(at now: UInt64) -> [DiaryRequest] {
        guard let entry, let due, due <= now else { return [] }
        self.due = nil
        return [.show(id: entry.id)] + (photo.map { [.media(id: entry.id, media: $0.id, size: .thumbnail)] } ?? [])
    }

    /// The first file that can be seen.
    private var photo: MediaSummary? { entry?.media.first(where: \.hasThumbnail) }

    // MARK: Taking answers

    /// - Returns: false where the text is not that of the entry that is selected.
    mutating func accept(_ text: String, of id: String) -> Bool {
        guard entry?.id == id else { return false }
        lines = TextBuffer(String(text.prefix(Self.mostText))).lines
        return true
    }

    mutating func keep(_ bytes: [UInt8], of file: String, in id: String) {
        if entry?.id == id, photo?.id == file { picture = (file, bytes) }
    }

    func picture(of file: String) -> [UInt8]? { picture?.file == file ? picture?.bytes : nil }

    // MARK: Drawing

    /// Where the photo is drawn, once it has come.
    func place(_ here: Surroundings) -> PicturePlace? {
        guard let room = BesideRoom(here), let photo, picture?.file == photo.id else { return nil }
        return PicturePlace(
            file: photo.id, row: ScreenSize.topRows, column: room.column, width: room.width, height: room.pictureHeight)
    }

    /// The rows of a list, which are as wide as the room leaves them, with this beside them.
    func draw(beside list: [StyledLine], _ room: BesideRoom, _ here: Surroundings) -> [StyledLine] {
        let words = draw(room, here)
        return (0..<max(list.count, here.size.bodyHeight)).map { index in
            var line = index < list.count ? list[index] : StyledLine()
            line.pad(to: room.listColumns)
            line.append("│ ", .faint)
            if index < words.count { line.append(words[index]) }
            line.pad(to: here.size.columns)
            return line
        }
    }

    /// Room for the photo, its name, and below as much of the text as there is room for; until that has come, the
    /// entry's first words.
    private func draw(_ room: BesideRoom, _ here: Surroundings) -> [StyledLine] {
        guard let entry else { return [] }
        var drawn: [StyledLine] = []
        if let photo {
            drawn = Array(repeating: StyledLine("", width: room.width), count: room.pictureHeight)
            let rest = entry.media.count - 1
            let words = photo.name + (rest > 0 ? "  " + ScreenPhrase.more(rest, in: here.language) : "")
            drawn.append(StyledLine(words, .faint, width: room.width))
        }
        let lines = lines ?? TextBuffer(entry.opening).lines
        let view = TextView(width: room.width, height: max(1, here.size.bodyHeight - drawn.count))
        return drawn + view.rows(of: lines).map { view.draw($0, of: lines) }
    }
}

/// The columns of a list and of what stands beside it.
struct BesideRoom: Equatable, Sendable {
    let listColumns: Int
    /// Where the photo and the text begin.
    let column: Int
    /// Of the photo and the text.
    let width: Int
    let pictureHeight: Int

    static let leastColumns = 100
    private static let leastRows = 12
    /// A thumbnail has no more to show.
    private static let mostWidth = 64

    /// Nil where the screen is too small for it, or draws no pictures.
    init?(_ here: Surroundings) {
        let (columns, rows) = (here.size.columns, here.size.bodyHeight)
        guard here.drawsPictures, columns >= Self.leastColumns, rows >= Self.leastRows else { return nil }
        width = min(Self.mostWidth, columns * 2 / 5 - 3)
        listColumns = columns - width - 3
        column = listColumns + 2
        // A cell is about twice as high as it is wide.
        pictureHeight = min(rows / 2, width / 2)
    }
}

/// The entry that is selected in a list, beside it.
extension OpenDiary {
    /// Takes what is selected now, after anything has happened.
    mutating func followSelection() {
        var selected: EntrySummary?
        if case .list(let pane) = page, BesideRoom(here) != nil { selected = pane.selected }
        beside.follow(selected, at: here.now.uptime)
    }
}
