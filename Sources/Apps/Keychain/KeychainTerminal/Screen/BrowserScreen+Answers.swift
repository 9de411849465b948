import Certificates
import TerminalScreen
import Tresor

/// What the daemon says, what time brings, and what must vanish then.
extension BrowserScreen {
    mutating func accept(_ new: Listing) -> [Effect] {
        let selected = list.indices.contains(row) ? list[row] : nil
        listing = new
        if case .own = choice, !KeychainChoice.choices(new).contains(choice) { choice = .all }
        if case .record(let record) = selected,
            let index = list.firstIndex(where: { $0.isRecord(record.reference) })
        {
            row = index
        }
        row = min(row, max(0, list.count - 1))
        if new.damaged > 0 && message.isEmpty {
            message = "\(new.damaged) damaged items are kept; tresor status names them."
        }
        return []
    }

    mutating func accept(_ new: Listing, of keychain: SystemKeychain) -> [Effect] {
        // Another may have been chosen meanwhile.
        guard choice == .system(keychain) else { return [] }
        systemListing = new
        row = min(row, max(0, list.count - 1))
        if message.isEmpty { message = new.note }
        return []
    }

    mutating func enter(_ state: LockState) -> [Effect] {
        isDisconnected = false
        let wiped = state == .unlocked && lockState == .unlocked ? [] : wipe()
        lockState = state
        return wiped + [.list]
    }

    /// The device was locked: nothing of any item remains, in the state or on the terminal.
    mutating func wipe() -> [Effect] {
        let effects = hide()
        let clipboard: [Effect] = copied == nil ? [] : [.clearClipboard]
        (listing, dialog, copied, page, message) = (nil, nil, nil, .list, "")
        search = ""
        row = 0
        // The owner gave it its name; what belongs to no user stays.
        if case .own = choice { choice = .all }
        if lockState == .unlocked { lockState = .locked }
        return (effects.isEmpty ? [.forgetSecret, .clear] : effects) + clipboard
    }

    mutating func loseConnection() -> [Effect] {
        guard !isDisconnected else { return [] }
        let effects = wipe()
        isDisconnected = true
        lockState = nil
        return effects
    }

    /// Does what is due.
    mutating func passTime() -> [Effect] {
        var effects: [Effect] = []
        if case .secret(let shown) = page, shown.until <= now.uptime {
            effects += hide()
            message = "The secret is hidden again."
        }
        if let copied, copied.due <= now.uptime { effects += clearClipboard() }
        return effects
    }

    // MARK: Secrets

    /// Asks for the secret of a record.
    mutating func read(_ record: Record, _ purpose: Reading.Purpose) -> [Effect] {
        guard let reference = record.secretReference else {
            message = "A certificate has no secret; tresor keychain get prints its bytes."
            return []
        }
        let isFromDetails = if case .details = page { true } else { false }
        wanted = (record: record, isFromDetails: isFromDetails)
        return [.read(Reading(reference: reference, purpose: purpose), typed: nil)]
    }

    mutating func show(_ reading: Reading) -> [Effect] {
        // A lock may have come between the question and its answer.
        guard let wanted, wanted.record.secretReference == reading.reference else { return [.forgetSecret] }
        self.wanted = nil
        page = .secret(
            Shown(
                record: wanted.record, until: now.uptime + Self.showingTime, isFromDetails: wanted.isFromDetails))
        return [.clear, .measure]
    }

    mutating func measured(_ rows: Int) -> [Effect] {
        guard case .secret(var shown) = page else { return [] }
        shown.rows = rows
        shown.top = min(shown.top, max(0, rows - secretHeight))
        page = .secret(shown)
        return []
    }

    mutating func accept(_ way: ClipboardWay) -> [Effect] {
        wanted = nil
        copied = (due: now.uptime + Self.copyTime, way: way)
        message =
            switch way {
            case .desktop: "Copied. The clipboard is cleared in 45 s or when you quit; a history of it is not."
            case .terminal:
                "Handed to the terminal, which may not take it. In 45 s it is asked to forget; tmux keeps its buffers."
            }
        return []
    }

    mutating func refuse(_ reason: CopyRefusal) -> [Effect] {
        wanted = nil
        message =
            switch reason {
            case .isNoText: "Not copied: this secret is no text. tresor keychain get prints its bytes."
            case .isTooLong: "Not copied: it is too long for a clipboard. tresor keychain get prints it."
            case .isEmpty: "Not copied: the secret is empty."
            case .failed: "Not copied: the clipboard's program could not be started."
            }
        return []
    }

    mutating func clearClipboard() -> [Effect] {
        guard let copied else { return [] }
        self.copied = nil
        message =
            switch copied.way {
            case .desktop: "The clipboard is cleared."
            case .terminal: "The terminal was asked to forget it; whether it did cannot be known."
            }
        return [.clearClipboard]
    }

    // MARK: The passcode, and an item's own password

    mutating func sendPasscode() -> [Effect] {
        guard case .proof(let proof, let reading) = dialog else { return [] }
        dialog = nil
        message = ""
        return [.read(reading, typed: proof)]
    }

    mutating func cancelPasscode() -> [Effect] {
        guard wantsPasscode else { return [] }
        dialog = nil
        wanted = nil
        message = "Cancelled."
        return []
    }

    // MARK: Refusals

    mutating func refuse(_ error: TresorError, _ effect: Effect) -> [Effect] {
        message = Self.sentence(error)
        switch (effect, error.code) {
        case (.read(let reading, let typed), .presenceRequired),
            (.read(let reading, let typed), .authenticationFailed):
            askAgain(error, reading, typed)
        case (.read, .notFound), (.remove, .notFound): return leave() + [.list]
        case (.read, .locked), (.remove, _):
            wanted = nil
            return [.list]
        case (.list, _): listing = listing ?? Listing()
        default: wanted = nil
        }
        return []
    }

    /// Asks for what is missing or was wrong; says it in words where nothing that is typed would help.
    private mutating func askAgain(_ error: TresorError, _ reading: Reading, _ typed: TypedProof?) {
        guard wanted?.record.demandsFinger != true else {
            wanted = nil
            message = "This item demands a finger, which is not asked for here: tresor keychain get does."
            return
        }
        guard let proof = Self.proof(error, typed) else {
            wanted = nil
            return
        }
        // A wrong try stands above the prompt; that something is asked for, the prompt says itself.
        if error.code == .presenceRequired { message = "" }
        dialog = .proof(proof, reading)
    }

    /// What has to be typed next; nil where it was given, and did not do.
    ///
    /// By the cause: an item's own password and the device's passcode are asked for by errors of one code, and the one
    /// typed for the other would count as a wrong try.
    private static func proof(_ error: TresorError, _ typed: TypedProof?) -> TypedProof? {
        if error.cause == Keychain.passwordDemanded || error.cause == Keychain.passwordRefused { return .itemPassword }
        guard error.code == .presenceRequired else { return typed }
        return typed == .passcode ? nil : .passcode
    }

    /// What went wrong, and how long the next try has to wait.
    private static func sentence(_ error: TresorError) -> String {
        let message = error.message.prefix(1).uppercased() + error.message.dropFirst() + "."
        guard let wait = error.retryAfter else { return message }
        let seconds = Int((wait / .seconds(1)).rounded(.up))
        return message + (seconds < 120 ? " Wait \(seconds) s." : " Wait \((seconds + 59) / 60) min.")
    }
}

extension BrowserScreen.Row {
    func isRecord(_ reference: PersistentReference) -> Bool {
        if case .record(let record) = self { record.reference == reference } else { false }
    }
}
