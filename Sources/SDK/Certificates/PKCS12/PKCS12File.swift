import Localization
package import Secrets

/// Reads PKCS#12 (RFC 7292): certificates and private keys under a passphrase, in DER.
///
///     let contents = try file.withBytes { try PKCS12File.open($0, with: passphrase) }
///
/// The MAC is verified before anything under the passphrase is opened, so that a wrong passphrase is not taken for
/// damage. Opened are PBES2 with PBKDF2 and AES in CBC mode; the old schemes with RC2 and 3DES are refused.
package enum PKCS12File {
    /// Of a whole file; above it nothing is read.
    package static let byteLimit = 1024 * 1024

    /// - Parameter passphrase: in UTF-8, as it was typed.
    /// - Throws: `wrongPassphrase` when the MAC is another, `legacyPKCS12` for the old schemes.
    package static func open(
        _ file: RawSpan, with passphrase: borrowing SecretBytes
    ) throws(CertificateReadError) -> PKCS12Contents {
        do {
            var reader = PKCS12Reader()
            try reader.read(file, passphrase)
            return reader.contents
        } catch {
            let code: CertificateReadError.Code = error.code == .legacyKey ? .legacyPKCS12 : error.code
            throw CertificateReadError(code, error.message, at: ["PKCS#12"] + error.places)
        }
    }
}

/// One reading of a file, with what it has cost so far.
struct PKCS12Reader {
    private(set) var contents = PKCS12Contents()
    private var budget: WorkBudget
    private var bagCount = 0

    private static let mostContents = 64
    private static let mostBags = 1000

    init(budget: WorkBudget = WorkBudget()) { self.budget = budget }

    /// Reads a PFX (RFC 7292, 4).
    mutating func read(_ file: RawSpan, _ passphrase: borrowing SecretBytes) throws(CertificateReadError) {
        guard file.byteCount <= PKCS12File.byteLimit else {
            throw CertificateReadError(.tooLarge, localized("more than \(PKCS12File.byteLimit) bytes"))
        }
        var outer = DERReader(file, "file")
        var pfx = try outer.sequence("PFX")
        try outer.end()
        let version = try pfx.integer("version")
        guard version == 3 else { throw pfx.failure(.unsupported, "version", localized("is \(version), not 3")) }
        let safe = try Self.dataContent(&pfx, "AuthenticatedSafe")
        guard !pfx.isAtEnd else {
            throw pfx.failure(.unsupported, "MAC", localized("is missing, and so damage could not be noticed"))
        }
        let check = try PKCS12Check(&pfx)
        try pfx.end()
        try check.verify(safe, with: passphrase, &budget)
        try readContents(safe, passphrase)
    }

    /// AuthenticatedSafe (RFC 7292, 4.1), whose MAC was right.
    mutating func readContents(
        _ safe: RawSpan, _ passphrase: borrowing SecretBytes
    ) throws(CertificateReadError) {
        var outer = DERReader(safe, "AuthenticatedSafe")
        var contents = try outer.sequence("list")
        try outer.end()
        var number = 0
        while !contents.isAtEnd {
            number += 1
            guard number <= Self.mostContents else {
                throw CertificateReadError(.tooLarge, localized("more than \(Self.mostContents) contents"))
            }
            var info = try contents.sequence("ContentInfo")
            do { try readContent(&info, passphrase) } catch { throw error.at(localized("content \(number)")) }
        }
    }

    /// A ContentInfo (RFC 5652, 3).
    private mutating func readContent(
        _ info: inout DERReader, _ passphrase: borrowing SecretBytes
    ) throws(CertificateReadError) {
        let kind = try info.objectIdentifier("kind")
        switch kind {
        case .data: try readBags(try Self.bytes(&info), passphrase)
        case .encryptedData:
            var value = try info.explicit(0, "content")
            try info.end()
            let opened = try openEncrypted(&value, passphrase)
            try opened.withBytes { (bytes) throws(CertificateReadError) in try readBags(bytes, passphrase) }
        case .envelopedData:
            throw info.failure(.unsupported, "kind", localized("is sealed for a public key, not under a passphrase"))
        default: throw info.failure(.unsupported, "kind", localized("is \(kind)"))
        }
    }

