import Localization
import Protection
import TerminalScreen
import Tresor

/// What follows for a dialog: another one or none, what is said, and what is done.
struct DialogStep {
    var dialog: BrowserDialog?
    /// Nil leaves what is said.
    var message: String?
    var effects: [Effect] = []
    /// Whether nobody waits for the secret any more that it was about.
    var isGivenUp = false

    /// Waits for a finger, and says so before.
    static func touch(_ pending: Pending, _ proof: TypedProof = .finger) -> DialogStep {
        DialogStep(
            message: localized("Touch the fingerprint reader now; it waits for 20 s."),
            effects: [.draw, pending.effect(with: proof)])
    }

    /// Enter begins to wait for a finger.
    static func press(_ key: Key, touching pending: Pending) -> DialogStep {
        switch key {
        case .enter: .touch(pending)
        case .escape, .control("c"): .cancel(pending)
        default: DialogStep(dialog: .finger(pending))
        }
    }

    /// Nobody wants it any more.
    static func cancel(_ pending: Pending) -> DialogStep {
        DialogStep(message: localized("Cancelled."), effects: pending.dropped, isGivenUp: true)
    }
}

extension BrowserDialog {
    /// What was typed with dots was ended by Enter.
    ///
    /// - Parameter control: what the item demands that it is about.
    func entered(_ control: AccessControl) -> DialogStep {
        switch self {
        case .unlock: return DialogStep(dialog: self, effects: [.unlock])
        case .proof(.passcode, let pending) where control.needsBoth: return .touch(pending, .passcodeAndFinger)
        case .proof(let proof, let pending): return DialogStep(message: "", effects: [pending.effect(with: proof)])
        case .newSecret(let draft, isAgain: false):
            return DialogStep(dialog: .newSecret(draft, isAgain: true), message: "", effects: [.holdTyped])
        case .newSecret(_, isAgain: true): return DialogStep(dialog: self, effects: [.compareTyped])
        case .help, .search, .finger, .deletion, .leaving, .quitting: return DialogStep(dialog: self)
        }
    }

    /// Enter alone is no try of a passcode, and no secret.
    func enteredNothing(_ control: AccessControl) -> DialogStep {
        switch self {
        case .proof(let proof, let pending) where proof.mayBeFinger(control): return .touch(pending)
        case .proof(.itemPassword, _): return entered(control)
        case .newSecret:
            return DialogStep(
                dialog: self, message: localized("Nothing was typed: type a secret, or Esc for the form."))
        default: return DialogStep(dialog: self)
        }
    }

    /// What is typed was given up.
    var cancelled: DialogStep {
        switch self {
        case .unlock: DialogStep(message: localized("Locked items stay shut; u unlocks."))
        case .proof(_, let pending): .cancel(pending)
        case .newSecret: DialogStep(message: localized("Cancelled; nothing was changed."), effects: [.forgetTyped])
        case .help, .search, .finger, .deletion, .leaving, .quitting: DialogStep(dialog: self)
        }
    }

    /// A new secret was typed twice.
    func compared(isSame: Bool) -> DialogStep {
        guard case .newSecret(let draft, isAgain: true) = self else {
            return DialogStep(dialog: self, effects: [.forgetTyped])
        }
        guard isSame else {
            return DialogStep(
                dialog: .newSecret(draft, isAgain: false), message: localized("The two differ; type it anew."),
                effects: [.forgetTyped])
        }
        return DialogStep(message: "", effects: [.save(draft, typed: nil)])
    }

    /// The passcode did not unlock the device.
    func refused(_ error: TresorError, _ tries: WrongTries?, at now: UInt64) -> DialogStep {
        guard case .unlock = self else { return DialogStep(dialog: self) }
        let wait = error.retryAfter.map { UInt64(max(0, ($0 / .milliseconds(1)).rounded(.up))) } ?? 0
        let isWrong = error.cause == "wrongPasscode"
        return DialogStep(
            dialog: .unlock(after: now + wait),
            message: isWrong ? tries?.words ?? localized("Wrong passcode.") : error.words)
    }
}

extension TypedProof {
    /// Whether a finger does in its place.
    func mayBeFinger(_ control: AccessControl) -> Bool {
        self == .passcode && control.takesBiometry && !control.needsBoth
    }
}
