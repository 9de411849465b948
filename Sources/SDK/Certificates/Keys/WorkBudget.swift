import Localization

/// How much a file may make us work before it has been read: rounds of hashing, which its maker chooses.
struct WorkBudget {
    /// For one derivation; thirty times what is advised for PBKDF2 today.
    static let mostRounds = 10_000_000
    /// For all derivations of a file, so that many keys cannot do what one must not.
    static let mostTotalRounds = 20_000_000

    private var left: Int

    init(rounds: Int = mostTotalRounds) { left = rounds }

    /// Takes what a derivation will cost, before it begins.
    mutating func spend(_ rounds: Int) throws(CertificateReadError) {
        guard rounds > 0 else { throw CertificateReadError(.damaged, localized("a passphrase hashed \(rounds) times")) }
        guard rounds <= Self.mostRounds else {
            throw CertificateReadError(
                .tooLarge, localized("\(rounds) rounds of hashing; at most \(Self.mostRounds) are done"))
        }
        guard rounds <= left else {
            throw CertificateReadError(
                .tooLarge, localized("more than \(Self.mostTotalRounds) rounds of hashing for one file"))
        }
        left -= rounds
    }
}
