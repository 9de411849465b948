import Localization
import PasswordMaking

/// A password that is made for an item: by the rules of its site, where they are known, else as Apple's devices do.
struct NewPassword {
    let maker: PasswordMaker
    private let site: String?

    init(_ draft: Draft) throws(PasswordMakingError) {
        guard draft.secret != .words else {
            (maker, site) = (try PasswordMaker(words: 6), nil)
            return
        }
        let rules = SiteRules(host: draft.host)
        site = rules?.host
        maker = try rules.map { (site) throws(PasswordMakingError) in try PasswordMaker(site.rules) } ?? .grouped
    }

    /// What is told of it, never it.
    var description: String {
        let bits = Int(maker.bits.rounded(.down))
        let count = maker.count
        if maker.isOfWords { return localized("Kept a password of \(count) words, \(bits) bits.") }
        guard let site else { return localized("Kept a password of \(count) characters, \(bits) bits.") }
        return localized("Kept a password of \(count) characters, \(bits) bits, by the rules of \(site).")
    }
}
