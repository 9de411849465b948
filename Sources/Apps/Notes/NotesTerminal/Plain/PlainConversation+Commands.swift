import Localization
import NotesClient
import TerminalScreen

/// What the lines say that are typed.
extension PlainConversation {
    mutating func obey(_ line: String) -> [Effect] {
        switch PlainNotesWords.grammar.parse(line) {
        case .nothing: return []
        case .choice where isDeviceLocked: return [.say(PlainSaying.lockedAnswer)]
        case .choice(let name): return obey(.open, on: name, isAlone: true)
        case .word(let word, let rest): return isDeviceLocked ? obeyLocked(word) : obey(word, rest)
        }
    }

    private mutating func obeyLocked(_ word: PlainWord) -> [Effect] {
        switch word {
        case .help: return [.say(PlainSaying.lockedHelp)]
        case .unlock: return [.lookForDaemon]
        case .quit: return leave()
        default: return word.name == "discard" ? discard() : [.say(PlainSaying.lockedAnswer)]
        }
    }

    private mutating func obey(_ word: PlainWord, _ rest: String) -> [Effect] {
        switch word {
        case .help: return [.say(PlainNotesWords.help)]
        case .quit: return leave()
        case .list: return read(rest.isEmpty ? .all : .folder(rest))
        case .more: return more()
        case .find: return rest.isEmpty ? [.say(localized("Say what to look for."))] : read(.search(rest))
        case .back: return goBack()
        case .new:
            expectation = .text(PlainEditor())
            return [.say(localized("Type the note line by line. A line with only a period saves it."))]
        case .undo: return undo()
        case .lock where ["", "now"].contains(rest.lowercased()): return [.ask(Ask(.lockNow))]
        case .unlock where rest.isEmpty:
            return session.isOpen ? [.say(localized("Locked notes are open already."))] : send(.unlock())
        default: break
        }
        switch word.name {
        case "folders": return [.ask(Ask(.folders))]
        case "trash": return read(.trash)
        case "status": return [.ask(Ask(.status))]
        case "discard": return discard()
        default: return PlainDeed(rawValue: word.name).map { obey($0, on: rest) } ?? []
        }
    }

    // MARK: One note

    /// - Parameters:
    ///   - name: a number of the list, or a title in it; empty for the note that is open.
    ///   - isAlone: whether that was the whole line, which may be a word that was mistyped.
    mutating func obey(_ deed: PlainDeed, on name: String, isAlone: Bool = false) -> [Effect] {
        guard !name.isEmpty else {
            guard deed != .open, let opened else { return [.say(PlainSaying.which)] }
            return perform(deed, on: list.note(opened.id) ?? opened)
        }
        switch PlainChoice(name, among: list.titles) {
        case .one(let index, let isSure):
            guard isSure || !deed.isChange else {
                expectation = .agreement(deed, list.notes[index])
                return [.say("\(list.words(ofRow: index)). \(deed.question)")]
            }
            return perform(deed, on: list.notes[index])
        case .several(let found):
            let lines = found.prefix(PlainList.pageSize).map { list.words(ofRow: $0) }
            return [.say(([PlainSaying.several] + lines).joined(separator: "\n"))]
        case .noNumber: return [.say(PlainSaying.noNumber(name))]
        case .nothing(let similar):
            if let rest = list.requestForRest {
                pending = (deed: deed, name: name, isAlone: isAlone)
                return [.ask(Ask(rest))]
            }
            guard isAlone else { return [.say(PlainSaying.nothingNamed(name, similar: similar))] }
            return [.say(PlainSaying.notUnderstood(name, similar: PlainNotesWords.grammar.similar(to: name) + similar))]
        }
    }

    mutating func perform(_ deed: PlainDeed, on note: NoteSummary) -> [Effect] {
        // Asked for right here, and then it is done.
        if deed.showsText, note.isShut, note.hasOlderPassphrase == true {
            awaited = (deed: deed, note: note)
            return askForSecret(.unlock(id: note.id))
        }
        if deed.showsText, note.isLocked, !session.isOpen, session.hasPassphrase {
            awaited = (deed: deed, note: note)
            return askForSecret(.unlock())
        }
        switch deed {
        case .open: return [.ask(Ask(.show(id: note.id)))]
        case .edit:
            expectation = .text(PlainEditor(id: note.id))
            return [.ask(Ask(.show(id: note.id)))]
        case .copy:
            copying = note.id
            return [.ask(Ask(.show(id: note.id)))]
        case .pin: return [.ask(Ask(.pin(id: note.id, isPinned: !note.isPinned)))]
        case .lock: return toggleLock(note)
        case .unlock: return askForSecret(.unlock(id: note.id))
        case .delete: return delete(note)
        }
    }

    private mutating func toggleLock(_ note: NoteSummary) -> [Effect] {
        guard note.isLocked else { return send(.lock(id: note.id)) }
        expectation = .confirmation(Ask(.removeLock(id: note.id)))
        return [.say(localized("This note is locked. Remove its lock? It can then be read without the passphrase."))]
    }

    private mutating func delete(_ note: NoteSummary) -> [Effect] {
        guard list.place == .trash || note.deleted != nil else {
            return [.ask(Ask(.delete(id: note.id, forever: false)))]
        }
        expectation = .confirmation(Ask(.delete(id: note.id, forever: true)))
        // Its number may be of a list that one has forgotten: the trash stays listed while another note is read.
        let title = SafeText.line(note.titleWords)
        return [.say(localized("Delete for good: \(title)? It cannot be brought back."))]
    }

    private func undo() -> [Effect] {
        guard let lastDeleted else { return [.say(PlainSaying.nothingToUndo)] }
        return [.ask(Ask(.restore(id: lastDeleted)))]
    }

    // MARK: Lists

    private mutating func read(_ place: Place) -> [Effect] {
        list.enter(place)
        return readAnew()
    }

    private mutating func goBack() -> [Effect] { list.goBack() ? readAnew() : [.say(PlainSaying.noWayBack)] }

    private mutating func readAnew() -> [Effect] {
        opened = nil
        return [.ask(Ask(list.request))]
    }

    private mutating func more() -> [Effect] {
        if list.isReadToItsEnd, let rest = list.requestForRest { return [.ask(Ask(rest))] }
        return [.say(list.nextPage())]
    }

    // MARK: The end

    private mutating func leave() -> [Effect] {
        guard isHolding else { return [.quit] }
        expectation = .leaving
        return [.say(localized("What you wrote is not kept, and is lost if you quit. Quit all the same?"))]
    }

    private mutating func discard() -> [Effect] {
        guard isHolding else { return [.say(localized("There is nothing to discard."))] }
        isHolding = false
        return [.forgetHeld, .say(localized("Discarded."))]
    }
}
