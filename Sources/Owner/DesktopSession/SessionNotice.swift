import MessageBus

/// What the desktop tells of the owner's session.
///
/// None of it unlocks anything.
package enum SessionNotice: Equatable, Sendable {
    case lock(SessionLockCause)
    /// The machine is about to sleep, and waits until ``SessionWatch/allowSleep()``, five seconds at most
    /// (InhibitDelayMaxSec in logind.conf(5)).
    case sleepComing
    case awake
}

/// Why a device locks with the desktop.
package enum SessionLockCause: String, Equatable, Sendable {
    /// logind's signal `Lock`: somebody wants the session locked.
    case sessionLocked
    /// logind's `LockedHint`: a locker stands before the session.
    case sessionHint
    /// No session of the owner's at a seat is active any more: another user's, or none.
    case sessionInactive
    /// The screen saver's `ActiveChanged`.
    case screenSaver
}

/// Where the buses are, and as whom logind must run.
package struct SessionPlace: Sendable {
    /// The address of the bus on which logind is.
    package let systemBus: String
    /// As which user logind must run to be believed.
    package let trustedUser: UInt32
    /// The bus of the owner's session; nil where there is none.
    package let sessionBus: String?

    /// Anything but ``system(user:environment:)`` is for tests, whose buses aren't root's.
    package init(systemBus: String, trustedUser: UInt32, sessionBus: String?) {
        self.systemBus = systemBus
        self.trustedUser = trustedUser
        self.sessionBus = sessionBus
    }

    /// The machine's.
    ///
    /// A session's bus is where the environment says, else where systemd puts it. Whoever answers there can lock the
    /// device, which every program of this user may, and nothing else.
    ///
    /// - Parameters:
    ///   - user: whose session.
    ///   - environment: reads one variable.
    package static func system(user: UInt32, environment: (String) -> String?) -> SessionPlace {
        let named = environment("DBUS_SESSION_BUS_ADDRESS") ?? ""
        return SessionPlace(
            systemBus: SystemBus.systemAddress, trustedUser: 0,
            sessionBus: named.isEmpty ? "unix:path=/run/user/\(user)/bus" : named)
    }
}
