import Localization
import NotesClient

/// What a list and a pane say of a note.
extension NoteSummary {
    /// Whether it is locked, and cannot be read now.
    var isShut: Bool { isLocked && !isOpen }

    var titleWords: String {
        if damage?.contains(.head) == true { return localized("Damaged: its head cannot be read") }
        return title.isEmpty ? (isLocked ? localized("Locked note") : localized("Untitled")) : title
    }

    /// The same, behind a padlock where it is locked.
    var titleWithPadlock: String { Self.padlock(isLocked, isOpen: isOpen) + titleWords }

    static func padlock(_ isLocked: Bool, isOpen: Bool) -> String { isLocked ? (isOpen ? "🔓 " : "🔒 ") : "" }

    /// What there is to say of it besides its text.
    var facts: String {
        var facts: [String] = []
        if hasConflict { facts.append(localized("two edits met, both are kept")) }
        if hasDraft { facts.append(localized("an unsaved draft is kept")) }
        if !folder.isEmpty { facts.append(folder) }
        let files = attachmentCount
        if files > 0 { facts.append(localized(files, one: "1 attachment", many: "\(files) attachments")) }
        return (facts + tags.map { "#" + $0 }).joined(separator: " · ")
    }

    /// Behind its title in a list.
    var marks: String {
        var marks = hasConflict ? " !" : ""
        if hasDraft { marks += " ✎" }
        if isPinned { marks += " 📌" }
        if isLocked { marks += isOpen ? " 🔓" : " 🔒" }
        return marks
    }
}
