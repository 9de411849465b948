import KeyEnvelopes
import Protection
import Secrets
import EnclaveWire

// What the enclave insists on from the moment that tresord says it holds: that nobody who has the files and no passcode
// can make it forget. See specs/keybag.md, "Promises".
extension Device where Clock: ~Copyable {
    /// Insists on more from now on; nothing takes it back but an end of the keys that it stands under.
    mutating func keepPromises(_ wanted: EnclavePromises) throws(EnclaveRefusal) {
        guard let key = open[Keybag.sealingClass] else { throw .locked }
        // What the passcode wraps becomes of this version when the passcode is at hand: at the next unlock.
        guard keybag.version == Keybag.version || keybag.passcode == nil else { throw .locked }
        var next = keybag
        next.version = Keybag.version
        next.promises.formUnion(wanted)
        guard next != keybag else { return }
        do { next.seal = try next.sealed(by: key) } catch { throw .outOfMemory }
        try commit(next)
    }

    /// By which the store's record of the present generation is known again.
    func witnessStore(_ store: Identifier) -> [UInt8] { witness(keybagFile.generation, in: store) }

    /// - Throws: `notAuthentic` for a record that this enclave did not witness; one without a witness will do until it
    ///   was promised that there is one.
    func checkStore(_ record: StoreRecord) throws(EnclaveRefusal) {
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

    /// - Parameter keys: the class keys that are about to be open; nil for those that are.
    func checkSeal(by keys: [KeyClass: OpenClassKey]? = nil) throws(EnvelopeError) {
        guard keybag.version > 1 else { return }
        guard let key = (keys ?? open)[Keybag.sealingClass],
            constantTimeEquals(try keybag.sealed(by: key), keybag.seal)
        else { throw .notAuthentic }
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
