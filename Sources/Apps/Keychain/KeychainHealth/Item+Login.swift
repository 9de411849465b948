import Protection
import Tresor

extension Item {
    /// What Tresor's own programs keep, by whole names: a person may well have a password at tresor.example.
    private static let ownServices: Set<String> = ["tresor.profile", "tresor.developer", "tresor.notes.passphrase"]
    /// As imports of ours and of Apple's keychain describe it.
    private static let secureNote = "secure note"

    /// Whether it is a password that somebody signs in with.
    ///
    /// Notes, secrets of one-time codes, further fields, programs' own records and remembered refusals are none.
    var isLogin: Bool {
        guard kind == .internetPassword || kind == .password else { return false }
        guard part == nil, itemDescription != Self.secureNote, !isNoteOrHidden else { return false }
        if (accessGroup ?? "").hasPrefix(AccessGroup.ourPrefix) { return false }
        return kind == .internetPassword || !Self.ownServices.contains(service ?? "")
    }

    /// Where it is used: two passwords of one site are no reuse.
    ///
    /// The server without `www.` before it; of a password without one, its service, else its label.
    var site: String {
        let name = [server, service, label].compactMap { $0 }.first { !$0.isEmpty } ?? ""
        let lower = name.lowercased()
        return lower.hasPrefix("www.") ? String(lower.dropFirst(4)) : lower
    }
}
