import Localization
import Secrets

/// The MAC over a PKCS#12 file (RFC 7292, 4): by the key derivation of its appendix B, or PBMAC1 (RFC 9579).
struct PKCS12Check {
    private enum Method {
        case appendixB(HashKind, salt: [UInt8], rounds: Int)
        case pbmac1(HashKind, PassphraseKey, byteCount: Int)
    }

    private let method: Method
    private let code: [UInt8]

    private static let saltCounts = 1...1024

    /// Reads MacData.
    init(_ reader: inout DERReader) throws(CertificateReadError) {
        var data = try reader.sequence("MAC")
        var digest = try data.sequence("DigestInfo")
        var algorithm = try digest.sequence("algorithm")
        code = try digest.content(.octetString, "code").copyToArray()
        try digest.end()
        let salt = try data.content(.octetString, "salt").copyToArray()
        let rounds = data.isAtEnd ? 1 : try data.integer("rounds")
        try data.end()

        let name = try algorithm.objectIdentifier("name")
        if name == .pbmac1 {
            // RFC 9579, 5: salt and rounds outside are not used.
            method = try Self.pbmac1(&algorithm)
        } else {
            try algorithm.skipNull("parameters")
            guard Self.saltCounts.contains(salt.count) else {
                throw data.failure(.unsupported, "salt", localized("has \(salt.count) bytes, not 1 to 1024"))
            }
            method = .appendixB(try Self.hash(name, algorithm), salt: salt, rounds: rounds)
        }
        try algorithm.end()
    }

    /// - Throws: `wrongPassphrase` when the code is another, and that may mean damage too.
    func verify(
        _ message: RawSpan, with passphrase: borrowing SecretBytes, _ budget: inout WorkBudget
    ) throws(CertificateReadError) {
        let isRight: Bool
        switch method {
        case .appendixB(let hash, let salt, let rounds):
            isRight = try verify(message, with: passphrase, hash, salt, rounds, &budget)
        case .pbmac1(let hash, let derivation, let byteCount):
            let key = try derivation.derive(from: passphrase, byteCount: byteCount, &budget)
            isRight = constantTimeEquals(KeyedHash.authenticate(message, under: key, hash), code)
        }
        guard isRight else {
            throw CertificateReadError(.wrongPassphrase, localized("the passphrase is wrong, or the file is damaged"))
        }
    }

    /// An empty passphrase is two zero bytes for some programs, and none for others.
    private func verify(
        _ message: RawSpan, with passphrase: borrowing SecretBytes, _ hash: HashKind, _ salt: [UInt8], _ rounds: Int,
        _ budget: inout WorkBudget
    ) throws(CertificateReadError) -> Bool {
        for isTerminated in passphrase.count == 0 ? [true, false] : [true] {
            try budget.spend(rounds)
            let key = try Self.deriveKey(from: passphrase, isTerminated, hash, salt, rounds)
            if constantTimeEquals(KeyedHash.authenticate(message, under: key, hash), code) { return true }
        }
        return false
    }

    /// RFC 7292, B.2 with ID 3, for as many bytes as the hash gives, so that the steps that join several fall away.
    ///
    /// D is 3 in a whole block, S the salt and P the passphrase, each repeated to whole blocks.
    static func deriveKey(
        from passphrase: borrowing SecretBytes, _ isTerminated: Bool, _ hash: HashKind, _ salt: [UInt8], _ rounds: Int
    ) throws(CertificateReadError) -> SecretBytes {
        // B.1: a BMPString that ends with a zero character.
        guard let text = try passphrase.bigEndianUTF16() else {
            throw CertificateReadError(.wrongPassphrase, localized("the passphrase is no UTF-8"))
        }
        let terminated = try text.followed(by: isTerminated ? [0, 0] : [])
        let block = hash.blockByteCount
        let input: SecretBytes = try securing {
            var input = try SecretBuffer(capacity: 4 * block)
            try input.append([UInt8](repeating: 3, count: block))
            let saltCount = (salt.count + block - 1) / block * block
            try input.append((0..<saltCount).map { salt[$0 % salt.count] })
            let textCount = (terminated.count + block - 1) / block * block
            try terminated.withBytes { (bytes) throws(SecretMemoryError) in
                for index in 0..<textCount { try input.append(byte: bytes.byte(at: index % bytes.byteCount)) }
            }
            return input.finish()
        }
        return try RepeatedHash.derive(from: input, hash, rounds: rounds)
    }

    private static func pbmac1(_ algorithm: inout DERReader) throws(CertificateReadError) -> Method {
        var parameters = try algorithm.sequence("PBMAC1")
        let derivation = try PassphraseKey(&parameters, "derivation")
        let hash = try PassphraseKey.hash(&parameters, "code")
        try parameters.end()
        // RFC 9579, 5: the length has to be said. Below 20 bytes the code could be guessed.
        guard let byteCount = derivation.byteCount, (20...64).contains(byteCount) else {
            throw parameters.failure(.unsupported, "derivation", localized("is not for a key of 20 to 64 bytes"))
        }
        return .pbmac1(hash, derivation, byteCount: byteCount)
    }

    private static func hash(
        _ name: ObjectIdentifier, _ reader: borrowing DERReader
    ) throws(CertificateReadError) -> HashKind {
        switch name {
        case .sha1: return .sha1
        case .sha256: return .sha256
        case .sha384: return .sha384
        case .sha512: return .sha512
        default:
            throw reader.failure(
                .unsupported, "name", localized("is \(name), not SHA-1, -256, -384 or -512, nor PBMAC1"))
        }
    }
}
