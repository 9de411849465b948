import Localization
import TerminalScreen
import Tresor

/// Adding an item, and changing one.
extension BrowserScreen {
    /// Opens the form for a new item, in the keychain that is shown.
    mutating func add() -> [Effect] {
        guard lockState == .unlocked else {
            askForUnlocking()
            return []
        }
        guard !records.choice.isReadOnly else {
            message = localized("\(records.choice.title): only root changes its files.")
            return []
        }
        var keychain: String?
        if case .own(let name) = records.choice { keychain = name }
        page = .form(ItemForm(newIn: keychain))
        return []
    }

    /// Opens the form for what is there.
    mutating func edit(_ record: Record) -> [Effect] {
        guard !record.isReadOnly else {
            message = localized("\(records.choice.title): only root changes its files.")
            return []
        }
        // Two forms cannot wait.
        guard waiting != .held else {
            askForUnlocking()
            return []
        }
        page = .form(ItemForm(changing: record))
        return []
    }

    mutating func press(_ key: Key, in form: ItemForm) -> [Effect] {
        var form = form
        let outcome = form.press(key)
        page = .form(form)
        switch outcome {
        case .stays: return []
        case .isLeft:
            if form.isTouched { dialog = .leaving } else { page = .list }
            return []
        case .isDone: return save(form)
        }
    }

    private mutating func save(_ form: ItemForm) -> [Effect] {
        guard let draft = form.draft else {
            guard form.record == nil else {
                (page, message) = (.list, localized("Nothing was changed."))
                return []
            }
            message = localized("It needs a name.")
            return []
        }
        guard draft.secret == .typed else { return [.save(draft, typed: nil)] }
        dialog = .newSecret(draft, isAgain: false)
        typedCount = 0
        return []
    }

    /// An item was added, or changed.
    mutating func accept(_ draft: Draft, _ reference: PersistentReference, _ words: String) -> [Effect] {
        let effects = leave()
        message = [draft.target == nil ? localized("Added.") : localized("Changed."), words].filter { !$0.isEmpty }
            .joined(separator: " ")
        saved = reference
        if draft.target == nil { records.find("") }
        return effects + [.forgetTyped, .list]
    }

    // MARK: Over a lock

    /// The device was locked: what was typed goes into the driver's locked memory, and a secret is wiped.
    mutating func holdForm() -> [Effect] {
        guard case .form(let form) = page else { return [] }
        guard form.isTouched else { return [.forgetTyped] }
        waiting = .held
        return [.forgetTyped, .holdForm(form.held)]
    }

    /// Once the device is unlocked and its items are known, asks for the form, or says that there is none any more.
    mutating func followForm() -> [Effect] {
        guard waiting != .none, lockState == .unlocked, page == .list, dialog == nil, records.isComplete else {
            return []
        }
        defer { waiting = .none }
        if waiting == .held { return [.giveForm] }
        message = localized("The form that was open could not be kept over the lock. Nothing was changed.")
        return []
    }

    mutating func reopen(_ held: HeldForm) -> [Effect] {
        let record = held.reference.flatMap { records.ownRecord($0) }
        guard held.target == nil || record != nil else {
            message = localized("The item that was being changed is gone, and what was typed for it.")
            return []
        }
        page = .form(ItemForm(held, of: record))
        message = localized("The form as the lock found it; nothing of it is saved yet, and a secret is typed anew.")
        return []
    }

    /// Whether something that was typed would end with the program.
    var losesForm: Bool {
        if case .form(let form) = page { return form.isTouched }
        return waiting == .held
    }

    /// The answer to whether a form that waits may end with the program.
    mutating func press(quitting key: Key) -> [Effect] {
        switch key {
        case .text("y"), .text("Y"):
            (dialog, waiting) = (nil, .none)
            return [.forgetForm] + quit()
        case .text("n"), .text("N"), .escape, .control("c"): dialog = nil
        default: break
        }
        return []
    }

    /// The answer to whether a form may be left.
    mutating func press(leaving key: Key) {
        switch key {
        case .text("y"), .text("Y"): (dialog, page, message) = (nil, .list, localized("Nothing was changed."))
        case .text("n"), .text("N"), .escape, .control("c"): dialog = nil
        default: break
        }
    }
}
