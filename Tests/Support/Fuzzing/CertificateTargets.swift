import Certificates
import Foundation
import Secrets

/// What reads certificates and keys, in DER and in PEM.
///
/// Of these only public keys have an encoder of ours. Of the others, what is read has to be the bytes that were given,
/// in their shortest form, and has to say the same when it is read again.
enum CertificateTargets {
    static func certificate(_ bytes: [UInt8]) throws -> [UInt8] {
        let certificate = try DERCertificate(bytes)
        guard DERTree.isShortest(bytes), holds({ said(certificate) == said(try DERCertificate(certificate.der)) })
        else { return [] }
        if let key = try? PublicKey(certificate) {
            guard key.bytes == certificate.publicKey, key.hash == certificate.publicKeyHash else { return [] }
        }
        return certificate.der
    }

    /// Everything that the programs ask a certificate for.
    static func said(_ certificate: DERCertificate) -> [String] {
        let filed = certificate.filed.map { "\($0.key): \($0.value)" }.sorted()
        return filed + certificate.emailAddresses + [
            certificate.subject, certificate.issuer, "\(certificate.notBefore) \(certificate.notAfter)",
            "\(certificate.isSelfIssued) \(certificate.isAuthority)",
        ]
    }

    /// A file with any number of them: what was read is written as PEM, and read again.
    static func file(_ bytes: [UInt8]) throws -> Bool {
        // Asked before a file is read, of anything.
        let looksLikeOne = bytes.withSpan { CertificateFile.isLikely($0) || CertificateFile.isPKCS12($0) }
        let file = try read(bytes)
        // What begins like DER must look like it; PEM may have any text before its blocks, and that byte is a letter
        // too.
        let isArmoured = bytes.firstRange(of: Array("-----BEGIN ".utf8)) != nil
        guard looksLikeOne || bytes.first != 0x30 || isArmoured else { return false }
        let count = file.certificates.count + file.keys.count + file.encryptedKeys.count
        guard (1...CertificateFile.entryLimit).contains(count) else { return false }
        var text = ""
        for certificate in file.certificates { text += armoured("CERTIFICATE", certificate.der) }
        for key in file.keys { text += armoured("PRIVATE KEY", key.pkcs8.withBytes { $0.copyToArray() }) }
        guard !text.isEmpty else { return true }
        return holds {
            let again = try read(Array(text.utf8))
            return again.certificates == file.certificates && zip(again.keys, file.keys).allSatisfy(isSame)
                && again.keys.count == file.keys.count
        }
    }

    /// One private key in PKCS#8, SEC 1 or PKCS#1; or, where it begins like a point, in the form of X9.63.
    static func privateKey(_ bytes: [UInt8]) throws -> Bool {
        let isPoint = bytes.first == 4
        let key: PrivateKey
        if isPoint {
            key = try bytes.withSpan { (span) throws in try PrivateKey.read(x963: span) }
        } else {
            let file = try read(bytes)
            guard file.keys.count == 1, file.certificates.isEmpty, file.encryptedKeys.isEmpty else {
                throw CertificateReadError(.unrecognized, "no key")
            }
            key = file.keys[0]
            // It is kept as it came, or with a head before it.
            let kept = key.pkcs8.withBytes { $0.copyToArray() }
            guard bytes.first != 0x30 || (kept.suffix(bytes.count) == bytes[...] && DERTree.isShortest(bytes)) else {
                return false
            }
        }
        return isWhole(key) && (!isPoint || holds { try externalForm(key) == bytes })
    }

    /// Whether a key says the same when it is read again, in each form that it is written in, and does its work.
    static func isWhole(_ key: PrivateKey) -> Bool { holds { try saysTheSame(key) } }

    private static func saysTheSame(_ key: PrivateKey) throws -> Bool {
        let again = try key.pkcs8.withBytes { (span) throws in try PrivateKey(pkcs8: span) }
        guard isSame(again, key), key.publicKeyHash.count == 20, (256...8192).contains(key.bitCount) else {
            return false
        }
        guard try PublicKey(bits: key.publicKey) == PublicKey(key) else { return false }
        guard key.algorithm != .ed25519 else { return key.filed == nil }
        let form = try externalForm(key)
        let third = try form.withSpan { (span) throws in
            try key.algorithm == .rsa ? PrivateKey(rsa: span) : PrivateKey.read(x963: span)
        }
        guard third.publicKey == key.publicKey, key.filed == again.filed else { return false }
        guard key.algorithm == .p256 else { return true }
        let scheme = SignatureScheme(.ecdsa, .sha256, isOverDigest: false)
        return PublicKey(third).accepts(try key.sign([1, 2, 3], scheme), of: [1, 2, 3], scheme)
    }

    static func publicKey(_ bytes: [UInt8]) throws -> [UInt8] {
        let key = try PublicKey(bits: bytes)
        guard (256...8192).contains(key.bitCount), (key.filed == nil) == (key.algorithm == .ed25519) else { return [] }
        // No signature of any length is taken for one, and none crashes who verifies it.
        let scheme = SignatureScheme(key.algorithm == .rsa ? .pkcs1 : .ecdsa, .sha256, isOverDigest: false)
        for signature in [[], [0x30, 0], bytes] where key.accepts(signature, of: bytes, scheme) { return [] }
        return key.bytes
    }

    /// A private key under the passphrase of ``CertificateSeeds``.
    static func encryptedKey(_ bytes: [UInt8]) throws -> Bool {
        let passphrase = try CertificateSeeds.passphrase()
        let sealed = try bytes.withSpan { (span) throws in try EncryptedPrivateKey(span) }
        let key = try sealed.open(with: passphrase)
        return holds { try isSame(sealed.open(with: passphrase), key) } && isWhole(key) && DERTree.isShortest(bytes)
    }

    static func isSame(_ one: PrivateKey, _ other: PrivateKey) -> Bool {
        one.algorithm == other.algorithm && one.publicKey == other.publicKey
            && one.pkcs8.withBytes { $0.copyToArray() } == other.pkcs8.withBytes { $0.copyToArray() }
    }

    static func read(_ bytes: [UInt8]) throws -> CertificateFile {
        try bytes.withSpan { (span) throws in try CertificateFile(span) }
    }

    private static func externalForm(_ key: PrivateKey) throws -> [UInt8] {
        try key.externalForm().withBytes { $0.copyToArray() }
    }

    private static func armoured(_ label: String, _ bytes: [UInt8]) -> String {
        let text = Data(bytes).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n"
    }
}
