import EnclaveWire
import KeychainStore
import Logging
import Protection
import Secrets
import Wire

// What the enclave and the store know of each other, and what the enclave may insist on.
extension DeviceOwner {
    /// What damage took of the enclave's files is made anew by itself, and told.
    private func reportCopies() {
        do {
            let found = try enclave.copies()
            for (finding, text) in DeviceCopies.words where found.contains(finding) {
                log.error("one of two copies: \(text)")
            }
        } catch { log.error("the enclave does not say how its files are", metadata: ["error": "\(error)"]) }
    }

    func reportLineage() {
        reportCopies()
        // A keybag or a store of an earlier day may be of a day before the promises: whoever put it there gains nothing
        // by what it does not demand. Stays until the device is one again, and the promise is made anew.
        if lineage != .together { keychains.takesUnbound = false }
        switch lineage {
        case .together, .foreign: break
        case .forged: log.error("the store's record of the enclave's state was written by somebody else")
        case .enclaveRolledBack, .storeRolledBack:
            log.error("enclave and store are of different moments: one was rolled back")
        }
    }

    /// Who cannot be asked has promised nothing yet, and nothing is written without it.
    func demandsBinding() -> Bool {
        guard let promises = try? enclave.promises() else { return true }
        return promises.contains(.keychains)
    }

    /// What holds now is demanded from here on, so that nobody takes it away: see specs/keybag.md, "Promises".
    func keepPromises() {
        for group in store.damagedGroups.sorted() {
            log.error(
                "a record of this device's own cannot be read, and does not count", metadata: ["group": "\(group)"])
        }
        guard lineage == .together, !isBehindEnclave, !enclave.isGone, enclave.lockState != .beforeFirstUnlock else {
            return
        }
        do {
            let wanted: EnclavePromises = keychains.isBound ? .all : .storeRecord
            guard try !enclave.promises().isSuperset(of: wanted) else { return }
            try forward(.keepPromises(wanted))
            try recordGeneration()
        } catch let error as KeychainError where error.reason == .locked {
            // The enclave writes its own state anew at the next unlock.
        } catch {
            isBehindEnclave = true
            log.error("the enclave could not be told yet what it may insist on", metadata: ["error": "\(error)"])
        }
    }
}

extension KeychainStore {
    func lineage(to enclave: EnclaveClient) throws -> Lineage {
        try checkLineage(keybag: enclave.state.keybag, generation: enclave.state.generation) {
            store, generation, witness in
            let record = StoreRecord(store: store, generation: generation, witness: witness)
            do {
                try enclave.send(.checkStore(record))
                return true
            } catch EnclaveRefusal.notAuthentic { return false } catch EnclaveRefusal.badRequest {
                // One that is no witness by its length is none either.
                return false
            }
        }
    }
}

extension KeychainStore.Lineage {
    /// As status says it.
    var rollback: DaemonStatus.Rollback {
        switch self {
        case .together, .foreign: .none
        case .enclaveRolledBack: .ofEnclave
        case .storeRolledBack: .ofStore
        case .forged: .forged
        }
    }
}
