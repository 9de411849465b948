import FoundationEssentials
import Localization

/// What a locked attachment keeps in JSON, sealed, in place of its columns.
struct SealedValues: Decodable {
    var filename: String?
    var title: String?
    var urlString: String?
    /// Of tables and galleries; base64 in the JSON.
    var mergeableData: Data?
}

// The attachments of locked notes: their values and their files are sealed each under a key of its own, which is
// wrapped under the passphrase's. In format V1 the settings stand in the row. No public sample shows how the newer
// format seals attachments; where the sealed bytes are an archive like that of a note's body, they are opened as one.
extension AttachmentReader {
    private static let longestFile = 512 * 1024 * 1024

    func sealedValues(_ row: StoredRow) -> SealedValues? {
        let pending = row.pending
        let sealed = [
            row.bytes(.sealedValues).flatMap { seal($0, row.lockSettings) },
            pending.flatMap { record in record.values.flatMap { seal($0, record.settings) } },
        ].compactMap(\.self)
        guard case .opened(let bytes) = keyring.open(sealed, note: parameters) else { return nil }
        return try? JSONDecoder().decode(SealedValues.self, from: Data(bytes))
    }

    /// The sealed or the plain form in which tables and galleries are kept; nil and a problem when there is none.
    func mergeableData(_ row: StoredRow) -> [UInt8]? {
        let data = isLocked ? sealedValues(row)?.mergeableData.map { [UInt8]($0) } : row.bytes(.mergeableData)
        if data == nil {
            report(localized("A table or a gallery has no contents, or they do not open with the note's passphrase."))
        }
        return data
    }

    /// Reads and opens a file.
    func open(_ path: String, row: StoredRow, iv: [UInt8]?, tag: [UInt8]?) -> [UInt8]? {
        guard let bytes = try? files.read(path, limit: Self.longestFile) else { return nil }
        let sealed = [row.lockSettings, row.pending?.settings].compactMap(\.self).compactMap { settings in
            seal(bytes, settings, iv: iv, tag: tag)
        }
        let archived = sealed.isEmpty ? [seal(bytes, nil)].compactMap(\.self) : sealed
        guard case .opened(let opened) = keyring.open(archived, note: parameters) else { return nil }
        return opened
    }

    private var parameters: LockParameters? {
        guard case .passphrase(let parameters) = lock else { return nil }
        return parameters
    }

    private func seal(
        _ bytes: [UInt8], _ settings: LockSettings?, iv: [UInt8]? = nil, tag: [UInt8]? = nil
    ) -> SealedObject? {
        guard EncryptionArchive.isArchive(bytes) else { return settings?.seal(bytes, iv: iv, tag: tag) }
        guard case .passphrase(let sealed)? = try? EncryptionArchive(bytes) else { return nil }
        return sealed
    }
}
