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
            let words = try NewPassword.make(for: draft, into: &newSecret)
            let secret = try NewPassword.copy(for: draft, of: newSecret)
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
}
