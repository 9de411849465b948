import Certificates
import Crypto
import Secrets

/// Signed messages (CMS): nobody gets a content accepted that was not signed, nor another key taken for the signer's.
///
/// What else stands in the signer's certificate may be changed: whether an authority has vouched for it is asked later.
enum MessageTargets {
    static func message(_ bytes: [UInt8]) throws -> Bool {
        let message = try read(bytes)
        guard contents.contains(message.content.withBytes { $0.copyToArray() }),
            CertificateSeeds.signers.contains(where: { $0.key.publicKey == message.signer.publicKey }),
            message.others.count <= 1000, !message.others.contains(message.signer)
        else { return false }
        let (signer, others) = (message.signer, message.others)
        return holds {
            let again = try read(bytes)
            return again.signer == signer && again.others == others
        }
    }

    private static func read(_ bytes: [UInt8]) throws -> SignedMessage {
        try bytes.withSpan { (span) throws in try SignedMessage(span) }
    }

    private static let contents: [[UInt8]] = [Array("a content with a password\n".utf8), []]
}

// First inputs, signed here (RFC 5652, 5): DER, and with lengths left out and a content in pieces.
extension MessageTargets {
    static var messages: [[UInt8]] {
        CertificateSeeds.signers.flatMap { signer in
            contents.compactMap { try? signed($0, signer) }
                + contents.compactMap { try? signed($0, signer, isBER: true) }
        }
    }

    /// The name of signed content: 1.2.840.113549.1.7.2 in DER.
    private static let signedKind: [UInt8] = [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]
    /// The names of the attributes 1.2.840.113549.1.9.3 and 4.
    private static let contentType: [UInt8] = [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 3]
    private static let messageDigest: [UInt8] = [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 4]
    private static let sha256: [UInt8] = [0x30, 11, 0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1]

    /// A ContentInfo with SignedData in it.
    ///
    /// - Parameter isBER: as signers of streams write it.
    static func signed(_ content: [UInt8], _ identity: Identity, isBER: Bool = false) throws -> [UInt8] {
        func around(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
            let inside = Array(parts.joined())
            return isBER ? [tag, 0x80] + inside + [0, 0] : DERTree.element(tag, inside)
        }
        let pieces =
            DERTree.element(0x04, Array(content.prefix(9))) + DERTree.element(0x04, Array(content.dropFirst(9)))
        let string = isBER ? around(0x24, pieces) : DERTree.element(0x04, content)
        let data = around(
            0x30, [0x02, 1, 1], DERTree.element(0x31, sha256),
            around(0x30, PKCS12Targets.dataKind, around(0xA0, string)),
            DERTree.element(0xA0, identity.certificate.der, CertificateSeeds.authority),
            DERTree.element(0x31, try signerInfo(content, identity)))
        return around(0x30, signedKind, around(0xA0, data))
    }

    private static func signerInfo(_ content: [UInt8], _ identity: Identity) throws -> [UInt8] {
        let kind = DERTree.element(0x30, contentType, DERTree.element(0x31, PKCS12Targets.dataKind))
        let hash = DERTree.element(0x04, Array(SHA256.hash(data: content)))
        let attributes = kind + DERTree.element(0x30, messageDigest, DERTree.element(0x31, hash))
        let isRSA = identity.key.algorithm == .rsa
        let scheme = SignatureScheme(isRSA ? .pkcs1 : .ecdsa, .sha256, isOverDigest: false)
        let signature = try identity.key.sign(DERTree.element(0x31, attributes), scheme)
        let name: [UInt8] =
            isRSA
            ? [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 11]
            : [0x06, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2]
        // In one of the two ways, so that there are both.
        let signer =
            content.isEmpty
            ? DERTree.element(0x80, identity.certificate.subjectKeyIdentifier ?? [])
            : DERTree.element(
                0x30, identity.certificate.issuerDER, DERTree.element(0x02, identity.certificate.serialNumber))
        return DERTree.element(
            0x30, [0x02, 1, 1], signer, sha256, DERTree.element(0xA0, attributes), DERTree.element(0x30, name),
            DERTree.element(0x04, signature))
    }
}
