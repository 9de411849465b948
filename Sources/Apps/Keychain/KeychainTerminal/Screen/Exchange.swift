import Certificates
import TerminalScreen
import Tresor

/// Whose secret is wanted, and what for.
struct Reading: Equatable, Sendable {
    enum Purpose: Equatable, Sendable { case show, copy }

    let reference: PersistentReference
    let purpose: Purpose
}

/// Where a secret was copied to.
enum ClipboardWay: Equatable, Sendable {
    /// The desktop's clipboard, by wl-copy or xclip: it can be cleared.
    case desktop
    /// Handed to the terminal (OSC 52), which answers nothing.
    case terminal
}

/// Why a secret was not copied.
enum CopyRefusal: Equatable, Sendable {
    case isNoText, isTooLong, isEmpty, failed
}

/// The two clocks that the screen goes by.
struct Moment: Equatable, Sendable {
    /// Milliseconds of a clock that goes on while the machine sleeps.
    var uptime: UInt64
    /// Seconds since 1970, UTC.
    var date: Int64
}

/// What reaches the screen's state.
enum Input: Sendable {
    case key(Key)
    case resized(columns: Int, rows: Int)
    /// The lock state is this, and may have been another in between.
    case lockState(LockState)
    /// The daemon waits for what is shown to be wiped.
    case evicted
    case listed(Listing)
    case systemListed(SystemKeychain, Listing)
    /// The secret lies in the driver's hands; its bytes never come here.
    case secretHeld(Reading)
    /// So many rows the held secret takes at the width of its area.
    case measured(rows: Int)
    case copied(ClipboardWay)
    case notCopied(CopyRefusal)
    case removed
    case refused(TresorError, Effect)
    /// A passcode, or an item's own password, lies in the driver's hands.
    case passcodeEntered
    case passcodeCancelled
    /// Nothing is known of the device until the daemon answers again.
    case connectionLost
    /// The time has passed on.
    case tick
}

/// What the screen's state wants done.
enum Effect: Equatable, Sendable {
    case list
    /// Read a keychain that is made of files.
    case listSystem(SystemKeychain)
    /// - typed: what was typed just now and goes with it; nil for nothing.
    case read(Reading, typed: TypedProof?)
    case remove([PersistentReference])
    /// Copy the secret that is shown.
    case copyShown
    /// Wipe the secret that is held.
    case forgetSecret
    /// Tell how many rows the held secret takes.
    case measure
    case clearClipboard
    /// Erase the terminal before anything else is drawn.
    case clear
    /// Give the terminal to the shell for a while.
    case suspend
    case quit
}

/// The part of the screen in which the driver writes a secret that is shown.
struct SecretArea: Equatable, Sendable {
    /// All counted from 0.
    var row: Int
    var column: Int
    var width: Int
    var height: Int
    /// The first of the secret's rows that is seen.
    var top: Int
}
