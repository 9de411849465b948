import Certificates
import Localization
import TerminalScreen
import Tresor

/// What the daemon says, what time brings, and what must vanish then.
extension BrowserScreen {
    mutating func accept(_ new: Listing) -> [Effect] {
        records.accept(new)
        if let saved, !new.isPartial {
            records.select(saved)
            self.saved = nil
        }
        if new.damaged > 0 && message.isEmpty {
            message = localized("\(new.damaged) damaged items are kept; tresor status names them.")
        }
        return []
    }

    mutating func accept(_ new: Listing, of keychain: SystemKeychain) -> [Effect] {
        if records.accept(new, of: keychain), message.isEmpty { message = new.note }
        return []
    }

    mutating func enter(_ state: LockState) -> [Effect] {
        absence = nil
        let wiped = state == .unlocked && lockState == .unlocked ? [] : wipe()
        lockState = state
        if state == .unlocked { closeUnlocking() } else { askForUnlocking() }
        return wiped + [.list]
    }

    /// The device was locked: nothing of any item remains, in the state or on the terminal.
    mutating func wipe() -> [Effect] {
        let effects = hide()
        let clipboard: [Effect] = copied == nil ? [] : [.clearClipboard]
        records.wipe()
        let form = FormOverLock.hold(&self)
        (dialog, copied, page, message) = (nil, nil, .list, "")
        saved = nil
        if lockState == .unlocked { lockState = .locked }
        // What is typed from now on is meant for the passcode, and is no command.
        askForUnlocking()
        return (effects.isEmpty ? [.forgetSecret, .clear] : effects) + clipboard + form
    }

    /// Does what is due.
    mutating func passTime() -> [Effect] {
        var effects: [Effect] = []
        if case .secret(let shown) = page, shown.until <= now.uptime {
            effects += hide()
            message = localized("The secret is hidden again.")
        }
        if let copied, copied.due <= now.uptime { effects += clearClipboard() }
        return effects
    }

    // MARK: Secrets

    /// Asks for the secret of a record.
    mutating func read(_ record: Record, _ purpose: Reading.Purpose) -> [Effect] {
        guard let reference = record.secretReference else {
            guard record.code == nil else { return purpose == .copy ? readCode(record, .copyCode) : open(record) }
            message = localized("A certificate has no secret; tresor keychain get prints its bytes.")
            return []
        }
        wanted = (record: record, isFromDetails: page.isDetails)
        return [.read(Reading(reference: reference, purpose: purpose), typed: nil)]
    }

    /// The page of a record; codes are shown there.
    mutating func open(_ record: Record) -> [Effect] {
        if page.isDetails, let code = record.code, code.control != [] { return readCode(record, .showCode) }
        page = .details(record, top: 0)
        return []
    }

    mutating func show(_ reading: Reading) -> [Effect] {
        // A lock may have come between the question and its answer.
        guard let wanted, wanted.record.secretReference == reading.reference else { return [.forgetSecret] }
        self.wanted = nil
        page = .secret(
            ShownSecret(
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

    // MARK: Refusals

    mutating func refuse(_ error: TresorError, _ effect: Effect) -> [Effect] {
        message = error.sentence
        switch (effect, error.code) {
        case (.read(let reading, let typed), .presenceRequired),
            (.read(let reading, let typed), .authenticationFailed),
            (.read(let reading, let typed), .unavailable) where typed == .finger || typed == .passcodeAndFinger:
            return askAgain(error, .read(reading), typed)
        case (.save(let draft, let typed), .presenceRequired), (.save(let draft, let typed), .authenticationFailed),
            (.save(let draft, let typed), .unavailable) where typed == .finger || typed == .passcodeAndFinger:
            return askAgain(error, .save(draft), typed)
        case (.read(let reading, _), .notFound) where reading.purpose == .showCode: wanted = nil
        case (.read, .notFound), (.remove, .notFound): return leave() + [.list]
        case (.read, .locked), (.remove, _):
            wanted = nil
            return [.list]
        case (.save, _): return [.forgetTyped]
        case (.list, _): records.acceptNothing()
        default: wanted = nil
        }
        return []
    }
}
