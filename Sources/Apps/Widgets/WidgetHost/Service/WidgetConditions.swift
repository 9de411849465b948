import Protection
import Tresor
import Widgets

/// What decides, beside its timeline and the owner's choice, whether a widget may be seen: the device's lock, whether
/// there is a passcode at all, and the diary's door.
final class WidgetConditions {
    private let daemon: DaemonLink
    private(set) var deviceState: LockState
    private(set) var hasPasscode: Bool
    /// In which turn of the loop it was asked whether there is one, and which this is.
    private var (passcodeTurn, turn): (UInt64, UInt64) = (0, 1)
    /// Whether somebody is signed in to the diary; nil where nobody has said yet.
    private(set) var isDiaryOpen: Bool?

    /// - Throws: `TresorError` where the daemon does not say whether there is a passcode.
    init(daemon: DaemonLink, deviceState: LockState) throws {
        self.daemon = daemon
        self.deviceState = deviceState
        hasPasscode = try daemon.hasPasscode()
    }

    /// A turn of the loop begins.
    func beginTurn() { turn += 1 }

    func take(_ state: LockState) { deviceState = state }

    /// The device locks, so it has a passcode.
    func lock() {
        deviceState = .locked
        hasPasscode = true
    }

    /// - Returns: whether that is news.
    func setDiary(isOpen: Bool) -> Bool {
        guard isOpen != isDiaryOpen else { return false }
        isDiaryOpen = isOpen
        return true
    }

    /// Whether the device has a passcode.
    ///
    /// One may have been set since it was asked last, and only a lock would tell; so it is asked once in each turn.
    var isBehindPasscode: Bool {
        if !hasPasscode && passcodeTurn != turn {
            passcodeTurn = turn
            hasPasscode = (try? daemon.hasPasscode()) ?? true
        }
        return hasPasscode
    }

    /// Whether a widget that may be shown on a locked device has a source that is shut by now: what it was stays.
    func isSourceShut(_ widget: HostedWidget) -> Bool {
        widget.followsChoice && hasPasscode && deviceState != .unlocked
    }

    /// Whether the class of a widget is open.
    func isOpen(_ widget: HostedWidget) -> Bool {
        var input = Resolution.Input(kind: widget.kind, protection: widget.configuration.protection)
        input.lock = deviceState
        input.hasPasscode = hasPasscode
        return Resolution(input).showsEntry
    }
}
