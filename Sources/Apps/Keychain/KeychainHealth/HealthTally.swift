import Certificates
import Envelopes
public import FoundationEssentials
import Protection
import Secrets
public import Tresor

/// Counts items one by one, without I/O and without a clock.
///
///     var tally = try HealthTally(now: now)
///     for item in items where tally.wants(item) { try tally.add(item, secret: …) }
///     let report = tally.finish(skipped: locked)
///
/// Of a password it keeps a hash under a random key of its own, and nothing once it is finished.
public struct HealthTally: ~Copyable {
    private let rules: HealthRules
    private let now: Date
    private let fingerprints: SecretFingerprints
    private var report = HealthReport()
    private var concerns: [HealthConcern: [Item]] = [:]
    /// Items with the same password, by its fingerprint.
    private var alike: [[UInt8]: [Item]] = [:]

    /// Counts from nothing.
    ///
    /// - Parameters:
    ///   - now: the time by which things are old and expired.
    ///   - rules: from when on.
    /// - Throws: ``SecretMemoryError``.
    public init(now: Date, _ rules: HealthRules = HealthRules()) throws(SecretMemoryError) {
        do { fingerprints = try SecretFingerprints() } catch { throw SecretMemoryError() }
        self.now = now
        self.rules = rules
    }

    /// The kinds of items that there is something to say about.
    public static let kinds: [ItemKind] = [.password, .internetPassword, .certificate]

    /// Whether to read the item's secret, and hand both to ``add(_:secret:)``.
    ///
    /// An item that would have to ask its owner for something is counted as skipped here, and not wanted.
    public mutating func wants(_ item: Item) -> Bool {
        guard item.kind == .certificate || item.isLogin else { return false }
        guard item.accessControl == [] else {
            skip()
            return false
        }
        return true
    }

    /// Counts items that could not be read.
    public mutating func skip(_ count: Int = 1) { report.skipped += count }

    /// Notes items that can't be decoded.
    public mutating func noteDamage(_ count: Int = 1) { report.damaged += count }

    /// Judges an item by its secret, of which nothing is kept.
    ///
    /// - Parameters:
    ///   - item: one that ``wants(_:)`` wanted.
    ///   - secret: what it holds.
    /// - Throws: ``SecretMemoryError``.
    public mutating func add(_ item: Item, secret: borrowing SecretBytes) throws(SecretMemoryError) {
        if item.kind == .certificate { return secret.withBytes { addCertificate(item, $0.copyToArray()) } }
        let isText = secret.withBytes { PasswordJudgement.isText($0) }
        // A key or a token that a program keeps for itself: nobody types it, and nobody chose it.
        guard isText else { return }
        report.total += 1
        let isWeak = try secret.withBytes { (bytes) throws(SecretMemoryError) in
            try PasswordJudgement.isWeak(bytes, account: item.account, site: item.site)
        }
        if isWeak { note(.weak, item) }
        if let changed = item.modified, Int64(now.timeIntervalSince(changed)) >= rules.oldAge { note(.old, item) }
        guard secret.count > 0 else { return }
        alike[secret.withBytes { fingerprints.fingerprint(of: $0) }, default: []].append(item)
    }

    private mutating func addCertificate(_ item: Item, _ bytes: [UInt8]) {
        guard let certificate = try? DERCertificate(bytes) else { return skip() }
        let left = certificate.notAfter.timeIntervalSince(now)
        if left < 0 {
            report.expiredCertificates += 1
        } else if Int64(left) <= rules.warningTime {
            report.expiringCertificates += 1
        } else {
            return
        }
        concerns[.certificates, default: []].append(item)
    }

    private mutating func note(_ concern: HealthConcern, _ item: Item) {
        concerns[concern, default: []].append(item)
    }

    /// The counts, and which items they are of.
    public consuming func finish() -> HealthFindings {
        for items in alike.values where Set(items.map(\.site)).count > 1 { concerns[.reused, default: []] += items }
        report.weak = concerns[.weak, default: []].count
        report.reused = concerns[.reused, default: []].count
        report.old = concerns[.old, default: []].count
        let affected = [HealthConcern.weak, .reused, .old].flatMap { concerns[$0, default: []] }.map(\.reference)
        report.affected = Set(affected).count
        return HealthFindings(report: report, concerns: concerns)
    }
}

/// The counts, and which items they are of.
public struct HealthFindings: Sendable {
    /// The counts.
    public let report: HealthReport
    private let concerns: [HealthConcern: [Item]]

    init(report: HealthReport, concerns: [HealthConcern: [Item]]) {
        self.report = report
        self.concerns = concerns
    }

    /// The items of which something is so, by site and account.
    public func items(_ concern: HealthConcern) -> [Item] {
        concerns[concern, default: []].sorted {
            ($0.site, $0.account ?? "", $0.label ?? "") < ($1.site, $1.account ?? "", $1.label ?? "")
        }
    }
}
