package import FoundationEssentials
import Localization
package import Secrets

/// A content that somebody signed (CMS SignedData, RFC 5652, 5), whose signature holds.
///
///     let message = try file.withBytes { try SignedMessage($0) }
///     switch await message.evaluate(roots, at: Date()) { … }
///
/// There is none whose signature does not hold. Whether the signer is to be trusted is another question, which
/// ``evaluate(_:at:)`` answers. The content stays in locked memory all the way: it may hold passwords, and
/// swift-certificates' own CMS wants it in an array.
package struct SignedMessage: ~Copyable, Sendable {
    /// What was signed.
    package let content: SecretBytes
    /// The certificate whose key has made the signature; whether it is to be trusted is not said yet.
    package let signer: DERCertificate
    /// What else came with it; those that cannot be read are left out.
    package let others: [DERCertificate]

    /// Of a whole message; above it nothing is read.
    package static let byteLimit = 1024 * 1024
    private static let mostCertificates = TrustEvaluation.mostIntermediates

    /// Whether the bytes begin like a message of CMS, signed or not: a sequence with an object identifier.
    package static func accepts(_ bytes: RawSpan) -> Bool {
        guard bytes.byteCount > 8, bytes.byte(at: 0) == DERTag.sequence.byte else { return false }
        let length = bytes.byte(at: 1)
        let start = 2 + (length > 0x80 ? Int(length & 0x7F) : 0)
        return start < bytes.byteCount && bytes.byte(at: start) == DERTag.objectIdentifier.byte
    }

    /// Reads a message with its content inside and one signer, and verifies the signature.
    ///
    /// - Throws: `unsupported` for what is encrypted, has its content elsewhere, or is signed by an algorithm that is
    ///   not taken; `damaged` where the signature does not hold.
    package init(_ bytes: RawSpan) throws(CertificateReadError) {
        guard bytes.byteCount <= Self.byteLimit else {
            throw CertificateReadError(.tooLarge, localized("more than \(Self.byteLimit) bytes"), at: ["CMS"])
        }
        var outer = BERReader(bytes, 0..<bytes.byteCount)
        var info = try outer.inside(.sequence, "ContentInfo")
        try outer.end("ContentInfo")
        try Self.refuseOtherKinds(&info)
        var explicit = try info.inside(.context(0), "content")
        try info.end("ContentInfo")
        var data = try explicit.inside(.sequence, "SignedData")
        try explicit.end("content")
        _ = try data.next(.integer, "version")
        _ = try data.next(.set, "digest algorithms")
        let content = try Self.content(bytes, &data)
        let certificates = try Self.certificates(bytes, &data)
        if data.comes(.context(1)) { _ = try data.next("revocations") }
        var signers = try data.inside(.set, "signers")
        try data.end("SignedData")
        let signature = try MessageSignature(bytes, try signers.next(.sequence, "signer").whole)
        guard signers.isAtEnd else { throw signers.failure(.unsupported, "signers", localized("are more than one")) }
        guard let signer = certificates.first(where: signature.names) else {
            throw signers.failure(.unsupported, "signer", localized("has no certificate in it that can be read"))
        }
        try content.withBytes { (content) throws(CertificateReadError) in try signature.verify(content, signer) }
        self.content = content
        self.signer = signer
        others = certificates.filter { $0 != signer }
    }

    /// Looks for a chain from the signer to a trusted root.
    package borrowing func evaluate(
        _ roots: TrustRoots, at date: Date
    ) async throws(CertificateReadError) -> TrustVerdict {
        let (signer, others) = (signer, others)
        let evaluation = try TrustEvaluation(roots: roots, intermediates: others)
        return await evaluation.evaluate(signer, for: .any, at: date)
    }

    private static func refuseOtherKinds(_ info: inout BERReader) throws(CertificateReadError) {
        let kind = try info.objectIdentifier("kind")
        switch kind {
        case .signedData: return
        case .envelopedData, .encryptedData, .authEnvelopedData:
            throw info.failure(
                .unsupported, "kind", localized("is encrypted, for a key that only a managed device has"))
        default: throw info.failure(.unsupported, "kind", localized("is \(kind)"))
        }
    }

    /// EncapsulatedContentInfo (RFC 5652, 5.2), of kind data.
    private static func content(
        _ bytes: RawSpan, _ data: inout BERReader
    ) throws(CertificateReadError) -> SecretBytes {
        var info = try data.inside(.sequence, "EncapsulatedContentInfo")
        let kind = try info.objectIdentifier("kind")
        guard kind == .data else { throw info.failure(.unsupported, "kind", localized("is \(kind)")) }
        guard !info.isAtEnd else { throw info.failure(.unsupported, "content", localized("is not in it")) }
        var explicit = try info.inside(.context(0), "content")
        try info.end("EncapsulatedContentInfo")
        let string = try explicit.next("content")
        try explicit.end("content")
        var buffer = try securing { try SecretBuffer(capacity: string.content.count) }
        try append(string, bytes, to: &buffer, depth: 0)
        return buffer.finish()
    }

    /// A string of bytes, whole or in pieces (X.690, 8.7).
    private static func append(
        _ string: BERElement, _ bytes: RawSpan, to buffer: inout SecretBuffer, depth: Int
    ) throws(CertificateReadError) {
        if string.tag == .octetString {
            return try securing { try buffer.append(bytes.extracting(string.content)) }
        }
        var pieces = BERReader(bytes, string.content)
        guard string.tag.byte == DERTag.octetString.byte | 0x20, depth < 4 else {
            throw pieces.failure(.damaged, "content", localized("is no string of bytes"))
        }
        while !pieces.isAtEnd { try append(try pieces.next("piece"), bytes, to: &buffer, depth: depth + 1) }
    }

    private static func certificates(
        _ bytes: RawSpan, _ data: inout BERReader
    ) throws(CertificateReadError) -> [DERCertificate] {
        guard data.comes(.context(0)) else { return [] }
        var set = try data.inside(.context(0), "certificates")
        var certificates: [DERCertificate] = []
        var count = 0
        while !set.isAtEnd {
            let element = try set.next("certificate")
            count += 1
            guard count <= mostCertificates else {
                throw set.failure(.tooLarge, "certificates", localized("are more than \(mostCertificates)"))
            }
            // Attribute certificates, and keys that we do not take, may stand beside those that matter.
            guard element.tag == .sequence,
                let one = try? DERCertificate(bytes.extracting(element.whole).copyToArray())
            else { continue }
            certificates.append(one)
        }
        return certificates
    }
}
