import DiaryClient
import Secrets
import Zones

/// What lists need of an entry; its record is named as the entry is.
struct EntryHeader: Equatable, Sendable {
    var head: EntryHead
    var isDraft = false
    /// Microseconds since 1970, UTC.
    var created: Int64
    var modified: Int64
    /// When it went to the trash.
    var deleted: Int64?
    /// The record of the text.
    var body: Identifier
    /// Rises with each change; an edit names the one that it began from.
    var revision: UInt64 = 1
    /// Where it was imported from; empty for none.
    var source = ""
    /// The first words of the text.
    var opening = ""
    /// How many words it has.
    var words: UInt32 = 0
    var media: [EntryMedia] = []

    init(head: EntryHead, created: Int64, body: Identifier = .makeRandom()) {
        self.head = head
        self.created = created
        modified = created
        self.body = body
    }

    /// Later than before, whatever the clock says.
    mutating func markChanged(at now: Int64) {
        modified = max(now, modified == .max ? modified : modified + 1)
        revision += 1
    }

    /// The files that it names.
    var assets: [Identifier] { media.flatMap(\.assets) }
}

extension EntryHeader {
    private enum Flag {
        static let starred: UInt8 = 1
        static let draft: UInt8 = 2
        static let place: UInt8 = 4
        static let all: UInt8 = 7
    }

    var encoded: [UInt8] {
        var writer = RecordLayout.begin()
        writer.uint8(
            (head.isStarred ? Flag.starred : 0) | (isDraft ? Flag.draft : 0) | (head.place == nil ? 0 : Flag.place))
        writer.int64(head.date)
        writer.field(head.timeZone)
        writer.uint8(head.mood.map { UInt8(1 + (Mood.allCases.firstIndex(of: $0) ?? 0)) } ?? 0)
        writer.uint32(UInt32(head.tags.count))
        for tag in head.tags { writer.field(tag) }
        head.place?.encode(into: &writer)
        writer.int64(created)
        writer.int64(modified)
        writer.int64(deleted ?? 0)
        writer.identifier(body)
        writer.uint64(revision)
        writer.field(source)
        writer.field(opening)
        writer.uint32(words)
        writer.uint32(UInt32(media.count))
        for file in media { file.encode(into: &writer) }
        return writer.bytes
    }

    init(from bytes: [UInt8]) throws(DecodingError) {
        self = try RecordLayout.read(bytes) { (reader) throws(DecodingError) in try EntryHeader(&reader) }
    }

    private init(_ reader: inout ByteReader) throws(DecodingError) {
        let flags = try reader.uint8()
        guard flags & ~Flag.all == 0 else { throw .invalid }
        head = EntryHead(date: try reader.int64(), timeZone: try reader.text())
        head.isStarred = flags & Flag.starred != 0
        isDraft = flags & Flag.draft != 0
        let mood = Int(try reader.uint8())
        guard mood <= Mood.allCases.count else { throw .invalid }
        head.mood = mood == 0 ? nil : Mood.allCases[mood - 1]
        for _ in 0..<(try reader.count(ofSize: 4)) { head.tags.append(try reader.text()) }
        if flags & Flag.place != 0 { head.place = try DiaryPlace(from: &reader) }
        created = try reader.int64()
        modified = try reader.int64()
        let deletion = try reader.int64()
        deleted = deletion == 0 ? nil : deletion
        body = try reader.identifier()
        revision = try reader.uint64()
        source = try reader.text()
        opening = try reader.text()
        words = try reader.uint32()
        for _ in 0..<(try reader.count(ofSize: EntryMedia.leastByteCount)) { media.append(try EntryMedia(&reader)) }
    }
}

extension DiaryPlace {
    func encode(into writer: inout ByteWriter) {
        writer.uint64(latitude.bitPattern)
        writer.uint64(longitude.bitPattern)
        for name in [name, locality, region, country] { writer.field(name ?? "") }
    }

    init(from reader: inout ByteReader) throws(DecodingError) {
        let latitude = Double(bitPattern: try reader.uint64())
        let longitude = Double(bitPattern: try reader.uint64())
        var names: [String?] = []
        for _ in 0..<4 {
            let name = try reader.text()
            names.append(name.isEmpty ? nil : name)
        }
        guard
            let place = DiaryPlace(
                latitude: latitude, longitude: longitude, name: names[0], locality: names[1], region: names[2],
                country: names[3])
        else { throw .invalid }
        self = place
    }
}
