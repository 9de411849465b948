/// When a finger may stand for the passcode, and when not.
///
/// A value without I/O: times come in as seconds of CLOCK_BOOTTIME, which counts suspend and can't be set. It is never
/// stored. After a restart it begins empty, and an empty one refuses: biometry never opens a device that has just
/// started. The rules are those that Apple documents under "When a passcode or password is required" in its platform
/// security guide.
///
///     var biometry = BiometryState()
///     biometry.passcodeUnlocked(at: 10)
///     if biometry.refusal(of: .presence, at: 20) == nil { … ask the reader … }
///     if biometry.matched(for: .presence, at: 21) == nil { … it counts … }
package struct BiometryState: Equatable, Sendable {
    /// Failed matches in a row after which only the passcode helps.
    package static let failureLimit: UInt32 = 5
    /// Not unlocked at all for longer than this: 48 hours.
    package static let unlockLimit: UInt64 = 48 * 3600
    /// The passcode not used for this long: 156 hours, which counts together with ``biometricLimit``.
    package static let passcodeLimit: UInt64 = 156 * 3600
    /// No biometric unlock for this long: 4 hours.
    package static let biometricLimit: UInt64 = 4 * 3600

    /// What the owner's finger is to permit.
    package enum Purpose: CaseIterable, Sendable {
        /// To open what is protected: the lock, an item that asks for its owner.
        case presence
        /// To set, change or remove the passcode, or its settings.
        case passcodeChange
        /// To erase the device.
        case erase
    }

    /// Why the passcode is demanded.
    package enum Refusal: UInt8, Error, CaseIterable, Sendable {
        /// No passcode since the start.
        case notUnlockedSinceStart = 1
        /// Five failed matches in a row.
        case tooManyFailures = 2
        /// Not unlocked for more than 48 hours.
        case notUnlockedForTwoDays = 3
        /// The passcode unused for 156 hours, and no biometric unlock for 4.
        case passcodeUnusedForLong = 4
        /// The owner locked the device from afar, or demanded the passcode.
        case lockedRemotely = 5
        /// This is never permitted by a finger.
        case passcodeOnly = 6
    }

    private struct Unlocks: Equatable, Sendable {
        var byPasscode: UInt64
        var byBiometry: UInt64?
    }

    /// Nil until the passcode was given once since the start.
    private var unlocks: Unlocks?
    /// Failed matches since the last one that succeeded, or the last passcode.
    package private(set) var failures: UInt32 = 0
    private var isLockedRemotely = false

    /// The state after a start.
    package init() {}

    /// Why a finger doesn't do now; nil when it does.
    ///
    /// A clock that went back is not believed: whatever lies in the future counts as very long ago.
    ///
    /// - Parameter now: seconds of CLOCK_BOOTTIME.
    package func refusal(of purpose: Purpose, at now: UInt64) -> Refusal? {
        guard purpose == .presence else { return .passcodeOnly }
        guard let unlocks else { return .notUnlockedSinceStart }
        if isLockedRemotely { return .lockedRemotely }
        if failures >= Self.failureLimit { return .tooManyFailures }
        let sincePasscode = Self.seconds(from: unlocks.byPasscode, to: now)
        let sinceBiometry = unlocks.byBiometry.map { Self.seconds(from: $0, to: now) } ?? .max
        if min(sincePasscode, sinceBiometry) > Self.unlockLimit { return .notUnlockedForTwoDays }
        if sincePasscode >= Self.passcodeLimit && sinceBiometry >= Self.biometricLimit { return .passcodeUnusedForLong }
        return nil
    }

    /// The right passcode was given: everything begins anew.
    package mutating func passcodeUnlocked(at now: UInt64) {
        unlocks = Unlocks(byPasscode: now, byBiometry: nil)
        failures = 0
        isLockedRemotely = false
    }

    /// A reader saw an enrolled finger.
    ///
    /// - Returns: why that doesn't count, in which case nothing has changed; nil when it does.
    package mutating func matched(for purpose: Purpose, at now: UInt64) -> Refusal? {
        if let refusal = refusal(of: purpose, at: now) { return refusal }
        unlocks?.byBiometry = now
        failures = 0
        return nil
    }

    /// A reader saw another finger.
    ///
    /// A scan that could not be judged (too short, off centre) is not one.
    package mutating func failed() { failures = min(failures + 1, Self.failureLimit) }

    /// From here on only the passcode helps.
    package mutating func lockRemotely() { isLockedRemotely = true }

    private static func seconds(from past: UInt64, to now: UInt64) -> UInt64 { now >= past ? now - past : .max }
}
