/// The types of records in a zone of notes; see specs/notes.md.
enum RecordType {
    static let header: UInt16 = 1
    static let body: UInt16 = 2
    /// The lock of one note: under which passphrase, and its key.
    static let lock: UInt16 = 3
    /// A passphrase: how its key is derived, and how one knows the right one.
    static let lockKey: UInt16 = 4
    static let attachment: UInt16 = 5
    static let version: UInt16 = 6
    /// Which versions a note has.
    static let history: UInt16 = 7
    static let settings: UInt16 = 8
    /// How an imported note stood at its source.
    static let origin: UInt16 = 9
    /// The key of the hashes by which imported notes are known.
    static let importKey: UInt16 = 10
    /// What notes were imported from.
    static let importSource: UInt16 = 11
    /// On which many others hang, and of which there are few.
    static let keystones: Set<UInt16> = [lockKey, settings, importKey]
    // From 128 on: records that never leave the device.
    static let draft: UInt16 = 128
    static let tries: UInt16 = 129
}
