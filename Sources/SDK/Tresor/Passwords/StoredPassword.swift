public import Secrets

/// What an app stored of a password, by whichever scheme: a ``PasswordHash``, or one of the book's.
///
/// At a sign-in it says whether the password is right, and what to store in its place where better is to be had:
///
///     switch try StoredPassword(text, bookSalt: salt)?.check(typed) {
///     case .right(let replacement):
///         if let replacement { try await keychain.update(item, secret: replacement.description) }
///     case .wrong, nil: …
///     }
///
/// Source: the book, section 7.4.2; feature D2.
public enum StoredPassword: Sendable, Equatable {
    case current(PasswordHash)
    /// To be replaced at the next sign-in.
    case insecure(InsecurePasswordHash)

    /// What a typed password is to a stored one.
    public enum Verdict: Sendable, Equatable {
        case wrong
        /// `replacement` is to be stored in place of what is there; nil where that is as good as new.
        case right(replacement: PasswordHash?)
    }

    /// - Parameters:
    ///   - text: as it was stored; nil where it is of neither scheme.
    ///   - bookSalt: what the app put before the password where it hashed as the book does; empty for nothing.
    public init?(_ text: String, bookSalt: [UInt8] = []) {
        if let hash = PasswordHash(text) {
            self = .current(hash)
        } else if let hash = InsecurePasswordHash(text, salt: bookSalt) {
            self = .insecure(hash)
        } else {
            return nil
        }
    }

    /// Compares in constant time; count and delay tries yourself.
    ///
    /// - Throws: ``TresorError`` with code `outOfMemory`, or `invalidParameter` for an empty password that the book's
    ///   scheme has hashed, of which no new hash is made.
    public func check(_ password: borrowing SecretBytes) throws -> Verdict {
        let (isRight, isOutdated) =
            switch self {
            case .current(let hash): (try hash.matches(password), hash.needsUpgrade)
            case .insecure(let hash): (hash.matches(password), true)
            }
        guard isRight else { return .wrong }
        return .right(replacement: isOutdated ? try PasswordHash.make(for: password) : nil)
    }
}
