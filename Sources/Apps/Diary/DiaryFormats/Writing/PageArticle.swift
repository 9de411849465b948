import Codecs
import DiaryClient
import DiaryViews

/// One entry on a page: what stands above it, its text, its files.
struct PageArticle {
    /// A file of the entry, as it lies beside the pages.
    struct File {
        /// Escaped as an address.
        let link: String
        /// What came of it, whatever its diary says.
        let byteCount: Int
        /// The address of a small picture of a photo; nil where there is none.
        let thumbnail: String?
    }

    let entry: ImportedEntry
    /// What the clock showed there.
    let time: CivilTime
    /// As many as the entry has.
    let files: [File]
    let language: DiaryLanguage

    /// - Parameter anchor: the part of its address behind the page's.
    func html(anchor: String) -> String {
        let shown = Shown()
        let text = PageText.html(entry.text, hasMedia: files.indices.contains) { number, caption in
            shown.numbers.insert(number)
            return figure(number, caption)
        }
        let others = files.indices.filter { !shown.numbers.contains($0) }.map { figure($0, "") + "\n" }
        let about = facts.isEmpty ? "" : "<p>\(facts.joined(separator: " · "))</p>"
        return "<article id=\"\(anchor)\" aria-labelledby=\"\(anchor)-day\">\n"
            + "<header><h3 id=\"\(anchor)-day\">\(day)</h3>\(about)</header>\n" + text + others.joined()
            + "</article>\n"
    }

    /// Which files the text has shown.
    private final class Shown { var numbers: Set<Int> = [] }

    /// What the entry is called wherever headings are listed.
    private var day: String {
        let words = PageText.escaped("\(heading), \(clock)")
        return "<time datetime=\"\(time.date)T\(time.hourAndMinute)\">\(words)</time>"
    }

    private var facts: [String] {
        var facts: [String] = []
        if entry.head.isStarred { facts.append("★") }
        if let mood = entry.head.mood { facts.append(PageText.escaped(mood.text(in: language))) }
        if let place = entry.head.place {
            let names = PagePlace.names(of: place)
            facts.append(
                PageText.escaped(names.isEmpty ? PagePlace.degrees(of: place) : names.joined(separator: ", ")))
        }
        return facts + entry.head.tags.map { PageText.escaped("#" + $0) }
    }

    private var heading: String {
        LocalDay(year: Int(time.year), month: Int(time.month), day: Int(time.day)).map(language.heading) ?? time.date
    }

    /// What a photo is for whoever does not see it: its caption, or which of several it is, where and when.
    ///
    /// - Parameter caption: as HTML; empty for none.
    private func alternative(_ number: Int, _ caption: String) -> String {
        let photos = entry.media.indices.filter { entry.media[$0].kind == .photo }
        var words: [String] = []
        if !caption.isEmpty {
            words.append(caption)
        } else if photos.count > 1, let index = photos.firstIndex(of: number) {
            words.append("\(index + 1)/\(photos.count)")
        }
        if let place = entry.head.place { words += PagePlace.names(of: place).prefix(2).map { PageText.escaped($0) } }
        words.append(PageText.escaped(written))
        return words.joined(separator: ", ")
    }

    private var written: String {
        LocalDay(year: Int(time.year), month: Int(time.month), day: Int(time.day)).map(language.written) ?? time.date
    }

    /// In UTC where nobody knows the zone, and it says so.
    private var clock: String {
        time.hourAndMinute + (DiaryZone(entry.head.timeZone).isKnown ? "" : " UTC")
    }

    private func figure(_ number: Int, _ caption: String) -> String {
        let item = entry.media[number]
        let link = files[number].link
        let name = PageText.escaped(item.name)
        let label = caption.isEmpty ? name : caption
        switch item.kind {
        case .photo where files[number].byteCount == 0:
            // A browser would show the sign for a broken picture.
            let words = [caption, name].filter { !$0.isEmpty }.joined(separator: " · ")
            return "<span class=\"photo\">\(words.isEmpty ? item.kind.rawValue : words)</span>"
        case .photo:
            let shown = files[number].thumbnail ?? link
            let words = alternative(number, caption)
            return "<a class=\"photo\" href=\"\(link)\"><img src=\"\(shown)\" alt=\"\(words)\" loading=\"lazy\"></a>"
        case .audio, .video:
            let tag = item.kind == .audio ? "audio" : "video"
            let player = "<\(tag) controls preload=\"none\" aria-label=\"\(label)\" src=\"\(link)\"></\(tag)>"
            return player + " <a href=\"\(link)\">\(label)</a>"
        case .pdf: return "<a href=\"\(link)\">\(label)</a>"
        }
    }
}
