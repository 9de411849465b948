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

    // MARK: What was typed

    /// What the item demands that the dialog is about.
    var demanded: AccessControl {
        switch dialog {
        case .proof(_, let pending), .finger(let pending): pending.control(wanted?.record)
        case .help, .search, .deletion, .unlock, .newSecret, .leaving, .quitting, nil: []
        }
    }

    /// Goes on from a dialog.
    mutating func go(_ step: DialogStep?) -> [Effect] {
        typedCount = 0
        guard let step else { return [] }
        dialog = step.dialog
        message = step.message ?? message
        if step.isGivenUp { wanted = nil }
        return step.effects
    }

    /// Asks for what is missing or was wrong; says it in words where nothing that a person can do here would help.
    mutating func askAgain(_ error: TresorError, _ pending: Pending, _ given: TypedProof?) -> [Effect] {
        typedCount = 0
        // A wrong try stands above the prompt; that something is asked for, the prompt says itself.
        message = error.code == .presenceRequired ? "" : error.sentence
        guard let proof = TypedProof.next(after: error, given, pending.control(wanted?.record)) else {
            (message, wanted) = (error.sentence, nil)
            return pending.dropped
        }
        dialog = proof == .finger ? .finger(pending) : .proof(proof, pending)
        return []
    }
}
