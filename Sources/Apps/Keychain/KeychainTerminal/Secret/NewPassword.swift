import Localization
import PasswordMaking
import Secrets
import Tresor

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

// What both drivers do with a new secret: they hold it until it is saved, for the owner may have to be asked.
extension NewPassword {
    /// Makes the new secret of a draft, where it is to be made.
    ///
    /// One that was made before the owner was asked is made anew: nobody has seen it.
    ///
    /// - Parameter held: where it goes.
    /// - Returns: what was made, never it; empty where nothing was.
    static func make(for draft: Draft, into held: inout SecretBytes?) throws(TresorError) -> String {
        guard draft.secret == .made || draft.secret == .words else { return "" }
        do {
            let made = try NewPassword(draft)
            held = try made.maker.make()
            return made.description
        } catch let error as PasswordMakingError {
            throw TresorError(.invalidParameter, error.description)
        } catch { throw .noLockedMemory }
    }

    /// A copy of the new secret; nil where the one there is stays.
    ///
    /// - Parameter held: what was typed or made; nil for nothing.
    static func copy(for draft: Draft, of held: borrowing SecretBytes?) throws(TresorError) -> SecretBytes? {
        guard draft.secret != .kept else { return nil }
        do throws(SecretMemoryError) {
            switch held {
            case .some(let held): return try held.copy()
            case .none: break
            }
        } catch { throw .noLockedMemory }
        throw TresorError(.invalidParameter, localized("no secret was typed; nothing was changed"))
    }
}

extension TresorError {
    static var noLockedMemory: TresorError {
        TresorError(.outOfMemory, localized("no locked memory is left"), status: -108)
    }
}
