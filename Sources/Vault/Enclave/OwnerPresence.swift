import EnclaveWire
import KeyEnvelopes
import Protection
import Secrets

/// A proof of presence, good for one opening of one item's key over one connection.
struct Verdict: Equatable {
    let connection: UInt64
    let item: Identifier
    let operation: ProtectedOperation
    let proof: PresenceProof

    /// Whether it was given for this opening.
    func isFor(_ stored: StoredRowKey, _ binding: RowKeyBinding) -> Bool {
        connection == stored.connection && item == binding.item && operation == stored.operation
    }
}

/// What was proved of the owner's presence and is not spent yet, and when a finger counts.
///
/// In memory alone: after a restart nothing is proved, and no finger helps.
struct OwnerPresence {
    private static let limit = 64

    private(set) var verdicts: [Verdict] = []
    private var biometry = BiometryState()

    // MARK: proofs

    mutating func keep(_ verdict: Verdict) {
        if verdicts.count >= Self.limit { verdicts.removeFirst() }
        verdicts.append(verdict)
    }

    func refuseUnlessProved(_ stored: StoredRowKey, _ binding: RowKeyBinding) throws(EnclaveRefusal) {
        let proofs = verdicts.filter { $0.isFor(stored, binding) }.map(\.proof)
        let control = AccessControl(rawValue: binding.accessControl)
        guard control.isSatisfied(by: proofs, enrolment: binding.enrolment) else { throw .presenceRequired }
    }

    /// Every verdict for this opening is spent by it, needed or not; where they do not suffice, none is.
    mutating func spend(
        for stored: StoredRowKey, _ binding: RowKeyBinding, _ control: AccessControl
    ) throws(EnclaveRefusal) {
        func isForThis(_ verdict: Verdict) -> Bool { verdict.isFor(stored, binding) }
        let proofs = verdicts.filter(isForThis).map(\.proof)
        guard control.isSatisfied(by: proofs, enrolment: binding.enrolment) else {
            // A finger of another set: the item does not open by any that comes.
            let isDead = control.isBoundToEnrolment && proofs.contains(where: \.isFinger)
            if isDead { verdicts.removeAll(where: isForThis) }
            throw isDead && !control.contains(.or) ? .enrolmentChanged : .presenceRequired
        }
        verdicts.removeAll(where: isForThis)
    }

    mutating func forgetProofs() { verdicts.removeAll() }

    /// A connection has ended, and nobody will ask for what was proved over it.
    mutating func forget(_ connection: UInt64) { verdicts.removeAll { $0.connection == connection } }

    /// The passcode is gone, and what was proved by it.
    mutating func beginAnew() {
        verdicts.removeAll()
        biometry = BiometryState()
    }

    // MARK: fingers

    /// Why no finger may stand for the owner now; nil where one may.
    ///
    /// - Parameter now: seconds of the boot clock.
    func refusalOfFinger(for purpose: BiometryState.Purpose = .presence, at now: UInt64) -> BiometryState.Refusal? {
        biometry.refusal(of: purpose, at: now)
    }

    mutating func fingerMatched(at now: UInt64) throws(EnclaveRefusal) {
        if let refusal = biometry.matched(for: .presence, at: now) { throw .biometryRefused(refusal) }
    }

    mutating func fingerFailed() { biometry.failed() }

    mutating func passcodeGiven(at now: UInt64) { biometry.passcodeUnlocked(at: now) }
}
