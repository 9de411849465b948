import EnclaveWire
import KeyEnvelopes
import Protection
import Secrets

// What the enclave insists on from the moment that tresord says it holds: that nobody who has the files and no passcode
// can make it forget. See specs/keybag.md, "Promises".
extension ClassKeys {
    /// The keybag that insists on more; nil where this one does already.
    ///
    /// Nothing takes it back but an end of the keys that it stands under.
    func promising(_ wanted: EnclavePromises) throws(EnclaveRefusal) -> Keybag? {
        guard let key = open[Keybag.sealingClass] else { throw .locked }
        // What the passcode wraps becomes of this version when the passcode is at hand: at the next unlock.
        guard keybag.version == Keybag.version || keybag.passcode == nil else { throw .locked }
        var next = keybag
        next.version = Keybag.version
        next.promises.formUnion(wanted)
        guard next != keybag else { return nil }
        do { next.seal = try next.sealed(by: key) } catch { throw .outOfMemory }
        return next
    }

    /// By which the store's record of the present generation is known again.
    func witness(in store: Identifier) -> [UInt8] { witness(generation, in: store) }

    /// - Throws: `notAuthentic` for a record that this enclave did not witness; one without a witness will do until it
    ///   was promised that there is one.
    func check(_ record: StoreRecord) throws(EnclaveRefusal) {
        guard !record.witness.isEmpty else {
            if keybag.promises.contains(.storeRecord) { throw .notAuthentic }
            return
        }
        guard constantTimeEquals(record.witness, witness(record.generation, in: record.store)) else {
            throw .notAuthentic
        }
    }

    private func witness(_ generation: UInt64, in store: Identifier) -> [UInt8] {
        DeviceKeys.witnessGeneration(generation, of: keybag.id, in: store, stateKey: stateKey)
    }

    /// - Parameter keys: the class keys that are open, or about to be.
    func checkSeal(by keys: [KeyClass: OpenClassKey]) throws(EnvelopeError) {
        guard keybag.version > 1 else { return }
        guard let key = keys[Keybag.sealingClass], constantTimeEquals(try keybag.sealed(by: key), keybag.seal) else {
            throw .notAuthentic
        }
    }
}

extension Keybag {
    /// - Parameter key: of ``sealingClass``.
    func sealed(by key: OpenClassKey) throws(EnvelopeError) -> [UInt8] {
        try DeviceKeys.sealPromises(
            promises.rawValue, classKey: key.bytes, id: key.id, salt: passcode?.salt ?? [], keybag: id)
    }

    /// Seals by the key among `keys`; where that is a fresh one, nothing is bound by it yet.
    mutating func seal(by keys: [KeyClass: OpenClassKey], formerly former: Identifier?) throws(EnclaveRefusal) {
        guard let key = keys[Self.sealingClass] else { throw .locked }
        if key.id != former { promises.remove(.keychains) }
        do { seal = try sealed(by: key) } catch { throw .outOfMemory }
    }
}
