import Localization
import Secrets

/// How a key comes from a passphrase: PBKDF2 with its parameters (RFC 8018, A.2).
struct PassphraseKey: Sendable {
    let salt: [UInt8]
    let rounds: Int
    let hash: HashKind
    /// In bytes, where the file says it.
    let byteCount: Int?

    private static let saltCounts = 1...1024

    /// Reads an AlgorithmIdentifier.
    init(_ reader: inout DERReader, _ field: String) throws(CertificateReadError) {
        var algorithm = try reader.sequence(field)
        let name = try algorithm.objectIdentifier("name")
        guard name == .pbkdf2 else {
            let known = ObjectIdentifier.refusedSchemes[name] ?? name.description
            throw algorithm.failure(.unsupported, "name", localized("is \(known), not PBKDF2"))
        }
        var parameters = try algorithm.sequence("PBKDF2")
        try algorithm.end()
        salt = try parameters.content(.octetString, "salt").copyToArray()
        guard Self.saltCounts.contains(salt.count) else {
            throw parameters.failure(.unsupported, "salt", localized("has \(salt.count) bytes, not 1 to 1024"))
        }
        rounds = try parameters.integer("rounds")
        byteCount = parameters.comes(.integer) ? try parameters.integer("key length") : nil
        hash = parameters.isAtEnd ? .sha1 : try Self.hash(&parameters, "hash")
        try parameters.end()
    }

    /// - Parameter byteCount: what the key is for needs so many.
    func derive(
        from passphrase: borrowing SecretBytes, byteCount: Int, _ budget: inout WorkBudget
    ) throws(CertificateReadError) -> SecretBytes {
        try budget.spend(rounds)
        return try PassphraseDerivation.derive(
            from: passphrase, salt: salt, rounds: rounds, hash, byteCount: byteCount)
    }

    /// An AlgorithmIdentifier of an HMAC (RFC 8018, B.1); SHA-1 written out though it is the default is let pass,
    /// since OpenSSL lets it.
    static func hash(_ reader: inout DERReader, _ field: String) throws(CertificateReadError) -> HashKind {
        var algorithm = try reader.sequence(field)
        let name = try algorithm.objectIdentifier("name")
        try algorithm.skipNull("parameters")
        try algorithm.end()
        switch name {
        case .hmacSHA1: return .sha1
        case .hmacSHA256: return .sha256
        case .hmacSHA384: return .sha384
        case .hmacSHA512: return .sha512
        default:
            throw algorithm.failure(
                .unsupported, "name", localized("is \(name), not HMAC with SHA-1, -256, -384 or -512"))
        }
    }
}
