import Codecs
package import DiaryClient
import Linux

/// A folder of photos as a diary: an entry for each day, without text, with that day's photos in their order.
///
/// A day that came in once is the same at the next import; photos that it has not are for the importer to add. Where
/// photos were taken is not taken over; the diary offers it.
package struct PhotoDiary: ForeignDiary {
    package let remarks: [ImportRemark]
    private let root: String
    private let paths: Set<String>
    private var days: [(date: String, photos: [Photo])] = []

    private struct Photo {
        let path: String
        let mediaType: String
        let wall: Int64
        let date: Int64
        let zone: String
        let byteCount: UInt64
    }

    /// - Parameters:
    ///   - zone: of cameras that do not say where their clock stood.
    ///   - facts: what a photo says of itself; nil or without a time, and the file's own time is taken.
    package init(_ listing: PhotoListing, zone: String, clock: ZoneClock, facts: (_ path: String) -> PhotoFacts?) {
        root = listing.root
        remarks = listing.remarks
        paths = Set(listing.paths)
        var photos: [Photo] = []
        for path in listing.paths {
            photos.append(Self.photo(path, of: listing, facts(listing.root + "/" + path), zone, clock))
        }
        let byDay = Dictionary(grouping: photos) { CivilTime(wall: $0.wall).date }
        for (date, photos) in byDay.sorted(by: { $0.key < $1.key }) {
            days.append((date: date, photos: photos.sorted { ($0.wall, $0.path) < ($1.wall, $1.path) }))
        }
    }

    package var entryCount: Int { days.count }

    package func entry(at index: Int) -> (entry: ImportedEntry?, remarks: [ImportRemark]) {
        guard days.indices.contains(index), let first = days[index].photos.first else {
            return (entry: nil, remarks: [])
        }
        let head = EntryHead(date: first.date, timeZone: first.zone)
        var entry = ImportedEntry(
            source: "photos:" + days[index].date, head: head, text: "", created: first.date,
            modified: first.date)
        entry.media = days[index].photos.map { photo in
            let name = SafeName.shown(photo.path, fallback: "photo")
            return ImportedMedia(
                id: photo.path, kind: .photo, name: name, mediaType: photo.mediaType, byteCount: photo.byteCount)
        }
        return (entry: entry, remarks: [])
    }

    package func open(_ media: ImportedMedia) throws(DiaryFormatError) -> MediaParts {
        guard paths.contains(media.id) else { throw .notFound }
        return try PlainFile.open(root + "/" + media.id)
    }

    private static func photo(
        _ path: String, of listing: PhotoListing, _ facts: PhotoFacts?, _ zone: String, _ clock: ZoneClock
    ) -> Photo {
        var named = zone
        var wall = facts?.wallClock.flatMap { (-62_135_596_800..<253_402_300_800).contains($0) ? $0 : nil }
            .map { $0 * CivilTime.second }
        let date: Int64
        if let taken = wall {
            if let minutes = facts?.offsetMinutes, (-1439...1439).contains(minutes) {
                named = Self.zone(minutes)
            }
            date = clock.date(wall: taken, in: named)
        } else {
            date = listing.fileTime(path) ?? 0
            wall = date + clock.ahead(in: zone, at: date)
        }
        let status = (try? FileSystem.status(listing.root + "/" + path)) ?? nil
        return Photo(
            path: path, mediaType: listing.mediaTypes[path] ?? "", wall: wall ?? date, date: date, zone: named,
            byteCount: UInt64(status?.byteCount ?? 0))
    }

    /// `GMT+0200`.
    private static func zone(_ minutes: Int) -> String {
        let digits = String(10_000 + abs(minutes) / 60 * 100 + abs(minutes) % 60).dropFirst()
        return "GMT" + (minutes < 0 ? "-" : "+") + digits
    }
}
