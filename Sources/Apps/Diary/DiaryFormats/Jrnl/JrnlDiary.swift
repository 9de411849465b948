import Codecs
import DiaryClient
import Linux

/// What jrnl writes: its export as JSON, or its journal as plain text.
///
/// Its entries have no identity. They are known by their minute and their title; what has changed in the text below is
/// the same entry's.
package struct JrnlDiary: ForeignDiary {
    package private(set) var remarks: [ImportRemark] = []
    private var entries: [JrnlEntry] = []
    private var sources: [String] = []
    private let zone: String
    private let clock: ZoneClock

    /// Bytes of the file.
    private static let largest = 256 << 20

    /// - Parameters:
    ///   - path: a file that begins with `{`, or with an entry.
    ///   - zone: where its clock stood, which jrnl does not write.
    package init(_ path: String, zone: String, clock: ZoneClock) throws(DiaryFormatError) {
        self.zone = zone
        self.clock = clock
        let bytes: [UInt8]
        do {
            guard let status = try FileSystem.status(path + "/.") ?? FileSystem.status(path) else {
                throw DiaryFormatError.notFound
            }
            guard !status.isDirectory else { throw DiaryFormatError.notADiary }
            bytes = try FileSystem.read(path, limit: Self.largest)
        } catch let error as DiaryFormatError { throw error } catch {
            throw (error as? LinuxError)?.isTooLarge == true ? .tooLarge : .unreadable
        }
        var start = JSONReader(bytes)
        if start.next() == UInt8(ascii: "{") { try readJSON(bytes) } else { try readText(bytes) }
        nameSources()
    }

    package var entryCount: Int { entries.count }

    package func entry(at index: Int) -> (entry: ImportedEntry?, remarks: [ImportRemark]) {
        guard entries.indices.contains(index) else { return (entry: nil, remarks: []) }
        let read = entries[index]
        let source = sources[index]
        guard let wall = read.wall else {
            return (entry: nil, remarks: [ImportRemark(.notAnEntry, entry: source)])
        }
        var head = EntryHead(date: clock.date(wall: wall, in: zone), timeZone: zone)
        head.isStarred = read.isStarred
        head.tags = read.tags
        let text = read.body.isEmpty ? read.title : read.title + "\n\n" + read.body
        var entry = ImportedEntry(source: source, head: head, text: text, created: head.date, modified: head.date)
        if !read.rest.isEmpty {
            let kept = JSONObject(members: [
                .init(name: "format", value: .string("jrnl")), .init(name: "entry", value: .object(read.rest)),
            ])
            entry.foreign = JSONValue.object(kept).encoded
        }
        return (entry: entry, remarks: text.isEmpty ? [ImportRemark(.missingText, entry: source)] : [])
    }

    /// Its entries have no files.
    package func open(_ media: ImportedMedia) throws(DiaryFormatError) -> MediaParts { throw .notFound }

    private mutating func readJSON(_ bytes: [UInt8]) throws(DiaryFormatError) {
        let journal = JSONJournal(name: "", bytes: bytes)
        guard journal.isJournal else { throw journal.isBroken ? .damaged : .notADiary }
        if journal.isBroken { remarks.append(ImportRemark(.brokenJournal)) }
        entries = journal.entries.map { JrnlEntry(journal.entry($0) ?? JSONObject()) }
    }

    private mutating func readText(_ bytes: [UInt8]) throws(DiaryFormatError) {
        // An entry that came in with other letters would be known at the next import, and stay so.
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        let read = JrnlText.read(text)
        guard !read.entries.isEmpty else { throw .notADiary }
        entries = read.entries
        if read.hasPreamble { remarks.append(ImportRemark(.notAnEntry)) }
    }

    private mutating func nameSources() {
        var counts: [String: Int] = [:]
        for entry in entries {
            let name = "jrnl:" + FileFingerprint.of("\(entry.wall ?? 0)\n\(entry.title)")
            let count = counts[name, default: 0] + 1
            counts[name] = count
            sources.append(count == 1 ? name : "\(name)-\(count)")
        }
    }
}

/// An entry of jrnl's, of either form.
struct JrnlEntry {
    /// Microseconds since 1970 as if the clock had stood in UTC; nil for what is no entry.
    var wall: Int64?
    var title: String
    var body: String
    /// Without their mark.
    var tags: [String]
    var isStarred: Bool
    /// Members that we do not know.
    var rest = JSONObject()

    init(wall: Int64, title: String, body: String, tags: [String], isStarred: Bool) {
        self.wall = wall
        self.title = title
        self.body = body
        self.tags = tags
        self.isStarred = isStarred
    }

    init(_ object: JSONObject) {
        rest = object
        let date = rest.take("date")?.string ?? ""
        let time = rest.take("time")?.string ?? "00:00"
        wall = CivilTime.parse("\(date)T\(time)")
        title = rest.take("title")?.string ?? ""
        body = rest.take("body")?.string ?? ""
        isStarred = rest.take("starred")?.bool ?? false
        tags = []
        for tag in rest.take("tags")?.array ?? [] {
            guard let name = tag.string.map(Self.unmarked), !name.isEmpty, !tags.contains(name) else { continue }
            tags.append(name)
        }
    }

    /// The mark before a tag is the user's choice: `@`, `#` and others.
    static func unmarked(_ tag: String) -> String {
        guard let first = tag.first, !first.isLetter, !first.isNumber else { return tag }
        return String(tag.dropFirst())
    }
}
