import Localization
import Secrets
import X509

/// One signature over a message (SignerInfo, RFC 5652, 5.3).
struct MessageSignature {
    private enum Signer {
        /// A Name in DER, and the content of an INTEGER.
        case issued(issuer: [UInt8], serialNumber: [UInt8])
        case keyIdentifier([UInt8])
    }

    private let signer: Signer
    private let hash: HashKind
    private let scheme: SignatureScheme
    /// SignedAttributes with the tag of a SET, over which the signature is (RFC 5652, 5.4).
    private let attributes: [UInt8]
    private let signature: [UInt8]

    init(_ bytes: RawSpan, _ range: Range<Int>) throws(CertificateReadError) {
        var outer = BERReader(bytes, range)
        var info = try outer.inside(.sequence, "SignerInfo")
        _ = try info.next(.integer, "version")
        signer = try Self.signer(bytes, &info)
        hash = try Self.hash(try Self.algorithm(&info, "digest algorithm"))
        guard info.comes(.context(0)) else {
            // Without them a signature over these very attributes could pass for one over a content.
            throw info.failure(.unsupported, "signed attributes", localized("are missing"))
        }
        let attributes = try info.next("signed attributes")
        // In DER, or else the signature would be over other bytes than these.
        self.attributes = DERWriter.element(.set, bytes.extracting(attributes.content).copyToArray())
        scheme = try Self.scheme(try Self.algorithm(&info, "signature algorithm"), hash)
        signature = bytes.extracting(try info.next(.octetString, "signature").content).copyToArray()
        if info.comes(.context(1)) { _ = try info.next("unsigned attributes") }
        try info.end("SignerInfo")
    }

    /// Whether it says that this certificate's key made it.
    func names(_ certificate: DERCertificate) -> Bool {
        switch signer {
        case .issued(let issuer, let serialNumber):
            certificate.issuerDER == issuer && certificate.serialNumber == serialNumber
        case .keyIdentifier(let identifier): certificate.subjectKeyIdentifier == identifier
        }
    }

    /// - Throws: unless it was made over this content, by this certificate's key, which is for signing.
    func verify(_ content: RawSpan, _ certificate: DERCertificate) throws(CertificateReadError) {
        let stated = try attributes.withSpan { (span) throws(CertificateReadError) in try Self.digest(span) }
        guard stated == ContentHash.digest(content, hash) else {
            throw Self.failure(.damaged, "content", localized("was changed after it was signed"))
        }
        let key = try PublicKey(certificate)
        guard key.accepts(signature, of: attributes, scheme) else {
            throw Self.failure(.damaged, "signature", localized("was not made by the signer's key, or was changed"))
        }
        guard Self.maySign(certificate) else {
            throw Self.failure(.unsupported, "signer", localized("has a key that is not for signing"))
        }
    }

    /// RFC 5280, 4.2.1.3: a key that signs anything but certificates says so, if it says anything.
    private static func maySign(_ certificate: DERCertificate) -> Bool {
        do {
            guard let usage = try certificate.x509.extensions.keyUsage else { return true }
            return usage.digitalSignature || usage.nonRepudiation
        } catch { return false }
    }

    private static func signer(_ bytes: RawSpan, _ info: inout BERReader) throws(CertificateReadError) -> Signer {
        if info.comes(.primitiveContext(0)) {
            return .keyIdentifier(bytes.extracting(try info.next("key identifier").content).copyToArray())
        }
        var pair = try info.inside(.sequence, "signer")
        let issuer = bytes.extracting(try pair.next(.sequence, "issuer").whole).copyToArray()
        let number = bytes.extracting(try pair.next(.integer, "serial number").content).copyToArray()
        try pair.end("signer")
        return .issued(issuer: issuer, serialNumber: number)
    }

    /// The name of an algorithm whose parameters are none, or NULL.
    private static func algorithm(
        _ info: inout BERReader, _ field: String
    ) throws(CertificateReadError) -> ObjectIdentifier {
        var algorithm = try info.inside(.sequence, field)
        let name = try algorithm.objectIdentifier(field)
        if algorithm.comes(.null) { _ = try algorithm.next(field) }
        guard algorithm.isAtEnd else { throw algorithm.failure(.unsupported, field, localized("has parameters")) }
        return name
    }

