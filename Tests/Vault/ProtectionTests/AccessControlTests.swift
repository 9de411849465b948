import Testing

@testable import Protection

/// What an item may demand, and what meets it.
@Suite struct AccessControlTests {
    private let now = [UInt8](repeating: 1, count: 32)
    private let before = [UInt8](repeating: 2, count: 32)
    private var finger: PresenceProof { .biometry(enrolment: now) }

    @Test func `demands that may stand together`() {
        for bits: AccessControl in [
            [], .userPresence, .devicePasscode, .biometryAny, .biometryCurrentSet, [.biometryAny, .devicePasscode],
            [.biometryAny, .or, .devicePasscode], [.biometryCurrentSet, .and, .devicePasscode], [.devicePasscode, .or],
            .privateKeyUsage, [.privateKeyUsage, .userPresence], [.privateKeyUsage, .biometryCurrentSet],
            [.privateKeyUsage, .biometryAny, .and, .devicePasscode], .applicationPassword,
            [.applicationPassword, .userPresence], [.applicationPassword, .privateKeyUsage, .biometryAny],
        ] {
            #expect(bits.isValid, "\(bits)")
        }
        for bits: AccessControl in [
            [.userPresence, .devicePasscode], [.userPresence, .biometryAny], [.biometryAny, .biometryCurrentSet],
            [.devicePasscode, .or, .and], .or, .and, [.userPresence, .or], AccessControl(rawValue: 1 << 5),
            AccessControl(rawValue: 1 << 2), AccessControl(rawValue: 1 << 29), [.applicationPassword, .or],
            [.privateKeyUsage, .or], [.privateKeyUsage, .userPresence, .devicePasscode],
            [.privateKeyUsage, AccessControl(rawValue: 1 << 5)],
        ] {
            #expect(!bits.isValid, "\(bits)")
        }
    }

    @Test func `presence is met by either, each other demand by its own`() {
        let table: [(AccessControl, [PresenceProof], Bool)] = [
            ([], [], true), (.userPresence, [], false), (.userPresence, [.passcode], true),
            (.userPresence, [finger], true), (.devicePasscode, [finger], false), (.devicePasscode, [.passcode], true),
            (.biometryAny, [.passcode], false), (.biometryAny, [finger], true),
            (.biometryCurrentSet, [finger], true), (.biometryCurrentSet, [.passcode], false),
            (.biometryCurrentSet, [.biometry(enrolment: before)], false),
            (.biometryAny, [.biometry(enrolment: before)], true),
            ([.biometryAny, .or, .devicePasscode], [.passcode], true),
            ([.biometryAny, .or, .devicePasscode], [finger], true),
            ([.biometryCurrentSet, .or, .devicePasscode], [.biometry(enrolment: before)], false),
            ([.biometryCurrentSet, .or, .devicePasscode], [.biometry(enrolment: before), .passcode], true),
            ([.biometryAny, .and, .devicePasscode], [finger], false),
            ([.biometryAny, .and, .devicePasscode], [.passcode], false),
            ([.biometryAny, .and, .devicePasscode], [.passcode, finger], true),
            ([.biometryAny, .devicePasscode], [finger], false),
            ([.biometryAny, .devicePasscode], [finger, .passcode], true),
            (.privateKeyUsage, [], true), ([.privateKeyUsage, .userPresence], [], false),
            ([.privateKeyUsage, .userPresence], [.passcode], true),
            ([.privateKeyUsage, .biometryCurrentSet], [.biometry(enrolment: before)], false),
        ]
        for (control, proofs, isMet) in table {
            #expect(control.isSatisfied(by: proofs, enrolment: now) == isMet, "\(control) by \(proofs)")
        }
    }
}
