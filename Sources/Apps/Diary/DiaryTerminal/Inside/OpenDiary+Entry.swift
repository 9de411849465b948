import DiaryClient
import DiaryViews
import TerminalScreen

/// Where the driver draws a thumbnail, all counted from 0 and in character cells.
struct PicturePlace: Equatable, Sendable {
    let file: String
    let row: Int
    let column: Int
    let width: Int
    let height: Int
}

/// What an entry looks like.
extension OpenDiary {
    /// The rows at the top of the screen.
    static let topRows = 2
    /// The rows of facts above an entry's pictures.
    private static let factRows = 2

    // MARK: Reading

    func draw(_ entry: EntryPage) -> [StyledLine] {
        let head = entry.summary.head
        var lines = [row(" " + facts(of: head), .faint), row(" " + tagWords(of: head), .faint)]
        let strip = entry.strip
        if strip.boxes.isEmpty {
            if strip.height > 0 { lines.append(row(" " + fileWords(entry.summary.media), .faint)) }
        } else {
            lines += (0..<strip.height).map { draw(strip, $0, entry) }
        }
        guard entry.text != nil else { return lines }
        return lines + entry.view.rows(of: entry.lines).map { entry.view.draw($0, of: entry.lines) }
    }

    /// When, how and where.
    func facts(of head: EntryHead) -> String {
        let time = head.localTime
        var facts = [language.heading(time.day) + ", " + time.clock + " " + head.timeZone]
        if !time.isZoneKnown { facts.append(DiaryPhrase.unknownZone.text(in: language)) }
        if head.isStarred { facts.append("★") }
        if let mood = head.mood {
            facts.append(ScreenPhrase.mood.text(in: language) + ": " + mood.text(in: language))
        }
        return facts.joined(separator: " · ")
    }

    func tagWords(of head: EntryHead) -> String {
        var words = head.tags.map { "#" + $0 }
        if let place = head.place {
            let names = [place.name, place.locality, place.region, place.country].compactMap(\.self)
                .filter { !$0.isEmpty }
            words.append(
                "@ "
                    + (names.isEmpty
                        ? PlaceInput.words(place.latitude, place.longitude) : names.joined(separator: ", ")))
        }
        return words.joined(separator: " ")
    }

    private func fileWords(_ files: [MediaSummary]) -> String {
        files.map { "[\($0.name), \(Self.size($0.byteCount))]" }.joined(separator: " ")
    }

    /// Such as `3.4 MB`, in powers of ten as files are sold.
    static func size(_ bytes: UInt64) -> String {
        if bytes < 1000 { return "\(bytes) B" }
        let units = ["kB", "MB", "GB", "TB"]
        var tenths = Int(min(bytes, 1 << 53)) / 100
        var unit = 0
        while tenths >= 10_000, unit < units.count - 1 {
            tenths /= 1000
            unit += 1
        }
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(tenths / 10) \(units[unit])"
    }

    /// One row of the boxes: a frame where there is no picture, and the name below.
    private func draw(_ strip: PictureStrip, _ index: Int, _ entry: EntryPage) -> StyledLine {
        var line = StyledLine()
        for box in strip.boxes {
            line.pad(to: box.column)
            line.append(
                text(of: box, index, strip.height, hasPicture: entry.pictures[box.file.id] != nil), width: box.width)
        }
        if index == 0, strip.rest > 0 {
            let words = " " + ScreenPhrase.more(strip.rest, in: language)
            if line.width + CellWidth.of(words) <= size.columns { line.append(words, .faint) }
        }
        line.pad(to: size.columns)
        return line
    }

    private func text(of box: PictureStrip.Box, _ index: Int, _ height: Int, hasPicture: Bool) -> String {
        if index == height - 1 { return box.file.name }
        if hasPicture { return "" }
        let inner = max(0, box.width - 2)
        switch index {
        case 0: return "┌" + String(repeating: "─", count: inner) + "┐"
        case height - 2: return "└" + String(repeating: "─", count: inner) + "┘"
        case (height - 2) / 2:
            let words = Self.size(box.file.byteCount)
            let left = max(0, (inner - words.count) / 2)
            let right = max(0, inner - words.count - left)
            return "│" + String(repeating: " ", count: left) + words + String(repeating: " ", count: right) + "│"
        default: return "│" + String(repeating: " ", count: inner) + "│"
        }
    }

    /// Where thumbnails that have come are drawn; none where something lies over the page.
    var picturePlaces: [PicturePlace] {
        if isHelpShown { return [] }
        switch page {
        case .entry(let entry):
            return entry.strip.boxes.filter { entry.pictures[$0.file.id] != nil }.map { box in
                PicturePlace(
                    file: box.file.id, row: Self.topRows + Self.factRows, column: box.column, width: box.width,
                    height: entry.strip.height - 1)
            }
        case .files(let files): return picturePlace(files).map { [$0] } ?? []
        default: return []
        }
    }

    func picture(of file: String) -> [UInt8]? {
        switch page {
        case .entry(let entry): entry.pictures[file]
        case .files(let files): files.pictures[file]
        default: nil
        }
    }

    private var isHelpShown: Bool { if case .help = dialog { true } else { false } }
}
