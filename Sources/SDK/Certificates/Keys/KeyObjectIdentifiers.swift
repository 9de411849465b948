extension ObjectIdentifier {
    // RFC 3279, 2.3.1; RFC 8410, 3; RFC 5480, 2.1.1
    static let rsaEncryption = ObjectIdentifier(1, 2, 840, 113549, 1, 1, 1)
    static let ed25519 = ObjectIdentifier(1, 3, 101, 112)
    static let ecPublicKey = ObjectIdentifier(1, 2, 840, 10045, 2, 1)
    static let p256 = ObjectIdentifier(1, 2, 840, 10045, 3, 1, 7)
    static let p384 = ObjectIdentifier(1, 3, 132, 0, 34)
    static let p521 = ObjectIdentifier(1, 3, 132, 0, 35)

    // RFC 8018, A and C
    static let pbes2 = ObjectIdentifier(1, 2, 840, 113549, 1, 5, 13)
    static let pbkdf2 = ObjectIdentifier(1, 2, 840, 113549, 1, 5, 12)
    static let pbmac1 = ObjectIdentifier(1, 2, 840, 113549, 1, 5, 14)
    static let hmacSHA1 = ObjectIdentifier(1, 2, 840, 113549, 2, 7)
    static let hmacSHA256 = ObjectIdentifier(1, 2, 840, 113549, 2, 9)
    static let hmacSHA384 = ObjectIdentifier(1, 2, 840, 113549, 2, 10)
    static let hmacSHA512 = ObjectIdentifier(1, 2, 840, 113549, 2, 11)
    static let aes128CBC = ObjectIdentifier(2, 16, 840, 1, 101, 3, 4, 1, 2)
    static let aes192CBC = ObjectIdentifier(2, 16, 840, 1, 101, 3, 4, 1, 22)
    static let aes256CBC = ObjectIdentifier(2, 16, 840, 1, 101, 3, 4, 1, 42)

    /// Schemes that are refused, by the names under which people know them.
    static let refusedSchemes: [ObjectIdentifier: String] = [
        ObjectIdentifier(1, 3, 6, 1, 4, 1, 11591, 4, 11): "scrypt",
        ObjectIdentifier(1, 2, 840, 113549, 3, 7): "3DES",
        ObjectIdentifier(1, 2, 840, 113549, 3, 2): "RC2",
        ObjectIdentifier(1, 3, 14, 3, 2, 7): "DES",
    ]

    /// PBES1 (RFC 8018, A.3) and the schemes of PKCS#12 (RFC 7292, C): 40 to 112 bits, and SHA-1 or MD5.
    static let legacySchemes: [ObjectIdentifier: String] = [
        ObjectIdentifier(1, 2, 840, 113549, 1, 12, 1, 1): "PBE-SHA1-RC4-128",
        ObjectIdentifier(1, 2, 840, 113549, 1, 12, 1, 2): "PBE-SHA1-RC4-40",
        ObjectIdentifier(1, 2, 840, 113549, 1, 12, 1, 3): "PBE-SHA1-3DES",
        ObjectIdentifier(1, 2, 840, 113549, 1, 12, 1, 4): "PBE-SHA1-2DES",
        ObjectIdentifier(1, 2, 840, 113549, 1, 12, 1, 5): "PBE-SHA1-RC2-128",
        ObjectIdentifier(1, 2, 840, 113549, 1, 12, 1, 6): "PBE-SHA1-RC2-40",
        ObjectIdentifier(1, 2, 840, 113549, 1, 5, 1): "PBE-MD2-DES",
        ObjectIdentifier(1, 2, 840, 113549, 1, 5, 3): "PBE-MD5-DES",
        ObjectIdentifier(1, 2, 840, 113549, 1, 5, 6): "PBE-MD5-RC2-64",
        ObjectIdentifier(1, 2, 840, 113549, 1, 5, 10): "PBE-SHA1-DES",
        ObjectIdentifier(1, 2, 840, 113549, 1, 5, 11): "PBE-SHA1-RC2-64",
    ]
}
