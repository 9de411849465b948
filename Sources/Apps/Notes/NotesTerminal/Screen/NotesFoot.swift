import NotesClient
import TerminalScreen

/// The foot of the screen: what is asked or typed there, or over the panes, and what is told besides.
///
/// Of a secret, which goes from the terminal to the driver, nothing is here but how long it is.
struct NotesFoot: Sendable {
    var dialog: NotesDialog?
    var message = ""
    /// How many characters of a secret stand in the prompt, as dots.
    private var secretLength = 0
    /// Whether the lock screen was asked to end once: the next time it does.
    private var leavesNextTime = false

    init() {}

    /// Whether the bytes that are typed belong to a secret.
    var wantsSecret: Bool { dialog?.wantsSecret == true }

    /// Whether the driver still needs the secrets that it holds.
    var holdsSecrets: Bool { if case .form = dialog { true } else { false } }

    func draw(on frame: inout Frame, _ layout: ScreenLayout) {
        if let dialog { return dialog.draw(on: &frame, message, length: secretLength, layout) }
        frame.put(message, .bold, columns: layout.columns)
    }

    // MARK: Secrets

    /// From here on keys belong to this secret, until it is entered or cancelled.
    mutating func prompt(_ purpose: SecretPrompt.Purpose, isOlder: Bool = false) {
        dialog = .secret(SecretPrompt(purpose: purpose, isOlder: isOlder))
        secretLength = 0
    }

    mutating func showDots(_ count: Int) { if wantsSecret { secretLength = count } }

    mutating func sendSecret() -> [Effect] {
        if case .form(let form, _) = dialog {
            (secretLength, message) = (0, "")
            return enter(form)
        }
        guard case .secret(let prompt) = dialog else { return [] }
        secretLength = 0
        switch prompt.purpose {
        case .passcode:
            leavesNextTime = false
            message = ScreenWords.unlocking
            return [.show, .unlockDevice]
        case .passphrase(let ask): return open(ask)
        }
    }

    private mutating func open(_ ask: Ask) -> [Effect] {
        (dialog, message) = (nil, "")
        return [.ask(ask)]
    }

    /// What follows where a secret is not given.
    enum Cancelling: Equatable, Sendable {
        case stays
        /// A passphrase is asked for no more.
        case closed
        /// The lock screen was asked to end twice.
        case leaves
    }

    mutating func cancelSecret() -> Cancelling {
        if case .form = dialog {
            (dialog, message, secretLength) = (nil, ScreenWords.cancelled, 0)
            return .stays
        }
        guard case .secret(let prompt) = dialog else { return .stays }
        secretLength = 0
        if prompt.purpose == .passcode { return leaveLockScreen() ? .leaves : .stays }
        if waitsForFinger {
            setFinger(.offered)
            return .stays
        }
        (dialog, message) = (nil, ScreenWords.cancelled)
        return .closed
    }

    /// One key may be a slip, and the letters behind it would go to the shell.
    ///
    /// - Returns: whether it was asked for before.
    mutating func leaveLockScreen() -> Bool {
        guard leavesNextTime else {
            leavesNextTime = true
            message = ScreenWords.leavesNextTime
            return false
        }
        leavesNextTime = false
        message = ""
        return true
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
    mutating func fingerFailed(_ reason: String) {
        guard waitsForFinger else { return }
        setFinger(.offered)
        message = reason
    }

    // MARK: The passphrase is set, changed or reset

    /// The first one is set at once; else it is said which of the two is meant.
    mutating func askAboutPassphrase(isSet: Bool) {
        if isSet { dialog = .passphraseMenu } else { begin(PassphraseForm(.set)) }
    }

    /// - Parameter lockedCount: how many notes stay under the present passphrase where another is set beside it.
    mutating func begin(_ form: PassphraseForm, lockedCount: Int = 0) {
        message = ScreenWords.consequence(form.kind, lockedCount: lockedCount)
        dialog = .form(form, TypedLine())
        secretLength = 0
    }

    /// A secret of the form was entered.
    private mutating func enter(_ form: PassphraseForm) -> [Effect] {
        var form = form
        let effects = form.entered()
        dialog = .form(form, TypedLine())
        return effects
    }

    mutating func compared(_ comparison: SecretComparison) {
        guard case .form(var form, _) = dialog else { return }
        message = form.compared(comparison)
        dialog = .form(form, TypedLine())
    }

    /// It was refused: where what proves it is wrong, it is asked for again.
    mutating func refuseForm(_ error: NotesError, _ request: NotesRequest) {
        guard error.code == .wrongPassphrase || error.code == .wrongPasscode else { return }
        switch request {
        case .changePassphrase: dialog = .form(PassphraseForm(.change), TypedLine())
        case .resetPassphrase: dialog = .form(PassphraseForm(.reset), TypedLine())
        default: break
        }
        if let seconds = error.retryAfter, seconds > 0 { message += " " + ScreenWords.wait(UInt64(seconds)) }
    }

    // MARK: Lines and lists

    /// A line was typed to its end.
    mutating func enter(_ prompt: LinePrompt) -> [Effect] {
        let (words, effects) = prompt.entered
        if let words { message = words }
        return effects
    }

    mutating func completed(_ typed: String, _ completion: TypedPath.Completion) {
        guard case .line(var prompt) = dialog else { return }
        prompt.complete(typed, completion)
        dialog = .line(prompt)
    }

    /// Lists something of a note, where nothing else is asked, or the same was listed before.
    mutating func pick(_ note: NoteSummary, _ rows: NotePicker.Rows) {
        switch dialog {
        case nil: dialog = .picker(NotePicker(note, rows))
        case .picker(let former) where former.note.id == note.id:
            dialog = .picker(NotePicker(note, rows, at: former.row))
        default: break
        }
    }

    /// Shows a former text of the note whose list it was chosen from.
    mutating func show(_ note: NoteSummary, version: Int, _ text: String, in view: TextView) {
        guard case .picker(let picker) = dialog, picker.note.id == note.id else { return }
        dialog = .page(TextPage(note, version: version, text, in: view))
    }

    mutating func open(_ wish: FileWish) -> [Effect] {
        message = ScreenWords.opening
        return [.show, .open(wish)]
    }

    /// - Parameter wish: nil where a file was to be attached.
    mutating func failed(_ failure: PersonsFileFailure, _ wish: FileWish?) {
        message = ScreenWords.failure(failure)
        guard failure == .exists, let wish else { return }
        (dialog, message) = (.question(.replace(wish)), "")
    }
}
