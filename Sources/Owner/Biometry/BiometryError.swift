import MessageBus

/// Why the fingerprint reader could not be asked.
///
/// That a finger didn't match is no error, but an ``VerificationOutcome``.
package enum BiometryError: Error, Equatable, Sendable {
    /// The system bus can't be reached, or it ended the connection.
    case busUnavailable
    /// fprintd is not installed, or it could not be started.
    case serviceMissing
    /// Whoever owns fprintd's name on the bus does not run as the user that was demanded, which is root.
    case serviceUntrusted
    /// fprintd answered with what its interface doesn't permit, or with an error of its own.
    case serviceFailed
    /// There is no reader.
    case noReader
    /// Somebody else is using the reader.
    case readerBusy
    /// polkit or the bus forbids it: see docs/guides/presence.md.
    case permissionDenied
    /// The user has enrolled no finger.
    case notEnrolled
    /// The files of the enrolled fingers are not what fprintd writes, or they changed while they were read.
    case enrolmentUnreadable
    /// fprintd said nothing in the time given.
    case serviceSilent
}

extension BiometryError {
    init(_ error: BusError) {
        switch error {
        case .unavailable: self = .busUnavailable
        case .callFailed: self = .serviceFailed
        }
    }

    /// What an error's name on the bus means (net.reactivated.Fprint.Device.xml, D-Bus specification).
    init(named name: String) {
        switch name {
        case "net.reactivated.Fprint.Error.NoSuchDevice": self = .noReader
        case "net.reactivated.Fprint.Error.AlreadyInUse": self = .readerBusy
        case "net.reactivated.Fprint.Error.NoEnrolledPrints": self = .notEnrolled
        case "net.reactivated.Fprint.Error.PermissionDenied", "org.freedesktop.DBus.Error.AccessDenied":
            self = .permissionDenied
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
            self = .serviceMissing
        case _ where name.hasPrefix("org.freedesktop.DBus.Error.Spawn"): self = .serviceMissing
        default: self = .serviceFailed
        }
    }
}
