// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of ``LAError`` as an `NSError`.
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// Why the owner's presence was not proved.
///
///     catch let error as LAError where error.code == .userCancel
public struct LAError: Error, CustomNSError, LocalizedError, Equatable, Sendable {
    /// The kinds of failure; the numbers are those of Apple's `LAError`.
    public enum Code: Int, Sendable {
        /// The passcode was wrong, or a wait between tries is running.
        case authenticationFailed = -1
        /// The owner declined.
        case userCancel = -2
        /// The owner chose the fallback; not used here, where there is nothing but the passcode.
        case userFallback = -3
        /// The system could not ask or check: the daemon does not run, or no locked memory is left.
        case systemCancel = -4
        /// No passcode is set.
        case passcodeNotSet = -5
        /// There is no biometric verifier.
        case biometryNotAvailable = -6
        /// There is a biometric verifier, and nobody is enrolled.
        case biometryNotEnrolled = -7
        /// There were too many failures, and biometrics are shut.
        case biometryLockout = -8
        /// The program invalidated the context while the owner was asked.
        case appCancel = -9
        /// The context was invalidated before.
        case invalidContext = -10
        /// There is no watch.
        case watchNotAvailable = -11
        /// Nobody can be asked: interaction is not allowed, or there is neither prompter nor terminal nor pinentry with
        /// a display.
        case notInteractive = -1004
    }

    /// The kind of failure.
    public let code: Code

    /// A failure of this kind.
    public init(_ code: Code) { self.code = code }

    /// ``LAErrorDomain``.
    public static var errorDomain: String { LAErrorDomain }
    /// The number of ``code``.
    public var errorCode: Int { code.rawValue }
    /// The sentence, for an `NSError`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: errorDescription ?? ""] }
    /// One sentence for a person.
    public var errorDescription: String? {
        switch code {
        case .authenticationFailed: "The passcode is wrong, or the next try has to wait."
        case .userCancel: "The owner declined."
        case .userFallback: "The owner chose another way."
        case .systemCancel: "The keychain's daemon could not be asked."
        case .passcodeNotSet: "No passcode is set."
        case .biometryNotAvailable: "There is no biometric verifier."
        case .biometryNotEnrolled: "Nobody is enrolled."
        case .biometryLockout: "There were too many failures."
        case .appCancel: "The program invalidated the context."
        case .invalidContext: "The context was invalidated."
        case .watchNotAvailable: "There is no watch."
        case .notInteractive: "Nobody can be asked."
        }
    }
}

// Code compares with `LAError.userCancel` as often as with `LAError.Code.userCancel`.
extension LAError {
    /// See ``Code/authenticationFailed``.
    public static var authenticationFailed: Code { .authenticationFailed }
    /// See ``Code/userCancel``.
    public static var userCancel: Code { .userCancel }
    /// See ``Code/userFallback``.
    public static var userFallback: Code { .userFallback }
    /// See ``Code/systemCancel``.
    public static var systemCancel: Code { .systemCancel }
    /// See ``Code/passcodeNotSet``.
    public static var passcodeNotSet: Code { .passcodeNotSet }
    /// See ``Code/biometryNotAvailable``.
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
    /// See ``Code/biometryNotEnrolled``.
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    /// See ``Code/biometryLockout``.
    public static var biometryLockout: Code { .biometryLockout }
    /// See ``Code/appCancel``.
    public static var appCancel: Code { .appCancel }
    /// See ``Code/invalidContext``.
    public static var invalidContext: Code { .invalidContext }
    /// See ``Code/watchNotAvailable``.
    public static var watchNotAvailable: Code { .watchNotAvailable }
    /// See ``Code/notInteractive``.
    public static var notInteractive: Code { .notInteractive }
    /// The older name of ``biometryNotAvailable``.
    public static var touchIDNotAvailable: Code { .biometryNotAvailable }
    /// The older name of ``biometryNotEnrolled``.
    public static var touchIDNotEnrolled: Code { .biometryNotEnrolled }
    /// The older name of ``biometryLockout``.
    public static var touchIDLockout: Code { .biometryLockout }
}
