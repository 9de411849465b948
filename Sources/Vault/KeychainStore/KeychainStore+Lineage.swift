import GRDB
package import Secrets
import Wire

// How the store and the enclave's keybag know that they belong together.
extension KeychainStore {
    /// How the store stands to the enclave's keybag.
    package enum Lineage: Equatable, Sendable {
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

    /// Whether the store knows of this generation already, by the enclave's witness.
    package func hasRecorded(generation: UInt64) throws -> Bool {
        let record = try lineageRecord()
        return record.generation == generation && !record.witness.isEmpty
    }

    /// What the store has recorded: the generation, 0 where there is none, and the witness of an enclave, empty where
    /// there is none.
    package func lineageRecord() throws -> (generation: UInt64, witness: [UInt8]) {
        try storage { database in
            let generation = try Schema.meta(database, "generation")?.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return (generation ?? 0, try Schema.meta(database, "generation_witness") ?? [])
        }
    }

    /// Compares with what was recorded; ``record(keybag:generation:witness:)`` brings the record up to date.
    ///
    /// - Parameter isAuthentic: whether the enclave knows the record: the store's identifier, the generation, 0 where
    ///   none is recorded, and the witness.
    package func checkLineage(
        keybag: Identifier, generation: UInt64, isAuthentic: (Identifier, UInt64, [UInt8]) throws -> Bool
    ) throws -> Lineage {
        let recordedKeybag = try storage { try Schema.meta($0, "keybag") }
        if let recordedKeybag, recordedKeybag != keybag.bytes, !isSpareOf(keybag: keybag) { return .foreign }
        let (recorded, witness) = try lineageRecord()
        guard try isAuthentic(keychain, recorded, witness) else { return .forged }
        guard recordedKeybag != nil, recorded > 0 else { return .together }
        if generation < recorded { return .enclaveRolledBack }
        if generation > recorded + 1 { return .storeRolledBack }
        return .together
    }

    /// - Parameter witness: the enclave's, of this generation for this store.
    package func record(keybag: Identifier, generation: UInt64, witness: [UInt8]) throws {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: generation >> UInt64(56 - 8 * $0)) }
        try transaction { database in
            try Schema.setMeta(database, "keybag", keybag.bytes)
            try Schema.setMeta(database, "generation", bytes)
            try Schema.setMeta(database, "generation_witness", witness)
        }
        copy(keybag: keybag)
    }
}
