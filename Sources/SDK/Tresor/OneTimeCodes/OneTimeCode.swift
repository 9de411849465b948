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
        let left = secret.parameters.secondsLeft(at: seconds)
        end = Date(timeIntervalSince1970: Double(max(0, seconds)) + Double(left))
    }

    /// Reads what codes are made from, with this module's error.
    static func read(_ text: RawSpan) throws(TresorError) -> OneTimeCodeSecret {
        do { return try OneTimeCodeSecret(text) } catch {
            switch error {
            case .malformed:
                throw TresorError(
                    .invalidParameter, localized("that is neither an otpauth address nor a secret in base32"),
                    cause: "notOneTimeCode")
            case .counterBased:
                throw TresorError(
                    .invalidParameter,
                    localized("codes by a counter are not made here: each would have to change the item"),
                    cause: "counterBased")
            case .unsupported:
                throw TresorError(
                    .invalidParameter, localized("codes of this kind or form are not made here"),
                    cause: "unsupportedCode")
            case .memory: throw noMemory
            }
        }
    }

    /// The same text as an item holds it, where codes can be made from it.
    static func stored(_ text: RawSpan) throws(TresorError) -> SecretBytes {
        _ = try read(text)
        do { return try OneTimeCodeSecret.trimmed(text) } catch { throw noMemory }
    }

    static var noMemory: TresorError { TresorError(.outOfMemory, localized("no locked memory is left"), status: -108) }
}
