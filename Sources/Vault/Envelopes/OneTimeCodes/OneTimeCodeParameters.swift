/// How codes follow from a secret.
///
/// See specs/one-time-code.md.
package struct OneTimeCodeParameters: Equatable, Sendable {
    /// The hash inside HMAC.
    package enum Algorithm: String, CaseIterable, Sendable {
        case sha1 = "SHA1"
        case sha256 = "SHA256"
        case sha512 = "SHA512"
    }

    /// What a reader takes.
    package static let digitCounts = 6...8
    /// In seconds.
    package static let periods = 1...300

    /// The hash inside HMAC; SHA-1 where nothing is said.
    package let algorithm: Algorithm
    /// How long a code is.
    package let digits: Int
    /// How many seconds each code is good for.
    package let period: Int

    /// What is meant where nothing is said: the defaults of the Key URI format.
    package static let standard = OneTimeCodeParameters(algorithm: .sha1, digits: 6, period: 30)

    /// The step that a time lies in (RFC 6238, 4.2, with T0 = 0).
    ///
    /// - Parameter seconds: since 1970, UTC; what is before counts as 1970.
    package func step(at seconds: Int64) -> UInt64 { UInt64(max(0, seconds)) / UInt64(period) }

    /// How long the code of a time is still good, the present second included.
    ///
    /// - Parameter seconds: since 1970, UTC; what is before counts as 1970.
    /// - Returns: from 1 to ``period``.
    package func secondsLeft(at seconds: Int64) -> Int { period - Int(max(0, seconds) % Int64(period)) }
}

/// Why bytes are no secret of one-time codes, or of none that is read here.
package enum OneTimeCodeError: Error, Equatable, Sendable {
    /// Neither an otpauth address nor a secret in base32; or an address with a part that no writer writes.
    case malformed
    /// Codes by a counter (HOTP), which would have to be stored anew with each of them.
    case counterBased
    /// Codes of another kind or form: another algorithm, number of digits, period or encoding.
    case unsupported
    /// No locked memory is left.
    case memory
}
