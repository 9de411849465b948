/// What a keychain files certificates and keys under: attributes by their four letters, as Apple's keychain has them.
///
/// Who holds a keychain turns them into its own attributes; this module knows of none.
package enum FiledValue: Sendable, Equatable {
    case number(Int64)
    case data([UInt8])
    case text(String)
}

extension DERCertificate {
    /// Everything but a label that somebody chose.
    package var filed: [String: FiledValue] {
        var filed: [String: FiledValue] = [
            "ctyp": .number(Int64(certificateType)), "cenc": .number(Int64(Self.encoding)),
            "issr": .data(issuerDER), "slnr": .data(serialNumber), "subj": .data(subjectDER),
            "pkhh": .data(publicKeyHash), "labl": .text(summary),
        ]
        filed["skid"] = subjectKeyIdentifier.map { .data($0) }
        return filed
    }
}

extension PrivateKey {
    /// Nil for Ed25519, for which Apple's interface has no type.
    package var filed: [String: FiledValue]? {
        algorithm.filed(.number(1), publicKey).map {
            $0.merging(["sign": .number(1), "drve": .number(algorithm == .rsa ? 0 : 1)]) { $1 }
        }
    }
}

extension PublicKey {
    /// Nil for Ed25519, for which Apple's interface has no type.
    package var filed: [String: FiledValue]? {
        algorithm.filed(.number(0), bytes).map { $0.merging(["vrfy": .number(1)]) { $1 } }
    }
}

extension PrivateKey.Algorithm {
    /// Apple's number of the algorithm (`kSecAttrKeyType…`: CSSM_ALGID_RSA is 42, elliptic curves are 73).
    package var filedType: Int64? {
        switch self {
        case .rsa: 42
        case .p256, .p384, .p521: 73
        case .ed25519: nil
        }
    }

    fileprivate func filed(_ keyClass: FiledValue, _ publicKey: [UInt8]) -> [String: FiledValue]? {
        guard let filedType else { return nil }
        let size = FiledValue.number(Int64(bitCount(publicKey)))
        return [
            "kcls": keyClass, "klbl": .data(Fingerprint.sha1ForLabel(publicKey)), "type": .number(filedType),
            "bsiz": size, "esiz": size,
        ]
    }
}