    /// EncryptedData (RFC 5652, 8; PKCS#12 has version 0).
    private mutating func openEncrypted(
        _ value: inout DERReader, _ passphrase: borrowing SecretBytes
    ) throws(CertificateReadError) -> SecretBytes {
        var data = try value.sequence("EncryptedData")
        try value.end()
        let version = try data.integer("version")
        guard version == 0 else { throw data.failure(.unsupported, "version", localized("is \(version), not 0")) }
        var info = try data.sequence("EncryptedContentInfo")
        try data.end()
        let kind = try info.objectIdentifier("kind")
        guard kind == .data else { throw info.failure(.unsupported, "kind", localized("is \(kind)")) }
        let seal = try PassphraseSeal(&info, "encryption")
        let sealed = try info.content(.primitiveContext(0), "content")
        try info.end()
        return try Self.afterMAC { () throws(CertificateReadError) in
            try seal.open(sealed, with: passphrase, &budget)
        }
    }

    /// SafeContents (RFC 7292, 4.2).
    private mutating func readBags(
        _ bytes: RawSpan, _ passphrase: borrowing SecretBytes
    ) throws(CertificateReadError) {
        var outer = DERReader(bytes, "SafeContents")
        var bags = try outer.sequence("list")
        try outer.end()
        while !bags.isAtEnd {
            bagCount += 1
            guard bagCount <= Self.mostBags else {
                throw CertificateReadError(.tooLarge, localized("more than \(Self.mostBags) entries"))
            }
            var bag = try bags.sequence("entry")
            do { try readBag(&bag, passphrase) } catch { throw error.at(localized("entry \(bagCount)")) }
        }
    }

    private mutating func readBag(
        _ bag: inout DERReader, _ passphrase: borrowing SecretBytes
    ) throws(CertificateReadError) {
        let kind = try bag.objectIdentifier("kind")
        let value = try bag.content(.context(0), "value")
        let labels = bag.isAtEnd ? PKCS12Contents.Labels() : try PKCS12Contents.Labels(&bag)
        try bag.end()
        switch kind {
        case .keyBag: contents.keys.append(.init(key: try PrivateKey(pkcs8: value), labels: labels))
        case .shroudedKeyBag:
            let encrypted = try EncryptedPrivateKey(value)
            let key = try Self.afterMAC { () throws(CertificateReadError) in
                try encrypted.open(with: passphrase, &budget)
            }
            contents.keys.append(.init(key: key, labels: labels))
        case .certBag: contents.certificates.append(.init(certificate: try Self.certificate(value), labels: labels))
        case .crlBag: contents.skipped.append(marked("a list of revoked certificates"))
        case .secretBag: contents.skipped.append(marked("a secret that is no key"))
        // A list inside of a list has no use that we know of, and could be nested without end.
        case .safeContentsBag: throw bag.failure(.unsupported, "kind", localized("is a list of further entries"))
        default: throw bag.failure(.unsupported, "kind", localized("is \(kind)"))
        }
    }

    /// CertBag (RFC 7292, 4.2.3).
    private static func certificate(_ value: RawSpan) throws(CertificateReadError) -> DERCertificate {
        var outer = DERReader(value, "certificate entry")
        var bag = try outer.sequence("CertBag")
        try outer.end()
        let kind = try bag.objectIdentifier("kind")
        guard kind == .x509Certificate else {
            throw bag.failure(.unsupported, "kind", localized("is \(kind), not X.509"))
        }
        var content = try bag.explicit(0, "certificate")
        try bag.end()
        let der = try content.content(.octetString, "bytes").copyToArray()
        try content.end()
        return try DERCertificate(der)
    }

    /// A ContentInfo that has to hold bytes.
    @_lifetime(copy reader)
    private static func dataContent(
        _ reader: inout DERReader, _ field: String
    ) throws(CertificateReadError) -> RawSpan {
        var info = try reader.sequence(field)
        let kind = try info.objectIdentifier("kind")
        guard kind != .signedData else {
            throw info.failure(.unsupported, "kind", localized("is signed by a public key, not under a passphrase"))
        }
        guard kind == .data else { throw info.failure(.unsupported, "kind", localized("is \(kind)")) }
        return try bytes(&info)
    }

    /// What stands in a ContentInfo of kind data (RFC 5652, 4).
    @_lifetime(copy info)
    private static func bytes(_ info: inout DERReader) throws(CertificateReadError) -> RawSpan {
        var content = try info.explicit(0, "content")
        try info.end()
        let bytes = try content.content(.octetString, "bytes")
        try content.end()
        return bytes
    }

    /// Behind a MAC that was right, what a passphrase does not open is damaged, or under another passphrase than the
    /// MAC, which no program that we know writes.
    private static func afterMAC<Result: ~Copyable>(
        _ body: () throws(CertificateReadError) -> Result
    ) throws(CertificateReadError) -> Result {
        do { return try body() } catch {
            guard error.code == .wrongPassphrase else { throw error }
            throw CertificateReadError(
                .damaged, localized("does not open with the passphrase that the MAC is made with"), at: error.places)
        }
    }
}
