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
        dialog = .secret(SecretPrompt(purpose: purpose, isOlder: wantsOlder(purpose)))
        secretLength = 0
    }

    /// Whether it is about a note that an older passphrase alone opens.
    private func wantsOlder(_ purpose: SecretPrompt.Purpose) -> Bool {
        guard case .passphrase(let ask) = purpose else { return false }
        switch ask.request {
        case .unlock(let id?), .removeLock(let id): return panes.summary(of: id)?.hasOlderPassphrase == true
        default: return false
        }
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
        case .passphrase(let ask): return open(ask)
        }
    }

    private mutating func open(_ ask: Ask) -> [Effect] {
        dialog = nil
        message = ""
        return [.ask(ask)]
    }

    mutating func cancelSecret() -> [Effect] {
        if case .form = dialog {
            (dialog, message, secretLength) = (nil, ScreenWords.cancelled, 0)
            return []
        }
        guard case .secret(let prompt) = dialog else { return [] }
        secretLength = 0
        if prompt.purpose == .passcode { return leaveLockScreen() }
        if waitsForFinger {
            setFinger(.offered)
            return []
        }
        dialog = nil
        message = ScreenWords.cancelled
        return onlyNote != nil && editor == nil ? quit() : []
    }

    // MARK: A finger

    /// Whether it is to be found out if a finger does in place of the passphrase that is asked for.
    var asksAboutFinger: Bool {
        guard case .secret(let prompt) = dialog, case .passphrase = prompt.purpose else { return false }
        // A finger has the passphrase in force.
        return prompt.finger == .unknown && !prompt.isOlder
    }

    /// Whether the reader shall wait for one.
    var waitsForFinger: Bool {
        guard case .secret(let prompt) = dialog else { return false }
        return prompt.finger == .awaited
    }

    mutating func setFinger(_ finger: SecretPrompt.Finger) {
        guard case .secret(var prompt) = dialog else { return }
        prompt.finger = finger
        dialog = .secret(prompt)
    }

    /// Enter alone waits for a finger where one does, and is an empty secret where none does.
    mutating func enterNothing() -> [Effect] {
        guard case .secret(let prompt) = dialog else { return sendSecret() }
        switch prompt.finger {
        case .offered:
            message = ""
            setFinger(.awaited)
            return [.show, .waitForFinger]
        case .awaited: return []
        case .unknown, .none: return sendSecret()
        }
    }

    /// The driver holds the passphrase that a finger opened.
    mutating func fingerCame() -> [Effect] {
        guard waitsForFinger, case .secret(let prompt) = dialog, case .passphrase(let ask) = prompt.purpose else {
            return []
        }
        secretLength = 0
        return open(ask)
    }

    /// The prompt stays, and what is typed there counts.
    mutating func fingerFailed(_ reason: String) -> [Effect] {
        guard waitsForFinger else { return [] }
        setFinger(.offered)
        message = reason
        return []
    }

    // MARK: The device

    /// The lock screen asks for the passcode, and for nothing else: letters that are typed there are its own.
    mutating func askForPasscode() { if isDeviceLocked, !isDaemonGone, dialog == nil { prompt(.passcode) } }

    /// One key may be a slip, and the letters behind it would go to the shell.
    mutating func leaveLockScreen() -> [Effect] {
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
