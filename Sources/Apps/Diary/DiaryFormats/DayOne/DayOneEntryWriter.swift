import Codecs
import DiaryClient

/// An entry as Day One writes one, with what was kept of the one it came from.
///
/// What Day One has no place for stands in a member of our own, `tresor`, which other programs pass over.
struct DayOneEntryWriter {
    private(set) var object = JSONObject()
    private let entry: ImportedEntry
    private let foreign: JSONObject
    private let keepsMetadata: Bool
    private var identities: [String] = []

    /// - Parameter keepsMetadata: whether what Day One had noted beside a photo is given back to it.
    init(_ entry: ImportedEntry, _ media: [StoredMedia], keepsMetadata: Bool) {
        self.entry = entry
        self.keepsMetadata = keepsMetadata
        let kept = (try? JSONReader.read(entry.foreign))?.object ?? JSONObject()
        let isDayOne = kept["format"]?.string == "dayone"
        foreign = isDayOne ? kept : JSONObject()
        object["uuid"] = .string(Self.identity(source))
        object["creationDate"] = .string(CivilTime.iso(entry.head.date))
        object["modifiedDate"] = .string(CivilTime.iso(entry.modified))
        object["timeZone"] = .string(entry.head.timeZone)
        object["starred"] = .bool(entry.head.isStarred)
        if !entry.head.tags.isEmpty { object["tags"] = .array(entry.head.tags.map(JSONValue.string)) }
        if let place = entry.head.place { object["location"] = .object(location(place)) }
        for member in foreign["entry"]?.object?.members ?? [] where object[member.name] == nil {
            object[member.name] = member.value
        }
        addMedia(media)
        object["text"] = .string(text())
        object["tresor"] = .object(own(isDayOne || kept.isEmpty ? nil : kept))
    }

    private static func identity(_ source: String) -> String {
        JSONJournal.dayOneDigits(source.hasPrefix("dayone:") ? String(source.dropFirst(7)) : source)
    }

    /// What the entry is called there, also where it came in without a file.
    private var source: String {
        let mark = ImportedEntry.incompleteMark
        return entry.source.hasSuffix(mark) ? String(entry.source.dropLast(mark.count)) : entry.source
    }

    private func location(_ place: DiaryPlace) -> JSONObject {
        var location = JSONObject()
        location["latitude"] = .number(String(place.latitude))
        location["longitude"] = .number(String(place.longitude))
        location["placeName"] = place.name.map(JSONValue.string)
        location["localityName"] = place.locality.map(JSONValue.string)
        location["administrativeArea"] = place.region.map(JSONValue.string)
        location["country"] = place.country.map(JSONValue.string)
        for member in foreign["location"]?.object?.members ?? [] where location[member.name] == nil {
            location[member.name] = member.value
        }
        return location
    }

    private mutating func addMedia(_ stored: [StoredMedia]) {
        var kept = (foreign["media"]?.array ?? []).compactMap(\.object)
        var lists: [MediaKind: [JSONValue]] = [:]
        for (number, item) in stored.enumerated() {
            let match = kept.firstIndex {
                $0["kind"]?.string == item.media.kind.rawValue && $0["name"]?.string == item.media.name
            }
            var fields = match.map { kept.remove(at: $0) }?["fields"]?.object ?? JSONObject()
            if !keepsMetadata && item.media.kind == .photo { fields = Self.withoutMetadata(fields) }
            lists[item.media.kind, default: []].append(.object(describe(item, number, fields)))
        }
        for kind in MediaKind.allCases {
            // Those without a file, which came with the entry, stay at the end.
            let member = DayOneMediaList.member(of: kind)
            guard lists[kind] != nil || object[member]?.array != nil else { continue }
            let missing = (object[member]?.array ?? []).map { bare($0, kind) }
            object[member] = .array((lists[kind] ?? []) + missing)
        }
    }

    /// What names a photo, and nothing of when, where and by what it was taken.
    private static func withoutMetadata(_ fields: JSONObject) -> JSONObject {
        var named = JSONObject()
        named["identifier"] = fields["identifier"]
        return named
    }

    /// The same of a photo whose file did not come with the entry.
    private func bare(_ value: JSONValue, _ kind: MediaKind) -> JSONValue {
        guard !keepsMetadata, kind == .photo, let fields = value.object else { return value }
        return .object(Self.withoutMetadata(fields))
    }

    private mutating func describe(_ item: StoredMedia, _ number: Int, _ fields: JSONObject) -> JSONObject {
        var fields = fields
        var added: [JSONValue] = []
        func add(_ name: String, _ value: JSONValue) {
            if fields[name] == nil {
                added.append(.string(name))
                fields[name] = value
            }
        }
        let isIdentity = item.media.id.utf8.count == 32
        add("identifier", .string(JSONJournal.dayOneDigits(isIdentity ? item.media.id : "\(entry.source)/\(number)")))
        add("type", .string(item.ending))
        add("fileSize", .integer(item.byteCount))
        add("md5", .string(item.fingerprint))
        // The file is named by what it is, whatever was said of the one that came.
        fields["md5"] = .string(item.fingerprint)
        fields["orderInEntry"] = .integer(number)
        var own = JSONObject()
        own["name"] = .string(item.media.name)
        own["mediaType"] = .string(item.media.mediaType)
        own["added"] = .array(added)
        fields["tresor"] = .object(own)
        identities.append(fields["identifier"]?.string ?? "")
        return fields
    }

    private func text() -> String {
        MarkdownScanner.rewrite(entry.text, undoingEscapes: false) { target in
            guard target.hasPrefix("media:"), let number = Int(target.dropFirst(6)), identities.indices.contains(number)
            else { return nil }
            return DayOneLink.target(entry.media[number].kind, identities[number])
        }
    }

    private func own(_ others: JSONObject?) -> JSONObject {
        var own = JSONObject()
        own["version"] = .integer(1)
        own["date"] = .integer(entry.head.date)
        own["created"] = .integer(entry.created)
        own["modified"] = .integer(entry.modified)
        own["mood"] = entry.head.mood.map { .string($0.rawValue) }
        own["journal"] = foreign["journal"]
        if source != "dayone:" + Self.identity(source) { own["source"] = .string(source) }
        own["foreign"] = others.map(JSONValue.object)
        return own
    }
}
