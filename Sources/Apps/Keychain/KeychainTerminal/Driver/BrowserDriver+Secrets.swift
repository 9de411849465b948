import FoundationEssentials
import Secrets
import TerminalScreen
import Tresor
import Wire

/// What the driver does with secrets: it reads them, shows them, copies them, takes them in and makes them.
extension BrowserDriver {
    // MARK: Reading

    /// What was typed or is to be touched for a request; what was typed is used up.
    private func proofs(_ proof: TypedProof?) -> KeychainLink.Proofs {
        let given = typed.take()
        switch proof {
        case .passcode: return KeychainLink.Proofs(passcode: given, itemPassword: nil)
        case .itemPassword: return KeychainLink.Proofs(passcode: nil, itemPassword: given)
        case .finger: return KeychainLink.Proofs(passcode: nil, itemPassword: nil, finger: true)
        case .passcodeAndFinger: return KeychainLink.Proofs(passcode: given, itemPassword: nil, finger: true)
        case nil: return KeychainLink.Proofs(passcode: nil, itemPassword: nil)
        }
    }

    func read(_ reading: Reading, _ proof: TypedProof?) throws(TresorError) -> Input {
        let secret = try link.read(reading.reference, proofs(proof))
        switch reading.purpose {
        case .show, .copy, .showSquare:
            // It is no use to anybody but to who makes codes for ever.
            guard !secret.withBytes({ CodeSeed.isAddress($0) }) else { return .isSeed(reading) }
            if case .showSquare(let network) = reading.purpose {
                return .squareHeld(reading, side: try holdSquare(secret, network))
            }
            guard reading.purpose == .show else { return copy(secret) }
            shownSecret = consume secret
            return .secretHeld(reading)
        case .showCode, .copyCode:
            let date = Date()
            let code = try OneTimeCode(secret, at: date)
            guard reading.purpose == .showCode else { return copy(code.digits) }
            do { shownCode = try code.digits.copy() } catch { throw .noLockedMemory }
            writtenCode = nil
            let left = max(0, code.end.timeIntervalSince(date))
            return .codeHeld(reading, until: now.uptime + UInt64((left * 1000).rounded(.up)))
        }
    }

    // MARK: What is typed

    func take(_ effect: Effect) -> [Effect] {
        switch effect {
        case .unlock: return unlock()
        case .holdTyped: newSecret = typed.take()
        case .compareTyped: return screen.handle(.typedTwice(isSame: isSame()), at: now)
        default: newSecret = nil
        }
        return []
    }

    private func isSame() -> Bool {
        guard let again = typed.take() else { return false }
        switch newSecret {
        case .some(let first): return first.equals(again)
        case .none: return false
        }
    }

    private func unlock() -> [Effect] {
        guard let passcode = typed.take() else { return [] }
        do throws(TresorError) {
            try link.unlock(passcode)
            return screen.handle(.unlocked, at: now)
        } catch { return screen.handle(.notUnlocked(error, link.wrongTries()), at: now) }
    }

    // MARK: A form over a lock

    func keep(_ effect: Effect) -> [Effect] {
        switch effect {
        case .holdForm(let form):
            do { heldForm = try form.held() } catch { return screen.handle(.formLost, at: now) }
        case .giveForm:
            guard let held = heldForm.take(), let form = try? HeldForm(held) else {
                return screen.handle(.formLost, at: now)
            }
            return screen.handle(.formGiven(form), at: now)
        default: heldForm = nil
        }
        return []
    }

    // MARK: Saving

    /// Adds or changes an item; a new secret is kept until that is done, for the owner may have to be asked.
    func save(_ draft: Draft, _ proof: TypedProof?) throws(TresorError) -> Input {
        let words = try NewPassword.make(for: draft, into: &newSecret)
        let secret = try NewPassword.copy(for: draft, of: newSecret)
        guard let target = draft.target else {
            return .saved(draft, try link.add(draft, secret: secret), words: words)
        }
        try link.change(target, draft.attributes, secret: secret, proofs(proof))
        return .saved(draft, target, words: words)
    }

    // MARK: The terminal

    func measure() -> [Effect] {
        guard let area = screen.secretArea else { return [] }
        written = nil
        let layout = SecretLayout(width: area.width)
        let rows =
            switch shownSecret {
            case .some(let secret): secret.withBytes { layout.rowCount($0) }
            case .none: 0
            }
        return screen.handle(.measured(rows: rows), at: now)
    }

    func writeSecret() throws {
        guard let area = screen.secretArea, area != written else { return }
        var output = try SecretBuffer(capacity: 4096)
        switch shownSecret {
        case .some(let secret):
            try secret.withBytes { try SecretLayout(width: area.width).draw($0, in: area, into: &output) }
        case .none: return
        }
        _ = try session.write(output)
        written = area
    }

    func writeCode() throws {
        guard let area = screen.codeArea, area != writtenCode else { return }
        var output = try SecretBuffer(capacity: 64)
        switch shownCode {
        case .some(let digits): try CodeDigits.draw(digits, in: area, into: &output)
        case .none: return
        }
        _ = try session.write(output)
        writtenCode = area
    }

    func copy(_ secret: borrowing SecretBytes) -> Input {
        guard secret.count > 0 else { return .notCopied(.isEmpty) }
        guard secret.withBytes({ SecretLayout.isText($0) }) else { return .notCopied(.isNoText) }
        do {
            if let desktop = try DesktopClipboard.find() {
                let former = loan
                loan = try desktop.lend(secret)
                former?.endBehindAnother()
                return .copied(.desktop)
            }
            guard secret.count <= TerminalClipboard.limit else { return .notCopied(.isTooLong) }
            _ = try session.write(try TerminalClipboard.sequence(copying: secret))
            return .copied(.terminal)
        } catch { return .notCopied(.failed) }
    }

    func clearClipboard() {
        if let loan {
            loan.end()
            self.loan = nil
        } else if let clearing = try? TerminalClipboard.clearing() {
            _ = try? session.write(clearing)
        }
    }
}
