import EnclaveWire
import Protection
import Secrets
import Wire

// What a program says, as the enclave is told of it: over which connection it was said, the daemon knows.

extension PasscodeReplacement {
    init(_ change: borrowing PasscodeChange) throws(SecretMemoryError) {
        self.init(current: try change.current.copy(), new: try change.new.copy())
    }
}

extension SettingsChange {
    init(_ change: borrowing SecuritySettingsChange) throws(SecretMemoryError) {
        self.init(passcode: try change.passcode.copy(), settings: change.settings)
    }
}

extension PasscodeProof {
    init(_ claim: borrowing PresenceClaim, over connection: UInt64) throws {
        self.init(
            passcode: try claim.passcode.copy(), connection: connection, item: claim.item,
            operation: try ProtectedOperation(claimed: claim.operation))
    }
}

extension OwnPassword {
    init(_ password: borrowing ItemPassword, over connection: UInt64) throws(SecretMemoryError) {
        self.init(password: try password.password.copy(), connection: connection, item: password.item)
    }
}

extension ProtectedOperation {
    /// What a program names by its number.
    init(claimed number: UInt8) throws(KeychainError) {
        guard let known = ProtectedOperation(rawValue: number) else {
            throw KeychainError(.parameter, .malformedRequest)
        }
        self = known
    }
}

extension DeviceState {
    init(_ state: EnclaveState) {
        self.init(
            lock: state.lock, hasPasscode: state.hasPasscode, keybag: state.keybag, generation: state.generation,
            failures: state.failures, delay: state.delay, settings: state.settings, logRounds: state.logRounds,
            timePerTry: state.timePerTry, memoryKind: state.memory.rawValue, landlock: state.landlock,
            destroyed: state.destroyed)
    }
}
