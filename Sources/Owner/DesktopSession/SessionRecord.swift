import MessageBus

/// One session of the owner's, as logind tells of it (org.freedesktop.login1(5), "Session Objects").
struct SessionRecord: Equatable, Sendable {
    var user: UInt32?
    /// A session at a seat can be switched away from; one over a network has none, and is always active.
    var hasSeat = false
    var isActive = false
    var isLocked = false
    var isIdle = false
    /// Microseconds of CLOCK_MONOTONIC; 0 where nobody has ever told logind.
    var idleSince: UInt64 = 0
    /// logind looks at a terminal's time of access itself, whenever it is asked, and tells nobody of changes.
    var isTerminal = false

    /// Takes what a table of properties says, and leaves the rest.
    mutating func take(_ properties: [String: BusValue]) {
        if case .list(let user) = properties["User"], case .number(let number) = user.first { self.user = number }
        if case .list(let seat) = properties["Seat"], case .text(let name) = seat.first { hasSeat = !name.isEmpty }
        if case .flag(let flag) = properties["Active"] { isActive = flag }
        if case .flag(let flag) = properties["LockedHint"] { isLocked = flag }
        if case .flag(let flag) = properties["IdleHint"] { isIdle = flag }
        if case .wideNumber(let time) = properties["IdleSinceHintMonotonic"] { idleSince = time }
        if case .text(let type) = properties["Type"] { isTerminal = type == "tty" }
    }

    /// When its owner last did something; nil where logind was never told, or the owner has left the session.
    var activity: OwnerActivity? {
        guard idleSince > 0, isActive || isTerminal else { return nil }
        return isIdle || isTerminal ? .last(monotonicMicroseconds: idleSince) : .now
    }
}

/// What logind knows of the owner's last key or movement.
package enum OwnerActivity: Equatable, Sendable {
    /// The session is not idle.
    case now
    /// The session has been idle since, in microseconds of CLOCK_MONOTONIC.
    case last(monotonicMicroseconds: UInt64)

    /// The later of two.
    static func later(_ one: OwnerActivity?, _ other: OwnerActivity?) -> OwnerActivity? {
        switch (one, other) {
        case (nil, let only), (let only, nil): only
        case (.now, _), (_, .now): .now
        case (.last(let one), .last(let other)): .last(monotonicMicroseconds: max(one, other))
        }
    }
}
