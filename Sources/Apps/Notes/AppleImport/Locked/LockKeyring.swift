import Envelopes
import KeyEnvelopes
import Secrets

/// The keys that passphrases gave, for as long as the import runs.
///
/// Only keys are kept, in locked memory; a passphrase is gone when ``unlock(_:with:)`` returns.
final class LockKeyring {
    /// What became of a sealed object.
    enum Outcome {
        case opened([UInt8])
        /// No passphrase has given its key.
        case closed
        /// The key does not open it: it was locked with an earlier passphrase, or it is damaged.
        case wrongKey
        /// It opens with no key that its own key could be.
        case damaged
        /// No locked memory was left.
        case noMemory
    }

    /// A class, since a dictionary takes no value that cannot be copied.
    private final class Key {
        let secret: SecretBytes
        init(_ secret: consuming SecretBytes) { self.secret = secret }
    }

    private var keys: [LockParameters: [Key]] = [:]
    /// For which a passphrase was given that opens nothing.
    private var refused: Set<LockParameters> = []
    private static let mostKeys = 8

    /// Derives the key and keeps it if it unwraps one of `wrappedKeys`.
    func unlock(
        _ parameters: LockParameters, with passphrase: borrowing SecretBytes, proofs wrappedKeys: [[UInt8]]
    ) throws(EnvelopeError) -> Bool {
        let key = Key(try Self.derive(parameters, passphrase))
        for wrapped in wrappedKeys where try Self.unwraps(wrapped, key) {
            keys[parameters] = [key]
            refused.remove(parameters)
            return true
        }
        refused.insert(parameters)
        return false
    }

    /// Whether a passphrase was given for one of these, and none of their notes' keys opened with it.
    func hasRefused(_ candidates: [SealedObject]) -> Bool {
        candidates.contains { $0.parameters.map(refused.contains) ?? false }
    }

    /// Derives a key that nothing proves, for attachments whose salt is not their note's.
    func add(_ parameters: LockParameters, from passphrase: borrowing SecretBytes) throws(EnvelopeError) {
        let key = Key(try Self.derive(parameters, passphrase))
        keys[parameters] = [key] + (keys[parameters] ?? []).prefix(Self.mostKeys - 1)
    }

    /// Opens the first of `candidates` that opens: a row's own settings, then those of a pending record.
    ///
    /// - Parameter note: the parameters of the note that the object belongs to, for objects that name none.
    func open(_ candidates: [SealedObject], note: LockParameters? = nil) -> Outcome {
        var outcome = Outcome.closed
        for candidate in candidates {
            guard let parameters = candidate.parameters ?? note else { continue }
            for key in keys[parameters] ?? [] {
                outcome = Self.open(candidate, key)
                if case .opened = outcome { return outcome }
            }
        }
        return outcome
    }

    private static func open(_ sealed: SealedObject, _ key: Key) -> Outcome {
        let own: SecretBytes
        do { own = try AppleNoteEnvelope.unwrap(sealed.wrappedKey, under: key.secret) } catch {
            return error == .memory ? .noMemory : .wrongKey
        }
        do {
            return .opened(
                try AppleNoteEnvelope.open(
                    sealed.ciphertext, iv: sealed.iv, tag: sealed.tag, under: own, binding: sealed.binding))
        } catch { return error == .memory ? .noMemory : .damaged }
    }

    private static func unwraps(_ wrapped: [UInt8], _ key: Key) throws(EnvelopeError) -> Bool {
        do {
            _ = try AppleNoteEnvelope.unwrap(wrapped, under: key.secret)
            return true
        } catch EnvelopeError.memory { throw .memory } catch { return false }
    }

    private static func derive(
        _ parameters: LockParameters, _ passphrase: borrowing SecretBytes
    ) throws(EnvelopeError) -> SecretBytes {
        try AppleNoteEnvelope.deriveKey(
            from: passphrase, salt: parameters.salt, rounds: parameters.rounds, byteCount: parameters.keyCount)
    }
}
