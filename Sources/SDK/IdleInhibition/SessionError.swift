/// Why logind could not be asked.
public enum SessionError: Error, Equatable, Sendable {
    /// There is no system bus, or no logind on it.
    case unavailable
    /// Whoever owns logind's name does not run as root.
    case untrusted
    /// The system's policy (polkit) forbids it to this user.
    case forbidden
    /// logind answered with an error, or with what its interface does not permit.
    case failed
    /// logind said nothing for five seconds, or is gone.
    case silent
}
