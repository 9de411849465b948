import EnclaveWire
import KeychainStore
import Linux
import Protection
import Secrets
import Wire

/// Security keys that count as the owner: enrolled by the owner's word, and proved by each program's.
///
/// The keys themselves are asked by programs; here arrives what they derived, and the enclave judges it.
struct SecurityKeyAdministration {
    let device: DeviceOwner

    func report() throws -> SecurityKeysReport { SecurityKeysReport(keys: try device.securityKeys.keys()) }

    func enrol(_ enrolment: borrowing SecurityKeyEnrolment) throws {
        defer { Stack.wipe() }
        let description = enrolment.description
        try device.securityKeys.checkNew(description)
        let proof = try PresenceKeyEnrolment(
            passcode: enrolment.passcode.copy(), secret: enrolment.secret.copy())
        // Ten wrong passcodes here erase as anywhere, with all that follows.
        let record = try device.record(judging: .enrolPresenceKey(proof))
        try device.securityKeys.insert(description, record: record)
    }

    func remove(_ removal: borrowing SecurityKeyRemoval) throws {
        let id = removal.id
        try device.administer(removal.passcode) { try device.securityKeys.remove(id) }
    }

    func prove(_ claim: borrowing SecurityKeyClaim, over connection: UInt64) throws {
        defer { Stack.wipe() }
        let record = try device.securityKeys.record(claim.id)
        let proof = try PresenceKeyClaim(
            record: record, secret: claim.secret.copy(), connection: connection, item: claim.item,
            operation: try ProtectedOperation(claimed: claim.operation))
        do { try device.send(.provePresenceKey(proof)) } catch let error as KeychainError
            where error.reason == .damagedItem
        {
            throw KeychainError(.authenticationFailed, .otherSecurityKey)
        }
    }
}
