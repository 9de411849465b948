import Localization
import TerminalScreen
import Tresor

/// Adding an item and changing one, line by line.
extension PlainBrowser {
    mutating func add(_ label: String) -> [Effect] {
        expectation = .form(PlainForm(newCalled: label))
        return [.say(localized("A new item. cancel, at any place, adds none.") + " " + Self.dashes)]
    }

    mutating func edit(_ record: Record) -> [Effect] {
        guard !record.isReadOnly else { return [.say(localized("Only root changes this one."))] }
        expectation = .form(PlainForm(changing: record))
        let opening = localized("\(SafeText.line(record.label)). cancel, at any place, changes nothing.")
        return [.say(opening + " " + Self.dashes)]
    }

    /// How a text is emptied, and how one is typed that is a dash itself.
    private static var dashes: String { localized("- alone empties a line; -- stands for a dash.") }

    /// Whether an item is being added or changed.
    var isInForm: Bool { if case .form = expectation { true } else { false } }

    /// Whether the driver still needs the new secret that it holds.
    var holdsSecret: Bool {
        switch expectation {
        case .form(let form): form.holdsSecret
        case .proof(_, .save): true
        default: false
        }
    }

    mutating func fill(_ form: PlainForm, _ line: String) -> [Effect] {
        var form = form
        guard line.lowercased() != "cancel" else {
            expectation = .command
            return [.say(PlainSaying.unchanged)]
        }
        let complaint = form.take(line)
        return goOn(form, complaint)
    }

    /// A secret lies in the driver's hands: the new one, or the same once more.
    mutating func secretTyped(_ form: PlainForm) -> [Effect] {
        var form = form
        guard form.step == .secret else { return [.compareTyped] }
        form.typed()
        expectation = .form(form)
        return [.holdTyped]
    }

    mutating func compared(isSame: Bool) -> [Effect] {
        guard case .form(var form) = expectation else { return [] }
        let complaint = form.compared(isSame: isSame)
        return goOn(form, complaint)
    }

    private mutating func goOn(_ form: PlainForm, _ complaint: String?) -> [Effect] {
        expectation = .form(form)
        if let complaint { return [.say(complaint)] }
        guard form.isComplete else { return [] }
        (expectation, saving) = (.command, form)
        return form.draft.map { [.save($0, typed: nil)] } ?? [.say(PlainSaying.unchanged)]
    }

    /// An item was added, or changed.
    mutating func saved(_ draft: Draft, _ words: String) -> [Effect] {
        saving = nil
        let done = draft.target == nil ? localized("Added.") : localized("Changed.")
        return [.say([done, words].filter { !$0.isEmpty }.joined(separator: " ")), .list]
    }

    /// A saving was refused: the same is asked again, and what was typed is offered.
    ///
    /// - Parameter error: what the daemon said.
    mutating func refuseSaving(_ error: TresorError) -> [Effect] {
        wanted = nil
        guard let form = saving, error.code != .notFound else {
            saving = nil
            return [.say(error.sentence)]
        }
        (expectation, saving) = (.form(form.askedAgain), nil)
        let kept = localized("Nothing was saved. An empty line keeps each of your answers; cancel ends this.")
        return [.say(error.sentence + " " + kept)]
    }

    // MARK: Over a lock

    /// Nothing of any item remains here; what was typed into a form goes into the driver's locked memory.
    mutating func forgetAll() -> [Effect] {
        var form: PlainForm?
        switch expectation {
        case .form(let open): form = open
        case .proof(_, .save): form = saving
        default: break
        }
        let waits = waiting == .held || form != nil
        self = PlainBrowser()
        if waits { waiting = .held }
        return form.map { [.holdForm($0.held)] } ?? []
    }

    /// Once the items are known, asks for the form.
    mutating func followForm() -> [Effect] {
        guard waiting == .held, case .command = expectation else { return [] }
        waiting = .none
        return [.giveForm]
    }

    mutating func reopen(_ held: HeldForm) -> [Effect] {
        let record = held.reference.flatMap { reference in listing?.records.first { $0.reference == reference } }
        guard held.target == nil || record != nil else {
            return [.say(localized("The item that was being changed is gone, and what was typed for it."))]
        }
        expectation = .form(PlainForm(held, of: record))
        let name = record.map { SafeText.line($0.label) } ?? localized("A new item")
        return [.say(localized("\(name), where the lock has interrupted it; cancel ends it, and changes nothing."))]
    }

    /// Whether something that was typed would end with the program.
    var losesForm: Bool { waiting == .held || isInForm }

    /// What is known of the listed items anew; their numbers stay.
    mutating func refresh(_ listing: Listing) {
        let fresh = Dictionary(listing.records.map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
        records = records.map { fresh[$0.reference] ?? $0 }
        opened = opened.map { fresh[$0.reference] ?? $0 }
    }
}
