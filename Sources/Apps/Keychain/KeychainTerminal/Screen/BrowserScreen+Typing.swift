import Protection
import TerminalScreen
import Tresor

/// What is typed with dots: the device's passcode, an item's own password, a new secret.
extension BrowserScreen {
    // MARK: Unlocking

    /// The device is locked: that is said, and the passcode asked for, before anything else may be typed.
    mutating func askForUnlocking() {
        dialog = .unlock(after: 0)
        typedCount = 0
    }

    mutating func closeUnlocking() {
        guard case .unlock = dialog else { return }
        (dialog, message) = (nil, "")
    }

    mutating func refuseUnlocking(_ error: TresorError, _ tries: WrongTries?) -> [Effect] {
        guard case .unlock = dialog else { return [] }
        let isWrong = error.cause == "wrongPasscode"
        message = isWrong ? tries?.words ?? "Wrong passcode." : error.words
        let wait = error.retryAfter.map { UInt64(max(0, ($0 / .milliseconds(1)).rounded(.up))) } ?? 0
        dialog = .unlock(after: now.uptime + wait)
        return []
    }

    /// What stands above the prompt.
    func lockedWords(after: UInt64) -> String {
        let state =
            lockState == .beforeFirstUnlock
            ? "The device was not unlocked since it started." : "The device is locked."
        let wait = after > now.uptime ? " " + Self.wait(milliseconds: after - now.uptime) : ""
        return message.isEmpty ? "\(state) Esc: look at what is open all the same." : "\(state) \(message)\(wait)"
    }

    static func wait(milliseconds: UInt64) -> String {
        let seconds = (milliseconds + 999) / 1000
        return seconds < 120
            ? "The next try is possible in \(seconds) s." : "The next try is possible in \((seconds + 59) / 60) min."
    }

    // MARK: What was typed

    /// Whether a finger does in the passcode's place.
    func offersFinger(_ proof: TypedProof, _ pending: Pending) -> Bool {
        let control = self.control(of: pending)
        return proof == .passcode && control.takesBiometry && !control.needsBoth
    }

    /// What an item demands for what waits.
    func control(of pending: Pending) -> AccessControl {
        switch pending {
        case .save(let draft): return draft.control
        case .read(let reading):
            guard let record = wanted?.record else { return [] }
            return record.code?.reference == reading.reference ? record.code?.control ?? [] : record.control
        }
    }

    mutating func takeTyped() -> [Effect] {
        typedCount = 0
        switch dialog {
        case .unlock: return [.unlock]
        case .proof(let proof, let pending):
            guard proof == .passcode, control(of: pending).needsBoth else {
                (dialog, message) = (nil, "")
                return [pending.effect(with: proof)]
            }
            return touch(pending, .passcodeAndFinger)
        case .newSecret(let draft, isAgain: false):
            (dialog, message) = (.newSecret(draft, isAgain: true), "")
            return [.holdTyped]
        case .newSecret(_, isAgain: true): return [.compareTyped]
        case .search, .finger, .deletion, .leaving, nil: return []
        }
    }

    /// Enter alone is no try of a passcode, and no secret.
    mutating func takeNothing() -> [Effect] {
        switch dialog {
        case .proof(let proof, let pending) where offersFinger(proof, pending): return touch(pending)
        case .proof(.itemPassword, _): return takeTyped()
        case .newSecret: message = "Nothing was typed: type a secret, or Esc for the form."
        default: break
        }
        return []
    }

    mutating func cancelTyped() -> [Effect] {
        typedCount = 0
        switch dialog {
        case .unlock:
            (dialog, message) = (nil, "Locked items stay shut; u unlocks.")
            return []
        case .proof(_, let pending):
            (dialog, wanted, message) = (nil, nil, "Cancelled.")
            if case .save = pending { return [.forgetTyped] }
            return []
        case .newSecret:
            (dialog, message) = (nil, "Cancelled; nothing was changed.")
            return [.forgetTyped]
        case .search, .finger, .deletion, .leaving, nil: return []
        }
    }

    mutating func compared(_ isSame: Bool) -> [Effect] {
        guard case .newSecret(let draft, isAgain: true) = dialog else { return [.forgetTyped] }
        guard isSame else {
            (dialog, message) = (.newSecret(draft, isAgain: false), "The two differ; type it anew.")
            return [.forgetTyped]
        }
        (dialog, message) = (nil, "")
        return [.save(draft, typed: nil)]
    }

    // MARK: A finger

    /// Waits for a finger, and says so before.
    mutating func touch(_ pending: Pending, _ proof: TypedProof = .finger) -> [Effect] {
        (dialog, message) = (nil, "Touch the fingerprint reader now; it waits for 20 s.")
        return [.draw, pending.effect(with: proof)]
    }

    mutating func cancelFinger(_ pending: Pending) -> [Effect] {
        (dialog, wanted, message) = (nil, nil, "Cancelled.")
        if case .save = pending { return [.forgetTyped] }
        return []
    }

    /// Asks for what is missing or was wrong; says it in words where nothing that a person can do here would help.
    mutating func askAgain(_ error: TresorError, _ pending: Pending, _ given: TypedProof?) -> [Effect] {
        typedCount = 0
        // A wrong try stands above the prompt; that something is asked for, the prompt says itself.
        message = error.code == .presenceRequired ? "" : error.sentence
        let isPassword = error.cause == Keychain.passwordDemanded || error.cause == Keychain.passwordRefused
        if !isPassword, control(of: pending).isFingerAlone {
            guard given != .finger || error.code != .presenceRequired else { return giveUp(error, pending) }
            dialog = .finger(pending)
            return []
        }
        if !isPassword, given == .finger {
            dialog = .proof(.passcode, pending)
            return []
        }
        guard let proof = TypedProof.next(after: error, given == .passcodeAndFinger ? .passcode : given) else {
            return giveUp(error, pending)
        }
        dialog = .proof(proof, pending)
        return []
    }

    private mutating func giveUp(_ error: TresorError, _ pending: Pending) -> [Effect] {
        (message, wanted) = (error.sentence, nil)
        if case .save = pending { return [.forgetTyped] }
        return []
    }
}
