import Codecs
import DiaryClient

/// The files of one entry, in the order in which they stand in it.
struct DayOneMediaList {
    struct Item {
        var media: ImportedMedia
        /// What else Day One says of it.
        var fields: JSONObject
        fileprivate var identity: String?
        fileprivate var order: Int64
    }

    private(set) var items: [Item] = []
    /// How many have no file.
    private(set) var missing = 0
    /// How many have an empty one.
    private(set) var empty = 0
    /// The number of each that there is, by its identity in links.
    private(set) var numbers: [String: Int] = [:]
    /// Identities of all, those without a file among them.
    private(set) var known: Set<String> = []

    /// The members of an entry that list files.
    static func member(of kind: MediaKind) -> String {
        switch kind {
        case .photo: "photos"
        case .audio: "audios"
        case .video: "videos"
        case .pdf: "pdfAttachments"
        }
    }

    /// Takes out of an entry what has a file; what has none stays in it.
    init(taking entry: inout JSONObject, _ files: DayOneFiles) {
        for kind in [MediaKind.photo, .video, .audio, .pdf] {
            let member = Self.member(of: kind)
            guard let values = entry[member]?.array else { continue }
            var left: [JSONValue] = []
            for value in values {
                if let object = value.object {
                    if !add(object, kind, files) { left.append(value) }
                } else {
                    missing += 1
                    left.append(value)
                }
            }
            entry[member] = left.isEmpty ? nil : .array(left)
        }
        // Swift's sort keeps the order of equals.
        items.sort { $0.order < $1.order }
        for (number, item) in items.enumerated() {
            if let identity = item.identity { numbers[identity] = number }
        }
    }

    /// - Returns: false where there is no file, or one without a byte.
    private mutating func add(_ object: JSONObject, _ kind: MediaKind, _ files: DayOneFiles) -> Bool {
        let identity = object["identifier"]?.string.map(DayOneLink.normal)
        if let identity { known.insert(identity) }
        let names = ["md5", "identifier", "filename"].compactMap { object[$0]?.string }.map(Self.stem)
        guard let file = files.find(kind, named: names, ending: object["type"]?.string) else {
            missing += 1
            return false
        }
        guard file.byteCount > 0 else {
            empty += 1
            return false
        }
        var fields = object
        let own = fields.take("tresor")?.object
        _ = fields.take("orderInEntry")
        for name in own?["added"]?.array ?? [] {
            if let name = name.string { fields[name] = nil }
        }
        let stored = file.ending.isEmpty ? file.stem : file.stem + "." + file.ending
        let name = [own?["name"], object["filename"], object["pdfName"], object["title"]].lazy.compactMap(\.?.string)
            .first { !$0.isEmpty }
        let media = ImportedMedia(
            id: file.id, kind: kind, name: SafeName.shown(name ?? stored, fallback: stored),
            mediaType: own?["mediaType"]?.string.map { String($0.prefix(100)) }
                ?? MediaTypes.mediaType(ofEnding: file.ending),
            byteCount: file.byteCount)
        items.append(
            Item(media: media, fields: fields, identity: identity, order: object["orderInEntry"]?.integer ?? .max))
        return true
    }

    /// A name may come with its ending.
    private static func stem(_ name: String) -> String {
        SafeName.parts(of: String(name.split(separator: "/").last ?? "")).stem
    }
}

/// Links to files in Day One's texts: `dayone-moment://ID` for photos, and `dayone-moment:/video/ID` and its like.
enum DayOneLink {
    private static let scheme = "dayone-moment:"

    static func target(_ kind: MediaKind, _ identity: String) -> String {
        switch kind {
        case .photo: scheme + "//" + identity
        case .audio: scheme + "/audio/" + identity
        case .video: scheme + "/video/" + identity
        case .pdf: scheme + "/pdfAttachment/" + identity
        }
    }

    /// Nil for a link to something else.
    static func identity(_ target: String) -> String? {
        guard target.hasPrefix(scheme), let last = target.dropFirst(scheme.count).split(separator: "/").last else {
            return nil
        }
        return normal(String(last))
    }

    static func normal(_ identity: String) -> String { identity.uppercased().filter { $0 != "-" } }
}
