import Localization
import TerminalScreen
import Tresor

/// What a lock does to a form that is open, and the unlock.
enum FormOverLock {
    /// The device was locked: what was typed goes into the driver's locked memory, and a secret is wiped.
    static func hold(_ screen: inout BrowserScreen) -> [Effect] {
        guard case .form(let form) = screen.page else { return [] }
        guard form.isTouched else { return [.forgetTyped] }
        screen.waiting = .held
        return [.forgetTyped, .holdForm(form.held)]
    }

    /// Once the device is unlocked and its items are known, asks for the form, or says that there is none any more.
    static func follow(_ screen: inout BrowserScreen) -> [Effect] {
        guard screen.waiting != .none, screen.lockState == .unlocked, screen.page == .list, screen.dialog == nil,
            screen.records.isComplete
        else { return [] }
        defer { screen.waiting = .none }
        if screen.waiting == .held { return [.giveForm] }
        screen.message = localized("The form that was open could not be kept over the lock. Nothing was changed.")
        return []
    }

    static func reopen(_ held: HeldForm, in screen: inout BrowserScreen) -> [Effect] {
        let record = held.reference.flatMap { screen.records.ownRecord($0) }
        guard held.target == nil || record != nil else {
            screen.message = localized("The item that was being changed is gone, and what was typed for it.")
            return []
        }
        screen.page = .form(ItemForm(held, of: record))
        screen.message = localized(
            "The form as the lock found it; nothing of it is saved yet, and a secret is typed anew.")
        return []
    }

    /// Whether something that was typed would end with the program.
    static func isLost(with screen: BrowserScreen) -> Bool {
        if case .form(let form) = screen.page { return form.isTouched }
        return screen.waiting == .held
    }

    /// The answer to whether a form that waits may end with the program.
    static func press(_ key: Key, quitting screen: inout BrowserScreen) -> [Effect] {
        switch key {
        case .text("y"), .text("Y"):
            (screen.dialog, screen.waiting) = (nil, .none)
            return [.forgetForm] + screen.quit()
        case .text("n"), .text("N"), .escape, .control("c"): screen.dialog = nil
        default: break
        }
        return []
    }
}
