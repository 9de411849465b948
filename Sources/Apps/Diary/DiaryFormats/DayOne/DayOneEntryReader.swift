import Codecs
import DiaryClient

/// Makes one entry of one object of Day One's.
///
/// What is taken over is taken out of the object; the rest is kept for an export.
struct DayOneEntryReader {
    private var rest: JSONObject
    private let source: String
    private let files: DayOneFiles
    private let zone: String
    private(set) var remarks: [ImportRemark] = []

    private static let longestTag = 256
    private static let longestSource = 100

    init(_ object: JSONObject, source: String, files: DayOneFiles, zone: String) {
        rest = object
        self.source = source
        self.files = files
        self.zone = zone
    }

    mutating func read(journal: String?) -> ImportedEntry {
        // What the writer of ours added, so that nothing is lost on the way there and back.
        let own = rest.take("tresor")?.object
        _ = rest.take("uuid")
        let written = rest.take("creationDate")?.string.flatMap(CivilTime.parse)
        let changed = rest.take("modifiedDate")?.string.flatMap(CivilTime.parse)
        let date = Self.exact(own?["date"], near: written) ?? written ?? changed
        if written == nil { remark(.missingDate) }
        var head = EntryHead(date: date ?? 0, timeZone: takeZone())
        head.isStarred = rest.take("starred")?.bool ?? false
        head.tags = takeTags()
        head.mood = own?["mood"]?.string.flatMap(Mood.init)
        let placeRest = takePlace(&head)
        let media = takeMedia()
        var entry = ImportedEntry(
            source: own?["source"]?.string.flatMap(Self.ownSource) ?? source, head: head,
            text: takeText(media, isOwn: own != nil), created: own?["created"]?.integer ?? head.date,
            modified: Self.exact(own?["modified"], near: changed) ?? changed ?? head.date)
        entry.media = media.items.map(\.media)
        let name = own?["journal"] ?? journal.map(JSONValue.string)
        entry.journal = name?.string
        entry.foreign =
            own?["foreign"]?.object.map { JSONValue.object($0).encoded }
            ?? Self.foreign(rest, placeRest, media, name)
        return entry
    }

    private mutating func remark(_ kind: ImportRemark.Kind, _ count: Int = 1) {
        remarks.append(ImportRemark(kind, entry: source, count: count))
    }

    /// Ours, if it is the same second; else the entry was changed by another program since.
    private static func exact(_ value: JSONValue?, near written: Int64?) -> Int64? {
        guard let exact = value?.integer, let written, CivilTime.iso(exact) == CivilTime.iso(written) else {
            return nil
        }
        return exact
    }

    private static func ownSource(_ text: String) -> String? {
        let isPlain = text.utf8.allSatisfy { $0 > 32 && $0 < 127 }
        return isPlain && (1...longestSource).contains(text.utf8.count) ? text : nil
    }

    private mutating func takeZone() -> String {
        if let name = rest["timeZone"]?.string, ZoneClock.isName(name) {
            rest["timeZone"] = nil
            return name
        }
        if let name = rest["location"]?.object?["timeZoneName"]?.string, ZoneClock.isName(name) { return name }
        remark(.missingTimeZone)
        return zone
    }

    private mutating func takeTags() -> [String] {
        guard let values = rest.take("tags")?.array else { return [] }
        var tags: [String] = []
        var invalid = 0
        for value in values {
            if let tag = value.string, (1...Self.longestTag).contains(tag.utf8.count) {
                if !tags.contains(tag) { tags.append(tag) }
            } else {
                invalid += 1
            }
        }
        if invalid > 0 { remark(.invalidTag, invalid) }
        return tags
    }

    /// The place, and what else was said of it.
    private mutating func takePlace(_ head: inout EntryHead) -> JSONObject {
        guard var location = rest["location"]?.object else { return JSONObject() }
        guard let latitude = location["latitude"]?.double, let longitude = location["longitude"]?.double,
            let place = DiaryPlace(
                latitude: latitude, longitude: longitude, name: location["placeName"]?.string,
                locality: location["localityName"]?.string, region: location["administrativeArea"]?.string,
                country: location["country"]?.string)
        else {
            remark(.invalidPlace)
            return JSONObject()
        }
        head.place = place
        rest["location"] = nil
        for name in ["latitude", "longitude"] { location[name] = nil }
        for name in ["placeName", "localityName", "administrativeArea", "country"] where location[name]?.string != nil {
            location[name] = nil
        }
        return location
    }

    private mutating func takeMedia() -> DayOneMediaList {
        let list = DayOneMediaList(taking: &rest, files)
        if list.missing > 0 { remark(.missingMedia, list.missing) }
        if list.empty > 0 { remark(.emptyMedia, list.empty) }
        return list
    }

    private mutating func takeText(_ media: DayOneMediaList, isOwn: Bool) -> String {
        let rich = rest.take("richText")?.string
        var text = rest.take("text")?.string
        if text == nil, let rich {
            text = DayOneRichText.plain(rich)
            if text != nil { remark(.lostFormatting) }
        }
        // An entry of photos alone has none, and nothing is amiss.
        if text == nil && media.items.isEmpty { remark(.missingText) }
        var broken = 0
        let result = MarkdownScanner.rewrite(text ?? "", undoingEscapes: !isOwn) { target in
            guard let identity = DayOneLink.identity(target) else { return nil }
            if let number = media.numbers[identity] { return "media:\(number)" }
            if !media.known.contains(identity) { broken += 1 }
            return nil
        }
        if broken > 0 { remark(.brokenReference, broken) }
        return result
    }

    private static func foreign(
        _ rest: JSONObject, _ place: JSONObject, _ media: DayOneMediaList, _ journal: JSONValue?
    ) -> [UInt8] {
        var object = JSONObject()
        if let journal { object["journal"] = journal }
        if !rest.isEmpty { object["entry"] = .object(rest) }
        if !place.isEmpty { object["location"] = .object(place) }
        let fields = media.items.filter { !$0.fields.isEmpty }.map { item in
            JSONValue.object(
                JSONObject(members: [
                    .init(name: "kind", value: .string(item.media.kind.rawValue)),
                    .init(name: "name", value: .string(item.media.name)),
                    .init(name: "fields", value: .object(item.fields)),
                ]))
        }
        if !fields.isEmpty { object["media"] = .array(fields) }
        if object.isEmpty { return [] }
        object.members.insert(.init(name: "format", value: .string("dayone")), at: 0)
        return JSONValue.object(object).encoded
    }
}
