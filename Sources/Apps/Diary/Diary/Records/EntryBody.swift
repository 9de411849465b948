import Secrets
import Zones

/// The text of an entry, and what its source said besides.
struct EntryBody: Equatable, Sendable {
    /// Markdown.
    var text: String
    /// JSON that nobody here reads and an export gives back; empty for none.
    var foreign = ""

    init(text: String, foreign: String = "") {
        self.text = text
        self.foreign = foreign
    }

    var encoded: [UInt8] {
        var writer = RecordLayout.begin()
        writer.field(text)
        writer.field(foreign)
        return writer.bytes
    }

    init(from bytes: [UInt8]) throws(DecodingError) {
        self = try RecordLayout.read(bytes) { (reader) throws(DecodingError) in
            EntryBody(text: try reader.text(), foreign: try reader.text())
        }
    }
}

/// What the diary's owner chose, as it is stored.
struct StoredSettings: Equatable, Sendable {
    /// 0 for never by itself.
    var lockMinutes: UInt16 = 5
    var locksOnResign = false
    var isExcludedFromBackup = false

    init() {}

    var encoded: [UInt8] {
        var writer = RecordLayout.begin()
        writer.uint32(UInt32(lockMinutes))
        writer.bool(locksOnResign)
        writer.bool(isExcludedFromBackup)
        return writer.bytes
    }

    init(from bytes: [UInt8]) throws(DecodingError) {
        self = try RecordLayout.read(bytes) { (reader) throws(DecodingError) in
            var settings = StoredSettings()
            guard let minutes = UInt16(exactly: try reader.uint32()), minutes <= Self.mostMinutes else {
                throw .invalid
            }
            settings.lockMinutes = minutes
            settings.locksOnResign = try reader.bool()
            settings.isExcludedFromBackup = try reader.bool()
            return settings
        }
    }

    /// A day.
    static let mostMinutes: UInt16 = 1440
}
