/// What the English dialogues in plain lines say alike: one sentence each, on one line.
package enum PlainSaying {
    /// Said before anything else is asked.
    package static let deviceLocked = "The device is locked."
    /// The prompt for the device's passcode.
    package static let passcodePrompt = "Passcode of the device, not shown; an empty line cancels: "
    /// The prompt while the device stays locked.
    package static let lockedPrompt = "Locked; unlock, help or quit: "
    /// Said to any other word then.
    package static let lockedAnswer = "The device is locked; type unlock."
    /// What helps then.
    package static let lockedHelp = "unlock: asks for the passcode of the device; quit: ends this."
    /// The prompt for a yes.
    package static let yesOrNo = "Type yes or no: "
    /// Said to any other answer.
    package static let unchanged = "Nothing was changed."
    /// Said to a secret that was not typed.
    package static let cancelled = "Cancelled."
    /// Said where a word has to be followed by one of the list.
    package static let which = "Say which: a number of the list, or a name in it."
    /// Said before those that a name fits equally well.
    package static let several = "Several are called so; say a number:"
    /// Said where a whole list has been read.
    package static let noMore = "That was all."
    /// Said at the place where a dialogue begins.
    package static let noWayBack = "There is nothing to go back to."
    /// Said where nothing can be undone.
    package static let nothingToUndo = "Nothing to take back."
    /// Said where a text or secret was put on the clipboard.
    package static let copied = "Copied; the clipboard is cleared in 45 seconds, or when you quit."
    /// Said where it was not.
    package static let notCopied = "Not copied: there is no clipboard here; it needs a desktop, and wl-copy or xclip."
    /// Said when it was cleared.
    package static let cleared = "The clipboard is cleared."

    /// Said of a number that is in no list.
    package static func noNumber(_ typed: String) -> String {
        "There is no number \(SafeText.line(typed)) in the list."
    }

    /// Said of a line that is neither a word nor a name.
    ///
    /// - Parameter similar: words and names that are nearly it.
    package static func notUnderstood(_ line: String, similar: [String]) -> String {
        let words = "Not understood: \(SafeText.line(String(line.prefix(60))))."
        guard !similar.isEmpty else { return words + " Type help." }
        return words + " Similar: " + similar.map { SafeText.line($0) }.joined(separator: ", ") + "."
    }

    /// Said of a name that nothing in the list has.
    package static func nothingNamed(_ name: String, similar: [String]) -> String {
        let words = "Nothing in the list is called \(SafeText.line(String(name.prefix(60))))."
        guard !similar.isEmpty else { return words }
        return words + " Similar: " + similar.map { SafeText.line($0) }.joined(separator: ", ") + "."
    }

    /// Whether an answer is a yes.
    package static func isYes(_ line: String) -> Bool { ["yes", "y"].contains(line.lowercased()) }
}
