import Linux
import MessageBus

/// Keeps the screen from being locked while something runs that needs it open, and not a moment longer.
///
/// The threat: an app that asks for the screen to stay on and forgets that it did leaves the device open to whoever
/// comes by. So there is no switch here, but a scope: the request is taken back on every way out of it, by return, by
/// an error, by cancellation, and by the kernel when the process ends, however it does, because logind holds the
/// request for as long as a descriptor of this process is open. logind shows who asks and why (`systemd-inhibit
/// --list`), and the app has to show it too. Source: org.freedesktop.login1(5), `Inhibit`; the book, chapter 7.4.7;
/// feature D7.
///
/// A session that is locked by hand, or by its lid, is locked all the same.
///
///     try IdleInhibitor.whileActive("Playing a video", of: "Diary", show: { bar.showsAwake = $0 }) {
///         try play(video)
///     }
public enum IdleInhibitor {
    /// Runs `body` with the screen's idle lock held off.
    ///
    /// - Parameters:
    ///   - reason: why, for the user; what no stranger should read on the screen does not belong here.
    ///   - app: who asks, for the user.
    ///   - show: told true before `body` runs and false after it: the app shows the user that the screen stays open.
    ///   - body: what needs the screen.
    /// - Returns: what `body` returns.
    /// - Throws: ``SessionError`` before `body` has run, where the lock cannot be held off; and what `body` throws.
    @discardableResult
    public static func whileActive<Result>(
        _ reason: String, of app: String, show: (Bool) -> Void, _ body: () throws -> Result
    ) throws -> Result {
        try whileActive(reason, of: app, at: .system, show: show, body)
    }

    /// Runs `body` with the screen's idle lock held off.
    ///
    /// - Parameters:
    ///   - reason: why, for the user; what no stranger should read on the screen does not belong here.
    ///   - app: who asks, for the user.
    ///   - show: told true before `body` runs and false after it: the app shows the user that the screen stays open.
    ///   - body: what needs the screen.
    /// - Returns: what `body` returns.
    /// - Throws: ``SessionError`` before `body` has run, where the lock cannot be held off; and what `body` throws.
    @discardableResult
    public static func whileActive<Result>(
        _ reason: String, of app: String, show: (Bool) -> Void, _ body: () async throws -> Result
    ) async throws -> Result {
        try await whileActive(reason, of: app, at: .system, show: show, body)
    }

    /// The same, asking logind at another place.
    @discardableResult
    package static func whileActive<Result>(
        _ reason: String, of app: String, at place: LogindPlace, show: (Bool) -> Void, _ body: () throws -> Result
    ) throws -> Result {
        let held = try hold(reason, app, place)
        show(true)
        defer { show(false) }
        return try withExtendedLifetime(held) { try body() }
    }

    /// The same, for work that waits.
    @discardableResult
    package static func whileActive<Result>(
        _ reason: String, of app: String, at place: LogindPlace, show: (Bool) -> Void,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let held = try hold(reason, app, place)
        show(true)
        defer {
            show(false)
            withExtendedLifetime(held) {}
        }
        return try await body()
    }

    private static func hold(
        _ reason: String, _ app: String, _ place: LogindPlace
    ) throws(SessionError) -> BusDescriptor {
        try Logind(address: place.address, trustedUser: place.trustedUser)
            .inhibit("idle", who: app, why: reason, mode: "block")
    }
}

/// Where logind is, and as whom it must run.
package struct LogindPlace: Sendable {
    /// Of the bus, as D-Bus writes addresses.
    package let address: String
    /// As which user logind must run to be believed.
    package let trustedUser: UInt32

    /// Anything but ``system`` is for tests, whose bus isn't root's.
    package init(address: String, trustedUser: UInt32) {
        self.address = address
        self.trustedUser = trustedUser
    }

    /// This machine's: the system's bus, and root.
    package static let system = LogindPlace(address: SystemBus.systemAddress, trustedUser: 0)
}
