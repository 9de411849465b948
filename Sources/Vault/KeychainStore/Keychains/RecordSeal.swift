import Envelopes
import Protection
import Secrets

/// By which the records of keychains are known to be this device's: open from the first unlock on.
struct RecordSeal: ~Copyable {
    private static let sealingClass = ProtectionClass.afterFirstUnlockThisDeviceOnly
    private let key: KeychainRecordBinding.SealedKey?

    init(store: KeychainStore) throws {
        guard store.classes.lockState.permits(Self.sealingClass) else {
            key = nil
            return
        }
        let table = try store.keys.tableKey(Self.sealingClass)
        key = .init(try KeychainRecordBinding.deriveKey(tableKey: table.bytes, store: store.storeID))
    }

    var isOpen: Bool { key != nil }

    /// Nil for what is no record at all.
    borrowing func read(_ entry: HiddenItems.Entry, of service: String) -> KeychainRecordBinding.Reading? {
        try? KeychainRecordBinding.read(entry.secret, service: service, name: entry.account, under: key)
    }

    /// The bytes as they are while nothing can be bound; then nothing can be written either.
    borrowing func bind(_ content: [UInt8], of service: String, _ name: String) -> [UInt8] {
        guard let key else { return content }
        return KeychainRecordBinding.bind(content, service: service, name: name, under: key.bytes)
    }
}
