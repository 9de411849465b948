import NotesClient

/// Commands.
extension PlainConversation {
    static let help = """
        list, or list and a folder's path: the notes, numbered; more
        folders; trash; search and words
        read 3: the third note
        new; edit 3
        pin 3; lock 3; lock now
        unlock; unlock 3 where the third note has a former passphrase
        delete 3; undo
        status; quit
        """

    mutating func obey(_ line: String) -> [Effect] {
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true).map { String($0) }
        guard let command = words.first?.lowercased() else { return [] }
        let rest = words.count > 1 ? words[1] : ""
        switch command {
        case "help", "?": return [.say(Self.help)]
        case "quit", "q", "exit":
            guard isHolding else { return [.quit] }
            expectation = .leaving
            return [.say("What you wrote is not kept, and is lost if you quit. Quit all the same?")]
        case "discard" where isHolding:
            isHolding = false
            return [.forgetHeld, .say("Discarded.")]
        case "list": return list(rest.isEmpty ? .all : .folder(rest))
        case "more": return more()
        case "trash": return list(.trash)
        case "search": return rest.isEmpty ? [.say("Say what to search for.")] : list(.search(rest))
        case "folders": return [.ask(Ask(.folders))]
        case "status": return [.ask(Ask(.status))]
        case "new":
            expectation = .text(PlainEditor())
            return [.say("Type the note line by line. A line with only a period saves it.")]
        case "unlock" where rest.isEmpty:
            return session.isOpen ? [.say("Locked notes are open already.")] : send(.unlock())
        case "undo": return undo()
        case "lock" where rest.lowercased() == "now": return [.ask(Ask(.lockNow))]
        default: return obey(command, numbered: rest)
        }
    }

    private mutating func obey(_ command: String, numbered rest: String) -> [Effect] {
        guard ["read", "edit", "pin", "lock", "unlock", "delete"].contains(command) else {
            return [.say("Not understood. Type help.")]
        }
        guard let number = Int(rest), number > 0, number <= notes.count else {
            return [.say("Say which note by its number in the list.")]
        }
        let note = notes[number - 1]
        switch command {
        case "read": return [.ask(Ask(.show(id: note.id)))]
        case "edit":
            expectation = .text(PlainEditor(id: note.id))
            return [.ask(Ask(.show(id: note.id)))]
        case "pin": return [.ask(Ask(.pin(id: note.id, isPinned: !note.isPinned)))]
        case "lock": return toggleLock(note)
        case "unlock": return askForSecret(.unlock(id: note.id))
        default: return delete(note)
        }
    }

    private mutating func list(_ newPlace: Place) -> [Effect] {
        place = newPlace
        (notes, readCount) = ([], 0)
        return [.ask(Ask(place.request()))]
    }

    private mutating func more() -> [Effect] {
        let isAtEnd = readCount == notes.count && notes.count < total && !place.isSearch
        return isAtEnd ? [.ask(Ask(place.request(offset: notes.count)))] : [.say(nextPage())]
    }

    private mutating func toggleLock(_ note: NoteSummary) -> [Effect] {
        guard note.isLocked else { return send(.lock(id: note.id)) }
        expectation = .confirmation(Ask(.removeLock(id: note.id)))
        return [.say("This note is locked. Remove its lock? It can then be read without the passphrase.")]
    }

    private mutating func delete(_ note: NoteSummary) -> [Effect] {
        guard place == .trash else { return [.ask(Ask(.delete(id: note.id, forever: false)))] }
        expectation = .confirmation(Ask(.delete(id: note.id, forever: true)))
        return [.say("Delete this note for good? It cannot be brought back.")]
    }

    private func undo() -> [Effect] {
        guard let lastDeleted else { return [.say("Nothing to take back.")] }
        return [.ask(Ask(.restore(id: lastDeleted)))]
    }
}
