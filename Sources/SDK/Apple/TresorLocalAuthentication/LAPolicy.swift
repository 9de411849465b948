/// What the owner shall prove.
///
/// The numbers are those of Apple's `LAPolicy`.
public enum LAPolicy: Int, Sendable {
    /// By a finger alone, through fprintd: software's word (docs/guides/presence.md).
    ///
    /// Fails with `biometryNotAvailable` without a reader, `biometryNotEnrolled`, and `biometryLockout` where the rules
    /// demand the passcode.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// By biometrics or the device's passcode; here by the passcode.
    case deviceOwnerAuthentication = 2
    /// By a watch.
    ///
    /// Fails with `watchNotAvailable`.
    case deviceOwnerAuthenticationWithWatch = 3
    /// By biometrics or a watch; here by a finger.
    case deviceOwnerAuthenticationWithBiometricsOrWatch = 4
}

/// The kind of biometric verifier that a device has.
public enum LABiometryType: Int, Sendable {
    /// None.
    case none = 0
    /// A fingerprint sensor.
    case touchID = 1
    /// A face camera.
    case faceID = 2
    /// An iris camera.
    case opticID = 4
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The most that ``LAContext/touchIDAuthenticationAllowableReuseDuration`` takes: five minutes.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300
