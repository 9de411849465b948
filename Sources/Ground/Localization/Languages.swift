/// Which languages a person wants, as the environment says it.
///
/// Source: the manual of GNU gettext, "Locale Environment Variables" and "The LANGUAGE variable".
package enum Languages {
    /// The languages wanted, the best first; empty where English as it stands in the sources is wanted.
    ///
    /// `LC_ALL` goes before `LC_MESSAGES`, this before `LANG`; an empty variable counts as none. `LANGUAGE`, a list
    /// with colons, goes before all of them, unless they say `C` or `POSIX` or nothing. `de_AT.UTF-8@euro` stands for
    /// `de_AT`, then `de`; `no` and `nn` for `nb` as well, which we ship for Norwegian.
    ///
    /// - Parameter variable: the value of a variable of the environment; nil where it is not set.
    package static func wanted(_ variable: (String) -> String?) -> [String] {
        func set(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        guard let locale = set("LC_ALL") ?? set("LC_MESSAGES") ?? set("LANG"), !isNone(locale) else { return [] }
        let names = set("LANGUAGE")?.split(separator: ":").map(String.init) ?? [locale]
        var wanted: [String] = []
        for name in names {
            for one in spellings(of: name) where !wanted.contains(one) { wanted.append(one) }
        }
        // English is what the sources say: what is wanted less than that is not looked for.
        let english = wanted.firstIndex { $0 == "en" || $0.hasPrefix("en_") || isNone($0) }
        return english.map { Array(wanted[..<$0]) } ?? wanted
    }

    private static func isNone(_ locale: String) -> Bool {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        return name == "C" || name == "POSIX"
    }

    /// A name with its country, then without; none where it could be anything but a name, such as a path.
    private static func spellings(of locale: String) -> [String] {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard (1...12).contains(name.utf8.count), name.utf8.allSatisfy(isPlain) else { return [] }
        let language = name.prefix { $0 != "_" }
        let both = language == name ? [String(name)] : [String(name), String(language)]
        return language == "no" || language == "nn" ? both + ["nb"] : both
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x5F: true
        default: false
        }
    }
}
