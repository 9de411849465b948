package import Foundation

/// What was proved to a context by a finger: whether it counts still, without asking again.
///
/// A value without clock or I/O. What it answers is told to the program that asked, and opens nothing: the enclave
/// gives its verdicts for a fresh finger alone.
package struct RecentMatch: Equatable, Sendable {
    /// When, in milliseconds of a clock that runs during suspend and can't be set.
    private let milliseconds: UInt64
    /// Which fingers were enrolled then.
    private let enrolment: [UInt8]
    /// Since when the device had been unlocked then.
    private let unlockedSince: Int64

    /// Nil where it is not known which fingers were enrolled, or the device was locked: then nothing is kept.
    package init?(at milliseconds: UInt64, _ device: DeviceMoment) {
        guard let enrolment = device.enrolment, let unlockedSince = device.unlockedSince else { return nil }
        self.milliseconds = milliseconds
        self.enrolment = enrolment
        self.unlockedSince = unlockedSince
    }

    /// Whether it lies within the last `seconds`, and neither was the device locked nor a finger enrolled or deleted
    /// since.
    package func serves(at now: UInt64, within seconds: TimeInterval, _ device: DeviceMoment) -> Bool {
        guard seconds > 0, now >= milliseconds, Double(now - milliseconds) <= seconds * 1000 else { return false }
        return device.enrolment == enrolment && device.unlockedSince == unlockedSince
    }
}

/// The device as it stands when somebody is to be asked.
package struct DeviceMoment: Equatable, Sendable {
    /// Which fingers are enrolled; nil where none are, or nobody can tell.
    package let enrolment: [UInt8]?
    /// Since when it is unlocked, in microseconds since 1970; nil where it is not.
    package let unlockedSince: Int64?
    /// Whether a passcode is set, and so somebody gave it to unlock.
    package let hasPasscode: Bool

    /// - Parameters:
    ///   - enrolment: 32 bytes; nil where no finger is enrolled.
    ///   - unlockedSince: microseconds since 1970.
    package init(enrolment: [UInt8]?, unlockedSince: Int64?, hasPasscode: Bool) {
        self.enrolment = enrolment
        self.unlockedSince = unlockedSince
        self.hasPasscode = hasPasscode
    }

    /// Whether the passcode unlocked it within the last `seconds`; `now` is in microseconds since 1970.
    package func wasUnlocked(at now: Int64, within seconds: TimeInterval) -> Bool {
        guard seconds > 0, hasPasscode, let unlockedSince, now >= unlockedSince else { return false }
        return Double(now - unlockedSince) <= seconds * 1_000_000
    }
}
