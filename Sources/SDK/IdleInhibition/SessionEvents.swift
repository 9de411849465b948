import Linux
import MessageBus
public import Tresor

/// What the desktop tells an app: that the session was locked or unlocked, and that the machine is about to sleep.
///
/// The threat: a machine that wakes up with everything open that it fell asleep with, or a locked screen behind which
/// an app still holds what it had decrypted. Sleep is delayed (logind's `delay` inhibitor, five seconds by default)
/// until ``allowSleep()``, so that an app has cleared by then. Source: org.freedesktop.login1(5); features D5 and L3.
///
///     let session = try SessionEvents(of: "Diary")
///     // poll(2) on session.descriptor, then:
///     while let event = try session.nextEvent() { try driver.handle(event) }
///     // and where the driver says so: case .allowSleep: session.allowSleep()
public final class SessionEvents {
    private let logind: Logind
    private let app: String
    /// The session's object; nil for a process that belongs to none.
    private let session: String?
    private var delay: BusDescriptor?

    /// Listens to logind from now on.
    ///
    /// - Parameter app: who delays the sleep, for the user (`systemd-inhibit --list`).
    /// - Throws: ``SessionError``.
    public convenience init(of app: String) throws(SessionError) { try self.init(of: app, at: .system) }

    /// The same, listening at another place.
    package init(of app: String, at place: LogindPlace) throws(SessionError) {
        self.app = app
        logind = try Logind(address: place.address, trustedUser: place.trustedUser)
        try logind.watchOwner()
        try logind.watch("interface='\(Logind.manager)',member='PrepareForSleep'")
        session = try Self.session(logind)
        if let session { try logind.watch("interface='\(Logind.session)',path='\(session)'") }
        try delaySleep()
    }

    /// For poll(2): when it can be read, ``nextEvent()`` may have something to say.
    ///
    /// - Throws: ``SessionError/silent`` when logind or the bus is gone.
    public var descriptor: Int32 {
        get throws(SessionError) { try logind.descriptor() }
    }

    /// What was told since the last call; nil when there is nothing more.
    ///
    /// Never waits.
    ///
    /// - Throws: ``SessionError/silent`` when logind or the bus is gone: nothing will be told any more, and an app
    ///   should lock.
    public func nextEvent() throws(SessionError) -> AppLifecycle.Event? {
        while let signal = try logind.nextSignal() {
            switch (signal.member, signal.values.first) {
            case ("NameOwnerChanged", _): throw .silent
            case ("PrepareForSleep", .flag(true)): return .sleepComing
            case ("PrepareForSleep", .flag(false)):
                try delaySleep()
                return .sleepOver
            case ("Lock", nil) where signal.path == session: return .sessionLocked
            case ("Unlock", nil) where signal.path == session: return .sessionUnlocked
            default: continue
            }
        }
        return nil
    }

    /// Lets the machine sleep, as ``AppLifecycle/Action/allowSleep`` asks; the next sleep is delayed again.
    public func allowSleep() { delay = nil }

    private func delaySleep() throws(SessionError) {
        guard delay == nil else { return }
        do { delay = try logind.inhibit("sleep", who: app, why: "Clears what it shows", mode: "delay") } catch {
            // Who may not delay it is told all the same.
            guard error == .forbidden else { throw error }
        }
    }

    /// The caller's session, or the one at the user's display.
    private static func session(_ logind: Logind) throws(SessionError) -> String? {
        do {
            guard case .text(let path) = try logind.call("GetSession", [.text("auto")]).first,
                path.hasPrefix(Logind.sessionFolder),
                path.utf8.allSatisfy({ $0 != UInt8(ascii: "'") && $0 > 0x20 && $0 < 0x7F })
            else { return nil }
            return path
        } catch {
            guard error == .failed else { throw error }
            return nil
        }
    }
}
