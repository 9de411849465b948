/// Why a security key gave nothing.
///
/// The codes behind it are those of CTAP 2.1, section 8.2, "Status codes".
package enum SecurityKeyError: Error, Equatable, Sendable {
    /// No key is there, or it was pulled out, or we may not open it.
    case noDevice
    /// It speaks no CTAP2, or has no `hmac-secret`.
    case unsupported
    /// Nobody touched it in the time given.
    case timedOut
    /// It was told not to, or somebody declined at the key.
    case refused
    /// It demands its PIN, and none was given.
    case pinRequired
    /// A PIN was given that can't be one: not 4 to 63 bytes, or with a zero byte.
    case pinUnusable
    /// A PIN was given, and the key has none.
    case pinNotSet
    /// The PIN is wrong; it costs one of the key's tries.
    case pinWrong
    /// Three wrong PINs in a row: the key wants to be pulled out and put in again.
    case pinPaused
    /// No tries are left: only a reset, which destroys its secrets, makes the key usable again.
    case pinBlocked
    /// The key's own sensor did not recognise its owner, or does so no more.
    case notVerified
    /// The credential was made by another key, or this one was reset since.
    case otherKey
    /// The key answered against the rules: without proof of presence, with a wrong signature, or with no secret.
    case untrustworthy
    /// Another failure of the key or of the library.
    case failed
    /// No more locked memory (`RLIMIT_MEMLOCK`).
    case outOfLockedMemory
}
