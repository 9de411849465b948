/// What a passphrase is turned into a key with: PBKDF2-HMAC-SHA256.
struct LockParameters: Sendable, Hashable {
    let format: LockGroup.Format
    let salt: [UInt8]
    let rounds: UInt32

    /// Apple uses 20,000; what asks for many more would only keep us busy.
    static let mostRounds = 10_000_000

    /// Nil for settings that no lock has; Apple leaves placeholders of zeros in rows whose lock lies elsewhere.
    init?(format: LockGroup.Format, salt: [UInt8]?, rounds: Int64?) {
        guard let salt, let rounds, (8...64).contains(salt.count), rounds > 0, rounds <= Self.mostRounds else {
            return nil
        }
        self.format = format
        self.salt = salt
        self.rounds = UInt32(rounds)
    }

    /// The length of keys of this format, in bytes.
    var keyCount: Int { format == .v1 ? 16 : 32 }

    var id: String {
        salt.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

/// Something that a passphrase opens: a note's body, an attachment's file or its values.
struct SealedObject {
    /// Nil where the object names none: it is under the key of its note then.
    var parameters: LockParameters?
    /// The object's own key under the one that the passphrase gives (RFC 3394).
    var wrappedKey: [UInt8]
    /// AES-GCM.
    var ciphertext: [UInt8]
    var iv: [UInt8]
    var tag: [UInt8]
    /// Authenticated with it.
    var binding: [UInt8] = []
    var hint: String?
}

/// The lock settings of a row, or of a record that waits to be applied to it, in format V1.
struct LockSettings {
    var parameters: LockParameters
    var wrappedKey: [UInt8]
    var iv: [UInt8]
    var tag: [UInt8]
    var hint: String?

    func seal(_ ciphertext: [UInt8], iv: [UInt8]? = nil, tag: [UInt8]? = nil) -> SealedObject {
        SealedObject(
            parameters: parameters, wrappedKey: wrappedKey, ciphertext: ciphertext, iv: iv ?? self.iv,
            tag: tag ?? self.tag, hint: hint)
    }
}
