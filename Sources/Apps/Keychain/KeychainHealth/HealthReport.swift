/// How a keychain's passwords and certificates are doing, as counts: no name and no secret is in it.
///
///     let report = try await keychain.health()
///     print(report.weak, report.reused)
///
/// docs/guides/keychain-health.md says by which rules.
public struct HealthReport: Equatable, Sendable {
    /// Passwords that were judged.
    public var total = 0
    /// Of those: short, or guessed early.
    public var weak = 0
    /// Of those: the same as another site's.
    public var reused = 0
    /// Of those: not changed for years.
    public var old = 0
    /// Of those: weak, reused or old, or more than one of it.
    public var affected = 0
    /// Certificates whose time is over.
    public var expiredCertificates = 0
    /// Certificates whose time is over soon.
    public var expiringCertificates = 0
    /// Passwords and certificates that were not looked at: they demand their owner, the lock state shuts them, or they
    /// cannot be read.
    ///
    /// What is shut does not say what it is: notes that are locked count here, too.
    public var skipped = 0
    /// Items that can't be decoded; they are kept.
    public var damaged = 0

    /// A report of nothing.
    public init() {}
}

/// From when on something counts.
public struct HealthRules: Equatable, Sendable {
    /// Seconds without a change after which a password is old; three years where nothing else is said.
    public var oldAge: Int64 = 3 * 365 * 86_400
    /// Seconds before the end of a certificate in which it is expiring; 30 days where nothing else is said.
    public var warningTime: Int64 = 30 * 86_400

    /// The rules of docs/guides/keychain-health.md.
    public init() {}
}

/// What may be wrong with an item.
public enum HealthConcern: String, CaseIterable, Sendable {
    /// A password that is short, or guessed early.
    case weak
    /// A password that another site has, too.
    case reused
    /// A password that was not changed for years.
    case old
    /// A certificate whose time is over, or soon is.
    case certificates
}
