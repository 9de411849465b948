import Localization
import TerminalScreen
import Tresor

/// Adding an item and changing one, line by line.
extension PlainBrowser {
    mutating func add(_ label: String) -> [Effect] {
        expectation = .form(PlainForm(newCalled: label))
        return [.say(localized("A new item. cancel, at any place, adds none."))]
    }

    mutating func edit(_ record: Record) -> [Effect] {
        guard !record.isReadOnly else { return [.say(localized("Only root changes this one."))] }
        expectation = .form(PlainForm(changing: record))
        return [.say(localized("\(SafeText.line(record.label)). cancel, at any place, changes nothing."))]
    }

    /// Whether an item is being added or changed.
    var isInForm: Bool { if case .form = expectation { true } else { false } }

    /// Whether the driver still needs the new secret that it holds.
    var holdsSecret: Bool {
        switch expectation {
        case .form(let form): form.step == .again
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
        expectation = .command
        return form.draft.map { [.save($0, typed: nil)] } ?? [.say(PlainSaying.unchanged)]
    }

    /// An item was added, or changed.
    mutating func saved(_ draft: Draft, _ words: String) -> [Effect] {
        let done = draft.target == nil ? localized("Added.") : localized("Changed.")
        return [.say([done, words].filter { !$0.isEmpty }.joined(separator: " ")), .list]
    }

    /// What is known of the listed items anew; their numbers stay.
    mutating func refresh(_ listing: Listing) {
        let fresh = Dictionary(listing.records.map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
        records = records.map { fresh[$0.reference] ?? $0 }
        opened = opened.map { fresh[$0.reference] ?? $0 }
    }
}
