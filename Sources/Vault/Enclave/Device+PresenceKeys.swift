import KeyEnvelopes
import Protection
import Secrets
import EnclaveWire

// Security keys (FIDO2): unlike a finger, one proves itself to the enclave, by a secret that nobody has without it.
extension Device where Clock: ~Copyable {
    static var presenceSecretByteCount: Int { 32 }

    /// Makes what only this key's secret opens, on the owner's word.
    ///
    /// - Returns: a `PresenceKeyRecord`.
    mutating func enrolPresenceKey(_ enrolment: borrowing PresenceKeyEnrolment) throws(EnclaveRefusal) -> [UInt8] {
        guard lockState == .unlocked else { throw .locked }
        guard enrolment.secret.count == Self.presenceSecretByteCount else { throw .badRequest }
        _ = try verify(enrolment.passcode)
        let id = Identifier.makeRandom()
        let kek = try presenceKEK(enrolment.secret, id)
        do {
            let key = try KeyEnvelope.makeKey()
            return PresenceKeyRecord(id: id, wrapped: try KeyEnvelope.wrap(key, under: kek, as: .presenceKey(id: id)))
                .encoded
        } catch { throw .outOfMemory }
    }

    /// No count and no wait: there are 2^256 secrets to guess.
    mutating func provePresenceKey(_ claim: borrowing PresenceKeyClaim) throws(EnclaveRefusal) {
        guard lockState == .unlocked, keybag.passcode != nil else { throw .locked }
        guard claim.operation != .administer, claim.secret.count == Self.presenceSecretByteCount else {
            throw .badRequest
        }
        let record: PresenceKeyRecord
        do { record = try PresenceKeyRecord(claim.record) } catch { throw .badRequest }
        let kek = try presenceKEK(claim.secret, record.id)
        do {
            _ = try KeyEnvelope.unwrap(record.wrapped, under: kek, as: .presenceKey(id: record.id))
        } catch { throw error == .memory ? .outOfMemory : .notAuthentic }
        keep(
            Verdict(connection: claim.connection, item: claim.item, operation: claim.operation, proof: .securityKey))
    }

    private func presenceKEK(
        _ secret: borrowing SecretBytes, _ id: Identifier
    ) throws(EnclaveRefusal) -> SecretBytes {
        do { return try DeviceKeys.derivePresenceKEK(secret: secret, root: root, id: id) } catch { throw .outOfMemory }
    }
}
