import Certificates
import TerminalScreen
import Tresor

/// What the daemon says, what time brings, and what must vanish then.
extension BrowserScreen {
    mutating func accept(_ new: Listing) -> [Effect] {
        records.accept(new)
        if new.damaged > 0 && message.isEmpty {
            message = "\(new.damaged) damaged items are kept; tresor status names them."
        }
        return []
    }

    mutating func accept(_ new: Listing, of keychain: SystemKeychain) -> [Effect] {
        if records.accept(new, of: keychain), message.isEmpty { message = new.note }
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
        records.wipe()
        (dialog, copied, page, message) = (nil, nil, .list, "")
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
        shown.top = ScrolledRows(rows, height: secretHeight).top(shown.top)
        page = .secret(shown)
        return []
    }

    mutating func accept(_ way: ClipboardWay) -> [Effect] {
        wanted = nil
        let copied = CopiedSecret(way, at: now.uptime)
        (self.copied, message) = (copied, copied.words)
        return []
    }

    mutating func refuse(_ reason: CopyRefusal) -> [Effect] {
        (wanted, message) = (nil, reason.words)
        return []
    }

    mutating func clearClipboard() -> [Effect] {
        guard let copied else { return [] }
        (self.copied, message) = (nil, copied.clearedWords)
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
        message = error.sentence
        switch (effect, error.code) {
        case (.read(let reading, let typed), .presenceRequired),
            (.read(let reading, let typed), .authenticationFailed):
            askAgain(error, reading, typed)
        case (.read, .notFound), (.remove, .notFound): return leave() + [.list]
        case (.read, .locked), (.remove, _):
            wanted = nil
            return [.list]
        case (.list, _): records.acceptNothing()
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
        guard let proof = TypedProof.next(after: error, typed) else {
            wanted = nil
            return
        }
        // A wrong try stands above the prompt; that something is asked for, the prompt says itself.
        if error.code == .presenceRequired { message = "" }
        dialog = .proof(proof, reading)
    }
}
