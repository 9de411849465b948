import Localization
import NotesClient
import TerminalScreen

/// A finger in place of the passphrase of locked notes.
extension PlainConversation {
    /// An empty line begins to wait for a finger, ends that wait, and cancels where no finger does or none came.
    var passphrasePrompt: String {
        if isAskedForOlder {
            return localized("Older passphrase, from before the reset, not shown; an empty line cancels: ")
        }
        return switch finger {
        case .offered: localized("Passphrase for notes, not shown; an empty line waits for a finger: ")
        case .awaited: localized("Passphrase for notes, not shown; an empty line ends the wait: ")
        case .unknown, .none: localized("Passphrase for notes, not shown; an empty line cancels: ")
        }
    }

    /// Whether the passphrase is that of a note which an older one alone opens; no finger has it.
    private var isAskedForOlder: Bool {
        guard case .secret(let ask) = expectation, case .unlock(let id?) = ask.request else { return false }
        return list.note(id)?.hasOlderPassphrase == true
    }

    /// Whether it is to be found out if a finger does.
    var asksAboutFinger: Bool {
        guard case .secret = expectation, !isAskedForOlder else { return false }
        return finger == .unknown
    }

    /// Whether the reader shall wait for one.
    var waitsForFinger: Bool {
        guard case .secret = expectation else { return false }
        return finger == .awaited
    }

    mutating func waitForFinger() -> [Effect] {
        finger = .awaited
        return [.say(localized("Touch the fingerprint reader.")), .waitForFinger]
    }

    mutating func fingerCame() -> [Effect] {
        guard waitsForFinger, case .secret(let ask) = expectation else { return [] }
        (expectation, finger) = (.command, .none)
        return [.ask(ask)]
    }

    mutating func fingerFailed(_ reason: String) -> [Effect] {
        guard waitsForFinger else { return [] }
        finger = .none
        return [.say(reason)]
    }
}
