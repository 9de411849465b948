import Codecs
import DiaryClient

/// What Day One's "Export as JSON" writes: a zip file, or what was unpacked from it.
///
///     let diary = try DayOneDiary("Export.zip", zone: "Europe/Oslo")
package struct DayOneDiary: ForeignDiary {
    package private(set) var remarks: [ImportRemark]
    private let files: DayOneFiles
    private var journals: [JSONJournal] = []
    private var places: [Place] = []

    /// Bytes of the journals together.
    static let largestJournals = 256 << 20

    private struct Place {
        let journal: Int
        let range: Range<Int>
        let source: String
        var isDouble: Bool
        var isMissingIdentity: Bool
    }

    /// Reads the journals, and of the files their names.
    ///
    /// - Parameters:
    ///   - path: a zip file, a `.json` file with the folders of its files beside it, or a folder that holds both.
    ///   - zone: for entries that name none.
    package init(_ path: String, zone: String, limits: ZipLimits = ZipLimits()) throws(DiaryFormatError) {
        files = try DayOneFiles(path, limits: limits)
        remarks = files.remarks
        self.zone = zone
        try readJournals()
        listEntries()
    }

    private let zone: String

    package var entryCount: Int { places.count }

    package func entry(at index: Int) -> (entry: ImportedEntry?, remarks: [ImportRemark]) {
        guard places.indices.contains(index) else { return (entry: nil, remarks: []) }
        let place = places[index]
        if place.isDouble { return (entry: nil, remarks: [ImportRemark(.doubleEntry, entry: place.source)]) }
        let journal = journals[place.journal]
        guard let object = journal.entry(place.range) else {
            return (entry: nil, remarks: [ImportRemark(.notAnEntry, entry: place.source)])
        }
        var reader = DayOneEntryReader(object, source: place.source, files: files, zone: zone)
        let read = reader.read(journal: journals.count > 1 ? journal.name : nil)
        let missing = place.isMissingIdentity ? [ImportRemark(.missingIdentity, entry: place.source)] : []
        return (entry: read, remarks: missing + reader.remarks)
    }

    package func open(_ media: ImportedMedia) throws(DiaryFormatError) -> MediaParts { try files.open(media.id) }

    private mutating func readJournals() throws(DiaryFormatError) {
        var left = Self.largestJournals
        var broken = 0
        var others = 0
        for file in files.journals {
            let bytes: [UInt8]
            do { bytes = try files.read(file, limit: left) } catch {
                guard let known = error as? DiaryFormatError, known != .damaged else {
                    broken += 1
                    continue
                }
                throw known
            }
            let journal = JSONJournal(name: file.stem, bytes: bytes)
            if journal.isBroken { broken += 1 } else if !journal.isJournal { others += 1 }
            guard journal.isJournal else { continue }
            left -= bytes.count
            journals.append(journal)
        }
        guard !journals.isEmpty else { throw broken > 0 ? .damaged : .notADiary }
        if broken > 0 { remarks.append(ImportRemark(.brokenJournal, count: broken)) }
        if others > 0 { remarks.append(ImportRemark(.notAJournal, count: others)) }
    }

    private mutating func listEntries() {
        var seen: Set<String> = []
        for (number, journal) in journals.enumerated() {
            for range in journal.entries {
                let source = journal.source(of: range)
                places.append(
                    Place(
                        journal: number, range: range, source: source.text,
                        isDouble: !seen.insert(source.text).inserted, isMissingIdentity: source.isMissing))
            }
        }
    }
}
