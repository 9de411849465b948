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
        return "<article id=\"\(anchor)\">\n<header>\(facts.joined(separator: " · "))</header>\n"
            + text + others.joined() + "</article>\n"
    }

    /// Which files the text has shown.
    private final class Shown { var numbers: Set<Int> = [] }

    private var facts: [String] {
        let words = PageText.escaped("\(heading), \(clock)")
        var facts = ["<time datetime=\"\(time.date)T\(time.hourAndMinute)\">\(words)</time>"]
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
            return "<a class=\"photo\" href=\"\(link)\"><img src=\"\(link)\" alt=\"\(label)\" loading=\"lazy\"></a>"
        case .audio:
            return "<audio controls preload=\"none\" src=\"\(link)\"></audio> <a href=\"\(link)\">\(label)</a>"
        case .video:
            return "<video controls preload=\"none\" src=\"\(link)\"></video> <a href=\"\(link)\">\(label)</a>"
        case .pdf: return "<a href=\"\(link)\">\(label)</a>"
        }
    }
}
