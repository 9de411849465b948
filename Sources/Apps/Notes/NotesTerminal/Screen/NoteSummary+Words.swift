import NotesClient

/// What a list and a pane say of a note.
extension NoteSummary {
    /// Whether it is locked, and cannot be read now.
    var isShut: Bool { isLocked && !isOpen }

    var titleWords: String {
        if damage?.contains(.head) == true { return "Damaged: its head cannot be read" }
        return title.isEmpty ? (isLocked ? "Locked note" : "Untitled") : title
    }

    /// The same, behind a padlock where it is locked.
    var titleWithPadlock: String { Self.padlock(isLocked, isOpen: isOpen) + titleWords }

    static func padlock(_ isLocked: Bool, isOpen: Bool) -> String { isLocked ? (isOpen ? "🔓 " : "🔒 ") : "" }

    /// What there is to say of it besides its text.
    var facts: String {
        var facts: [String] = []
        if hasConflict { facts.append("two edits met, both are kept") }
        if hasDraft { facts.append("an unsaved draft is kept") }
        if !folder.isEmpty { facts.append(folder) }
        if attachmentCount == 1 { facts.append("1 attachment") }
        if attachmentCount > 1 { facts.append("\(attachmentCount) attachments") }
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
