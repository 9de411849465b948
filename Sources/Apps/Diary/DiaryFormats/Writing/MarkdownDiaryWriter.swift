import Codecs
import DiaryClient

/// Writes a diary as Markdown: `2024/2024-07-22-A day.md` with front matter, its files in a folder of that name.
///
/// The folder is made, or is there and empty.
package struct MarkdownDiaryWriter {
    private var folder: ExportFolder
    private var taken: [String: TakenNames] = [:]
    private let clock: ZoneClock
    private let media: MediaBytes

    private static let longestName = 100

    /// - Parameter media: what it throws ends the export.
    package init(_ path: String, clock: ZoneClock, media: @escaping MediaBytes) throws(DiaryFormatError) {
        folder = try ExportFolder(path)
        self.clock = clock
        self.media = media
    }

    /// - Throws: ``DiaryFormatError``, and what reading a file throws.
    package mutating func add(_ entry: ImportedEntry) throws {
        let wall = clock.wall(entry.head.date, in: entry.head.timeZone)
        let year = String(wall.date.prefix(4))
        try folder.makeFolder(year)
        let title = EntryTitle.of(entry.text)
        let stem = title.isEmpty ? wall.date : wall.date + "-" + SafeName.make(title, byteCount: 60, fallback: "entry")
        // The claim is for the file and for the folder of the same name.
        let name = taken[year, default: TakenNames()].claim(stem, ending: "")
        let links = try writeMedia(of: entry, to: year, name)
        var text = FrontMatter.text(entry, wall, clock, links)
        var shown: Set<Int> = []
        text += MarkdownScanner.rewrite(entry.text, undoingEscapes: false) { target in
            guard let number = MediaLink.number(target), links.indices.contains(number) else { return nil }
            shown.insert(number)
            return links[number]
        }
        for (number, link) in links.enumerated() where !shown.contains(number) {
            text += (text.hasSuffix("\n") ? "\n" : "\n\n") + "![](\(link))\n"
        }
        if !text.hasSuffix("\n") { text += "\n" }
        try folder.write(text, to: "\(year)/\(name).md")
    }

    /// Waits until all of it is on the disk.
    package func finish() throws(DiaryFormatError) { try folder.finish() }

    private mutating func writeMedia(of entry: ImportedEntry, to year: String, _ name: String) throws -> [String] {
        guard !entry.media.isEmpty else { return [] }
        try folder.makeFolder(year + "/" + name)
        var names = TakenNames()
        var links: [String] = []
        for item in entry.media {
            let stem = SafeName.make(
                SafeName.parts(of: item.name).stem, byteCount: Self.longestName, fallback: item.kind.rawValue)
            let file = names.claim(stem, ending: MediaTypes.ending(of: item))
            try folder.write(item, to: "\(year)/\(name)/\(file)", media)
            links.append(PercentCoding.encode(name + "/" + file))
        }
        return links
    }
}

/// Links to an entry's own files.
enum MediaLink {
    static func number(_ target: some StringProtocol) -> Int? {
        target.hasPrefix("media:") ? Int(target.dropFirst(6)) : nil
    }
}

/// RFC 3986, section 2.1, for paths.
enum PercentCoding {
    static func encode(_ path: String) -> String {
        var result = ""
        for byte in path.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}

/// What stands above an entry's text, in YAML.
private enum FrontMatter {
    static func text(_ entry: ImportedEntry, _ wall: CivilTime, _ clock: ZoneClock, _ links: [String]) -> String {
        var lines = ["---", "date: \(wall.date)T\(wall.hourAndMinute)"]
        lines[1] += offset(clock.ahead(in: entry.head.timeZone, at: entry.head.date) / CivilTime.second)
        lines.append("timezone: \(quoted(entry.head.timeZone))")
        lines.append("created: \(CivilTime.iso(entry.created))")
        lines.append("modified: \(CivilTime.iso(entry.modified))")
        if !entry.head.tags.isEmpty { lines.append("tags: \(quoted(entry.head.tags))") }
        if let mood = entry.head.mood { lines.append("mood: \(mood.rawValue)") }
        if entry.head.isStarred { lines.append("starred: true") }
        if let place = entry.head.place {
            lines.append("latitude: \(place.latitude)")
            lines.append("longitude: \(place.longitude)")
            let names = [
                ("place", place.name), ("locality", place.locality), ("region", place.region),
                ("country", place.country),
            ]
            for (name, value) in names { if let value { lines.append("\(name): \(quoted(value))") } }
        }
        if !links.isEmpty { lines.append("media: \(quoted(links))") }
        return lines.joined(separator: "\n") + "\n---\n\n"
    }

    private static func offset(_ seconds: Int64) -> String {
        let minutes = abs(seconds) / 60
        let digits = String(10_000 + minutes / 60 * 100 + minutes % 60).dropFirst()
        return (seconds < 0 ? "-" : "+") + digits.prefix(2) + ":" + digits.suffix(2)
    }

    /// YAML's double-quoted scalars take what JSON's strings are.
    private static func quoted(_ text: String) -> String {
        String(decoding: JSONValue.string(text).encoded, as: UTF8.self)
    }

    private static func quoted(_ texts: [String]) -> String { "[" + texts.map(quoted).joined(separator: ", ") + "]" }
}
