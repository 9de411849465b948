import Envelopes
import FoundationEssentials
import Linux
import Localization
public import Secrets

/// What is stored of a password: a salted, memory-hard hash (scrypt, RFC 7914), and never the password.
///
/// An app that asks for a password of its own keeps this in the keychain, with class ``ProtectionClass/whenUnlocked``.
/// It answers *who reads the stored value tries passwords*: each try costs them 64 MiB and a quarter of a second, and
/// equal passwords have different hashes. It does not make a bad password good.
///
///     let hash = try PasswordHash.make(for: password)
///     try await keychain.add(…, secret: SecretBytes(copying: hash.description.utf8.span.bytes))
///     …
///     guard let key = try hash.open(typed) else { throw WrongPassword() }
///
/// The book's section 7.4.2, where the hash is one SHA-256: see ``InsecurePasswordHash``.
public struct PasswordHash: Sendable, Equatable, CustomStringConvertible {
    private let logRounds: UInt8
    private let parallelism: UInt8
    private let salt: [UInt8]
    private let verifier: [UInt8]

    /// What new hashes cost: N = 2¹⁶, r = 8, p = 2 (OWASP Password Storage Cheat Sheet).
    private static let cost = (logRounds: UInt8(16), parallelism: UInt8(2))

    /// Hashes a password with a fresh random salt.
    ///
    /// - Parameter password: its bytes, of any length above 0; a text's are its UTF-8.
    /// - Returns: what to store.
    /// - Throws: ``TresorError`` with code `invalidParameter` for an empty password, `outOfMemory` where none is left.
    public static func make(for password: borrowing SecretBytes) throws -> PasswordHash {
        try makeWithKey(for: password).takeHash()
    }

    /// The same, and a key that follows from the password: what is sealed under it opens by the password alone.
    ///
    /// - Returns: what to store, and 32 bytes that are stored nowhere.
    public static func makeWithKey(for password: borrowing SecretBytes) throws -> KeyedPasswordHash {
        guard password.count > 0 else {
            throw TresorError(.invalidParameter, localized("a password has at least one character"))
        }
        let salt = Random.bytes(count: PasswordStretch.saltByteCount)
        let stretch = try stretched(password, salt, cost.logRounds, cost.parallelism)
        let hash = PasswordHash(
            logRounds: cost.logRounds, parallelism: cost.parallelism, salt: salt, verifier: stretch.verifier)
        return KeyedPasswordHash(hash: hash, key: stretch.takeKey())
    }

    /// Whether this is the password.
    ///
    /// Compares in constant time; count and delay tries yourself.
    ///
    /// - Throws: ``TresorError`` with code `outOfMemory`.
    public func matches(_ password: borrowing SecretBytes) throws -> Bool { try open(password) != nil }

    /// The key that ``makeWithKey(for:)`` gave for this password.
    ///
    /// - Returns: 32 bytes; nil for another password.
    /// - Throws: ``TresorError`` with code `outOfMemory`.
    public func open(_ password: borrowing SecretBytes) throws -> SecretBytes? {
        let stretch = try Self.stretched(password, salt, logRounds, parallelism)
        guard constantTimeEquals(stretch.verifier, verifier) else { return nil }
        return stretch.takeKey()
    }

    /// Whether it costs less than new ones: to be replaced when the password is at hand.
    public var needsUpgrade: Bool { (logRounds, parallelism) < Self.cost }

    private static func stretched(
        _ password: borrowing SecretBytes, _ salt: [UInt8], _ logRounds: UInt8, _ parallelism: UInt8
    ) throws -> PasswordStretch {
        do {
            return try PasswordStretch.make(password, salt: salt, logRounds: logRounds, parallelism: parallelism)
        } catch { throw TresorError(.outOfMemory, localized("no memory is left to hash a password")) }
    }
}

/// A hash to store, and the key that goes with it.
public struct KeyedPasswordHash: ~Copyable {
    /// What is stored.
    public let hash: PasswordHash
    /// 32 bytes, which are not.
    public let key: SecretBytes

    consuming func takeHash() -> PasswordHash { hash }
}

// The stored text: `$scrypt$ln=16,r=8,p=2$salt$hash`, both in unpadded Base64; see specs/password-hash.md.
extension PasswordHash {
    /// What is stored.
    public var description: String {
        "$scrypt$ln=\(logRounds),r=8,p=\(parallelism)$\(Self.base64(salt))$\(Self.base64(verifier))"
    }

    /// Reads what was stored; nil for anything that ``description`` would not write.
    public init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt", let cost = Self.cost(parts[2]),
            let salt = Self.bytes(parts[3]), salt.count == PasswordStretch.saltByteCount,
            let verifier = Self.bytes(parts[4]), verifier.count == 32
        else { return nil }
        (logRounds, parallelism) = cost
        self.salt = salt
        self.verifier = verifier
        // One text for one hash: leading zeros, other orders and stray bits are refused.
        guard description == text else { return nil }
    }

    private static func cost(_ text: Substring) -> (UInt8, UInt8)? {
        let fields = text.split(separator: ",")
        guard fields.count == 3, fields[0].hasPrefix("ln="), fields[1] == "r=8", fields[2].hasPrefix("p="),
            let logRounds = UInt8(fields[0].dropFirst(3)), PasswordStretch.logRoundsRange.contains(logRounds),
            let parallelism = UInt8(fields[2].dropFirst(2)), PasswordStretch.parallelismRange.contains(parallelism)
        else { return nil }
        return (logRounds, parallelism)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: String(text) + padding).map { Array($0) }
    }
}
