import Localization
import Secrets

/// One element of BER (X.690, 8.1), in whichever form: what signs configuration profiles writes indefinite lengths and
/// strings in pieces, which DER does not have.
///
/// Only what surrounds a signed content is read like this. What is signed, and certificates, are DER.
struct BERElement {
    let tag: DERTag
    /// From its tag to behind its end.
    let whole: Range<Int>
    let content: Range<Int>

    private static let deepest = 16

    /// Reads the element at `start`.
    ///
    /// - Parameter end: where what holds it ends.
    init(_ bytes: RawSpan, at start: Int, before end: Int, depth: Int = 0) throws(CertificateReadError) {
        guard end - start >= 2 else { throw Self.failure(localized("is cut short")) }
        guard depth < Self.deepest else {
            throw CertificateReadError(.tooLarge, localized("nests too deep"), at: ["CMS"])
        }
        tag = DERTag(byte: bytes.byte(at: start))
        guard tag.byte & 0x1F != 0x1F else { throw Self.failure(localized("has an unknown tag")) }
        let first = bytes.byte(at: start + 1)
        guard first != 0x80 else {
            let inner = try Self.indefinite(bytes, start, end, depth)
            content = start + 2..<inner
            whole = start..<inner + 2
            return
        }
        let count = first < 0x80 ? 0 : Int(first & 0x7F)
        guard count <= 4, end - start - 2 >= count else { throw Self.failure(localized("has an impossible length")) }
        var length = first < 0x80 ? Int(first) : 0
        for index in 0..<count { length = length << 8 | Int(bytes.byte(at: start + 2 + index)) }
        let begin = start + 2 + count
        guard length <= end - begin else { throw Self.failure(localized("is cut short")) }
        content = begin..<begin + length
        whole = start..<begin + length
    }

    /// Where the two zeros stand that end an element without a length.
    private static func indefinite(
        _ bytes: RawSpan, _ start: Int, _ end: Int, _ depth: Int
    ) throws(CertificateReadError) -> Int {
        guard bytes.byte(at: start) & 0x20 != 0 else { throw failure(localized("has no length")) }
        var place = start + 2
        while true {
            guard end - place >= 2 else { throw failure(localized("is cut short")) }
            if bytes.byte(at: place) == 0, bytes.byte(at: place + 1) == 0 { return place }
            place = try BERElement(bytes, at: place, before: end, depth: depth + 1).whole.upperBound
        }
    }

    private static func failure(_ message: String) -> CertificateReadError {
        CertificateReadError(.damaged, message, at: ["CMS"])
    }
}

/// The elements inside of one, front to back.
struct BERReader: ~Escapable {
    private let bytes: RawSpan
    private var range: Range<Int>

    @_lifetime(copy bytes)
    init(_ bytes: RawSpan, _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    var isAtEnd: Bool { range.isEmpty }

    func comes(_ tag: DERTag) -> Bool { !isAtEnd && bytes.byte(at: range.lowerBound) == tag.byte }

    mutating func next(_ field: String) throws(CertificateReadError) -> BERElement {
        guard !isAtEnd else { throw failure(.damaged, field, localized("is missing")) }
        let element = try BERElement(bytes, at: range.lowerBound, before: range.upperBound)
        range = element.whole.upperBound..<range.upperBound
        return element
    }

    mutating func next(_ tag: DERTag, _ field: String) throws(CertificateReadError) -> BERElement {
        let element = try next(field)
        guard element.tag == tag else { throw failure(.damaged, field, localized("is something else")) }
        return element
    }

    /// What stands inside of the next element.
    @_lifetime(copy self)
    mutating func inside(_ tag: DERTag, _ field: String) throws(CertificateReadError) -> BERReader {
        BERReader(bytes, try next(tag, field).content)
    }

    mutating func objectIdentifier(_ field: String) throws(CertificateReadError) -> ObjectIdentifier {
        let content = try next(.objectIdentifier, field).content
        guard let name = ObjectIdentifier(encoded: bytes.extracting(content).copyToArray()) else {
            throw failure(.damaged, field, localized("is no object identifier"))
        }
        return name
    }

    func end(_ field: String) throws(CertificateReadError) {
        guard isAtEnd else { throw failure(.damaged, field, localized("goes on behind its end")) }
    }

    func failure(_ code: CertificateReadError.Code, _ field: String, _ message: String) -> CertificateReadError {
        CertificateReadError(code, message, at: ["CMS", field])
    }
}
