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

    /// Where that is drawn, once it has come.
    var picturePlace: PicturePlace? {
        guard let file = selected, pictures[file.id] != nil, pictureWidth > 0 else { return nil }
        return PicturePlace(
            file: file.id, row: ScreenSize.topRows + listHeight + 1, column: 1, width: pictureWidth,
            height: Self.factsHeight - 1)
    }

    // MARK: Keys

    mutating func press(_ key: Key, _ here: Surroundings) -> [PageWish] {
        let former = row
        switch key {
        case .text("j"), .down, .tab: select(row + 1)
        case .text("k"), .up, .backTab: select(row - 1)
        case .home: select(0)
        case .text("G"), .end: select(.max)
        case .text("x"), .text("X"):
            guard let file = selected else { return [] }
            return [.question(.saving(FileSaving(file, of: entry.id, keepsAll: key == .text("X"))))]
        case .enter:
            guard selected?.hasThumbnail == true else { return [] }
            return [.picture(of: entry, row: row)]
        case .escape, .text("h"), .left: return [.back]
        default: return [.dead(key)]
        }
        return row == former ? [] : [.want(.clear)] + want(here)
    }

    /// Which file stands in this row of the page.
    func file(at line: Int, _ here: Surroundings) -> Int? {
        let seen = here.visible(entry.media.count, around: row, height: listHeight)
        return seen.contains(seen.lowerBound + line) ? seen.lowerBound + line : nil
    }

    /// What is to be asked for, so that the selected file is seen.
    func want(_ here: Surroundings) -> [PageWish] {
        guard here.drawsPictures, let wantedPicture else { return [] }
        return [.ask(wantedPicture)]
    }

    /// Saves the file of this number, from 1, under a path that is said; nothing where there is no such file.
    func save(_ number: Int, to path: String, keepsAll: Bool, _ language: DiaryLanguage) -> [PageWish] {
        guard entry.media.indices.contains(number - 1) else { return [] }
        var saving = FileSaving(entry.media[number - 1], of: entry.id, keepsAll: keepsAll)
        saving.path = TypedLine(path)
        return saving.wishes(language) ?? []
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

    /// The same, and what is told meanwhile.
    func wishes(_ language: DiaryLanguage) -> [PageWish]? {
        ask.map { [.say(ScreenPhrase.arriving.text(in: language)), .want(.show), .want(.ask($0))] }
    }
}

/// What is done in words, without a screen, with what is open.
enum SpokenAct: Equatable, Sendable {
    /// The file of this number, from 1, under this path; with all that it tells of itself, where that is said.
    case save(file: Int, path: String, keepsAll: Bool)
    /// The setting of this number, from 1, becomes what is said.
    case set(setting: Int, String)
}
