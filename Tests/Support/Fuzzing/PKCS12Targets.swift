import Certificates
import Crypto
import CryptoExtras
import Secrets

/// PKCS#12, from outside and behind its MAC.
///
/// What a MAC covers cannot be changed without its passphrase, so that mutated files end there: ``file(_:)`` shows that
/// they do. Who knows the passphrase has everything behind it in hand, and so ``contents(_:)`` and ``entries(_:)`` put
/// the right MAC of one round over their input. First inputs are hashed once or twice, and whole numbers are changed to
/// few rounds or to more than are done, so that a run of ten million ends. What lies between is hit by chance, rarely.
enum PKCS12Targets {
    /// Only what somebody who knew the passphrase made opens, and it says what it said.
    static func file(_ bytes: [UInt8]) throws -> Bool {
        let once = try said(open(bytes))
        return CertificateSeeds.saidByFiles.contains(once) && holds { try said(open(bytes)) == once }
    }

    /// An AuthenticatedSafe (RFC 7292, 4.1).
    static func contents(_ bytes: [UInt8]) throws -> Bool {
        let file = file(around: bytes)
        let contents = try open(file)
        let count = contents.certificates.count + contents.keys.count + contents.skipped.count
        let labels = contents.certificates.map(\.labels) + contents.keys.map(\.labels)
        guard count <= 1000, labels.allSatisfy({ ($0.friendlyName?.utf16.count ?? 0) <= 1024 }),
            labels.allSatisfy({ ($0.localKeyID?.count ?? 0) <= 256 })
        else { return false }
        guard contents.keys.allSatisfy({ CertificateTargets.isWhole($0.key) }) else { return false }
        return holds {
            try contents.certificates.allSatisfy { entry in
                try CertificateTargets.certificate(entry.certificate.der) == entry.certificate.der
            } && said(contents) == said(open(file))
        }
    }

    /// A SafeContents (RFC 7292, 4.2).
    static func entries(_ bytes: [UInt8]) throws -> Bool {
        try contents(DERTree.element(0x30, data(bytes)))
    }

    static func open(_ bytes: [UInt8]) throws -> PKCS12Contents {
        let passphrase = try CertificateSeeds.passphrase()
        return try bytes.withSpan { (span) throws in try PKCS12File.open(span, with: passphrase) }
    }

    static func said(_ contents: PKCS12Contents) -> [String] {
        let certificates = contents.certificates.map { "\($0.certificate.der) \($0.labels)" }
        let keys = contents.keys.map { "\($0.key.publicKey) \($0.labels)" }
        return certificates + keys + contents.skipped
    }

    /// A ContentInfo of kind data.
    private static func data(_ bytes: [UInt8]) -> [UInt8] {
        DERTree.element(0x30, dataKind, DERTree.element(0xA0, DERTree.element(0x04, bytes)))
    }

    /// The name of content that is bytes: 1.2.840.113549.1.7.1 in DER.
    static let dataKind: [UInt8] = [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]
    /// An AlgorithmIdentifier of SHA-256.
    private static let sha256: [UInt8] = [0x30, 13, 0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 0x05, 0]

    /// A PFX (RFC 7292, 4) whose MAC is right.
    static func file(around safe: [UInt8]) -> [UInt8] {
        let code = Array(HMAC<SHA256>.authenticationCode(for: safe, using: key))
        let digest = DERTree.element(0x30, sha256, DERTree.element(0x04, code))
        return DERTree.element(
            0x30, [0x02, 1, 3], data(safe), DERTree.element(0x30, digest, DERTree.element(0x04, salt)))
    }

    /// The same under PBMAC1 (RFC 9579), with PBKDF2 of one round.
    static func laterFile(around safe: [UInt8]) throws -> [UInt8] {
        let key = try KDF.Insecure.PBKDF2.deriveKey(
            from: Array(CertificateSeeds.passphraseText.utf8), salt: salt, using: .sha256, outputByteCount: 32,
            unsafeUncheckedRounds: 1)
        let hmac = DERTree.element(0x30, [0x06, 8, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 2, 9, 0x05, 0])
        let parameters = DERTree.element(0x30, DERTree.element(0x04, salt), [0x02, 1, 1, 0x02, 1, 32], hmac)
        let derivation = DERTree.element(0x30, [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 12], parameters)
        let algorithm = DERTree.element(
            0x30, [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 14], DERTree.element(0x30, derivation, hmac))
        let code = Array(HMAC<SHA256>.authenticationCode(for: safe, using: key))
        let digest = DERTree.element(0x30, algorithm, DERTree.element(0x04, code))
        return DERTree.element(
            0x30, [0x02, 1, 3], data(safe), DERTree.element(0x30, digest, [0x04, 1, 0, 0x02, 1, 1]))
    }

    private static let salt: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

    /// RFC 7292, B.2, for ID 3 and one round, which is the default.
    private static let key: SymmetricKey = {
        func repeated(_ bytes: [UInt8]) -> [UInt8] {
            (0..<(bytes.count + 63) / 64 * 64).map { bytes[$0 % bytes.count] }
        }
        // A BMPString that ends with a zero character.
        let text: [UInt8] = (Array(CertificateSeeds.passphraseText.utf16) + [0]).flatMap { unit -> [UInt8] in
            [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        }
        let input: [UInt8] = [UInt8](repeating: 3, count: 64) + repeated(salt) + repeated(text)
        return SymmetricKey(data: Array(SHA256.hash(data: input)))
    }()
}
