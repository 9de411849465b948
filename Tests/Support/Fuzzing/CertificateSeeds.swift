import Checkout
import Certificates
import Crypto
import CryptoExtras
import Foundation
import Secrets

/// First inputs for what reads certificates and keys: the files of CertificateTests, and what is made of them here.
enum CertificateSeeds {
    /// Of the files.
    static let passphraseText = "correct horse"

    static func passphrase() throws -> SecretBytes {
        try Array(passphraseText.utf8).withSpan { (span) throws in try SecretBytes(copying: span) }
    }

    private static let folder = Checkout.root.appendingPathComponent("Tests/SDK/CertificateTests/Vectors").path

    static func file(_ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: folder + "/" + name).map { Array($0) } ?? []
    }

    /// What is in the only block of a PEM file.
    private static func der(_ name: String) -> [UInt8] {
        let lines = String(decoding: file(name + ".pem"), as: UTF8.self).split(separator: "\n")
        return Data(base64Encoded: lines.filter { !$0.hasPrefix("-") }.joined()).map { Array($0) } ?? []
    }

    private static let curves = ["p256", "p384", "p521"]

    static var certificates: [[UInt8]] { (curves + ["rsa", "ed25519"]).map { der($0 + "-certificate") } }

    /// Stands beside a signer's own.
    static var authority: [UInt8] { der("p384-certificate") }

    static var files: [[UInt8]] {
        let names = [
            "bundle", "bundle-crlf", "with-parameters", "ed25519", "p256-certificate", "p384-sec1", "p521",
            "encrypted-sha1-aes-128", "encrypted-sha512-aes-256",
        ]
        return names.map { file($0 + ".pem") }
    }

    static var privateKeys: [[UInt8]] {
        // Of RSA few: each number is checked against the others, which takes a hundred times what a curve's takes.
        let names = curves + curves.map { $0 + "-sec1" } + ["ed25519", "rsa", "rsa-pkcs1"]
        let points = loaded.filter { $0.algorithm != .rsa }
        return names.map(der) + [withPublicKey]
            + points.compactMap { try? $0.externalForm().withBytes { $0.copyToArray() } }
    }

    /// Ed25519 in the later form of PKCS#8 (RFC 8410, 7), where the public key stands beside it.
    private static var withPublicKey: [UInt8] {
        let publicKey = loaded.first { $0.algorithm == .ed25519 }?.publicKey ?? []
        return DERTree.element(
            0x30, [0x02, 1, 1], Array(der("ed25519").dropFirst(5)), DERTree.element(0x81, [0], publicKey))
    }

    static var publicKeys: [[UInt8]] { loaded.map(\.publicKey) }

    private static var loaded: [PrivateKey] {
        (curves + ["ed25519", "rsa"]).compactMap { try? CertificateTargets.read(der($0)).keys.first }
    }

    /// Certificates with their keys, for signing; one says that it is for that.
    static let signers: [Identity] = [("p256", false), ("p256", true), ("rsa", false)].compactMap { name, says in
        let bytes = der(name + "-certificate")
        guard let certificate = try? DERCertificate(says ? forSigning(bytes) : bytes),
            let key = try? CertificateTargets.read(der(name)).keys.first
        else { return nil }
        return Identity(certificate, key)
    }

    /// With key usage digitalSignature (RFC 5280, 4.2.1.3); who has issued it is not asked when a message is read.
    private static func forSigning(_ certificate: [UInt8]) -> [UInt8] {
        let usage: [UInt8] = [0x06, 3, 0x55, 0x1D, 15, 0x04, 4, 0x03, 2, 7, 0x80]
        guard let tree = DERTree.parse(certificate[...], isOpening: false)?.first,
            case .elements(let parts, _) = tree.inside, case .elements(let fields, _)? = parts.first?.inside
        else { return certificate }
        // Extensions are the last field, a list in `[3]`.
        return DERTree.encode([tree.appending(DERTree(0x30, usage), along: [0, fields.count - 1, 0])])
    }
}

// Under a passphrase.
extension CertificateSeeds {
    /// EncryptedPrivateKeyInfo with one round of PBKDF2, under each hash and each length of key.
    static var encryptedKeys: [[UInt8]] {
        let keys = ["p256", "p384", "ed25519", "rsa"].map(der)
        return zip(keys, [(7, 16, 2), (9, 32, 42), (10, 24, 22), (11, 32, 42)]).compactMap { key, form in
            try? encrypted(key, hash: UInt8(form.0), keyByteCount: form.1, cipher: UInt8(form.2))
        }
    }

