import EnclaveWire
import KeychainStore
import Wire

extension DeviceOwner {
    /// What an error means to a client.
    func meaning(of error: any Error) -> KeychainError {
        guard let refusal = error as? EnclaveRefusal else { return KeychainError(storage: error) }
        return KeychainError(refusal, about: .device, in: enclave.lockState, since: since)
    }
}
