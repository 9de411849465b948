import Envelopes
public import FoundationEssentials
import KeyEnvelopes
import Localization
public import Secrets

/// A code that proves, for some seconds, that its owner holds a secret (RFC 6238).
public struct OneTimeCode: ~Copyable, Sendable {
    /// Six to eight ASCII digits.
    public let digits: SecretBytes
    /// How many seconds each code is good for, from 1 to 300.
    public let period: Int
    /// The hash inside HMAC, by its name in an otpauth address.
    package let algorithm: String
    /// When the next code takes this one's place.
    ///
    /// Servers differ in how long they take the one before.
    public let end: Date

    /// How long it is still good, in whole seconds, rounded up; 0 once it is over.
    ///
    /// - Parameter date: now.
    public borrowing func secondsLeft(at date: Date) -> Int {
        max(0, Int(end.timeIntervalSince(date).rounded(.up)))
    }

    /// Makes the code of a time.
    ///
    /// - Parameters:
    ///   - stored: an otpauth address, or a secret in base32.
    ///   - date: the time; what is before 1970 counts as 1970.
    /// - Throws: ``TresorError``: `invalidParameter` for anything else, and for codes that are not made here.
    package init(_ stored: borrowing SecretBytes, at date: Date) throws(TresorError) {
        let secret = try stored.withBytes { (bytes) throws(TresorError) in try Self.read(bytes) }
        // What no clock says is no reason to trap.
        let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
        do { digits = try secret.code(at: seconds) } catch { throw Self.noMemory }
        period = secret.parameters.period
        algorithm = secret.parameters.algorithm.rawValue
        let left = secret.parameters.secondsLeft(at: seconds)
        end = Date(timeIntervalSince1970: Double(max(0, seconds)) + Double(left))
    }

    /// Reads what codes are made from, with this module's error.
    static func read(_ text: RawSpan) throws(TresorError) -> OneTimeCodeSecret {
        do { return try OneTimeCodeSecret(text) } catch {
            switch error {
            case .malformed:
                throw TresorError(
                    .invalidParameter, words(of: OneTimeCodeFlaw(in: text)), cause: "notOneTimeCode")
            case .counterBased:
                throw TresorError(
                    .invalidParameter,
                    localized("codes by a counter are not made here: each would have to change the item"),
                    cause: "counterBased")
            case .unsupported:
                throw TresorError(
                    .invalidParameter, unsupported(OneTimeCodeFlaw(in: text)), cause: "unsupportedCode")
            case .memory: throw noMemory
            }
        }
    }

    /// What is wrong with a text, without any of it.
    private static func words(of flaw: OneTimeCodeFlaw) -> String {
        switch flaw {
        case .empty: return localized("nothing was given; an otpauth address or a secret in base32 makes codes")
        case .noSecret: return localized("that otpauth address has no secret in it")
        case .letter(let place, isInAddress: true):
            return localized(
                "the secret in that otpauth address is no base32: its character \(place) is none of A to Z and 2 to 7")
        case .letter(let place, isInAddress: false):
            return localized(
                """
                that is neither an otpauth address nor a secret in base32: character \(place) is none of A to Z and \
                2 to 7
                """)
        case .end:
            return localized(
                """
                that is neither an otpauth address nor a secret in base32: letters are missing at its end, or there \
                are too many
                """)
        case .tooLong:
            return localized("that is neither an otpauth address nor a secret in base32: it is too long")
        case .algorithm, .digits, .period, .address:
            return localized("that otpauth address is cut off, or has something in it that none has")
        }
    }

    private static func unsupported(_ flaw: OneTimeCodeFlaw) -> String {
        switch flaw {
        case .algorithm:
            localized("codes of this kind or form are not made here: the algorithm is none of SHA1, SHA256, SHA512")
        case .digits: localized("codes of this kind or form are not made here: they have not 6 to 8 digits")
        case .period:
            localized("codes of this kind or form are not made here: they are not good for 1 to 300 seconds")
        default: localized("codes of this kind or form are not made here")
        }
    }

    /// The same text as an item holds it, where codes can be made from it.
    static func stored(_ text: RawSpan) throws(TresorError) -> SecretBytes {
        _ = try read(text)
        do { return try OneTimeCodeSecret.trimmed(text) } catch { throw noMemory }
    }

    static var noMemory: TresorError { TresorError(.outOfMemory, localized("no locked memory is left"), status: -108) }
}
