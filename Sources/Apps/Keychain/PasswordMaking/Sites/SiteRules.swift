/// What sites demand of passwords, by their hosts.
///
///     let site = SiteRules(host: "login.example.com")     // also where the rules are those of example.com
///
/// Source: Apple's project password-manager-resources (MIT), in which anybody may report a site's rules; as the copy
/// of it has them that Firefox keeps (Mozilla, MPL 2.0), in Debian's firefox-esr. packaging/password_rules.py makes the
/// files beside this one. Changed: characters in lists that are not ASCII are left out, as Apple's parser passes over
/// them.
package struct SiteRules: Equatable, Sendable {
    /// The host for which they are known: the one that was asked for, or one that stands above it.
    package let host: String
    /// The rules.
    package let rules: PasswordRules

    /// Looks a host up, then each that stands above it, but no single label; nil where none is known.
    ///
    /// - Parameter host: in either case, as addresses have it.
    package init?(host: String) {
        var name = Substring(host.lowercased())
        if name.last == "." { name.removeLast() }
        while name.contains(where: { $0 == "." }) {
            if let text = Self.texts[String(name)], let rules = try? PasswordRules(text) {
                self.host = String(name)
                self.rules = rules
                return
            }
            name = name.drop { $0 != "." }.dropFirst()
        }
        return nil
    }

    /// Rules by their hosts, as they were published.
    static let texts: [String: String] = {
        var texts: [String: String] = [:]
        for line in (SiteRulesFromA.text + "\n" + SiteRulesFromK.text).split(separator: "\n") {
            let host = line.prefix { $0 != " " }
            texts[String(host)] = String(line.dropFirst(host.count + 1))
        }
        return texts
    }()
}
