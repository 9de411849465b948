import KeychainStore
import Protection
import Secrets
import Synchronization
import Tresor
import Wire

/// Answers requests inside the process, from a store in memory over a mock keystore.
///
/// Every use goes through one lock: the keychain's own thread sends requests while the test turns the device.
final class InMemoryTransport: Transport, Sendable {
    /// Store and keystore, which one thread at a time may touch.
    final class Device {
        let keystore: MockKeystore
        let store: KeychainStore
        var now: Int64
        let accessGroups: [String]

        init(now: Int64, accessGroups: [String]) throws {
            self.accessGroups = accessGroups
            keystore = try MockKeystore()
            self.now = now
            let clock = Clock()
            store = try KeychainStore(path: nil, keystore: keystore) { clock.read() }
            clock.device = self
        }

        private final class Clock {
            weak var device: Device?
            func read() -> Int64 { device?.now ?? 0 }
        }
    }

    private let device: Mutex<Device>

    /// - Parameter accessGroups: of whoever asks.
    init(now: Int64, accessGroups: [String] = ["user"]) throws {
        let made = try Device(now: now, accessGroups: accessGroups)
        device = Mutex(made)
    }

    func turn<Result: Sendable>(_ body: (Device) throws -> Result) rethrows -> Result {
        try device.withLock { try body($0) }
    }

    func exchange(_ request: consuming KeychainRequest, _ receive: (RawSpan) throws -> Void) throws {
        var encoded = try SecretBuffer()
        try request.encode(id: 1, into: &encoded)
        var output = try SecretBuffer()
        try turn { try Self.answer(encoded.bytes.extracting(droppingFirst: StreamFrame.headerByteCount), $0, &output) }
        try receive(output.bytes.extracting(droppingFirst: StreamFrame.headerByteCount))
    }

    private static func answer(_ payload: RawSpan, _ device: Device, _ output: inout SecretBuffer) throws {
        var header: KeychainRequest.Header?
        let request = try KeychainRequest.decode(payload, header: &header)
        do {
            try answer(request, device, &output)
        } catch {
            output.removeAll()
            try KeychainReply.append(KeychainError(storage: error), id: 1, to: &output)
        }
    }

    private static func answer(
        _ request: consuming KeychainRequest, _ device: Device, _ output: inout SecretBuffer
    ) throws {
        let caller = Caller(connection: 1, accessGroups: device.accessGroups)
        switch consume request {
        case .add(let item): return try device.store.answerAdd(item, id: 1, caller: caller, into: &output)
        case .find(let query): return try device.store.answerFind(query, id: 1, caller: caller, into: &output)
        case .findNames(let query):
            return try device.store.answerFindNames(query, id: 1, caller: caller, into: &output)
        case .update(let update): try device.store.update(update, caller: caller)
        case .remove(let query): try device.store.remove(query, caller: caller)
        case .ofTrash(.put(let query)): try device.store.trash(query, caller: caller)
        case .ofTrash(.contents(let row)):
            return try device.store.answerTrashed(after: row, id: 1, caller: caller, into: &output)
        case .ofTrash(.restore(let reference)): try device.store.restore(reference, caller: caller)
        case .ofTrash(.empty): try device.store.emptyTrash(caller: caller)
        case .useKey(let use):
            let result = try device.store.use(use, caller: caller)
            let frame = try KeychainReply.begin(id: 1, .keyResult, in: &output)
            try output.field(result)
            return StreamFrame.end(frame, in: &output)
        case .status: return try device.answerStatus(id: 1, into: &output)
        case .lock: try device.lock()
        case .unlock(let passcode): try device.unlock(passcode.bytes)
        case .setPasscode(let new): try device.keystore.setPasscode(new.bytes)
        case .removePasscode(let current): try device.removePasscode(current.bytes)
        case .resetPasscode: try device.reset()
        case .provePresence(let claim): try device.prove(claim)
        case .giveItemPassword(let password):
            try device.keystore.give(password.password, connection: 1, item: password.item)
        // There is no fingerprint reader in a test's memory.
        case .biometry:
            let report = BiometryReport(unavailable: .noReader, refusal: nil, enrolment: nil)
            let frame = try KeychainReply.begin(id: 1, .biometry, in: &output)
            try report.encode(into: &output)
            return StreamFrame.end(frame, in: &output)
        case .proveBiometry:
            throw KeychainError(
                .notAvailable, .biometryUnavailable, detail: UInt64(BiometryReport.Problem.noReader.rawValue))
        default: throw KeychainError(.parameter, .malformedRequest)
        }
        try KeychainReply.appendDone(id: 1, to: &output)
    }
}

extension InMemoryTransport.Device {
    func lock() throws {
        guard keystore.hasPasscode else { throw KeychainError(.authenticationFailed, .noPasscodeSet) }
        keystore.lockState = keystore.lockState == .beforeFirstUnlock ? .beforeFirstUnlock : .locked
        store.evictKeys()
    }

    func restart() {
        store.evictAllKeys()
        keystore.lockState = keystore.hasPasscode ? .beforeFirstUnlock : .unlocked
    }

    func unlock(_ passcode: borrowing SecretBytes) throws {
        try check(passcode)
        keystore.lockState = .unlocked
    }

    func removePasscode(_ passcode: borrowing SecretBytes) throws {
        try check(passcode)
        keystore.removePasscode()
        try purge()
    }

    func reset() throws {
        try keystore.reset()
        try purge()
    }

    func prove(_ claim: borrowing PresenceClaim) throws {
        try check(claim.passcode)
        guard let operation = ProtectedOperation(rawValue: claim.operation) else { throw KeychainError(.parameter) }
        keystore.grant(connection: 1, item: claim.item, operation: operation)
    }

    private func check(_ passcode: borrowing SecretBytes) throws {
        guard keystore.hasPasscode else { throw KeychainError(.authenticationFailed, .noPasscodeSet) }
        guard keystore.isRight(passcode) else { throw KeychainError(.authenticationFailed, .wrongPasscode) }
    }

    private func purge() throws {
        try store.purge(destroyed: keystore.destroyed)
        keystore.forgetDestroyed()
    }
}
