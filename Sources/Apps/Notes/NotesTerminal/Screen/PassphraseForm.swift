import NotesClient
import TerminalScreen

/// The passphrase of locked notes is set, changed or reset, step by step; the secrets themselves are the driver's.
struct PassphraseForm: Equatable, Sendable {
    enum Kind: Equatable, Sendable { case set, change, reset }

    enum Step: Equatable, Sendable {
        /// The present passphrase, or for a reset the device's passcode.
        case present
        case new, again
        /// A line that everybody may read.
        case hint
    }

    let kind: Kind
    private(set) var step: Step

    init(_ kind: Kind) {
        self.kind = kind
        step = kind == .set ? .new : .present
    }

    var wantsSecret: Bool { step != .hint }

    var label: String { ScreenWords.label(step, kind) }

    /// What is to be done about the secret that was just entered; then the next one is asked for.
    mutating func entered() -> [Effect] {
        switch step {
        case .present:
            step = .new
            return [.holdSecret(.present)]
        case .new:
            step = .again
            return [.holdSecret(.new)]
        case .again: return [.compareSecrets]
        case .hint: return []
        }
    }

    /// - Returns: what is told of it.
    mutating func compared(_ comparison: SecretComparison) -> String {
        step = comparison == .same ? .hint : .new
        return comparison == .same ? "" : ScreenWords.differing(comparison)
    }

    func ask(hint: String) -> Ask {
        let hint = hint.isEmpty ? nil : hint
        let request: NotesRequest =
            switch kind {
            case .set: .setPassphrase(hint: hint)
            case .change: .changePassphrase(hint: hint)
            case .reset: .resetPassphrase(hint: hint)
            }
        return Ask(request, takesHeldSecrets: true)
    }
}

/// Which of the secrets that the driver holds one is.
enum SecretSlot: Equatable, Sendable { case present, new }

/// How the new passphrase and the same once more are to each other.
enum SecretComparison: Equatable, Sendable { case same, different, empty }
