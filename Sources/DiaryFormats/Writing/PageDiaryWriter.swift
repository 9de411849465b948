import DiaryClient
package import DiaryViews

/// Writes a diary as pages for a browser and for paper: `index.html` with a map of its places, a page for each year,
/// `style.css`, and the files in `media`.
///
/// The pages run no script, load nothing from elsewhere, and need no server. The folder is made, or is there and empty.
package final class PageDiaryWriter {
    private var folder: ExportFolder
    private let title: String
    private let language: DiaryLanguage
    private let media: MediaBytes
    private let clock: ZoneClock
    private var names = TakenNames()
    private var years: [String: Year] = [:]
    private var entryCount = 0
    private var map = PageMap()

    private struct Year {
        /// Bytes of its page so far.
        var byteCount = 0
        var lines: [String] = []
    }

    private static let longestName = 100

    /// - Parameters:
    ///   - title: of the diary.
    ///   - language: of the words that are not the diary's own.
    ///   - media: what it throws ends the export.
    package init(
        _ path: String, title: String, clock: ZoneClock, language: DiaryLanguage = .english,
        media: @escaping MediaBytes
    ) throws(DiaryFormatError) {
        folder = try ExportFolder(path)
        self.title = title
        self.language = language
        self.clock = clock
        self.media = media
        try folder.write(PageStyle.css, to: "style.css")
    }

    /// Writes one entry to the end of its year's page; the caller's order is the page's.
    ///
    /// - Throws: ``DiaryFormatError``, and what reading a file throws.
    package func add(_ entry: ImportedEntry) throws {
        let wall = clock.wall(entry.head.date, in: entry.head.timeZone)
        let year = String(wall.date.prefix(4))
        var shownMedia: [String] = []
        for item in entry.media { shownMedia.append(try store(item)) }
        entryCount += 1
        let anchor = "entry-\(entryCount)"
        if years[year] == nil { try write(head(year), to: year, isNew: true) }
        try write(article(entry, wall, anchor, shownMedia), to: year, isNew: false)
        let name = EntryTitle.of(entry.text)
        let label = PageText.escaped(wall.date + (name.isEmpty ? "" : " · " + name))
        let link = "\(year).html#\(anchor)"
        years[year]?.lines.append("<li><a href=\"\(link)\">\(label)</a></li>\n")
        map.add(entry.head.place, link: link)
    }

    /// Ends the pages and writes the index.
    package func finish() throws {
        var index = head(title) + map.html(in: language)
        for (year, content) in years.sorted(by: { $0.key < $1.key }) {
            try folder.append(PageStyle.foot, to: year + ".html", at: content.byteCount)
            index += "<h2><a href=\"\(year).html\">\(year)</a></h2>\n<ul class=\"index\">\n"
            index += content.lines.joined() + "</ul>\n"
        }
        try folder.write(index + PageStyle.foot, to: "index.html")
    }

    private func head(_ name: String) -> String { PageStyle.head(PageText.escaped(name), language) }

    private func write(_ text: String, to year: String, isNew: Bool) throws(DiaryFormatError) {
        if isNew {
            try folder.write(text, to: year + ".html")
            years[year] = Year()
        } else {
            try folder.append(text, to: year + ".html", at: years[year]?.byteCount ?? 0)
        }
        years[year]?.byteCount += text.utf8.count
    }

    private func article(_ entry: ImportedEntry, _ wall: CivilTime, _ anchor: String, _ media: [String]) -> String {
        var facts = ["<time>\(wall.date) \(wall.hourAndMinute)</time>"]
        if entry.head.isStarred { facts.append("★") }
        if let mood = entry.head.mood { facts.append(PageText.escaped(mood.text(in: language))) }
        let place = entry.head.place
        let names = [place?.name, place?.locality, place?.country].compactMap { $0 }.filter { !$0.isEmpty }
        if !names.isEmpty { facts.append(PageText.escaped(names.joined(separator: ", "))) }
        facts += entry.head.tags.map { PageText.escaped("#" + $0) }
        let shown = Shown()
        let text = PageText.html(entry.text, hasMedia: media.indices.contains) { number, caption in
            shown.numbers.insert(number)
            return Self.figure(entry.media[number], media[number], caption)
        }
        let others = media.indices.filter { !shown.numbers.contains($0) }
            .map { Self.figure(entry.media[$0], media[$0], "") + "\n" }
        return "<article id=\"\(anchor)\">\n<header>\(facts.joined(separator: " · "))</header>\n"
            + text + others.joined() + "</article>\n"
    }

    /// Which files the text has shown.
    private final class Shown { var numbers: Set<Int> = [] }

    private static func figure(_ item: ImportedMedia, _ link: String, _ caption: String) -> String {
        let name = PageText.escaped(item.name)
        let label = caption.isEmpty ? name : caption
        return switch item.kind {
        case .photo:
            "<a class=\"photo\" href=\"\(link)\"><img src=\"\(link)\" alt=\"\(label)\" loading=\"lazy\"></a>"
        case .audio: "<audio controls preload=\"none\" src=\"\(link)\"></audio> <a href=\"\(link)\">\(label)</a>"
        case .video: "<video controls preload=\"none\" src=\"\(link)\"></video> <a href=\"\(link)\">\(label)</a>"
        case .pdf: "<a href=\"\(link)\">\(label)</a>"
        }
    }

    /// Copies a file, and answers its link.
    private func store(_ item: ImportedMedia) throws -> String {
        try folder.makeFolder("media")
        let stem = SafeName.make(
            SafeName.parts(of: item.name).stem, byteCount: Self.longestName, fallback: item.kind.rawValue)
        let path = "media/" + names.claim(stem, ending: MediaTypes.ending(of: item))
        try folder.write(item, to: path, media)
        return PercentCoding.encode(path)
    }
}
