/// A record from iCloud that the Mac has received and not yet applied to a row, an archived CKRecord.
///
/// Its settings are newer than the row's. Names of its fields: apple_cloud_notes_parser,
/// lib/AppleNotesEmbeddedObject.rb (MIT).
struct PendingRecord {
    let settings: LockSettings
    /// An attachment's sealed values.
    let values: [UInt8]?

    /// Nil when the record says nothing about the lock.
    init?(_ bytes: [UInt8]) {
        guard let root = try? KeyedArchive(bytes).root, let record = root["ValueStore"]?["RecordValues"],
            let parameters = LockParameters(
                format: .v1, salt: record.entry("CryptoSalt")?.bytes,
                rounds: record.entry("CryptoIterationCount")?.integer),
            let wrappedKey = record.entry("CryptoWrappedKey")?.bytes,
            let iv = record.entry("CryptoInitializationVector")?.bytes, let tag = record.entry("CryptoTag")?.bytes
        else { return nil }
        settings = LockSettings(parameters: parameters, wrappedKey: wrappedKey, iv: iv, tag: tag)
        values = record.entry("EncryptedValues")?.bytes
    }
}