    /// - Parameters:
    ///   - hash: the last number of the HMAC's name in RFC 8018, B.1.
    ///   - cipher: likewise of AES in CBC mode.
    private static func encrypted(
        _ key: [UInt8], hash: UInt8, keyByteCount: Int, cipher: UInt8
    ) throws -> [UInt8] {
        let functions: [UInt8: KDF.Insecure.PBKDF2.HashFunction] = [
            7: .insecureSHA1, 9: .sha256, 10: .sha384, 11: .sha512,
        ]
        let salt = [UInt8](repeating: hash, count: 8)
        let iv = [UInt8](repeating: cipher, count: 16)
        let derived = try KDF.Insecure.PBKDF2.deriveKey(
            from: Array(passphraseText.utf8), salt: salt, using: functions[hash] ?? .sha256,
            outputByteCount: keyByteCount, unsafeUncheckedRounds: 1)
        let sealed = try AES._CBC.encrypt(key, using: derived, iv: AES._CBC.IV(ivBytes: iv))
        let name: [UInt8] = [0x06, 8, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 2, hash]
        let parameters = DERTree.element(
            0x30, DERTree.element(0x04, salt), [0x02, 1, 1], DERTree.element(0x30, name, [0x05, 0]))
        let derivation = DERTree.element(0x30, [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 12], parameters)
        let aes: [UInt8] = [0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, cipher]
        let scheme = DERTree.element(0x30, derivation, DERTree.element(0x30, aes, DERTree.element(0x04, iv)))
        let algorithm = DERTree.element(0x30, [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 13], scheme)
        return DERTree.element(0x30, algorithm, DERTree.element(0x04, Array(sealed)))
    }

    /// Hashed at most twice, by OpenSSL; and once, by us.
    static let pkcs12Files: [[UInt8]] =
        [file("few-rounds.p12")] + safes.map(PKCS12Targets.file(around:))
        + safes.compactMap { try? PKCS12Targets.laterFile(around: $0) }

    /// What the first inputs say.
    static let saidByFiles: [[String]] = pkcs12Files.compactMap { try? PKCS12Targets.said(PKCS12Targets.open($0)) }

    private static let emptySafe: [UInt8] = [0x30, 0]

    /// AuthenticatedSafe of files, with their entries bare and sealed.
    static let safes: [[UInt8]] =
        ["few-rounds.p12", "bare-key.p12"].compactMap { authenticatedSafe(file($0)) } + [emptySafe]

    /// Entries: of the file whose contents nobody sealed, and of each kind.
    static var entryLists: [[UInt8]] {
        let bare = safes.dropFirst().first.flatMap { safe -> [[UInt8]]? in
            guard case .elements(let list, _)? = DERTree.parse(safe[...], isOpening: false)?.first?.inside else {
                return nil
            }
            return list.compactMap { DERTree.all([$0]).last?.content }
        }
        let lists = [
            [bag(1, der("p256")), certificateBag(der("p256-certificate")), bag(2, encryptedKeys.first ?? [])],
            [
                bag(4, [0x30, 0]), bag(5, [0x30, 0]), certificateBag(der("ed25519-certificate")),
                bag(1, der("ed25519")),
            ],
            [certificateBag(der("rsa-certificate")), bag(1, der("rsa"))], [bag(1, der("p384"))], [],
        ]
        return (bare ?? []) + lists.map { DERTree.element(0x30, Array($0.joined())) }
    }

    /// What the MAC covers: the second element's second element's content.
    private static func authenticatedSafe(_ file: [UInt8]) -> [UInt8]? {
        guard case .elements(let pfx, _)? = DERTree.parse(file[...], isOpening: false)?.first?.inside, pfx.count == 3
        else { return nil }
        return DERTree.all([pfx[1]]).last?.content
    }

    /// An entry of the kind with this last number (RFC 7292, D), and labels.
    private static func bag(_ kind: UInt8, _ value: [UInt8]) -> [UInt8] {
        let name: [UInt8] = [0x06, 11, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 12, 10, 1, kind]
        let identifier = DERTree.element(
            0x30, [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 21], [0x31, 4, 0x04, 2, 1, kind])
        let friendly = DERTree.element(
            0x30, [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 20],
            [0x31, 6, 0x1E, 4, 0xD8, 0x3D, 0xDD, kind])
        return DERTree.element(0x30, name, DERTree.element(0xA0, value), DERTree.element(0x31, identifier, friendly))
    }

    private static func certificateBag(_ der: [UInt8]) -> [UInt8] {
        let kind: [UInt8] = [0x06, 10, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 22, 1]
        return bag(3, DERTree.element(0x30, kind, DERTree.element(0xA0, DERTree.element(0x04, der))))
    }
}
