import Localization
import Secrets

/// The identifier byte of an element (X.690, 8.1.2); no structure that we read has tag numbers above 30.
struct DERTag: Equatable {
    let byte: UInt8

    static let integer = DERTag(byte: 0x02)
    static let bitString = DERTag(byte: 0x03)
    static let octetString = DERTag(byte: 0x04)
    static let null = DERTag(byte: 0x05)
    static let objectIdentifier = DERTag(byte: 0x06)
    static let bmpString = DERTag(byte: 0x1E)
    static let sequence = DERTag(byte: 0x30)
    static let set = DERTag(byte: 0x31)

    /// `[number]` around an element, or in place of a constructed one's own tag.
    static func context(_ number: UInt8) -> DERTag { DERTag(byte: 0xA0 | number) }
    /// `[number]` in place of a primitive element's own tag.
    static func primitiveContext(_ number: UInt8) -> DERTag { DERTag(byte: 0x80 | number) }
}

/// Reads DER (X.690, 10) from borrowed bytes, front to back, and refuses every other form of BER.
///
/// SwiftASN1 wants its input in an array. Private keys must not be in one, so what may hold a key is read here, where
/// it lies in locked memory. Nothing is allocated, so that no input makes it large or deep.
struct DERReader: ~Escapable {
    private let span: RawSpan
    private var offset = 0
    /// What is being read, for errors.
    private let name: String

    @_lifetime(copy span)
    init(_ span: RawSpan, _ name: String) {
        self.span = span
        self.name = name
    }

    var isAtEnd: Bool { offset == span.byteCount }

    /// Whether an element with this tag comes next.
    func comes(_ tag: DERTag) -> Bool { !isAtEnd && span.byte(at: offset) == tag.byte }

    /// The content of the next element, which must have this tag.
    @_lifetime(copy self)
    mutating func content(_ tag: DERTag, _ field: String) throws(CertificateReadError) -> RawSpan {
        let header = try header(field)
        guard header.tag == tag else { throw mismatch(header.tag, tag, field) }
        offset = header.end
        return span.extracting(header.start..<header.end)
    }

    /// The next element whatever it is, with its tag and length.
    @_lifetime(copy self)
    mutating func encoding(_ field: String) throws(CertificateReadError) -> RawSpan {
        let start = offset
        offset = try header(field).end
        return span.extracting(start..<offset)
    }

    /// Nothing may follow.
    func end() throws(CertificateReadError) {
        guard isAtEnd else {
            throw CertificateReadError(
                .damaged, localized("\(span.byteCount - offset) bytes too many at the end"), at: [name])
        }
    }

    func failure(_ code: CertificateReadError.Code, _ field: String, _ message: String) -> CertificateReadError {
        CertificateReadError(code, message, at: [name, field])
    }

    private func header(_ field: String) throws(CertificateReadError) -> (tag: DERTag, start: Int, end: Int) {
        let left = span.byteCount - offset
        guard left > 0 else { throw failure(.damaged, field, localized("is missing")) }
        guard left > 1 else { throw failure(.damaged, field, localized("is cut short")) }
        let tag = DERTag(byte: span.byte(at: offset))
        guard tag.byte & 0x1F != 0x1F else { throw failure(.damaged, field, localized("has an unknown tag")) }
        let first = span.byte(at: offset + 1)
        var start = offset + 2
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard count > 0 else {
                throw failure(.unsupported, field, localized("is BER of indefinite length; only DER is read"))
            }
            guard count <= 4 else { throw failure(.damaged, field, localized("has an impossible length")) }
            guard left >= 2 + count else { throw failure(.damaged, field, localized("is cut short")) }
            length = (start..<start + count).reduce(0) { $0 << 8 | Int(span.byte(at: $1)) }
            start += count
            // X.690, 10.1: the definite form, in as few bytes as possible.
            guard length >= 0x80, length >> (8 * (count - 1)) != 0 else {
                throw failure(.damaged, field, localized("has a length that is not in its shortest form"))
            }
        }
        guard length <= span.byteCount - start else { throw failure(.damaged, field, localized("is cut short")) }
        return (tag, start, start + length)
    }

    private func mismatch(_ tag: DERTag, _ expected: DERTag, _ field: String) -> CertificateReadError {
        let isConstructedString = tag.byte == expected.byte | 0x20
        return failure(
            isConstructedString ? .unsupported : .damaged, field,
            isConstructedString
                ? localized("is BER in pieces; only DER is read")
                : localized(
                    "has tag 0x\(String(tag.byte, radix: 16)) where 0x\(String(expected.byte, radix: 16)) belongs"))
    }
}
