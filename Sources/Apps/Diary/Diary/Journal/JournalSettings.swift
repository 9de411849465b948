import DiaryClient
import Localization
import Secrets
import Zones

/// What the diary's owner chose.
final class JournalSettings {
    private let records: DiaryRecords
    private(set) var current = StoredSettings()
    private var record: Identifier?

    init(_ records: DiaryRecords) throws {
        self.records = records
        for found in try records.records(ofType: RecordType.settings) {
            guard let read = try? StoredSettings(from: found.content) else {
                records.lose(found.name)
                continue
            }
            (current, record) = (read, found.name)
        }
    }

    /// - Throws: `DiaryError` with code `invalid`.
    func change(_ changes: DiarySettings) throws {
        var changed = current
        if let minutes = changes.lockMinutes {
            guard let stored = UInt16(exactly: minutes), stored <= StoredSettings.mostMinutes else {
                throw DiaryError(.invalid, marked("the diary locks after 0 (never by itself) to 1440 minutes"))
            }
            changed.lockMinutes = stored
        }
        if let locks = changes.locksOnResign { changed.locksOnResign = locks }
        if let excluded = changes.isExcludedFromBackup { changed.isExcludedFromBackup = excluded }
        let record = self.record ?? .makeRandom()
        try records.write { writer in
            _ = try writer.put(record, type: RecordType.settings, changed.encoded, in: records.zone)
        }
        (current, self.record) = (changed, record)
    }

    var shown: DiarySettings {
        DiarySettings(
            lockMinutes: Int(current.lockMinutes), locksOnResign: current.locksOnResign,
            isExcludedFromBackup: current.isExcludedFromBackup)
    }
}
