import NotesClient
import TerminalScreen
import Tresor

/// Prompts for secrets: the device's passcode, and the passphrase of locked notes.
///
/// What is typed there goes from the terminal to the driver, and never comes here; here is how long it is.
extension NotesScreen {
    /// Asks at once while a session is open, else after the passphrase.
    mutating func askInSession(_ request: NotesRequest) -> [Effect] {
        if session.isOpen { return [.ask(Ask(request))] }
        askForSecret(request)
        return []
    }

    mutating func askForSecret(_ request: NotesRequest) { prompt(.passphrase(Ask(request, needsSecret: true))) }

    /// From here on keys belong to this secret, until it is entered or cancelled.
    mutating func prompt(_ purpose: SecretPrompt.Purpose) {
        dialog = .secret(SecretPrompt(purpose: purpose))
        secretLength = 0
    }

    mutating func showDots(_ count: Int) -> [Effect] {
        if wantsSecret { secretLength = count }
        return []
    }

    mutating func sendSecret() -> [Effect] {
        if case .form(let form, _) = dialog {
            (secretLength, message) = (0, "")
            return enter(form)
        }
        guard case .secret(let prompt) = dialog else { return [] }
        secretLength = 0
        switch prompt.purpose {
        case .passcode:
            leavesLockScreen = false
            message = ScreenWords.unlocking
            return [.show, .unlockDevice]
        case .passphrase(let ask):
            dialog = nil
            message = ""
            return [.ask(ask)]
        }
    }

    mutating func cancelSecret() -> [Effect] {
        if case .form = dialog {
            (dialog, message, secretLength) = (nil, ScreenWords.cancelled, 0)
            return []
        }
        guard case .secret(let prompt) = dialog else { return [] }
        secretLength = 0
        if prompt.purpose == .passcode { return leaveLockScreen() }
        dialog = nil
        message = ScreenWords.cancelled
        return onlyNote != nil && editor == nil ? quit() : []
    }

    // MARK: The device

    /// The lock screen asks for the passcode, and for nothing else: letters that are typed there are its own.
    mutating func askForPasscode() { if isDeviceLocked, dialog == nil { prompt(.passcode) } }

    /// One key may be a slip, and the letters behind it would go to the shell.
    private mutating func leaveLockScreen() -> [Effect] {
        guard leavesLockScreen else {
            leavesLockScreen = true
            message = ScreenWords.leavesNextTime
            return []
        }
        leavesLockScreen = false
        message = ""
        return quit()
    }

    mutating func refuse(_ refusal: DeviceUnlock.Refusal) -> [Effect] {
        if isDeviceLocked { message = ScreenWords.refusal(refusal) }
        return []
    }
}
