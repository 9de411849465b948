import Localization
import Secrets

/// What a file of certificates and keys holds: PEM with any number of blocks, or one thing in DER.
///
///     let file = try secret.withBytes { try CertificateFile($0) }
///     for identity in Identity.pairs(file.certificates, file.keys) { … }
package struct CertificateFile: Sendable {
    /// In the file's order.
    package private(set) var certificates: [DERCertificate] = []
    /// Those that open without a passphrase, in the file's order.
    package private(set) var keys: [PrivateKey] = []
    /// Private keys that need a passphrase.
    package private(set) var encryptedKeys: [EncryptedPrivateKey] = []

    /// Five times a system's list of roots.
    package static let byteLimit = 1024 * 1024
    /// How many certificates and keys one file may hold.
    package static let entryLimit = 1000

    /// Reads PEM or DER, whichever it is.
    package init(_ bytes: RawSpan) throws(CertificateReadError) {
        guard bytes.byteCount <= Self.byteLimit else {
            throw CertificateReadError(.tooLarge, localized("more than \(Self.byteLimit) bytes"))
        }
        if let kind = DERKind(bytes) { try add(kind, bytes) } else { try readPEM(bytes) }
    }

    /// Whether the bytes look like a PKCS#12 file, for ``PKCS12File``.
    package static func isPKCS12(_ bytes: RawSpan) -> Bool { DERKind(bytes) == .pkcs12 }

    /// Whether the bytes begin like PEM, or like one of the DER forms that are read here or by ``PKCS12File``.
    ///
    /// `openssl pkcs12` writes a key's attributes before its block.
    package static func isLikely(_ bytes: RawSpan) -> Bool {
        if DERKind(bytes) != nil { return true }
        return ["-----BEGIN ", "Bag Attributes"].contains { beginning in
            let wanted = Array(beginning.utf8)
            return bytes.byteCount >= wanted.count && wanted.indices.allSatisfy { bytes.byte(at: $0) == wanted[$0] }
        }
    }

    private var count: Int { certificates.count + keys.count + encryptedKeys.count }

    private mutating func readPEM(_ text: RawSpan) throws(CertificateReadError) {
        var reader = PEMReader(text)
        while let block = try reader.next() {
            guard count < Self.entryLimit else {
                throw CertificateReadError(.tooLarge, localized("more than \(Self.entryLimit) blocks"))
            }
            // `openssl ecparam -genkey` writes the curve before the key, which says it again.
            if block.label == "EC PARAMETERS" { continue }
            do {
                let kind = try Self.kind(block.label)
                try block.content.withBytes { (bytes) throws(CertificateReadError) in try add(kind, bytes) }
            } catch { throw error.at(localized("line \(block.line)")) }
        }
        guard count > 0 else {
            throw CertificateReadError(
                .unrecognized, localized("there is neither a certificate nor a private key in it"))
        }
    }

    private static func kind(_ label: String) throws(CertificateReadError) -> DERKind {
        switch label {
        case "CERTIFICATE": return .certificate
        case "PRIVATE KEY": return .pkcs8
        case "EC PRIVATE KEY": return .sec1
        case "RSA PRIVATE KEY": return .rsa
        case "ENCRYPTED PRIVATE KEY": return .encryptedKey
        default:
            throw CertificateReadError(.unsupported, localized("neither a certificate nor a private key"), at: [label])
        }
    }

    private mutating func add(_ kind: DERKind, _ bytes: RawSpan) throws(CertificateReadError) {
        switch kind {
        case .certificate: certificates.append(try DERCertificate(bytes.copyToArray()))
        case .pkcs8: keys.append(try PrivateKey(pkcs8: bytes))
        case .sec1: keys.append(try PrivateKey(sec1: bytes))
        case .rsa: keys.append(try PrivateKey(rsa: bytes))
        case .encryptedKey: encryptedKeys.append(try EncryptedPrivateKey(bytes))
        case .pkcs12:
            throw CertificateReadError(.unsupported, localized("a PKCS#12 file, which is opened with its passphrase"))
        }
    }
}
