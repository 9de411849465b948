import Testing
import Tresor

@testable import Profiles

/// When a profile's items can be read: each rule, each kind of item.
@Suite struct Availability {
    @Test(
        arguments: [
            (.macOS, .certificate, false, .always), (.macOS, .managementIdentity, false, .always),
            (.macOS, .other, false, .always), (.macOS, .other, true, .always),
            (.iOS, .certificate, false, .always), (.iOS, .managementIdentity, false, .always),
            (.iOS, .other, false, .afterFirstUnlockThisDeviceOnly), (.iOS, .other, true, .always),
        ] as [(AvailabilityRule, AvailabilityRule.Role, Bool, ProtectionClass)])
    func `each rule gives each kind of item its documented class`(
        _ rule: AvailabilityRule, _ role: AvailabilityRule.Role, _ wasAlways: Bool, _ expected: ProtectionClass
    ) {
        #expect(rule.protectionClass(of: role, wasAlways: wasAlways) == expected)
    }

    private func classes(_ payloads: [String], _ rule: AvailabilityRule) throws -> [String: ProtectionClass] {
        let plan = try InstallationPlan(try ProfileText.read(ProfileText.profile(payloads)), rule)
        return Dictionary(
            plan.items.map { ("\($0.payload) \($0.kind)", $0.protectionClass) }, uniquingKeysWith: { one, _ in one })
    }

    @Test
    func `of a profile with everything, by the rule of iOS, certificates and the managed identity are always readable`()
        throws
    {
        let payloads = [
            try ProfileText.authority(), ProfileText.wirelessNetwork(), try ProfileText.identity(),
            ProfileText.management(),
        ]
        #expect(
            try classes(payloads, .iOS) == [
                "R certificate": .always, "W password": .afterFirstUnlockThisDeviceOnly, "I certificate": .always,
                "I key": .always,
            ])
        // Without a payload that names it, the identity is one like others.
        #expect(
            try classes([try ProfileText.identity()], .iOS) == [
                "I certificate": .always, "I key": .afterFirstUnlockThisDeviceOnly,
            ])
        #expect(try classes(payloads, .macOS).values.allSatisfy { $0 == .always })
    }

    @Test func `two policies together demand what satisfies both, and an idle lock is only made shorter`() {
        let both = PasscodePolicy(minimumLength: 6, idleLockSeconds: 600).stricter(
            PasscodePolicy(minimumLength: 4, idleLockSeconds: 300))
        #expect(both == PasscodePolicy(minimumLength: 6, idleLockSeconds: 300))
        #expect(PasscodePolicy().stricter(both) == both)
        #expect(both.allowedIdleLock(0) == 300)
        #expect(both.allowedIdleLock(60) == 60)
        #expect(PasscodePolicy().allowedIdleLock(0) == 0)
    }
}
