import DiaryClient
import DiaryFormats
import Localization
import ResidentClient

/// A file of an entry that was not read to its end.
struct UnreadFile: Error {
    /// Whether another time would find no more of it.
    let isDamaged: Bool

    init(_ error: any Error) { isDamaged = DiaryFormatError.isOfFile(error) }
}

// Files on their way from another diary: whole, or not at all.
extension DiaryTransfer {
    /// Stages an entry's files; what is damaged is named, and not taken.
    ///
    /// - Returns: the numbers of those that were staged.
    /// - Throws: `UnreadFile` where one may be whole and was not read: its entry, which comes in once, waits for it.
    func stage(
        _ files: [ImportedMedia], of diary: any ForeignDiary, _ connection: inout DiaryConnection?,
        _ report: inout Report
    ) throws -> [Int] {
        do {
            for file in files { try send(file, of: diary, connection) }
            return Array(files.indices)
        } catch let error as UnreadFile where error.isDamaged {
            // What was staged goes with its connection: what is whole is staged anew.
            connection = try DiaryOptions().connect()
            let whole = try files.indices.filter { try Self.isWhole(files[$0], of: diary) }
            for number in whole { try send(files[number], of: diary, connection) }
            let damaged = files.indices.filter { !whole.contains($0) }.map { files[$0].name }
            report.damaged += damaged
            report.remarks[localized("A file is damaged; its entry came in without it."), default: 0] += damaged.count
            return whole
        }
    }

    private func send(_ media: ImportedMedia, of diary: any ForeignDiary, _ connection: DiaryConnection?) throws {
        guard let connection else { throw DiaryConnection.unexpected }
        let next: MediaParts
        do { next = try diary.open(media) } catch { throw UnreadFile(error) }
        let new = NewMedia(kind: media.kind, name: media.name, mediaType: media.mediaType)
        var hasSent = false
        try connection.ask(.stage(new), hasBody: true) {
            let part: [UInt8]?
            do { part = try next() } catch { throw UnreadFile(error) }
            defer { hasSent = true }
            return part == nil && !hasSent ? [] : part
        } receive: { _ in
        }
    }

    private static func isWhole(_ media: ImportedMedia, of diary: any ForeignDiary) throws -> Bool {
        do {
            let next = try diary.open(media)
            while try next() != nil {}
            return true
        } catch {
            let unread = UnreadFile(error)
            guard unread.isDamaged else { throw unread }
            return false
        }
    }
}
