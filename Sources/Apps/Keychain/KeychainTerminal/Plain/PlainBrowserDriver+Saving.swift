import PasswordMaking
import Secrets
import Tresor

/// What the driver does with a new secret: it holds it until it is saved, and makes it where it is to be made.
extension PlainBrowserDriver {
    /// One of the words that are no secret where one is typed; nil for a secret.
    func word(in secret: borrowing SecretBytes) throws -> String? {
        for word in PlainForm.secretWords {
            let bytes = try Array(word.utf8).withSpan { try SecretBytes(copying: $0) }
            if secret.equals(bytes) { return word }
        }
        return nil
    }

    /// Whether what was typed is the new secret once more.
    func isSame(_ again: consuming SecretBytes?) -> Bool {
        guard let again else { return false }
        switch newSecret {
        case .some(let first): return first.equals(again)
        case .none: return false
        }
    }

    /// Adds or changes an item; a new secret is kept until that is done, for the owner may have to be asked.
    func save(_ draft: Draft, _ typed: TypedProof?, _ given: consuming SecretBytes?) -> PlainBrowser.Input {
        var given = given
        do throws(TresorError) {
            let words = try makeSecret(for: draft)
            let secret = try heldSecret(for: draft)
            guard let target = draft.target else {
                _ = try link.add(draft, secret: secret)
                return .saved(draft, words: words)
            }
            let proofs = KeychainLink.Proofs(
                passcode: typed == .passcode ? given.take() : nil,
                itemPassword: typed == .itemPassword ? given.take() : nil)
            try link.change(target, draft.attributes, secret: secret, proofs)
            return .saved(draft, words: words)
        } catch { return .refused(error, .save(draft, typed: typed)) }
    }

    /// - Returns: what was made, never it.
    private func makeSecret(for draft: Draft) throws(TresorError) -> String {
        guard draft.secret == .made || draft.secret == .words else { return "" }
        do {
            let made = try NewPassword(draft)
            newSecret = try made.maker.make()
            return made.description
        } catch let error as PasswordMakingError {
            throw TresorError(.invalidParameter, error.description)
        } catch { throw Self.noMemory }
    }

    /// A copy of the new secret; nil where the one there stays.
    private func heldSecret(for draft: Draft) throws(TresorError) -> SecretBytes? {
        guard draft.secret != .kept else { return nil }
        do throws(SecretMemoryError) {
            switch newSecret {
            case .some(let held): return try held.copy()
            case .none: break
            }
        } catch { throw Self.noMemory }
        throw TresorError(.invalidParameter, "no secret was typed; nothing was changed")
    }

    private static var noMemory: TresorError { TresorError(.outOfMemory, "no locked memory is left", status: -108) }
}
