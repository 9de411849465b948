import DiaryClient
import Secrets
import Zones

/// A file of an entry, and the small pictures that were made of it.
struct EntryMedia: Equatable, Sendable {
    var id: Identifier
    var kind: MediaKind
    var name: String
    var mediaType: String
    var facts = PhotoFacts()
    /// Why there is no thumbnail, in words; empty where there is one, or none is wanted.
    var problem = ""
    var original: AssetReference
    var thumbnail: AssetReference?
    var preview: AssetReference?

    init(id: Identifier = .makeRandom(), _ new: NewMedia, original: AssetReference) {
        self.id = id
        kind = new.kind
        name = new.name
        mediaType = new.mediaType
        self.original = original
    }

    /// Whether it is a photo that nobody has looked at yet.
    var waitsForLook: Bool { kind == .photo && thumbnail == nil && problem.isEmpty }

    mutating func take(_ look: PhotoLook, in assets: AssetFolder) {
        facts = look.facts
        problem = look.problem
        guard let picture = look.thumbnail else { return }
        thumbnail = try? assets.store(picture)
    }

    /// The names of its files.
    var assets: [Identifier] { [original, thumbnail, preview].compactMap { $0?.asset } }

    var summary: MediaSummary {
        MediaSummary(
            id: id.description, kind: kind, name: name, mediaType: mediaType, byteCount: original.byteCount,
            facts: facts, hasThumbnail: thumbnail != nil, problem: problem.isEmpty ? nil : problem)
    }
}

extension EntryMedia {
    /// No file takes less in a record: what refuses a count that cannot be true.
    static let leastByteCount = 16 + 1 + 4 + 4 + 4 + 1

    func encode(into writer: inout ByteWriter) {
        writer.identifier(id)
        writer.uint8(UInt8(1 + (MediaKind.allCases.firstIndex(of: kind) ?? 0)))
        writer.field(name)
        writer.field(mediaType)
        facts.encode(into: &writer)
        writer.field(problem)
        original.encode(into: &writer)
        for reference in [thumbnail, preview] {
            writer.bool(reference != nil)
            reference?.encode(into: &writer)
        }
    }

    init(_ reader: inout ByteReader) throws(DecodingError) {
        id = try reader.identifier()
        let code = Int(try reader.uint8())
        guard (1...MediaKind.allCases.count).contains(code) else { throw .invalid }
        kind = MediaKind.allCases[code - 1]
        name = try reader.text()
        mediaType = try reader.text()
        facts = try PhotoFacts(from: &reader)
        problem = try reader.text()
        original = try AssetReference(from: &reader)
        thumbnail = try reader.bool() ? try AssetReference(from: &reader) : nil
        preview = try reader.bool() ? try AssetReference(from: &reader) : nil
    }
}

extension PhotoFacts {
    /// A bit for each fact that is there, then these in order.
    func encode(into writer: inout ByteWriter) {
        let numbers: [Int64?] = [
            wallClock, offsetMinutes.map(Int64.init), latitude.map(Self.bits), longitude.map(Self.bits),
            width.map(Int64.init), height.map(Int64.init), orientation.map(Int64.init),
        ]
        var present: UInt8 = camera == nil ? 0 : 0x80
        for (bit, number) in numbers.enumerated() where number != nil { present |= 1 << UInt8(bit) }
        writer.uint8(present)
        for case let number? in numbers { writer.int64(number) }
        if let camera { writer.field(camera) }
    }

    init(from reader: inout ByteReader) throws(DecodingError) {
        self.init()
        let present = try reader.uint8()
        var numbers: [Int64?] = []
        for bit in 0..<7 { numbers.append(present & (1 << UInt8(bit)) != 0 ? try reader.int64() : nil) }
        wallClock = numbers[0]
        offsetMinutes = try Self.small(numbers[1])
        latitude = numbers[2].map { Double(bitPattern: UInt64(bitPattern: $0)) }
        longitude = numbers[3].map { Double(bitPattern: UInt64(bitPattern: $0)) }
        width = try Self.small(numbers[4])
        height = try Self.small(numbers[5])
        orientation = try Self.small(numbers[6])
        if present & 0x80 != 0 { camera = try reader.text() }
    }

    private static func bits(_ number: Double) -> Int64 { Int64(bitPattern: number.bitPattern) }

    private static func small(_ number: Int64?) throws(DecodingError) -> Int? {
        guard let number else { return nil }
        guard let small = Int32(exactly: number) else { throw .invalid }
        return Int(small)
    }
}
