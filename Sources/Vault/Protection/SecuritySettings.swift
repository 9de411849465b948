/// Settings that only the passcode changes.
package struct SecuritySettings: Equatable, Sendable {
    package var delayPolicy: DelayPolicy
    package var erasesAfterTenTries: Bool
    /// Characters a new passcode must have at least.
    package var minimumPasscodeLength: UInt8

    /// Those of a device that was just made.
    package static let initial = SecuritySettings(
        delayPolicy: .apple2024, erasesAfterTenTries: false, minimumPasscodeLength: 1)

    package init(delayPolicy: DelayPolicy, erasesAfterTenTries: Bool, minimumPasscodeLength: UInt8) {
        self.delayPolicy = delayPolicy
        self.erasesAfterTenTries = erasesAfterTenTries
        self.minimumPasscodeLength = minimumPasscodeLength
    }
}
