import EnclaveWire
import Secrets

@testable import Enclave

// Requests about keys of items, whose refusals the tests look at.
extension SecurityModule where Clock: ~Copyable {
    func makeRowKey(_ binding: [UInt8], for connection: UInt64 = 0) throws(EnclaveRefusal) -> NewKey {
        try items.makeRowKey(binding, for: connection, under: keys)
    }

    mutating func openRowKey(_ stored: StoredRowKey) throws(EnclaveRefusal) -> SecretBytes {
        try items.openRowKey(stored, under: keys)
    }

    func makePrivateKey(_ binding: [UInt8], for connection: UInt64 = 0) throws(EnclaveRefusal) -> NewPrivateKey {
        try items.makePrivateKey(binding, for: connection, under: keys)
    }

    mutating func usePrivateKey(_ use: PrivateKeyUse) throws(EnclaveRefusal) -> EnclaveReply {
        try items.usePrivateKey(use, under: keys)
    }
}
