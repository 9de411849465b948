/// What a profile demands of the passcode (`com.apple.mobiledevice.passwordpolicy`).
package struct PasscodePolicy: Sendable, Equatable {
    /// Characters that a passcode has at least; 0 where nothing is said.
    package var minimumLength = 0
    /// Seconds without a request after which the device locks at the latest; 0 where nothing is said.
    package var idleLockSeconds: UInt32 = 0
    /// The fields that demand something that nothing here enforces.
    package var unenforced: [String] = []

    package init(minimumLength: Int = 0, idleLockSeconds: UInt32 = 0) {
        self.minimumLength = minimumLength
        self.idleLockSeconds = idleLockSeconds
    }

    init(_ fields: Fields) throws(ProfileError) {
        minimumLength = try fields.optionalInteger("minLength", 0...64) ?? 0
        // In minutes.
        idleLockSeconds = UInt32(try fields.optionalInteger("maxInactivity", 0...1440) ?? 0) * 60
        if try fields.optionalBool("forcePIN") == true { unenforced.append("forcePIN") }
        if try fields.optionalBool("allowSimple") == false { unenforced.append("allowSimple") }
        if try fields.optionalBool("requireAlphanumeric") == true { unenforced.append("requireAlphanumeric") }
        for name in ["minComplexChars", "maxFailedAttempts", "maxPINAgeInDays", "pinHistory", "maxGracePeriod"]
        where try fields.optionalInteger(name, 0...Int64(Int32.max)) ?? 0 > 0 {
            unenforced.append(name)
        }
    }

    /// What satisfies both.
    package func stricter(_ other: PasscodePolicy) -> PasscodePolicy {
        var both = self
        both.minimumLength = max(minimumLength, other.minimumLength)
        both.idleLockSeconds = Self.shorter(idleLockSeconds, other.idleLockSeconds)
        both.unenforced += other.unenforced.filter { !unenforced.contains($0) }
        return both
    }

    /// The idle lock nearest to what is wished that this policy allows; in seconds, and 0 is never.
    package func allowedIdleLock(_ wished: UInt32) -> UInt32 { Self.shorter(wished, idleLockSeconds) }

    private static func shorter(_ one: UInt32, _ other: UInt32) -> UInt32 {
        one == 0 ? other : other == 0 ? one : min(one, other)
    }
}
