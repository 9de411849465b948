import Certificates
import Localization
import Protection
import TerminalScreen
import Tresor

/// Whose secret is wanted, and what for.
struct Reading: Equatable, Sendable {
    enum Purpose: Equatable, Sendable {
        case show, copy
        /// A one-time code that is made from it.
        case showCode, copyCode
        /// As a QR code, for the camera of a phone; of a network's password what it joins that network by.
        case showSquare(network: String?)
    }

    let reference: PersistentReference
    let purpose: Purpose
}

/// What waits until its owner has proved to be there.
enum Pending: Equatable, Sendable {
    case read(Reading)
    case save(Draft)

    /// What an item demands for it.
    ///
    /// - Parameter record: whose secret is wanted.
    func control(_ record: Record?) -> AccessControl {
        switch self {
        case .save(let draft): return draft.control
        case .read(let reading):
            guard let record else { return [] }
            return record.code?.reference == reading.reference ? record.code?.control ?? [] : record.control
        }
    }

    /// What goes with it when it is given up.
    var dropped: [Effect] {
        if case .save = self { [.forgetTyped] } else { [] }
    }

    /// The same once more, with what was typed or touched for it.
    func effect(with proof: TypedProof) -> Effect {
        switch self {
        case .read(let reading): .read(reading, typed: proof)
        case .save(let draft): .save(draft, typed: proof)
        }
    }
}

/// How the enclave counts wrong passcodes.
struct WrongTries: Equatable, Sendable {
    /// How many there were in a row.
    let count: Int
    /// Whether the tenth erases every key.
    let erases: Bool

    /// Whether that is many enough to say so.
    var words: String {
        let row = count > 1 ? localized("Wrong passcode, \(count) in a row.") : localized("Wrong passcode.")
        guard erases else { return row }
        let left = max(0, 10 - count)
        return row + localized(left, one: " One more erases everything.", many: " \(left) more erase everything.")
    }
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
    /// The same of a QR code, which has so many modules on a side.
    case squareHeld(Reading, side: Int)
    /// So many rows the held secret takes at the width of its area.
    case measured(rows: Int)
    case copied(ClipboardWay)
    case notCopied(CopyRefusal)
    /// A one-time code lies in the driver's hands, and is good until then, in milliseconds of uptime.
    case codeHeld(Reading, until: UInt64)
    /// What was to be shown or copied makes one-time codes.
    case isSeed(Reading)
    case removed
    /// An item was added or changed; the words say what was made for it, if anything was.
    case saved(Draft, PersistentReference, words: String)
    case refused(TresorError, Effect)
    /// So many characters of what is typed with dots are there.
    case typed(count: Int)
    /// A passcode, or another secret that is typed with dots, lies in the driver's hands.
    case passcodeEntered
    /// Enter was pressed with nothing before it.
    case nothingEntered
    case passcodeCancelled
    /// Whether a new secret was typed twice alike.
    case typedTwice(isSame: Bool)
    case unlocked
    /// What was typed into a form before the lock.
    case formGiven(HeldForm)
    /// It could not be held.
    case formLost
    /// - tries: nil where that is not known.
    case notUnlocked(TresorError, WrongTries?)
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
    /// - isForGood: of what a program of ours keeps for itself, which has no trash.
    case remove([PersistentReference], isForGood: Bool)
    /// Add an item, or change one, with the new secret that is held where it was typed.
    case save(Draft, typed: TypedProof?)
    /// Unlock the device with what was typed.
    case unlock
    /// Hold what was typed as a new secret.
    case holdTyped
    /// Say whether what was typed is the new secret once more.
    case compareTyped
    /// Wipe the new secret.
    case forgetTyped
    /// Hold what was typed into a form until the device is unlocked.
    case holdForm(HeldForm)
    /// Give that back.
    case giveForm
    /// Wipe it.
    case forgetForm
    /// Wipe the code that is held.
    case forgetCode
    /// Show what has changed before the next is done, which takes its time.
    case draw
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

/// Where the driver draws a QR code.
struct SquareArea: Equatable, Sendable {
    /// Both counted from 0.
    var row: Int
    var column: Int
}

/// Where the driver writes a one-time code.
struct CodeArea: Equatable, Sendable {
    /// Both counted from 0.
    var row: Int
    var column: Int
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
