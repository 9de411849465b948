import TerminalScreen

/// What is seen while the diary is shut.
enum DiaryDoor: Equatable, Sendable {
    /// Nothing is known yet.
    case arriving
    /// A password is chosen; the second time, what was typed the first time is kept by the driver.
    case registering(isRepeated: Bool)
    /// The driver shows the recovery key, once.
    case recoveryKey
    /// The device itself is locked, which comes first; whether it asks for the passcode, or waits for Enter.
    case deviceLocked(isAsking: Bool)
    /// The lock screen, which is the sign-in as well; whether it asks for the password, or waits for Enter.
    case locked(isAsking: Bool)
    /// tresord does not run, so that nothing can be asked for.
    case daemonGone(DaemonAbsence)

    /// Whether the bytes that are typed belong to a password, or to the passcode.
    ///
    /// - Parameter isBusy: whether what was typed before is being looked at.
    func wantsSecret(isBusy: Bool) -> Bool {
        switch self {
        case .registering, .locked(isAsking: true): true
        case .deviceLocked(isAsking: true): !isBusy
        case .arriving, .recoveryKey, .locked(isAsking: false), .deviceLocked(isAsking: false), .daemonGone: false
        }
    }
}
