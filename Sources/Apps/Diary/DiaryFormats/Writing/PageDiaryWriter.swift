import Codecs
import DiaryClient
package import DiaryViews

/// Writes a diary as pages for a browser and for paper: `index.html` with a map of its places, a page for each year,
/// `style.css`, the files in `media`, and small pictures of photos in `thumbnails`.
///
/// They are read in order: the year, its months and its entries are headings, and each photo says in words what it is.
/// The pages run no script, load nothing from elsewhere, and need no server. The folder is made, or is there and empty.
package final class PageDiaryWriter {
    private var folder: ExportFolder
    private let title: String
    private let language: DiaryLanguage
    private let media: MediaBytes
    private let thumbnail: MediaThumbnail
    private var thumbnailNames = TakenNames()
    private let clock: ZoneClock
    private var names = TakenNames()
    private var years: [String: Year] = [:]
    private var entryCount = 0
    private var map = PageMap()

    private struct Year {
        /// Bytes of its page so far.
        var byteCount = 0
        var lines: [String] = []
        /// Of the last entry.
        var month: YearMonth?
    }

    private static let longestName = 100

    /// - Parameters:
    ///   - title: of the diary.
    ///   - language: of the words that are not the diary's own.
    ///   - media: what it throws ends the export.
    ///   - thumbnail: asked for each photo that has bytes; without any the photo itself is shown.
    package init(
        _ path: String, title: String, clock: ZoneClock, language: DiaryLanguage = .english,
        media: @escaping MediaBytes, thumbnail: @escaping MediaThumbnail = { _ in nil }
    ) throws(DiaryFormatError) {
        folder = try ExportFolder(path)
        self.title = title
        self.language = language
        self.clock = clock
        self.media = media
        self.thumbnail = thumbnail
        try folder.write(PageStyle.css, to: "style.css")
    }

    /// Writes one entry to the end of its year's page; the caller's order is the page's.
    ///
    /// - Throws: ``DiaryFormatError``, and what reading a file throws.
    package func add(_ entry: ImportedEntry) throws {
        let wall = clock.wall(entry.head.date, in: entry.head.timeZone)
        let year = String(wall.date.prefix(4))
        var files: [PageArticle.File] = []
        for item in entry.media { files.append(try store(item)) }
        entryCount += 1
        let anchor = "entry-\(entryCount)"
        if years[year] == nil { try write(head(year), to: year, isNew: true) }
        let day = LocalDay(year: wall.year, month: wall.month, day: wall.day)
        if let month = day?.yearMonth, years[year]?.month != month {
            years[year]?.month = month
            try write("<h2>\(PageText.escaped(language.heading(month)))</h2>\n", to: year, isNew: false)
        }
        let article = PageArticle(entry: entry, time: wall, files: files, language: language)
        try write(article.html(anchor: anchor), to: year, isNew: false)
        let name = EntryTitle.of(entry.text)
        let label = PageText.escaped(wall.date + (name.isEmpty ? "" : " · " + name))
        let link = "\(year).html#\(anchor)"
        years[year]?.lines.append("<li><a href=\"\(link)\">\(label)</a></li>\n")
        map.add(entry.head.place, link: link)
    }

    /// Ends the pages, writes the index, and waits until all of it is on the disk.
    package func finish() throws {
        var index = head(title) + map.html(in: language)
        let sorted = years.sorted { $0.key < $1.key }
        for (number, (year, content)) in sorted.enumerated() {
            let before = number > 0 ? sorted[number - 1].key : nil
            let after = number + 1 < sorted.count ? sorted[number + 1].key : nil
            let foot = ways(before: before, after: after) + PageStyle.foot
            try folder.append(foot, to: year + ".html", at: content.byteCount)
            index += "<h2><a href=\"\(year).html\">\(year)</a></h2>\n<ul class=\"index\">\n"
            index += content.lines.joined() + "</ul>\n"
        }
        try folder.write(index + "</main>\n" + PageStyle.foot, to: "index.html")
        try folder.finish()
    }

    private func head(_ name: String) -> String { PageStyle.head(PageText.escaped(name), language) }

    /// From a year's page to the others; which year is the next is known at the end alone.
    private func ways(before: String?, after: String?) -> String {
        var links = ["<a href=\"index.html\">↑ \(PageText.escaped(title))</a>"]
        if let before { links.insert("<a rel=\"prev\" href=\"\(before).html\">← \(before)</a>", at: 0) }
        if let after { links.append("<a rel=\"next\" href=\"\(after).html\">\(after) →</a>") }
        return "</main>\n<nav aria-label=\"\(PageText.escaped(title))\">\(links.joined(separator: " · "))</nav>\n"
    }

    private func write(_ text: String, to year: String, isNew: Bool) throws(DiaryFormatError) {
        if isNew {
            try folder.write(text, to: year + ".html")
            years[year] = Year()
        } else {
            try folder.append(text, to: year + ".html", at: years[year]?.byteCount ?? 0)
        }
        years[year]?.byteCount += text.utf8.count
    }

    /// Copies a file.
    private func store(_ item: ImportedMedia) throws -> PageArticle.File {
        try folder.makeFolder("media")
        let stem = SafeName.make(
            SafeName.parts(of: item.name).stem, byteCount: Self.longestName, fallback: item.kind.rawValue)
        let path = "media/" + names.claim(stem, ending: MediaTypes.ending(of: item))
        var byteCount = 0
        try folder.write(item, to: path) { item, append in
            try media(item) { part in
                byteCount += part.count
                try append(part)
            }
        }
        let small = item.kind == .photo && byteCount > 0 ? try storeThumbnail(item, stem) : nil
        return PageArticle.File(link: PercentCoding.encode(path), byteCount: byteCount, thumbnail: small)
    }

    /// Writes what a page shows of a photo.
    ///
    /// - Returns: its address; nil where there is none.
    private func storeThumbnail(_ item: ImportedMedia, _ stem: String) throws -> String? {
        guard let jpeg = try thumbnail(item), jpeg.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        try folder.makeFolder("thumbnails")
        let path = "thumbnails/" + thumbnailNames.claim(stem, ending: "jpg")
        try folder.write(item, to: path) { _, append in try append(jpeg) }
        return PercentCoding.encode(path)
    }
}
