import EnclaveWire
import KeyEnvelopes
import Protection
import Secrets

// Who is there: the passcode, a finger, a security key; and items' own passwords.
extension SecurityModule where Clock: ~Copyable {
    mutating func provePresence(_ claim: borrowing PasscodeProof) throws(EnclaveRefusal) {
        guard lockState == .unlocked else { throw .locked }
        _ = try verify(claim.passcode)
        if claim.operation == .administer { return }
        items.presence.keep(
            Verdict(connection: claim.connection, item: claim.item, operation: claim.operation, proof: .passcode))
    }

    // MARK: fingers

    /// Whether a finger may stand for the owner now.
    func checkBiometry() throws(EnclaveRefusal) {
        guard lockState == .unlocked, keys.keybag.passcode != nil else { throw .locked }
        if let refusal = items.presence.refusalOfFinger(at: seconds) { throw .biometryRefused(refusal) }
    }

    /// tresord saw a finger match: by its word, which is all that there is.
    mutating func biometryMatched(_ match: BiometryMatch) throws(EnclaveRefusal) {
        guard match.operation != .administer else { throw .badRequest }
        try checkBiometry()
        try items.presence.fingerMatched(at: seconds)
        items.presence.keep(
            Verdict(
                connection: match.connection, item: match.item, operation: match.operation,
                proof: .biometry(enrolment: match.enrolment)))
    }

    // MARK: security keys (FIDO2): unlike a finger, one proves itself, by a secret that nobody has without it

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
        guard lockState == .unlocked, keys.keybag.passcode != nil else { throw .locked }
        guard claim.operation != .administer, claim.secret.count == Self.presenceSecretByteCount else {
            throw .badRequest
        }
        let record: PresenceKeyRecord
        do { record = try PresenceKeyRecord(claim.record) } catch { throw .badRequest }
        let kek = try presenceKEK(claim.secret, record.id)
        do {
            _ = try KeyEnvelope.unwrap(record.wrapped, under: kek, as: .presenceKey(id: record.id))
        } catch { throw error == .memory ? .outOfMemory : .notAuthentic }
        items.presence.keep(
            Verdict(connection: claim.connection, item: claim.item, operation: claim.operation, proof: .securityKey))
    }

    private func presenceKEK(
        _ secret: borrowing SecretBytes, _ id: Identifier
    ) throws(EnclaveRefusal) -> SecretBytes {
        do { return try DeviceKeys.derivePresenceKEK(secret: secret, root: keys.root, id: id) } catch {
            throw .outOfMemory
        }
    }

    // MARK: items' own passwords

    mutating func giveItemPassword(_ password: borrowing OwnPassword) throws(EnclaveRefusal) {
        guard lockState != .beforeFirstUnlock else { throw .locked }
        guard password.password.count > 0 else { throw .badRequest }
        items.passwords.makeRoom(for: password.connection, password.item)
        do {
            items.passwords.insert(
                try GivenPasswords.Given(
                    password.password, connection: password.connection, item: password.item))
        } catch { throw .outOfMemory }
    }
}
