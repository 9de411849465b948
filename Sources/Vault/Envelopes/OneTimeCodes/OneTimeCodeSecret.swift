package import KeyEnvelopes
package import Secrets

/// What one-time codes are made from: a secret, how, and for whom (RFC 4226, RFC 6238).
///
///     let secret = try stored.withBytes { try OneTimeCodeSecret($0) }
///     let digits = try secret.code(at: seconds)
///
/// See specs/one-time-code.md.
package struct OneTimeCodeSecret: ~Copyable, Sendable {
    /// Of a stored text, with blanks around it.
    package static let longestText = 4096
    /// Of the secret that the base32 says.
    package static let longestSecret = 128

    /// How codes follow from it; those of the standard where the text says nothing.
    package let parameters: OneTimeCodeParameters
    /// Who gave it out, for people; nil where it does not say.
    package let issuer: String?
    /// Whose it is, for people; nil where it does not say.
    package let account: String?
    let key: SecretBytes

    init(
        _ key: consuming SecretBytes, _ parameters: OneTimeCodeParameters, issuer: String? = nil,
        account: String? = nil
    ) {
        self.key = key
        self.parameters = parameters
        self.issuer = issuer
        self.account = account
    }

    /// Reads an otpauth address, or a bare secret in base32, with blanks or line ends around it.
    ///
    /// - Parameter text: as it was stored, in locked memory.
    package init(_ text: RawSpan) throws(OneTimeCodeError) {
        guard text.byteCount <= Self.longestText else { throw .malformed }
        let text = ByteRange(text).trimmed
        if text.hasPrefix("otpauth:") {
            self = try OneTimeCodeAddress.read(text)
        } else if text.hasPrefix("steam:") {
            throw .unsupported
        } else {
            self.init(try OneTimeCodeBase32.decode(text), .standard)
        }
    }

    /// The same text without the blanks and line ends around it, as it is to be stored.
    package static func trimmed(_ text: RawSpan) throws(OneTimeCodeError) -> SecretBytes {
        let part = ByteRange(text).trimmed
        do {
            var copy = try SecretBuffer(capacity: max(1, part.count))
            for offset in 0..<part.count { try copy.append(byte: part[offset]) }
            return copy.finish()
        } catch { throw .memory }
    }

    /// The code of a time (RFC 6238, 4.2).
    ///
    /// - Parameter seconds: since 1970, UTC.
    /// - Returns: as many ASCII digits as ``parameters`` say.
    package borrowing func code(at seconds: Int64) throws(EnvelopeError) -> SecretBytes {
        try code(counter: parameters.step(at: seconds))
    }

    /// The code of a counter (RFC 4226, 5.3).
    borrowing func code(counter: UInt64) throws(EnvelopeError) -> SecretBytes {
        let hash = try CounterHash.authenticate(counter, under: key, by: parameters.algorithm)
        var number = hash.withBytes { Self.truncated($0) }
        var digits: UInt32 = 1
        for _ in 0..<parameters.digits { digits *= 10 }
        number %= digits
        do {
            var text = try SecretBuffer(capacity: OneTimeCodeParameters.digitCounts.upperBound)
            for _ in 0..<parameters.digits {
                digits /= 10
                try text.append(byte: UInt8(ascii: "0") + UInt8(number / digits % 10))
            }
            return text.finish()
        } catch { throw .memory }
    }

    /// 31 bits, from where the last four say.
    private static func truncated(_ hash: RawSpan) -> UInt32 {
        let start = Int(hash.byte(at: hash.byteCount - 1) & 0x0F)
        var number: UInt32 = 0
        for offset in start..<start + 4 { number = number << 8 | UInt32(hash.byte(at: offset)) }
        return number & 0x7FFF_FFFF
    }
}
