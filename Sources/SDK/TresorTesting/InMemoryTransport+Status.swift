import KeychainStore
import Protection
import Secrets
import Wire

extension InMemoryTransport.Device {
    /// The answer to `status`: lock state, passcode, items.
    ///
    /// There are no processes behind it, so what tells of them is 0.
    func answerStatus(id: UInt32, into output: inout SecretBuffer) throws {
        let enclave = DeviceState(
            lock: keystore.lockState, hasPasscode: keystore.hasPasscode, keybag: .zero, generation: 0, failures: 0,
            delay: .zero, settings: .initial, logRounds: 0, timePerTry: .zero, memoryKind: 0, landlock: 0,
            destroyed: [])
        let status = DaemonStatus(
            enclave: enclave, since: 0, idleLock: .zero, daemonProcess: 0, enclaveProcess: 0,
            itemsPerClass: try store.itemsPerClass(), quarantined: try store.quarantined(), rollback: .none,
            version: "in memory")
        let frame = try KeychainReply.begin(id: id, .status, in: &output)
        try status.encode(into: &output)
        StreamFrame.end(frame, in: &output)
    }
}
