import Localization

/// What every screen and every dialogue in lines says while tresord does not run, and how its screens are left then.
///
/// Nobody can unlock the device, so nothing is asked for. What is typed may still be meant for a prompt that stood
/// there a moment before: no letter is a command, and one key may be a slip behind which letters would go to the
/// shell.
package struct DaemonAbsence: Equatable, Sendable {
    /// Whether the next such key leaves.
    private var isLeaving = false

    /// It has just been found out.
    package init() {}

    /// What is the matter, how to go on, and what follows then; a line each.
    package static var lines: [String] {
        [
            localized("tresord does not run."), localized("Start it in another window: tresor up"),
            localized("Then this screen goes on by itself."),
        ]
    }

    /// The same where there are no screens.
    package static var plainWords: String {
        localized("tresord does not run. Start it elsewhere with tresor up, then type unlock.")
    }

    /// The keys that leave a screen that asks for nothing, or only for the passcode.
    package static var leavingKeys: String { localized("Esc, twice, quits.") }

    /// Said to the first of them.
    package static var leavesNextTime: String { localized("Press it once more to quit.") }

    /// What leaves now.
    package var keys: String { isLeaving ? Self.leavesNextTime : Self.leavingKeys }

    /// Takes a key: Esc or Ctrl+C, twice, leaves; any other does nothing.
    package mutating func leaves(with key: Key) -> Bool {
        let isMeant = key == .escape || key == .control("c")
        defer { isLeaving = isMeant }
        return isMeant && isLeaving
    }
}
