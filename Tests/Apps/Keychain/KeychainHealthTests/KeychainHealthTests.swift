import Foundation
import KeychainHealth
import Secrets
import Testing
import Tresor
import Wire

@testable import TresorTesting

@Suite struct KeychainHealthTests {
    private let stage: HealthStage

    init() throws { stage = try HealthStage() }

    private func findings(_ later: TimeInterval = 0) async throws -> HealthFindings {
        try await stage.keychain.healthFindings(now: HealthStage.now + later)
    }

    private func report(
        total: Int = 0, weak: Int = 0, reused: Int = 0, old: Int = 0, expired: Int = 0, expiring: Int = 0,
        skipped: Int = 0
    ) -> HealthReport {
        var report = HealthReport()
        report.total = total
        report.weak = weak
        report.reused = reused
        report.old = old
        // No test has items that are wrong in one way each: what is weak here is what is reused.
        report.affected = max(weak, reused, old)
        report.expiredCertificates = expired
        report.expiringCertificates = expiring
        report.skipped = skipped
        return report
    }

    @Test func `an empty keychain has nothing to report`() async throws {
        #expect(try await stage.keychain.health(now: HealthStage.now) == HealthReport())
    }

    @Test func `weak passwords are counted and named, an empty one among them`() async throws {
        try await stage.login("a.example", "Password2026!")
        try await stage.login("b.example", HealthStage.strong)
        try await stage.password("c", "")
        let findings = try await findings()
        #expect(findings.report == report(total: 3, weak: 2))
        #expect(findings.items(.weak).map { $0.server ?? $0.service } == ["a.example", "c"])
    }

    @Test func `one password at several sites is reused at each, and at one site at none`() async throws {
        try await stage.login("a.example", HealthStage.strong)
        try await stage.login("www.A.example", HealthStage.strong, account: "bert")
        #expect(try await findings().report == report(total: 2))
        try await stage.login("b.example", HealthStage.strong)
        try await stage.password("Router", HealthStage.strong + "x")
        try await stage.password("Printer", HealthStage.strong + "x")
        try await stage.password("Scanner", HealthStage.strong + "y")
        let findings = try await findings()
        #expect(findings.report == report(total: 6, reused: 5))
        #expect(findings.items(.reused).map { $0.account ?? "" } == ["anna", "bert", "anna", "", ""])
    }

    @Test func `what is wrong with a password in two ways is one password to look at`() async throws {
        try await stage.login("a.example", "abc")
        try await stage.login("b.example", "abc")
        try await stage.login("c.example", "xyz")
        try await stage.login("d.example", HealthStage.strong)
        let report = try await findings().report
        #expect(report.weak == 3 && report.reused == 2 && report.affected == 3 && report.total == 4)
    }

    @Test func `two empty passwords are no reuse`() async throws {
        try await stage.password("a", "")
        try await stage.password("b", "")
        #expect(try await findings().report == report(total: 2, weak: 2))
    }

    @Test func `a password is old three years after its last change, or when the rules say`() async throws {
        try await stage.login("a.example", HealthStage.strong)
        let threeYears = 3 * 365 * HealthStage.day
        #expect(try await findings(threeYears - 1).report.old == 0)
        #expect(try await findings(threeYears).report.old == 1)
        stage.device.setTime(HealthStage.now + threeYears)
        try await stage.keychain.update(
            .internetPassword(server: "a.example"), secret: HealthStage.secret("k7#mPq2vL9wy"))
        #expect(try await findings(threeYears).report.old == 0)
        var rules = HealthRules()
        rules.oldAge = 10
        #expect(try await stage.keychain.health(now: HealthStage.now + threeYears + 10, rules).old == 1)
    }

    @Test func `what nobody signs in with is not judged`() async throws {
        for part in ["notes", "one-time code", "custom fields", "secure note"] {
            try await stage.password("described as \(part)") { $0.itemDescription = part }
        }
        for part in ["notes", "one-time code, a.example", "custom fields"] { try await stage.password("a (\(part))") }
        try await stage.keychain.addOneTimeCode(
            HealthStage.secret("JBSWY3DP"), OneTimeCodeName(title: "a", account: "anna"))
        for service in ["tresor.profile", "tresor.developer", "tresor.notes.passphrase"] {
            try await stage.password(service)
        }
        try await stage.password("invisible") { $0.values[.invisible] = .number(1) }
        try await stage.password("never to be kept") { $0.values[.negative] = .number(1) }
        try await stage.password("of type note") { $0.values[.type] = .number(0x6E6F_7465) }
        try await stage.keychain.add(.key, ItemAttributes(), secret: HealthStage.secret("abc"))
        var binary = ItemAttributes()
        binary.service = "a key of some program"
        try await stage.keychain.add(.password, binary, secret: HealthStage.secret([0, 1, 2, 255]))
        #expect(try await findings(4000 * HealthStage.day).report == HealthReport())
        try await stage.password("tresor.example")
        #expect(try await findings().report == report(total: 1, weak: 1))
    }

    @Test func `what demands its owner or is locked is counted as not looked at, and nobody is asked`() async throws {
        try stage.device.setPasscode("1234")
        try await stage.password("open", "abc") { $0.protectionClass = .afterFirstUnlock }
        try await stage.password("guarded", "abc") { $0.accessControl = .userPresence }
        try await stage.password("guarded (notes)", "abc") { $0.accessControl = .userPresence }
        try await stage.login("a.example", "abc")
        #expect(try await findings().report == report(total: 2, weak: 2, reused: 2, skipped: 1))
        try stage.device.lock()
        #expect(try await findings().report.total == 1)
        #expect(try await findings().report.skipped == 3)
    }

    @Test func `certificates are expired after their end, and expiring thirty days before`() async throws {
        try await stage.certificate(1)
        try await stage.certificate(2, [0x30, 0])
        let end = HealthStage.certificateEnd.timeIntervalSince(HealthStage.now)
        #expect(try await findings().report == report(skipped: 1))
        #expect(try await findings(end - 30 * HealthStage.day - 1).report == report(skipped: 1))
        #expect(try await findings(end - 30 * HealthStage.day).report == report(expiring: 1, skipped: 1))
        #expect(try await findings(end).report == report(expiring: 1, skipped: 1))
        let after = try await findings(end + 1)
        #expect(after.report == report(expired: 1, skipped: 1))
        #expect(after.items(.certificates).map(\.label) == ["certificate 1"])
    }

    @Test func `a program without tasks gets the same report over a link of its own`() async throws {
        try stage.device.setPasscode("1234")
        for number in 0..<600 { try await stage.login("\(number).example", "secret of \(number % 400) here") }
        try await stage.password("guarded") { $0.accessControl = .userPresence }
        try await stage.certificate(1)
        let link = ItemLink(stage.device.transport)
        let report = try link.health(now: HealthStage.now)
        #expect(report == self.report(total: 600, reused: 400, skipped: 1))
        #expect(try await stage.keychain.health(now: HealthStage.now) == report)
        try stage.device.lock()
        let locked = try link.health(now: HealthStage.now)
        #expect(locked == self.report(skipped: 601))
        #expect(try await stage.keychain.health(now: HealthStage.now) == locked)
    }
}
