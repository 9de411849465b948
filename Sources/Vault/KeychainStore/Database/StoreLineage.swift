import DurableDatabase
import Secrets
import Wire

extension KeychainStore {
    /// How the store stands to the enclave's keybag.
    package enum Lineage: Equatable, Sendable {
        /// Both are of the same device and moment.
        case together
        /// The enclave's state is older than the store.
        case enclaveRolledBack
        /// The store is older than the enclave's state.
        case storeRolledBack
        /// What the store has recorded is not what an enclave of this device told it.
        case forged
        /// Another device's enclave: nothing in here would open.
        case foreign
    }
}

/// How the store and the enclave's keybag know that they belong together: the store records the keybag's generation,
/// with a witness that the enclave alone can make.
struct StoreLineage {
    private let storage: ItemDatabase
    private let spare: SpareDatabase?

    init(storage: ItemDatabase, spare: SpareDatabase?) {
        self.storage = storage
        self.spare = spare
    }

    /// What the store has recorded: the generation, 0 where there is none, and the witness of an enclave, empty where
    /// there is none.
    func recorded() throws -> (generation: UInt64, witness: [UInt8]) {
        try storage.perform { database in
            let generation = try Schema.meta(database, "generation")?.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return (generation ?? 0, try Schema.meta(database, "generation_witness") ?? [])
        }
    }

    /// Compares a keybag's identifier and generation with what was recorded.
    ///
    /// - Parameter isAuthentic: whether the enclave knows the record: the store's identifier, the generation, 0 where
    ///   none is recorded, and the witness.
    func check(
        keybag: Identifier, generation: UInt64, isAuthentic: (Identifier, UInt64, [UInt8]) throws -> Bool
    ) throws -> KeychainStore.Lineage {
        let recordedKeybag = try storage.perform { try Schema.meta($0, "keybag") }
        if let recordedKeybag, recordedKeybag != keybag.bytes, !isSpareOf(keybag: keybag) { return .foreign }
        let (recorded, witness) = try recorded()
        guard try isAuthentic(storage.storeID, recorded, witness) else { return .forged }
        guard recordedKeybag != nil, recorded > 0 else { return .together }
        if generation < recorded { return .enclaveRolledBack }
        if generation > recorded + 1 { return .storeRolledBack }
        return .together
    }

    /// - Parameter witness: the enclave's, of this generation for this store.
    func record(keybag: Identifier, generation: UInt64, witness: [UInt8]) throws {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: generation >> UInt64(56 - 8 * $0)) }
        try storage.transaction { database in
            try Schema.setMeta(database, "keybag", keybag.bytes)
            try Schema.setMeta(database, "generation", bytes)
            try Schema.setMeta(database, "generation_witness", witness)
        }
        guard !isSpareOf(keybag: keybag) else { return }
        spare?.write { try Schema.setMeta($0, "keybag", keybag.bytes) }
    }

    /// Whether the spare knows this enclave as the store's: then another name in the store is damage.
    private func isSpareOf(keybag: Identifier) -> Bool {
        spare?.read { try Schema.meta($0, "keybag") == keybag.bytes } ?? false
    }
}
