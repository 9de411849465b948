import Localization

/// What the dialogues in plain lines say alike: one sentence each, on one line.
///
/// The words that are typed, such as `help`, are the same in every language.
package enum PlainSaying {
    /// Said before anything else is asked.
    package static var deviceLocked: String { localized("The device is locked.") }
    /// The prompt for the device's passcode.
    package static var passcodePrompt: String {
        localized("Passcode of the device, not shown; an empty line cancels: ")
    }
    /// The prompt while the device stays locked.
    package static var lockedPrompt: String { localized("Locked; unlock, help or quit: ") }
    /// Said to any other word then.
    package static var lockedAnswer: String { localized("The device is locked; type unlock.") }
    /// What helps then.
    package static var lockedHelp: String { localized("unlock: asks for the passcode of the device; quit: ends this.") }
    /// The prompt for a yes.
    package static var yesOrNo: String { localized("Type yes or no: ") }
    /// Said to any other answer.
    package static var unchanged: String { localized("Nothing was changed.") }
    /// Said to a secret that was not typed.
    package static var cancelled: String { localized("Cancelled.") }
    /// Said where a word has to be followed by one of the list.
    package static var which: String { localized("Say which: a number of the list, or a name in it.") }
    /// Said before those that a name fits equally well.
    package static var several: String { localized("Several are called so; say a number:") }
    /// Said where a whole list has been read.
    package static var noMore: String { localized("That was all.") }
    /// Said at the place where a dialogue begins.
    package static var noWayBack: String { localized("There is nothing to go back to.") }
    /// Said where nothing can be undone.
    package static var nothingToUndo: String { localized("Nothing to take back.") }
    /// Said where a text or secret was put on the clipboard.
    package static var copied: String { localized("Copied; the clipboard is cleared in 45 seconds, or when you quit.") }
    /// Said where it was not.
    package static var notCopied: String {
        localized("Not copied: there is no clipboard here; it needs a desktop, and wl-copy or xclip.")
    }
    /// Said when it was cleared.
    package static var cleared: String { localized("The clipboard is cleared.") }

    /// Said of a number that is in no list.
    package static func noNumber(_ typed: String) -> String {
        localized("There is no number \(SafeText.line(typed)) in the list.")
    }

    /// Said of a line that is neither a word nor a name.
    ///
    /// - Parameter similar: words and names that are nearly it.
    package static func notUnderstood(_ line: String, similar: [String]) -> String {
        let line = SafeText.line(String(line.prefix(60)))
        guard !similar.isEmpty else { return localized("Not understood: \(line). Type help.") }
        return localized("Not understood: \(line). Similar: \(list(similar)).")
    }

    /// Said of a name that nothing in the list has.
    package static func nothingNamed(_ name: String, similar: [String]) -> String {
        let name = SafeText.line(String(name.prefix(60)))
        guard !similar.isEmpty else { return localized("Nothing in the list is called \(name).") }
        return localized("Nothing in the list is called \(name). Similar: \(list(similar)).")
    }

    private static func list(_ names: [String]) -> String { names.map { SafeText.line($0) }.joined(separator: ", ") }

    /// Whether an answer is a yes: `yes` and `y`, in every language.
    package static func isYes(_ line: String) -> Bool { ["yes", "y"].contains(line.lowercased()) }
}
