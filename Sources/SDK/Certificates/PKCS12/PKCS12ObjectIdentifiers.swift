extension ObjectIdentifier {
    // RFC 5652, 4 to 8
    static let data = ObjectIdentifier(1, 2, 840, 113549, 1, 7, 1)
    static let signedData = ObjectIdentifier(1, 2, 840, 113549, 1, 7, 2)
    static let envelopedData = ObjectIdentifier(1, 2, 840, 113549, 1, 7, 3)
    static let encryptedData = ObjectIdentifier(1, 2, 840, 113549, 1, 7, 6)

    // RFC 7292, D
    static let keyBag = ObjectIdentifier(1, 2, 840, 113549, 1, 12, 10, 1, 1)
    static let shroudedKeyBag = ObjectIdentifier(1, 2, 840, 113549, 1, 12, 10, 1, 2)
    static let certBag = ObjectIdentifier(1, 2, 840, 113549, 1, 12, 10, 1, 3)
    static let crlBag = ObjectIdentifier(1, 2, 840, 113549, 1, 12, 10, 1, 4)
    static let secretBag = ObjectIdentifier(1, 2, 840, 113549, 1, 12, 10, 1, 5)
    static let safeContentsBag = ObjectIdentifier(1, 2, 840, 113549, 1, 12, 10, 1, 6)

    // RFC 2985, 5.5 and 5.6; RFC 7292, 4.2.3
    static let friendlyName = ObjectIdentifier(1, 2, 840, 113549, 1, 9, 20)
    static let localKeyID = ObjectIdentifier(1, 2, 840, 113549, 1, 9, 21)
    static let x509Certificate = ObjectIdentifier(1, 2, 840, 113549, 1, 9, 22, 1)

    // RFC 8017, B.1; RFC 5754, 2
    static let sha1 = ObjectIdentifier(1, 3, 14, 3, 2, 26)
    static let sha256 = ObjectIdentifier(2, 16, 840, 1, 101, 3, 4, 2, 1)
    static let sha384 = ObjectIdentifier(2, 16, 840, 1, 101, 3, 4, 2, 2)
    static let sha512 = ObjectIdentifier(2, 16, 840, 1, 101, 3, 4, 2, 3)
}
