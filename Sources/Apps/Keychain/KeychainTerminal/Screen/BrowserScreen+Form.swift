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
        let former = form
        var form = form
        let outcome = form.press(key)
        page = .form(form)
        switch outcome {
        case .stays: return form == former ? Help.tellDead(key, in: &self) : []
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

    /// The answer to whether a form may be left.
    mutating func press(leaving key: Key) {
        switch key {
        case .text("y"), .text("Y"): (dialog, page, message) = (nil, .list, localized("Nothing was changed."))
        case .text("n"), .text("N"), .escape, .control("c"): dialog = nil
        default: break
        }
    }
}
