import Localization
import Secrets

extension DERReader {
    @_lifetime(copy self)
    mutating func sequence(_ field: String) throws(CertificateReadError) -> DERReader {
        DERReader(try content(.sequence, field), field)
    }

    @_lifetime(copy self)
    mutating func set(_ field: String) throws(CertificateReadError) -> DERReader {
        DERReader(try content(.set, field), field)
    }

    /// What stands inside `[number] EXPLICIT`.
    @_lifetime(copy self)
    mutating func explicit(_ number: UInt8, _ field: String) throws(CertificateReadError) -> DERReader {
        DERReader(try content(.context(number), field), field)
    }

    mutating func objectIdentifier(_ field: String) throws(CertificateReadError) -> ObjectIdentifier {
        let bytes = try content(.objectIdentifier, field).copyToArray()
        guard let identifier = ObjectIdentifier(encoded: bytes) else {
            throw failure(.damaged, field, localized("is no object identifier"))
        }
        return identifier
    }

    /// An integer from 0 to 2^31 - 1.
    mutating func integer(_ field: String) throws(CertificateReadError) -> Int {
        let bytes = try positiveInteger(field)
        guard bytes.byteCount <= 5 else { throw failure(.tooLarge, field, localized("is larger than 2^31 - 1")) }
        let value = (0..<bytes.byteCount).reduce(0) { $0 << 8 | Int(bytes.byte(at: $1)) }
        guard value <= Int(Int32.max) else { throw failure(.tooLarge, field, localized("is larger than 2^31 - 1")) }
        return value
    }

    /// The bytes of an integer that is not negative, in its shortest form (X.690, 8.3.2).
    @_lifetime(copy self)
    mutating func positiveInteger(_ field: String) throws(CertificateReadError) -> RawSpan {
        let bytes = try anyInteger(field)
        guard bytes.byte(at: 0) < 0x80 else { throw failure(.damaged, field, localized("is negative")) }
        return bytes
    }

    /// The bytes of an integer, in its shortest form.
    @_lifetime(copy self)
    mutating func anyInteger(_ field: String) throws(CertificateReadError) -> RawSpan {
        let bytes = try content(.integer, field)
        guard bytes.byteCount > 0 else { throw failure(.damaged, field, localized("is empty")) }
        guard bytes.byteCount > 1 else { return bytes }
        let signs = (bytes.byte(at: 0), bytes.byte(at: 1) & 0x80)
        guard signs != (0x00, 0x00), signs != (0xFF, 0x80) else {
            throw failure(.damaged, field, localized("is not in its shortest form"))
        }
        return bytes
    }

    /// The bytes of a bit string that has whole bytes, as every public key's is.
    @_lifetime(copy self)
    mutating func wholeBits(
        _ field: String, tag: DERTag = .bitString
    ) throws(CertificateReadError) -> RawSpan {
        let bits = try content(tag, field)
        guard bits.byteCount > 1, bits.byte(at: 0) == 0 else {
            throw failure(.damaged, field, localized("is no string of whole bytes"))
        }
        return bits.extracting(1..<bits.byteCount)
    }

    /// The parameters that some algorithms write as NULL and others leave out.
    mutating func skipNull(_ field: String) throws(CertificateReadError) {
        guard comes(.null) else { return }
        guard try content(.null, field).byteCount == 0 else { throw failure(.damaged, field, localized("is no NULL")) }
    }
}
