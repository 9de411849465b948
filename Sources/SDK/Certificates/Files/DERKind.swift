import Secrets

/// What DER bytes are, by the tags with which their structures begin.
///
/// Nothing else is looked at, so that a file that is cut short is still told what it is damaged as.
enum DERKind: Equatable {
    case certificate, pkcs8, sec1, rsa, encryptedKey, pkcs12

    /// Nil when they are none of these.
    init?(_ bytes: RawSpan) {
        guard Self.tag(bytes, 0) == .sequence, let first = Self.contentStart(bytes, 0) else { return nil }
        switch Self.tag(bytes, first) {
        case .integer:
            guard let number = Self.contentStart(bytes, first), first + 2 < bytes.byteCount else { return nil }
            let second = number + Int(bytes.byte(at: first + 1) & 0x7F)
            switch Self.tag(bytes, second) {
            // A version and an algorithm; PKCS#12 has version 3 (RFC 7292, 4).
            case .sequence: self = bytes.byte(at: first + 2) == 3 ? .pkcs12 : .pkcs8
            case .octetString: self = .sec1
            case .integer: self = .rsa
            default: return nil
            }
        case .sequence:
            guard let inner = Self.contentStart(bytes, first) else { return nil }
            // An algorithm's name, or what a certificate begins with.
            self = Self.tag(bytes, inner) == .objectIdentifier ? .encryptedKey : .certificate
        default: return nil
        }
    }

    private static func tag(_ bytes: RawSpan, _ offset: Int) -> DERTag? {
        offset < bytes.byteCount ? DERTag(byte: bytes.byte(at: offset)) : nil
    }

    /// Where the content of the element at `offset` begins, if not behind the end.
    private static func contentStart(_ bytes: RawSpan, _ offset: Int) -> Int? {
        guard offset + 1 < bytes.byteCount else { return nil }
        let length = bytes.byte(at: offset + 1)
        let start = offset + 2 + (length > 0x80 ? Int(length & 0x7F) : 0)
        return start < bytes.byteCount ? start : nil
    }
}
