import Localization
import NotesClient
import TerminalScreen

/// Words.
extension PlainConversation {
    /// What is done to one note.
    enum Deed: String, Sendable {
        case open, edit, pin, lock, unlock, delete, copy

        /// Whether it changes something, so that a name in part is not enough for it.
        var isChange: Bool { self == .pin || self == .lock || self == .delete }

        /// Whether it needs the text, and so the passphrase of a locked note.
        var showsText: Bool { self == .open || self == .edit || self == .copy }

        /// What is asked then.
        var question: String {
            switch self {
            case .pin: localized("Pin this one, or unpin it?")
            case .lock: localized("Change the lock of this one?")
            case .delete: localized("Delete this one?")
            case .open, .edit, .unlock, .copy: ""
            }
        }
    }

    static let grammar = PlainGrammar([
        PlainWord("folders"), PlainWord("trash"), PlainWord("pin", .choice), PlainWord("status"), PlainWord("discard"),
    ])

    static var help: String {
        localized(
            """
            A number or a title opens a note of the list.
            list, or list and a folder's path: the notes, numbered; more: the next ones; back: the list before
            folders; trash; find and words
            open 3: the third note; the same by its title: open Garden plan
            new; edit 3; copy 3; pin 3
            lock 3 gives the third note a lock, or takes it; lock alone closes all locked notes
            unlock opens them; unlock 3 where the third note has a former passphrase
            delete 3; undo
            status; quit
            """)
    }

    mutating func obey(_ line: String) -> [Effect] {
        switch Self.grammar.parse(line) {
        case .nothing: return []
        case .choice where isDeviceLocked: return [.say(PlainSaying.lockedAnswer)]
        case .choice(let name): return obey(.open, on: name, isAlone: true)
        case .word(let word, let rest): return isDeviceLocked ? obeyLocked(word) : obey(word, rest)
        }
    }

    private mutating func obeyLocked(_ word: PlainWord) -> [Effect] {
        switch word {
        case .help: return [.say(PlainSaying.lockedHelp)]
        case .unlock: return askForPasscode()
        case .quit: return leave()
        default: return word.name == "discard" ? discard() : [.say(PlainSaying.lockedAnswer)]
        }
    }

    private mutating func obey(_ word: PlainWord, _ rest: String) -> [Effect] {
        switch word {
        case .help: return [.say(Self.help)]
        case .quit: return leave()
        case .list: return list(rest.isEmpty ? .all : .folder(rest))
        case .more: return more()
        case .find: return rest.isEmpty ? [.say(localized("Say what to look for."))] : list(.search(rest))
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
        case "trash": return list(.trash)
        case "status": return [.ask(Ask(.status))]
        case "discard": return discard()
        default: return Deed(rawValue: word.name).map { obey($0, on: rest) } ?? []
        }
    }

    // MARK: One note

    /// - Parameters:
    ///   - name: a number of the list, or a title in it; empty for the note that is open.
    ///   - isAlone: whether that was the whole line, which may be a word that was mistyped.
    mutating func obey(_ deed: Deed, on name: String, isAlone: Bool = false) -> [Effect] {
        guard !name.isEmpty else {
            guard deed != .open, let opened else { return [.say(PlainSaying.which)] }
            return perform(deed, on: notes.first { $0.id == opened.id } ?? opened)
        }
        let known = notes.map { $0.damage?.contains(.head) == true ? "" : $0.title }
        switch PlainChoice(name, among: known) {
        case .one(let index, let isSure):
            guard isSure || !deed.isChange else {
                expectation = .agreement(deed, notes[index])
                return [.say("\(words(of: notes[index], number: index + 1)). \(deed.question)")]
            }
            return perform(deed, on: notes[index])
        case .several(let found):
            let lines = found.prefix(Self.pageSize).map { words(of: notes[$0], number: $0 + 1) }
            return [.say(([PlainSaying.several] + lines).joined(separator: "\n"))]
        case .noNumber: return [.say(PlainSaying.noNumber(name))]
        case .nothing(let similar):
            if notes.count < total, !place.isSearch {
                pending = (deed: deed, name: name, isAlone: isAlone)
                return [.ask(Ask(place.request(offset: notes.count)))]
            }
            guard isAlone else { return [.say(PlainSaying.nothingNamed(name, similar: similar))] }
            return [.say(PlainSaying.notUnderstood(name, similar: Self.grammar.similar(to: name) + similar))]
        }
    }

    mutating func perform(_ deed: Deed, on note: NoteSummary) -> [Effect] {
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
        guard place == .trash || note.deleted != nil else {
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

    private mutating func list(_ newPlace: Place, isWayBack: Bool = false) -> [Effect] {
        if newPlace != place, !isWayBack { formerPlaces.append(place) }
        place = newPlace
        (notes, readCount, total, opened) = ([], 0, 0, nil)
        return [.ask(Ask(place.request()))]
    }

    private mutating func goBack() -> [Effect] {
        guard let former = formerPlaces.popLast() else { return [.say(PlainSaying.noWayBack)] }
        return list(former, isWayBack: true)
    }

    private mutating func more() -> [Effect] {
        let isAtEnd = readCount == notes.count && notes.count < total && !place.isSearch
        return isAtEnd ? [.ask(Ask(place.request(offset: notes.count)))] : [.say(nextPage())]
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