    private static func hash(_ name: ObjectIdentifier) throws(CertificateReadError) -> HashKind {
        switch name {
        case .sha256: return .sha256
        case .sha384: return .sha384
        case .sha512: return .sha512
        case .sha1: throw failure(.unsupported, "digest algorithm", localized("is SHA-1, which can be forged"))
        default: throw failure(.unsupported, "digest algorithm", localized("is \(name)"))
        }
    }

    /// RFC 3370, 3.2, and RFC 5754, 3: with RSA the hash may be named twice or once.
    private static func scheme(
        _ name: ObjectIdentifier, _ hash: HashKind
    ) throws(CertificateReadError) -> SignatureScheme {
        let known: [ObjectIdentifier: (SignatureScheme.Padding, HashKind)] = [
            .rsaEncryption: (.pkcs1, hash), .sha256WithRSA: (.pkcs1, .sha256), .sha384WithRSA: (.pkcs1, .sha384),
            .sha512WithRSA: (.pkcs1, .sha512), .ecdsaWithSHA256: (.ecdsa, .sha256),
            .ecdsaWithSHA384: (.ecdsa, .sha384), .ecdsaWithSHA512: (.ecdsa, .sha512),
        ]
        guard let (padding, stated) = known[name], stated == hash else {
            throw failure(.unsupported, "signature algorithm", localized("is \(name)"))
        }
        switch hash {
        case .sha256: return SignatureScheme(padding, .sha256, isOverDigest: false)
        case .sha384: return SignatureScheme(padding, .sha384, isOverDigest: false)
        case .sha512: return SignatureScheme(padding, .sha512, isOverDigest: false)
        case .sha1: throw failure(.unsupported, "digest algorithm", localized("is SHA-1, which can be forged"))
        }
    }

    /// What the attributes say of the content: its kind, which has to be data, and its hash.
    private static func digest(_ attributes: RawSpan) throws(CertificateReadError) -> [UInt8] {
        var outer = DERReader(attributes, "signed attributes")
        var set = try outer.set("set")
        try outer.end()
        var digest: [UInt8]?
        var kind: ObjectIdentifier?
        while !set.isAtEnd {
            var attribute = try set.sequence("attribute")
            let name = try attribute.objectIdentifier("name")
            var values = try attribute.set("values")
            try attribute.end()
            if name == .contentType {
                guard kind == nil else { throw failure(.damaged, "signed attributes", localized("say the kind twice")) }
                kind = try values.objectIdentifier("kind")
                try values.end()
            } else if name == .messageDigest {
                guard digest == nil else {
                    throw failure(.damaged, "signed attributes", localized("say the hash twice"))
                }
                digest = try values.content(.octetString, "hash").copyToArray()
                try values.end()
            }
        }
        guard kind == .data, let digest else {
            throw failure(.damaged, "signed attributes", localized("do not say the content's kind and hash"))
        }
        return digest
    }

    private static func failure(
        _ code: CertificateReadError.Code, _ field: String, _ message: String
    ) -> CertificateReadError {
        CertificateReadError(code, message, at: ["CMS", field])
    }
}

extension ObjectIdentifier {
    // RFC 5083, 2
    static let authEnvelopedData = ObjectIdentifier(1, 2, 840, 113549, 1, 9, 16, 1, 23)
    // RFC 5652, 11
    static let contentType = ObjectIdentifier(1, 2, 840, 113549, 1, 9, 3)
    static let messageDigest = ObjectIdentifier(1, 2, 840, 113549, 1, 9, 4)
    // RFC 5754, 3
    static let sha256WithRSA = ObjectIdentifier(1, 2, 840, 113549, 1, 1, 11)
    static let sha384WithRSA = ObjectIdentifier(1, 2, 840, 113549, 1, 1, 12)
    static let sha512WithRSA = ObjectIdentifier(1, 2, 840, 113549, 1, 1, 13)
    static let ecdsaWithSHA256 = ObjectIdentifier(1, 2, 840, 10045, 4, 3, 2)
    static let ecdsaWithSHA384 = ObjectIdentifier(1, 2, 840, 10045, 4, 3, 3)
    static let ecdsaWithSHA512 = ObjectIdentifier(1, 2, 840, 10045, 4, 3, 4)
}
