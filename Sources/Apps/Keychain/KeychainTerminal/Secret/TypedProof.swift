import Localization
import Protection
import Tresor

/// What a person types, or touches, so that a secret is given out or changed.
enum TypedProof: Equatable, Sendable {
    /// The device's passcode, which says that its owner is there.
    case passcode
    /// The password that an item has of its own.
    case itemPassword
    /// A finger on the reader.
    case finger
    /// The passcode, and then a finger.
    case passcodeAndFinger

    /// What has to be typed next; nil where it was given, and did not do.
    ///
    /// By the cause: an item's own password and the device's passcode are asked for by errors of one code, and the one
    /// typed for the other would count as a wrong try.
    ///
    /// - Parameter typed: what was typed for the answer that failed; nil for nothing.
    static func next(after error: TresorError, _ typed: TypedProof?) -> TypedProof? {
        if error.cause == Keychain.passwordDemanded || error.cause == Keychain.passwordRefused { return .itemPassword }
        guard error.code == .presenceRequired else { return typed }
        return typed == .passcode ? nil : .passcode
    }

    /// The same where fingers count: a finger alone is asked for before anything that is typed, and a reader that fails
    /// leaves the passcode, where that does as well.
    static func next(after error: TresorError, _ given: TypedProof?, _ control: AccessControl) -> TypedProof? {
        let isPassword = error.cause == Keychain.passwordDemanded || error.cause == Keychain.passwordRefused
        if !isPassword, control.isFingerAlone {
            return given == .finger && error.code == .presenceRequired ? nil : .finger
        }
        if !isPassword, given == .finger { return .passcode }
        return next(after: error, given == .passcodeAndFinger ? .passcode : given)
    }

    /// What stands before it while it is typed.
    var label: String {
        switch self {
        case .passcode, .passcodeAndFinger: localized("Passcode: ")
        case .itemPassword: localized("Password of the item: ")
        case .finger: ""
        }
    }
}

extension AccessControl {
    /// Whether nothing that is typed opens what demands this, but a finger alone.
    var isFingerAlone: Bool { takesBiometry && !takesPasscode }
}

extension TresorError {
    /// What went wrong.
    var words: String { message.prefix(1).uppercased() + message.dropFirst() + "." }

    /// What went wrong, and how long the next try has to wait.
    var sentence: String {
        guard let wait = retryAfter else { return words }
        let seconds = Int((wait / .seconds(1)).rounded(.up))
        return words
            + (seconds < 120 ? localized(" Wait \(seconds) s.") : localized(" Wait \((seconds + 59) / 60) min."))
    }
}
