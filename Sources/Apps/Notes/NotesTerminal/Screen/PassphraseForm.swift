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

/// Setting, changing and resetting the passphrase.
extension NotesScreen {
    /// The first one is set at once; else it is said which of the two is meant.
    mutating func askAboutPassphrase() {
        if session.hasPassphrase { dialog = .passphraseMenu } else { begin(PassphraseForm(.set)) }
    }

    mutating func begin(_ form: PassphraseForm) {
        message = ScreenWords.consequence(form.kind)
        dialog = .form(form, TypedLine())
        secretLength = 0
    }

    /// A secret of the form was entered.
    mutating func enter(_ form: PassphraseForm) -> [Effect] {
        var form = form
        let effects = form.entered()
        dialog = .form(form, TypedLine())
        return effects
    }

    mutating func compared(_ comparison: SecretComparison) -> [Effect] {
        guard case .form(var form, _) = dialog else { return [] }
        message = form.compared(comparison)
        dialog = .form(form, TypedLine())
        return []
    }

    /// It was refused: where what proves it is wrong, it is asked for again.
    mutating func refuseForm(_ error: NotesError, _ request: NotesRequest) -> [Effect] {
        guard error.code == .wrongPassphrase || error.code == .wrongPasscode else { return [] }
        switch request {
        case .changePassphrase: dialog = .form(PassphraseForm(.change), TypedLine())
        case .resetPassphrase: dialog = .form(PassphraseForm(.reset), TypedLine())
        default: break
        }
        if let seconds = error.retryAfter, seconds > 0 { message += " " + ScreenWords.wait(UInt64(seconds)) }
        return []
    }

    /// It is done, and a session is open under it.
    mutating func accept(_ summary: SessionSummary, ofForm request: NotesRequest) -> [Effect] {
        let effects = update(summary)
        message = ScreenWords.passphraseDone(request)
        return [.passphraseIsNew] + effects
    }
}
