import DiaryClient
import DiaryViews
import TerminalScreen

/// The files of an entry: what is known of each, and how one gets out.
extension OpenDiary {
    mutating func openFiles(of entry: EntrySummary) -> [Effect] {
        guard !entry.media.isEmpty else {
            message = ScreenPhrase.noFiles.text(in: language)
            return []
        }
        let pane = FilesPane(entry, size)
        return push(.files(pane)) + want(pane)
    }

    private func want(_ pane: FilesPane) -> [Effect] {
        drawsPictures ? pane.wantedPicture.map { [.ask(Ask($0))] } ?? [] : []
    }

    mutating func press(_ key: Key, in pane: FilesPane) -> [Effect] {
        var pane = pane
        switch key {
        case .text("j"), .down, .tab: pane.select(pane.row + 1)
        case .text("k"), .up, .backTab: pane.select(pane.row - 1)
        case .home: pane.select(0)
        case .text("G"), .end: pane.select(.max)
        case .text("x"), .text("X"):
            guard let file = pane.selected else { return [] }
            dialog = .saving(FileSaving(file, of: pane.entry.id, keepsAll: key == .text("X")))
            return []
        case .escape, .text("h"), .left: return goBack()
        default: return []
        }
        guard case .files(let former) = page, former.row != pane.row else { return [] }
        show(.files(pane))
        // The picture of another file would stay where it is.
        return [.clear] + want(pane)
    }

    mutating func press(_ key: Key, in saving: FileSaving) -> [Effect] {
        var saving = saving
        switch key {
        case .escape, .control("c"): dialog = nil
        case .tab: return saving.path.isEmpty ? [] : [.completePath(saving.path.text)]
        case .enter:
            guard let ask = saving.ask else { return [] }
            dialog = nil
            return save(ask)
        default:
            saving.path.type(key)
            dialog = .saving(saving)
        }
        return []
    }

    mutating func save(_ ask: Ask) -> [Effect] {
        message = ScreenPhrase.arriving.text(in: language)
        return [.show, .ask(ask)]
    }

    /// A file of this computer could be neither read nor written.
    mutating func fail(_ failure: FileFailure, _ ask: Ask) -> [Effect] {
        if ask.file != nil { return notRead(failure) }
        message = ScreenPhrase.failure(failure).text(in: language)
        return []
    }

    // MARK: What is known of a file

    /// Name and meaning, such as `Camera` and `Fuji X100`.
    func facts(of file: MediaSummary) -> [(name: String, value: String)] {
        var facts: [(String, String)] = []
        func add(_ name: ScreenPhrase, _ value: String?) {
            if let value, !value.isEmpty { facts.append((name.text(in: language), value)) }
        }
        let type = file.mediaType.isEmpty ? "" : " · " + file.mediaType
        add(.kind, ScreenPhrase.kind(file.kind).text(in: language) + type)
        let pixels = file.facts.width.flatMap { width in file.facts.height.map { " · \(width) × \($0)" } } ?? ""
        add(.size, Self.size(file.byteCount) + pixels)
        add(.date, taken(file.facts))
        add(.camera, file.facts.camera)
        if let latitude = file.facts.latitude, let longitude = file.facts.longitude {
            add(.place, PlaceInput.words(latitude, longitude))
        }
        if file.kind == .photo, !file.hasThumbnail {
            add(.picture, file.problem ?? ScreenPhrase.notLooked.text(in: language))
        }
        return facts
    }

    private func taken(_ facts: PhotoFacts) -> String? {
        facts.wallClock.map { wall in
            let zone = facts.offsetMinutes.map { DiaryZone(offset: min(max($0, -1439), 1439) * 60).identifier }
            return PhotoOffer.clock(wall) + (zone.map { " " + $0 } ?? "")
        }
    }

    // MARK: Drawing

    func draw(_ pane: FilesPane) -> [StyledLine] {
        let files = pane.entry.media
        let list = visible(files.count, around: pane.row, height: pane.listHeight).map { index in
            let isSelected = index == pane.row
            let size = " \(Self.size(files[index].byteCount)) "
            var line = StyledLine()
            let style: Style = isSelected ? .inverse : .plain
            let room = max(0, self.size.columns - size.count)
            line.append((isSelected ? " > " : "   ") + "\(index + 1)  \(files[index].name)", style, width: room)
            line.append(size, style, width: self.size.columns - room)
            return line
        }
        guard let file = pane.selected else { return list }
        return list + [row("")] + drawFacts(file, beside: pane)
    }

    /// The facts, and left of them the room for the picture.
    private func drawFacts(_ file: MediaSummary, beside pane: FilesPane) -> [StyledLine] {
        let margin = pane.pictureWidth > 0 && drawsPictures && file.hasThumbnail ? pane.pictureWidth + 3 : 1
        let facts = facts(of: file)
        let width = min((facts.map { CellWidth.of($0.name) }.max() ?? 0) + 2, max(4, size.columns / 3))
        return facts.flatMap { fact in
            let texts = TextBuffer(SafeText.line(fact.value)).lines
            let view = TextView(width: max(4, size.columns - margin - width), height: 3)
            return view.rows(of: texts).enumerated().map { index, part in
                var line = StyledLine()
                line.pad(to: margin)
                line.append(index == 0 ? fact.name : "", .bold, width: width)
                line.append(String(texts[part.line][part.range]), width: max(0, size.columns - line.width))
                return line
            }
        }
    }

    /// Where the selected file's thumbnail is drawn, once it has come.
    func picturePlace(_ pane: FilesPane) -> PicturePlace? {
        guard let file = pane.selected, pane.pictures[file.id] != nil, pane.pictureWidth > 0 else { return nil }
        return PicturePlace(
            file: file.id, row: Self.topRows + pane.listHeight + 1, column: 1, width: pane.pictureWidth,
            height: FilesPane.factsHeight - 1)
    }
}
